"""What tools/compare_states and tools/compare_speed share: two builds of Touchstone, named by a program or a commit."""
import hashlib
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = ROOT / "build-compare"  # one folder per commit, and what was measured of it


class Failure(Exception):
    """Something that the user can mend; the message says what."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def commit_of(name):
    """The full hash of a commit, a branch or a tag."""
    command = ["git", "-C", ROOT, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"{name}: expected a program or a commit of {ROOT}")
    return done.stdout.strip()


def run_logged(command, log):
    with log.open("ab") as out:
        if subprocess.run(command, stdout=out, stderr=subprocess.STDOUT).returncode:
            raise Failure(f"{' '.join(map(str, command))} failed; {log} tells why")


def unpack(commit, source):
    """The files of a commit. A plain copy: git remembers no worktree that somebody may delete."""
    if (source / "CMakeLists.txt").is_file():
        return
    source.mkdir(parents=True, exist_ok=True)
    archive = subprocess.Popen(["git", "-C", ROOT, "archive", commit], stdout=subprocess.PIPE)
    unpacked = subprocess.run(["tar", "-x", "-C", source], stdin=archive.stdout)
    if archive.wait() or unpacked.returncode:
        raise Failure(f"cannot unpack {commit} to {source}")


def build_commit(name, targets=("touchstone",), options=()):
    """The build folder of a commit, with the targets built in Release; what was built before is used again."""
    commit = commit_of(name)
    folder = CACHE / commit[:12]
    build, log = folder / "build", folder / "build.log"
    unpack(commit, folder / "source")
    say(f"building {' '.join(targets)} of {commit[:12]} in {build}")
    run_logged(["cmake", "-S", folder / "source", "-B", build, "-DCMAKE_BUILD_TYPE=Release",
                "-DTOUCHSTONE_TESTS=OFF", "-DTOUCHSTONE_PYTHON=OFF", *options], log)
    run_logged(["cmake", "--build", build, "--parallel", str(os.cpu_count()), "--target", *targets], log)
    return build


def is_program(name):
    return os.path.isfile(name) and os.access(name, os.X_OK)


def program_of(name):
    """The program `touchstone`: of a path as it is, of a commit built."""
    return pathlib.Path(name).resolve() if is_program(name) else build_commit(name) / "touchstone"


def digest(path):
    """Of a file's content, or of all files below a folder and their names."""
    path = pathlib.Path(path)
    files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    total = hashlib.sha256()
    for file in files:
        total.update(str(file.relative_to(path)).encode() + b"\0" + file.read_bytes())
    return total.hexdigest()[:16]
