// The page: reads the show, wires controls, keys and plots to player and stage, and draws when something changed.
import "./style.css";
import { Store } from "./store.js";
import { hasWalls, Stage } from "./stage.js";
import { kSpeeds, Player } from "./player.js";
import { Plots, shortNumber } from "./plots.js";
import { bodyState } from "./body_state.js";
import { kGapColours, kKinds } from "./theme.js";

const kAskEvery = 250; // [ms] while a simulation runs
const kPlotEvery = 600; // [ms]
const kClickSlack = 5; // [px] a pointer may move between down and up
const kTimings = 600; // frames whose script time is kept
const kLayers = [
  ["contacts", "Contacts", "C"], ["normals", "Normals", "N"], ["impulses", "Impulses", "I"], ["boxes", "Boxes", "B"],
  ["joints", "Joints", "J"], ["trails", "Trails", "T"], ["edges", "Edges", "E"], ["hollow", "Hollow", "H"], ["grid", "Grid", "G"],
];
const kOnAtFirst = { contacts: true, normals: false, impulses: true, boxes: false, joints: true, trails: false, edges: true, grid: true };
const kCameras = [["fit", "Fit", "1"], ["iso", "Corner", "2"], ["front", "Front", "3"], ["side", "Side", "4"], ["top", "Top", "5"]];
const kKeys = [
  ["space", "play, pause"], ["← →", "one frame back, on; with shift ten"], ["Home End", "first, last frame"], ["↑ ↓", "faster, slower"],
  ["L", "again and again"], ["1 … 5", "fit; camera from a corner, front, side, top"], ["[ ]", "previous, next body"], ["F", "follow the body"],
  ["Esc", "no body"], ["C N I", "contacts, normals, impulses"], ["K", "contacts by kind or by gap"], ["B J T", "boxes, joints, trails"],
  ["E H G", "edges; fixed bodies as edges only; grid"], ["D", "dark, light"], ["P", "panel"], ["?", "these keys"],
];

const byId = (id) => document.getElementById(id);
const kept = {
  get: (name) => { try { return localStorage.getItem(`touchstone-${name}`); } catch { return null; } },
  set: (name, value) => { try { localStorage.setItem(`touchstone-${name}`, value); } catch { /* a page from a file may not */ } },
};

