// The viewer's page in Debian's Chromium: loads, plays, scrubs, toggles, shows the right positions, needs little time.
//
// usage: node page_test.mjs PROGRAM PROJECT [WORDS]   PROJECT: where npm has put playwright-core; WORDS: only tests with them
// TOUCHSTONE_SHOTS=FOLDER keeps a picture of each test.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const [program, project, words = ""] = process.argv.slice(2);
const here = path.dirname(new URL(import.meta.url).pathname);
const kSkip = 77;
const kChromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((file) => fs.existsSync(file));
const kPage = path.join(path.dirname(program), "viewer/index.html");
const kSoftware = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"];
const kPatience = 300_000; // [ms] the machine may be busy
// The house's limit is 8 ms of script per frame. The median is held to it; single frames meet other programs.
const kScriptTime = 8, kBusyScriptTime = 25; // [ms]

if (!kChromium || !fs.existsSync(kPage)) {
  console.log(`skipped: ${kChromium ? "the viewer's page was not built" : "chromium is missing"}`);
  process.exit(kSkip);
}
const { chromium } = createRequire(path.join(project, "package.json"))("playwright-core");

// An interpreter that has h5py, as Debian's package python3-h5py gives it.
function python() {
  const found = ["python3", "/usr/bin/python3"].find((name) => spawnSync(name, ["-c", "import h5py"]).status === 0);
  assert.ok(found, "no python3 with h5py (package python3-h5py)");
  return found;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "touchstone-viewer-"));
