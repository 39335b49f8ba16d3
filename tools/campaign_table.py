"""docs/campaign.md: what tools/campaign tried and found, one column per program."""
import collections
import pathlib

KINDS = {"gap": "gaps below -1e-9 m, or below that of an overlapping start",
         "pass": "a body passed another",
         "energy": "energy of an island without joints gained",
         "joint-energy": "energy of an island with joints gained, above 1e-3 of its kinetic energy in a step",
         "momentum": "momentum not kept",
         "nonlocal": "a body moved otherwise than without bodies 300 m away",
         "joint": "a joint open by more than 1e-3 m or rad",
         "limit": "a joint beyond its limits by more than 1e-3 m or rad",
         "residual": "a step accepted with a residual above 1e-9",
         "not-a-number": "a number that is none", "unreadable": "a recording that cannot be read",
         "refused": "a step refused", "hang": "a run longer than its limit", "crash": "a crash"}
HEAD = """# The hostile campaign

Written by `tools/campaign --table`; do not edit. The scenes are those of `tools/campaign_scenes.py`, one per seed and the
same everywhere; they were run and judged by

{commands}

The judge (`tools/campaign_judge.py`, `tools/campaign_energy.py`, `tools/campaign_joints.py`) reads the recording and uses
nothing of the simulator: exact gaps by the separating-axis theorem, passes by bisection along the path between frames
(deeper than half the least width of the thinner part), energy and momentum per island and step. A number in the tables is
the number of *scenes* that show a finding; energy is not judged where motors, torques or an overlapping start work.
"""


def tables_of(columns):
    """The rows of each program, without and with friction in space."""
    apart = [({name: [r for r in rows.values() if bool(r.get("space_friction")) == space] for name, rows in columns.items()})
             for space in (False, True)]
    return [("In the plane, and in space without friction", apart[0]), ("Friction in space", apart[1])]


def grid(head, rows):
    """A table in Markdown."""
    lines = ["| " + " | ".join(map(str, head)) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def has(row, kind):
    return any(f["kind"] == kind for f in row["findings"])


def totals(columns):
    """Scenes, steps and times per program."""
    rows = []
    for name, runs in columns.items():
        walls = [r["wall"] for r in runs]
        ended = collections.Counter(r["status"] for r in runs)
        rows.append([name, len(runs), sum(r["steps"] for r in runs), ended["done"], ended["refused"], ended["rejected"],
                     sum(r.get("divided", 0) for r in runs), sum(r.get("relaxed", 0) for r in runs),
                     sum(r.get("undecided") or 0 for r in runs), f"{sum(walls) / max(len(walls), 1):.2f}"])
    return grid(["program", "scenes", "steps", "to the end", "refused", "not taken", "steps divided", "steps relaxed",
                 "pairs x steps whose path stayed unknown", "s a scene"], rows)


def findings_table(columns):
    """Kinds by programs."""
    rows = [[words, *(sum(has(r, kind) for r in runs) for runs in columns.values())] for kind, words in KINDS.items()]
    return grid(["found in scenes", *columns], rows)


def refusal_rates(columns):
    """Refusals per step, with and without scripts."""
    rows = []
    for words, scripted in (("without scripts", False), ("with scripts", True)):
        cells = []
        for runs in columns.values():
            chosen = [r for r in runs if ("scripts" in r["features"]) == scripted]
            cells.append(f"{sum(has(r, 'refused') for r in chosen)} in {sum(r['steps'] for r in chosen)} steps")
        rows.append([words, *cells])
    return grid(["refusals", *columns], rows)


def by_category(columns):
    """Categories by kinds; `base / program` in each cell."""
    seen = [k for k in KINDS if any(has(r, k) for runs in columns.values() for r in runs)]
    names = sorted({r["category"] for runs in columns.values() for r in runs})
    rows = []
    for name in names:
        runs = [[r for r in column if r["category"] == name] for column in columns.values()]
        cells = [" / ".join(str(sum(has(r, k) for r in column)) for column in runs) for k in seen]
        rows.append([name, " / ".join(str(len(c)) for c in runs), " / ".join(str(sum(r["steps"] for r in c)) for c in runs),
                     *cells])
    return grid(["category", "scenes", "steps", *seen], rows)


def features_met(columns):
    """How many scenes had each feature."""
    counts = [collections.Counter(f for r in runs for f in r["features"]) for runs in columns.values()]
    names = sorted(set().union(*counts), key=lambda n: (-max(c[n] for c in counts), n))
    return grid(["feature", *columns], [[n, *(c[n] for c in counts)] for n in names])


def reasons(columns):
    """Why steps were refused."""
    counts = [collections.Counter(f.get("reason", "") for r in runs for f in r["findings"] if f["kind"] == "refused")
              for runs in columns.values()]
    names = sorted(set().union(*counts), key=lambda n: -max(c[n] for c in counts))
    return grid(["reason (# stands for numbers)", *columns], [[f"`{n}`", *(c[n] for c in counts)] for n in names[:15]])


def commands_of(columns):
    """What to type to make it again."""
    seeds = sorted({s for rows in columns.values() for s in rows})
    span = f"{seeds[0]}:{seeds[-1] + 1}" if seeds else "0:0"
    labels = list(columns)
    base = f" --base PROGRAM --base-label {labels[0]}" if len(labels) > 1 else ""
    return f"```bash\ntools/campaign PROGRAM --label {labels[-1]}{base} --seeds {span}\ntools/campaign --table" + \
        f" --label {labels[-1]}" + (f" --base-label {labels[0]}" if base else "") + "\n```"


def write_table(columns, output):
    """`columns`: {label: {seed: row}}."""
    text = [HEAD.format(commands=commands_of(columns))]
    if len(columns) > 1:
        text.append("Cells with two numbers are " + " / ".join(columns) + ".\n")
    for title, part in tables_of(columns):
        text += [f"## {title}\n", totals(part), "", findings_table(part), "", refusal_rates(part), "", by_category(part), "",
                 reasons(part), ""]
    text += ["## What the scenes had\n", features_met({n: list(rows.values()) for n, rows in columns.items()}), ""]
    pathlib.Path(output).write_text("\n".join(text))