class Page {
  constructor(store) {
    this.store = store;
    this.player = new Player(store);
    this.layers = { ...kOnAtFirst, hollow: hasWalls(store) };
    this.shownFrame = -1;
    this.timings = [];
    this.stage = new Stage(byId("view"), store);
    this.plots = new Plots(byId("charts"), store, (time) => this.seek(() => this.player.seekTime(time)));
    this.fillHead();
    this.fillPanel();
    this.fillTransport();
    this.fillHelp();
    this.listenToCanvas();
    document.addEventListener("keydown", (event) => this.onKey(event));
    this.setTheme(kept.get("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    this.applyLayers();
    this.showTab(kept.get("tab") ?? "show");
    store.onerror = (error) => this.notice(`Some frames cannot be had: ${error.message}`);
    if (store.running) this.followRun();
    this.fetchAhead();
    requestAnimationFrame((now) => this.tick(now));
  }

  // ---- the parts of the page ---------------------------------------------------------------------------------------

  fillHead() {
    const { head, frames } = this.store;
    document.title = `${head.name} · Touchstone`;
    byId("title").textContent = head.name;
    byId("dimension").textContent = `${head.dimension}D`;
    byId("facts").textContent = `${head.bodies.length} ${head.bodies.length === 1 ? "body" : "bodies"} · ${frames} frames · step ${shortNumber(head.step * 1e3)} ms`;
    if (byId("views").childElementCount > 0) return;
    for (const [name, label, key] of kCameras) {
      if (this.store.is2d && name !== "fit") continue;
      byId("views").append(button(label, `Camera (${key})`, () => this.stage.look(name), { view: name }));
    }
    byId("theme").onclick = () => this.setTheme(this.theme === "dark" ? "light" : "dark");
    byId("panel-button").onclick = () => document.body.classList.toggle("no-panel");
    byId("help-button").onclick = () => this.toggleHelp();
    byId("live").onclick = () => this.toHead();
  }

  fillPanel() {
    for (const [name, label, key] of kLayers) {
      const chip = button(label, `${label} (${key})`, () => this.toggleLayer(name), { layer: name });
      chip.className = "chip";
      byId("toggles").append(chip);
    }
    for (const name of ["kind", "gap"]) byId("colours").append(button(name, "Colours (K)", () => this.setColours(name), { colour: name }));
    byId("impulse-scale").oninput = (event) => {
      this.stage.contacts.scale = 10 ** Number(event.target.value);
      this.stage.refill();
    };
    const list = byId("body-list");
    list.append(new Option("none picked", "-1"), ...this.store.head.bodies.map((body, i) => new Option(body.name, String(i))));
    list.onchange = () => this.select(Number(list.value));
    byId("follow").onclick = () => this.setFollow(!this.stage.follow);
    for (const tab of byId("tabs").children) tab.onclick = () => this.showTab(tab.dataset.tab);
    this.setColours("kind");
    this.select(-1);
  }

  fillTransport() {
    const seekBy = (by) => () => this.seek(() => this.player.seekFrame(this.player.frame + by));
    byId("play").onclick = () => this.player.toggle();
    byId("back").onclick = seekBy(-1);
    byId("forward").onclick = seekBy(1);
    byId("first").onclick = () => this.seek(() => this.player.seekFrame(0));
    byId("loop").onclick = () => (this.player.loop = !this.player.loop);
    byId("scrub").oninput = (event) => this.seek(() => this.player.seekFrame(Number(event.target.value)));
    for (const speed of kSpeeds) byId("speed").append(new Option(`${speed}×`, String(speed)));
    byId("speed").onchange = (event) => (this.player.speed = Number(event.target.value));
    this.fillMarks();
  }

  fillMarks() {
    const end = this.player.end || 1;
    const marks = this.store.head.events.map((event) => {
      const mark = document.createElement("i");
      mark.className = event.kind;
      mark.title = `${event.kind} at ${shortNumber(event.time)} s`;
      mark.style.left = `${(100 * event.time) / end}%`;
      return mark;
    });
    byId("marks").replaceChildren(...marks);
  }

  fillHelp() {
    byId("keys").innerHTML = kKeys.map(([key, what]) => `<dt>${key.split(" ").map((k) => `<kbd>${k}</kbd>`).join("")}</dt><dd>${what}</dd>`).join("");
    byId("help").addEventListener("click", (event) => event.target === byId("help") && byId("help").close());
  }

  toggleHelp() {
    byId("help").open ? byId("help").close() : byId("help").showModal();
  }

  showTab(name) {
    kept.set("tab", name);
    document.body.dataset.tab = name;
    for (const tab of byId("tabs").children) tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
  }

  // ---- what the user changes -------------------------------------------------------------------------------------

  setTheme(name) {
    this.theme = name;
    document.documentElement.dataset.theme = name;
    kept.set("theme", name);
    this.stage.setTheme(name);
    this.plots.redraw();
  }

  toggleLayer(name) {
    this.layers[name] = !this.layers[name];
    this.applyLayers();
  }

  applyLayers() {
    this.stage.setLayers(this.layers);
    for (const chip of byId("toggles").children) chip.setAttribute("aria-pressed", String(this.layers[chip.dataset.layer]));
    this.fillLegend();
    this.lacking = true; // until the contacts are here
    this.fetchAhead();
  }

  setColours(by) {
    this.stage.contacts.colourBy = by;
    for (const chip of byId("colours").children) chip.setAttribute("aria-pressed", String(chip.dataset.colour === by));
    this.stage.refill();
    this.fillLegend();
  }

  fillLegend() {
    const kinds = kKinds.map((kind) => [kind.colour, kind.label]);
    const gaps = [[kGapColours.overlap, "overlap"], [kGapColours.touching, "touching"], [kGapColours.apart, "apart"]];
    const entries = this.stage.contacts.colourBy === "kind" ? kinds : gaps;
    byId("legend").hidden = !this.layers.contacts;
    byId("legend").innerHTML = entries.map(([colour, label]) => `<span><i style="background:${colour}"></i>${label}</span>`).join("");
  }

  select(body) {
    this.stage.select(body);
    byId("body-list").value = String(body);
    byId("follow").disabled = body < 0;
    if (body < 0) this.setFollow(false);
    this.bodyText = null;
    this.showBody();
    this.lacking = true; // until the velocities are here
    this.fetchAhead();
  }

  setFollow(on) {
    this.stage.setFollow(on);
    byId("follow").setAttribute("aria-pressed", String(on));
  }

  seek(how) {
    this.player.playing = false;
    how();
  }

  toHead() {
    this.player.playing = false;
    this.player.seekFrame(this.store.frames - 1);
  }

  listenToCanvas() {
    const canvas = byId("view");
    let down = null;
    canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY, event.button]));
    canvas.addEventListener("pointerup", (event) => {
      if (!down || down[2] !== 0 || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > kClickSlack) return;
      const body = this.stage.pick(event.clientX, event.clientY);
      this.select(body);
      if (body >= 0) this.showTab("body");
    });
    canvas.addEventListener("dblclick", () => this.stage.selected >= 0 && this.setFollow(true));
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
    const action = this.actions()[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || (byId("help").open && event.key !== "?")) return;
    event.preventDefault();
    action(event.shiftKey ? 10 : 1);
  }

  actions() {
    const { player, stage } = this, seek = (frame) => this.seek(() => player.seekFrame(frame));
    const next = (by) => this.select((stage.selected + by + this.store.bodies + (stage.selected < 0 && by < 0 ? 1 : 0)) % this.store.bodies);
    const layers = Object.fromEntries(kLayers.map(([name, , key]) => [key.toLowerCase(), () => this.toggleLayer(name)]));
    const cameras = Object.fromEntries(kCameras.map(([name, , key]) => [key, () => stage.look(name)]));
    return { ...layers, ...cameras, " ": () => player.toggle(), ArrowLeft: (n) => seek(player.frame - n), ArrowRight: (n) => seek(player.frame + n),
      Home: () => seek(0), End: () => this.toHead(), ArrowUp: () => player.faster(1), ArrowDown: () => player.faster(-1),
      l: () => (player.loop = !player.loop), k: () => this.setColours(stage.contacts.colourBy === "kind" ? "gap" : "kind"),
      f: () => stage.selected >= 0 && this.setFollow(!stage.follow), Escape: () => this.select(-1), "[": () => next(-1), "]": () => next(1),
      d: () => byId("theme").click(), p: () => byId("panel-button").click(), "?": () => this.toggleHelp() };
  }

  // ---- time ------------------------------------------------------------------------------------------------------

  get chunk() {
    return Math.floor(this.player.frame / this.store.head.chunk);
  }

  // Loads the chunks that the present frame needs, the nearest first, until all are here or memory is full.
  async fetchAhead() {
    if (this.fetching) return;
    this.fetching = true;
    try {
      do {
        this.fetchedAround = this.chunk;
        while (await this.store.prefetch(this.player.frame, this.kinds())) { /* one chunk after the other */ }
      } while (this.fetchedAround !== this.chunk);
    } finally {
      this.fetching = false;
    }
  }

  kinds() {
    const kinds = [this.store.poses];
    if (this.stage.contacts.isOn || this.stage.selected >= 0) kinds.push(this.store.contacts);
    if (this.stage.selected >= 0) kinds.push(this.store.velocities);
    if (this.stage.selected >= 0 && this.store.jointValues > 0) kinds.push(this.store.joints);
    return kinds;
  }

  tick(now) {
    requestAnimationFrame((later) => this.tick(later));
    const begin = performance.now();
    this.player.advance(Math.min(0.1, (now - (this.last ?? now)) / 1e3));
    this.last = now;
    const moved = this.player.frame !== this.shownFrame || this.lacking;
    if (moved) this.showFrame(this.player.frame);
    this.showTransport();
    const drawn = this.stage.draw(now);
    if (!drawn) return;
    this.timings.push(performance.now() - begin);
    if (this.timings.length > kTimings) this.timings.shift();
  }

  showFrame(frame) {
    this.lacking = !this.stage.setFrame(frame);
    for (const kind of this.kinds()) {
      kind.load(this.chunk, this.store.frames);
      this.lacking ||= !kind.at(frame);
    }
    if (this.chunk !== this.fetchedAround) this.fetchAhead();
    if (this.stage.bodies.frame !== frame) return;
    this.shownFrame = frame;
    this.plots.show(frame, this.store.time[frame]);
    this.showBody();
  }

  showBody() {
    const { selected, bodies } = this.stage;
    if (selected < 0 || bodies.frame < 0) {
      byId("body-state").innerHTML = `<p class="hint">Click a body in the scene, or choose one here.</p>`;
      return;
    }
    const html = bodyState(this.store, this.stage, selected);
    if (html !== this.bodyText) byId("body-state").innerHTML = this.bodyText = html;
  }

  showTransport() {
    const { player, store } = this, key = [player.frame, store.frames, player.playing, player.speed, player.loop, player.atHead, store.running].join();
    if (key === this.transportKey) return;
    this.transportKey = key;
    const scrub = byId("scrub"), last = store.frames - 1;
    if (Number(scrub.max) !== last) scrub.max = String(last);
    scrub.value = String(player.frame);
    scrub.style.setProperty("--done", `${last > 0 ? (100 * player.frame) / last : 0}%`);
    byId("clock").innerHTML = `<b>${store.time[player.frame].toFixed(3)}</b> s<span>${player.frame} / ${last}</span>`;
    byId("play").classList.toggle("playing", player.moving);
    byId("play").setAttribute("aria-label", player.moving ? "Pause" : "Play");
    byId("loop").setAttribute("aria-pressed", String(player.loop));
    byId("speed").value = String(player.speed);
    byId("live").hidden = !store.running;
    byId("live").setAttribute("aria-pressed", String(player.atHead));
  }

  // Asks for new frames while the simulation runs, and shows the newest.
  async followRun() {
    this.player.atHead = true;
    let drawn = 0;
    while (this.store.running) {
      await new Promise((done) => setTimeout(done, kAskEvery));
      try {
        await this.store.refresh();
      } catch {
        this.notice("The program that simulates has ended.");
        this.store.running = false;
      }
      this.fetchAhead();
      if (performance.now() - drawn < kPlotEvery && this.store.running) continue;
      drawn = performance.now();
      this.plots.refresh();
      this.fillHead();
      this.lacking = true; // the series are longer, and the contacts of the last frame may be others
    }
    this.player.atHead = false;
    if (this.store.message) this.notice(`The run ended early: ${this.store.message}`);
  }

  notice(text) {
    byId("notice").textContent = text;
    byId("notice").hidden = false;
  }
}