const inFolder = (name) => path.join(folder, name);
const run = (...words_) => execFileSync(program, words_, { cwd: folder, encoding: "utf8" });
const states = (recording) => {
  run("export", recording, "states.csv", "-q");
  const [head, ...lines] = fs.readFileSync(inFolder("states.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, name === "body" ? line[i] : Number(line[i])])));
};

class Viewer {
  static async open(words_, settings = {}) {
    const viewer = new Viewer();
    viewer.process = spawn(program, [...words_, "--no-browser", "--port", "0"], { cwd: folder });
    viewer.output = "";
    const address = await new Promise((found, failed) => {
      const look = (data) => {
        viewer.output += data;
        const match = viewer.output.match(/http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]+\//);
        if (match) found(match[0]);
      };
      viewer.process.stdout.on("data", look);
      viewer.process.stderr.on("data", look);
      viewer.process.on("exit", (code) => failed(new Error(`ended with ${code}: ${viewer.output}`)));
    });
    await viewer.visit(address, settings);
    return viewer;
  }

  static async file(name) {
    const viewer = new Viewer();
    await viewer.visit(`file://${inFolder(name)}`, { offline: true });
    return viewer;
  }

  // Shadows cost a processor that draws by itself too much time: one test has them.
  async visit(address, { offline = false, shadows = false, ...settings }) {
    this.context = await browser.newContext({ viewport: { width: 860, height: 520 }, colorScheme: "light", offline, ...settings });
    this.page = await this.context.newPage();
    this.page.setDefaultTimeout(kPatience);
    this.troubles = [];
    this.page.on("console", (message) => ["error", "warning"].includes(message.type()) && this.troubles.push(message.text()));
    this.page.on("pageerror", (error) => this.troubles.push(error.message));
    await this.page.goto(shadows ? address : `${address}?simple`);
    await this.until(() => window.touchstone && touchstone.frame >= 0);
  }

  until(expression, argument) {
    return this.page.waitForFunction(expression, argument, { timeout: kPatience });
  }
  ask(action, argument) {
    return this.page.evaluate(action, argument);
  }
  async seek(frame) {
    await this.ask((f) => touchstone.seekFrame(f), frame);
    await this.until((f) => touchstone.frame === f && !touchstone.page.lacking, frame);
  }
  counts() {
    return this.ask(() => touchstone.counts());
  }
  async shot(name) {
    if (process.env.TOUCHSTONE_SHOTS) await this.page.screenshot({ path: path.join(process.env.TOUCHSTONE_SHOTS, `${name}.png`) });
  }
  async close() {
    await this.context.close();
    // What swiftshader says of itself is no trouble of the page.
    assert.deepEqual(this.troubles.filter((text) => !/swiftshader|GPU stall|GL Driver Message/i.test(text)), []);
    if (!this.process) return;
    const ended = new Promise((done) => this.process.on("exit", done));
    this.process.kill("SIGINT");
    assert.equal(await ended, 0, "Ctrl-C ends it cleanly");
  }
}

// Most tests look at the same stack of boxes, in the same page.
let stackViewer = null;
async function stack() {
  if (stackViewer) return stackViewer;
  run("run", "box-stack", "--duration", "0.6", "-q");
  stackViewer = await Viewer.open(["view", "box-stack.h5"]);
  return stackViewer;
}

const near = (found, expected, what) => found.forEach((x, k) => assert.ok(Math.abs(x - expected[k]) < 1e-5 * (1 + Math.abs(x)), `${what}: ${found} is not ${expected}`));

const tests = {
  async "bodies stand where the recording says at a given time, in 2D"() {
    run("run", "slide", "--duration", "0.5", "-q");
    const viewer = await Viewer.open(["view", "slide.h5"]);
    await viewer.ask(() => touchstone.seekTime(0.25));
    await viewer.until(() => Math.abs(touchstone.time - 0.25) < 1e-9);
    for (const state of states("slide.h5").filter((s) => Math.abs(s.time - 0.25) < 1e-9)) {
      const pose = await viewer.ask((name) => touchstone.bodyPose(name), state.body);
      near(pose.position, [state.x, state.y, 0], state.body);
      near(pose.quaternion, [Math.cos(state.angle / 2), 0, 0, Math.sin(state.angle / 2)], state.body);
    }
    assert.equal(await viewer.ask(() => touchstone.stage.camera.isOrthographicCamera), true);
    await viewer.shot("slide");
    await viewer.close();
  },

  async "bodies stand where the recording says at a given time, in 3D"() {
    run("run", "hanging-rod", "--duration", "0.3", "-q", "-o", "pendulum.h5");
    const viewer = await Viewer.open(["view", "pendulum.h5"], { shadows: true });
    const all = states("pendulum.h5"), time = all.at(-1).time, dimension = await viewer.ask(() => touchstone.head.dimension);
    await viewer.ask((t) => touchstone.seekTime(t), time);
    await viewer.until((t) => Math.abs(touchstone.time - t) < 1e-9, time);
    for (const state of all.filter((s) => s.time === time)) {
      const pose = await viewer.ask((name) => touchstone.bodyPose(name), state.body);
      near(pose.position, [state.x, state.y, dimension === 3 ? state.z : 0], state.body);
    }
    assert.ok((await viewer.counts()).joints > 0);
    const { name, bodies } = await viewer.ask(() => touchstone.head.joints[0]);
    await viewer.ask((body) => touchstone.page.select(body), Math.max(...bodies));
    await viewer.until(() => !touchstone.page.lacking);
    const state = await viewer.page.textContent("#body-state");
    assert.ok(state.includes(name) && /°, −?[\d.e−]+ rad\/s/.test(state), `its joint's value and rate: ${state}`);
    await viewer.ask(() => touchstone.page.showTab("body"));
    await viewer.shot("pendulum");
    await viewer.close();
  },

  async "it plays, pauses, steps and scrubs"() {
    const viewer = await stack(), { page } = viewer;
    await page.click("#play");
    await viewer.until(() => touchstone.frame > 5);
    await page.keyboard.press(" ");
    assert.equal(await viewer.ask(() => touchstone.player.playing), false);
    await viewer.seek(10);
    await page.keyboard.press("ArrowRight");
    await viewer.until(() => touchstone.frame === 11);
    await page.click("#back");
    await viewer.until(() => touchstone.frame === 10);
    await page.keyboard.press("Shift+ArrowRight");
    await viewer.until(() => touchstone.frame === 20);
    await page.locator("#scrub").fill("70");
    await viewer.until(() => touchstone.frame === 70);
    assert.match(await page.textContent("#clock"), /0\.350 s/);
    await page.keyboard.press("End");
    await viewer.until(() => touchstone.frame === 120);
    await page.selectOption("#speed", "2");
    const anew = await viewer.ask(() => { document.getElementById("play").click(); return touchstone.player.frame; });
    assert.equal(anew, 0, "from the end it starts anew");
    await viewer.until(() => touchstone.frame === 120 && !touchstone.player.playing);
    await viewer.shot("stack");
  },

  async "every layer is drawn when it is on and costs nothing when it is off"() {
    const viewer = await stack(), { page } = viewer;
    await viewer.seek(100);
    const drawn = { contacts: "c", normals: "n", impulses: "i", boxes: "b", joints: "j", trails: "t", edges: "e", hollow: "h", grid: "g" };
    for (const [name, key] of Object.entries(drawn)) {
      const before = await viewer.ask((layer) => touchstone.page.layers[layer], name);
      await page.keyboard.press(key);
      assert.equal(await viewer.ask((layer) => touchstone.page.layers[layer], name), !before, name);
      assert.equal(await page.getAttribute(`[data-layer=${name}]`, "aria-pressed"), String(!before));
      await page.click(`[data-layer=${name}]`);
      assert.equal(await viewer.ask((layer) => touchstone.page.layers[layer], name), before, name);
    }
    const more = ["normals", "boxes", "trails"];
    for (const name of more) await page.click(`[data-layer=${name}]`);
    await viewer.seek(101);
    const counts = await viewer.counts();
    assert.ok(counts.contacts >= 30 && counts.arrows >= 30 && counts.trails > 0, JSON.stringify(counts));
    assert.equal(counts.boxes, 11);
    assert.equal(await viewer.ask(() => touchstone.stage.contacts.dots.object.geometry.drawRange.count), counts.contacts);
    await viewer.shot("layers");
    for (const name of more) await page.click(`[data-layer=${name}]`);
  },

  async "contacts are coloured by kind and by gap"() {
    run("run", "case-5-1", "--model", "peg", "-q", "-o", "peg.h5");
    const viewer = await Viewer.open(["view", "peg.h5"]), { page } = viewer;
    await viewer.seek(0);
    const colours = () => viewer.ask(() => {
      const { object } = touchstone.stage.contacts.dots, n = object.geometry.drawRange.count;
      return [...new Set(Array.from({ length: n }, (_x, i) => Array.from(object.geometry.attributes.tint.array.slice(3 * i, 3 * i + 3), (c) => c.toFixed(2)).join()))];
    });
    const byKind = await colours();
    assert.ok(byKind.length >= 2, `one kind only: ${byKind}`);
    await page.click("[data-colour=gap]");
    assert.match(await page.textContent("#legend"), /overlap.*touching.*apart/s);
    assert.notDeepEqual(await colours(), byKind);
    await viewer.close();
  },

  async "a body that is clicked is picked, followed and its state is told"() {
    const viewer = await stack(), { page } = viewer;
    await viewer.seek(60);
    await viewer.until(() => !touchstone.stage.move);
    const [x, y] = await viewer.ask(() => touchstone.onPage("box-4"));
    await page.mouse.click(x, y);
    assert.equal(await viewer.ask(() => touchstone.head.bodies[touchstone.stage.selected]?.name), "box-4");
    await viewer.until(() => !touchstone.page.lacking);
    assert.match(await page.textContent("#body-state"), /position.*velocity.*contacts/s);
    await page.keyboard.press("f");
    await viewer.until(() => !touchstone.stage.move);
    await viewer.seek(0);
    const [fx, fy] = await viewer.ask(() => touchstone.onPage("box-4"));
    const box = await page.locator("#view").boundingBox();
    assert.ok(Math.abs(fx - box.x - box.width / 2) < 3 && Math.abs(fy - box.y - box.height / 2) < 3, "it stays in the middle");
    await viewer.shot("follow");
    await page.keyboard.press("Escape");
    assert.equal(await viewer.ask(() => touchstone.stage.selected), -1);
  },

  async "cameras, theme, help and panel answer"() {
    const viewer = await stack(), { page } = viewer;
    for (const [key, axis] of [["3", [0, -1, 0]], ["4", [1, 0, 0]], ["5", [0, 0, 1]]]) {
      await page.keyboard.press(key);
      await viewer.until(() => !touchstone.stage.move);
      const seen = await viewer.ask(() => touchstone.stage.camera.position.clone().sub(touchstone.stage.controls.target).normalize().toArray());
      seen.forEach((x, k) => assert.ok(Math.abs(x - axis[k]) < 0.01, `${key}: ${seen}`));
    }
    const theme = () => page.getAttribute("html", "data-theme");
    const before = await theme();
    await page.keyboard.press("d");
    assert.notEqual(await theme(), before);
    await page.keyboard.press("?");
    assert.ok(await page.locator("#help").isVisible());
    await viewer.shot("help");
    await page.keyboard.press("Escape");
    assert.ok(!(await page.locator("#help").isVisible()));
    await page.keyboard.press("p");
    assert.ok(!(await page.locator("#panel").isVisible()));
    await page.keyboard.press("p");
  },

  async "plots go with time, and a click on one goes to that time"() {
    const viewer = await stack(), { page } = viewer;
    await viewer.seek(40);
    assert.match(await page.textContent("[data-plot=contacts] .chart-head"), /all \d+/);
    await page.locator("[data-plot=energy]").scrollIntoViewIfNeeded();
    const over = await page.locator("[data-plot=energy] .u-over").boundingBox();
    await page.mouse.click(over.x + over.width / 2, over.y + over.height / 2);
    await viewer.until(() => Math.abs(touchstone.time - 0.3) < 0.02);
    const marker = await page.locator("[data-plot=energy] .marker").boundingBox();
    assert.ok(Math.abs(marker.x - over.x - over.width / 2) < 3);
  },

  async "a phone shows one page of the panel at a time"() {
    const viewer = await Viewer.open(["view", "box-stack.h5"], { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, colorScheme: "dark" });
    const { page } = viewer;
    for (const tab of ["show", "body", "plots"]) {
      await page.tap(`[data-tab=${tab}]`);
      const shown = await page.locator("[data-page]:visible").evaluateAll((pages) => pages.map((p) => p.dataset.page));
      assert.deepEqual(shown, [tab]);
    }
    assert.ok(await viewer.ask(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the screen");
    await viewer.shot("phone");
    await viewer.close();
  },

  async "an exported page works from a file, without a network"() {
    run("export", "box-stack.h5", "box-stack.html", "-q");
    run("export", "slide.h5", "slide.html", "-q");
    assert.doesNotMatch(fs.readFileSync(inFolder("box-stack.html"), "utf8"), /(src|href)="https?:/);
    for (const [name, body] of [["box-stack", "box-3"], ["slide", "crate"]]) {
      const viewer = await Viewer.file(`${name}.html`);
      await viewer.seek(50);
      const pose = await viewer.ask((b) => touchstone.bodyPose(b), body);
      const state = states(`${name}.h5`).filter((s) => s.body === body)[50];
      near(pose.position, [state.x, state.y, state.z ?? 0], body);
      await viewer.page.click("#play");
      await viewer.until(() => touchstone.frame > 52);
      await viewer.close();
    }
  },

  async "ten thousand frames of two hundred bodies scrub without delay"() {
    execFileSync(python(), [path.join(here, "make_recording.py"), inFolder("many.h5"), "10000", "200"]);
    const viewer = await Viewer.open(["view", "many.h5"], { viewport: { width: 480, height: 320 } });
    await viewer.until(() => touchstone.loadedFrames === 10000);
    await viewer.ask(() => touchstone.takeTimings());
    const result = await viewer.ask(async () => {
      const scrub = document.getElementById("scrub"), frame = () => new Promise(requestAnimationFrame);
      for (let i = 0; i < 150; i++) {
        scrub.value = String((i * 3571) % 10000); // far apart, each in another chunk
        scrub.dispatchEvent(new Event("input"));
        await frame();
      }
      await frame();
      return { timings: touchstone.takeTimings(), frame: touchstone.frame, pose: touchstone.bodyPose("body-7") };
    });
    const last = (149 * 3571) % 10000, t = last * 0.01;
    assert.equal(result.frame, last);
    near(result.pose.position, [7 + Math.cos(t + 7), Math.sin(t + 7), 3.5], "body-7");
    await viewer.shot("many");
    const sorted = result.timings.sort((a, b) => a - b), at = (share) => sorted[Math.floor(share * (sorted.length - 1))];
    console.log(`  ${sorted.length} frames drawn, script per frame: median ${at(0.5).toFixed(2)} ms, 9 of 10 below ${at(0.9).toFixed(2)} ms, worst ${at(1).toFixed(2)} ms`);
    assert.ok(sorted.length > 100, "it drew while it was scrubbed");
    assert.ok(at(0.5) <= kScriptTime, `median ${at(0.5)} ms`);
    assert.ok(at(0.9) <= kBusyScriptTime, `9 of 10: ${at(0.9)} ms`);
    await viewer.close();
    fs.rmSync(inFolder("many.h5"));
  },

  async "none of this troubled the page"() {
    await (await stack()).close();
  },

  async "a scene is shown while it runs"() {
    const viewer = await Viewer.open(["run", "polyhedra-in-box", "--view", "--duration", "2", "-o", "live.h5"]);
    await viewer.until(() => touchstone.store.running === false && touchstone.frame >= 0);
    assert.equal(await viewer.ask(() => touchstone.store.frames), 201);
    await viewer.seek(200);
    const live = await viewer.ask(() => touchstone.bodyPose("polyhedron-1"));
    const recorded = states("live.h5").filter((s) => s.body === "polyhedron-1")[200];
    near(live.position, [recorded.x, recorded.y, recorded.z], "live and recorded");
    assert.ok((await viewer.counts()).contacts > 0);
    await viewer.close();
    const long = await Viewer.open(["view", "box-stack", "--set", "duration=1000"]);
    await long.until(() => touchstone.store.running && touchstone.player.atHead && touchstone.frame > 3);
    await long.page.keyboard.press(" ");
    const paused = await long.ask(() => [touchstone.player.frame, touchstone.store.frames]);
    await long.until((frames) => touchstone.store.frames > frames, paused[1]);
    assert.equal(await long.ask(() => touchstone.player.frame), paused[0], "pause holds");
    await long.seek(1);
    await long.until(() => touchstone.store.frames > 10);
    assert.equal(await long.ask(() => touchstone.frame), 1, "whoever looks back is left there");
    await long.page.click("#live");
    await long.until(() => touchstone.frame > 10);
    await long.shot("live");
    await long.close();
  },
};

const browser = await chromium.launch({ executablePath: kChromium, args: kSoftware });
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (!name.includes(words)) continue;
  const begin = Date.now();
  try {
    await test();
    console.log(`ok      ${name} (${((Date.now() - begin) / 1e3).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}: ${error.stack}`);
  }
}
await browser.close();
fs.rmSync(folder, { recursive: true });
process.exit(failed ? 1 : 0);
