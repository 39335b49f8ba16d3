// The page's data without a page: what is fetched, kept and let go; and the player.
//
// usage: node store_test.mjs
import assert from "node:assert/strict";
import { Store } from "../../viewer/src/store.js";
import { Player } from "../../viewer/src/player.js";

const kChunk = 4, kFrames = 400; // a frame of one body in the plane has 12 bytes of poses

// A server whose chunks hold what they should, but for those that are gone.
function store(gone = () => false) {
  const asked = [];
  const data = {
    asked,
    bytes: async (name) => {
      asked.push(name);
      await new Promise((done) => setTimeout(done, 1));
      if (gone(name)) throw new Error(`${name}: gone`);
      return new ArrayBuffer(kChunk * 3 * 4);
    },
  };
  const made = new Store(data, { series: ["h"], bodies: [{}], joints: [], dimension: 2, chunk: kChunk, step: 0.1 });
  made.frames = kFrames;
  return made;
}

const tests = {
  async "a chunk that cannot be had does not keep the page from running"() {
    const broken = store((name) => name !== "poses/0"), told = [];
    broken.onerror = (error) => told.push(error.message);
    let turns = 0, ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const end = performance.now() + 200;
    while (performance.now() < end) {
      while (await broken.prefetch(0, [broken.poses])) turns++;
      await new Promise((done) => setTimeout(done, 5)); // as a page does that draws
    }
    clearInterval(timer);
    assert.ok(turns < 100 && ticks > 10, `${turns} turns, ${ticks} ticks`);
    assert.ok(told.length > 0 && told[0] === "poses/1: gone", told.join());
  },

  async "a damaged chunk does not keep its neighbours away"() {
    const broken = store((name) => name === "poses/1");
    for (let i = 0; i < 3; i++) while (await broken.prefetch(0, [broken.poses])) { /* again */ }
    assert.ok(broken.poses.has(2, kFrames) && broken.poses.has(99, kFrames));
    assert.equal(broken.data.asked.filter((name) => name === "poses/1").length, 1, "it is not asked for again at once");
  },

  async "memory is bounded for all kinds together, wherever the page looks"() {
    const small = store(), kinds = [small.poses, small.velocities];
    const chunkBytes = kChunk * 3 * 4, most = 20;
    small.budget = most * chunkBytes;
    for (const frame of [0, 37, 120, 200, 399, 5]) {
      while (await small.prefetch(frame, kinds)) assert.ok(small.bytes <= (most + 4) * chunkBytes, `${small.bytes} bytes`);
      const here = Math.floor(frame / kChunk);
      for (const index of [here, Math.min(here + 2, 99), Math.max(0, here - 2)]) assert.ok(small.poses.has(index, kFrames), `${index} from ${frame}`);
      assert.ok(small.bytes <= (most + 4) * chunkBytes, `${small.bytes} bytes`);
    }
  },

  async "kinds that nobody looks at any more go first"() {
    const small = store();
    while (await small.prefetch(0, [small.velocities])) { /* all */ }
    small.budget = 50 * kChunk * 3 * 4;
    await small.prefetch(0, [small.poses]);
    assert.ok(small.velocities.loaded.size <= 50);
    while (await small.prefetch(0, [small.poses])) { /* all that fits */ }
    assert.equal(small.velocities.loaded.size, 0);
    assert.ok(small.poses.loaded.size >= 50);
  },

  async "pause holds a run that is followed, and play goes on from there"() {
    const run = { time: [0, 0.1, 0.2], frames: 3, running: true, frameAt: (time) => Math.min(run.frames - 1, Math.floor(time / 0.1 + 1e-9)) };
    const player = new Player(run);
    player.atHead = true;
    player.advance(0.01);
    assert.equal(player.frame, 2);
    player.toggle();
    assert.equal(player.moving, false);
    run.time.push(0.3);
    run.frames = 4;
    player.advance(0.05);
    assert.equal(player.frame, 2, "paused where it was");
    player.toggle();
    player.advance(0.15);
    assert.equal(player.frame, 3, "and on");
  },
};

let failures = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    failures++;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
process.exit(failures > 0 ? 1 : 0);