function button(label, title, onclick, data) {
  const element = Object.assign(document.createElement("button"), { textContent: label, title, onclick });
  Object.assign(element.dataset, data);
  return element;
}

// For tests, and for whoever likes to drive the page from the console.
function testDoor(page) {
  const { store, player, stage } = page;
  return {
    store, player, stage, page, head: store.head,
    get frame() { return page.shownFrame; },
    get time() { return store.time[page.shownFrame]; },
    get loadedFrames() { return [...store.poses.loaded.values()].reduce((sum, chunk) => sum + chunk.frames, 0); },
    bodyPose: (name) => stage.bodies.pose(store.head.bodies.findIndex((body) => body.name === name)),
    onPage: (name) => stage.onPage(store.head.bodies.findIndex((body) => body.name === name)),
    seekFrame: (frame) => page.seek(() => player.seekFrame(frame)),
    seekTime: (time) => page.seek(() => player.seekTime(time)),
    counts: () => ({ contacts: stage.contacts.count, arrows: stage.contacts.arrows, boxes: stage.boxes.count ?? 0, joints: stage.joints.count ?? 0, trails: stage.trails.count ?? 0 }),
    takeTimings: () => page.timings.splice(0),
  };
}

async function start() {
  try {
    const store = await Store.open();
    await store.poses.load(0, store.frames);
    window.touchstone = testDoor(new Page(store));
  } catch (error) {
    byId("notice").textContent = `This cannot be shown: ${error.message}`;
    byId("notice").hidden = false;
    throw error;
  }
}
start();
