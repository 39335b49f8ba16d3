// The data of a show [docs/viewer.md]: asked of the server in chunks, or taken from the page itself.

const kBudgetBytes = 300e6; // chunks of all kinds kept in memory: what a phone can spare; the farthest from the present frame go first
const kRecentFailure = 2000; // [ms] before a chunk that could not be had is asked for again

class ServedData {
  async text(name) {
    const answer = await fetch(`data/${name}`);
    if (!answer.ok) throw new Error(`${name}: ${(await answer.text()).trim()}`);
    return answer.json();
  }
  async bytes(name) {
    const answer = await fetch(`data/${name}`);
    if (!answer.ok) throw new Error(`${name}: ${(await answer.text()).trim()}`);
    return answer.arrayBuffer();
  }
}

// An exported page holds each chunk as base64 text in an element of its own, decoded when it is needed.
class InlineData {
  element(name) {
    return document.getElementById(`touchstone-${name.replaceAll("/", "-")}`);
  }
  async text(name) {
    return JSON.parse(this.element(name).textContent);
  }
  async bytes(name) {
    const text = atob(this.element(name).textContent.trim());
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes.buffer;
  }
}

// One kind of chunk: poses, velocities, joints or contacts.
class Chunks {
  constructor(data, name, chunk) {
    Object.assign(this, { data, name, chunk, loaded: new Map(), asked: new Map(), failed: new Map(), bytes: 0 });
  }

  // The chunk that holds the frame, as { buffer, first, frames, ... }; null when it is not here yet.
  at(frame) {
    const found = this.loaded.get(Math.floor(frame / this.chunk));
    return found && frame < found.first + found.frames ? found : null;
  }

  has(index, frames) {
    const found = this.loaded.get(index);
    return found && found.frames >= Math.min(this.chunk, frames - index * this.chunk);
  }

  failedLately(index) {
    return performance.now() - (this.failed.get(index) ?? -Infinity) < kRecentFailure;
  }

  // Fetches a chunk that is missing or, while a simulation runs, has grown. Whoever needs to know looks whether it came.
  load(index, frames) {
    if (this.has(index, frames)) return Promise.resolve();
    if (this.asked.has(index)) return this.asked.get(index);
    if (this.failedLately(index)) return Promise.resolve();
    const asked = this.data.bytes(`${this.name}/${index}`).then((buffer) => this.keep(index, buffer))
      .catch((error) => { this.failed.set(index, performance.now()); this.onerror?.(error); })
      .finally(() => this.asked.delete(index));
    this.asked.set(index, asked);
    return asked;
  }

  keep(index, buffer) {
    this.bytes += buffer.byteLength - (this.loaded.get(index)?.buffer.byteLength ?? 0);
    this.loaded.set(index, { buffer, first: index * this.chunk, ...this.opened(buffer) });
  }

  drop(index) {
    this.bytes -= this.loaded.get(index).buffer.byteLength;
    this.loaded.delete(index);
  }
}

class FloatChunks extends Chunks {
  constructor(data, name, chunk, size) {
    super(data, name, chunk);
    this.size = size;
  }
  opened(buffer) {
    return { values: new Float32Array(buffer), frames: buffer.byteLength / (4 * this.size) };
  }
}

class ContactChunks extends Chunks {
  opened(buffer) {
    const head = new Uint32Array(buffer, 0, 1)[0];
    const offset = 4 * (head + 2);
    return { frames: head, begin: new Uint32Array(buffer, 4, head + 1), words: new Int32Array(buffer, offset),
      numbers: new Float32Array(buffer, offset) };
  }
}

export class Store {
  static async open() {
    const inline = document.getElementById("touchstone-head") !== null;
    const data = inline ? new InlineData() : new ServedData();
    const store = new Store(data, await data.text("head"));
    await store.refresh();
    return store;
  }

  constructor(data, head) {
    Object.assign(this, { data, head, frames: 0, running: false, message: "", time: [], series: {} });
    for (const name of head.series) this.series[name] = [];
    this.bodies = head.bodies.length;
    this.is2d = head.dimension === 2;
    this.poseSize = this.is2d ? 3 : 7;
    this.velocitySize = this.is2d ? 3 : 6;
    this.poses = new FloatChunks(data, "poses", head.chunk, this.bodies * this.poseSize);
    this.velocities = new FloatChunks(data, "velocities", head.chunk, this.bodies * this.velocitySize);
    this.contacts = new ContactChunks(data, "contacts", head.chunk);
    this.jointValues = head.joints.reduce((sum, joint) => sum + (joint.values ?? 0), 0);
    this.joints = new FloatChunks(data, "joints", head.chunk, 2 * this.jointValues);
    this.all = [this.poses, this.velocities, this.contacts, this.joints];
    this.budget = kBudgetBytes;
  }

  set onerror(tell) {
    for (const kind of this.all) kind.onerror = tell;
  }

  get bytes() {
    return this.all.reduce((sum, kind) => sum + kind.bytes, 0);
  }

  // Asks how far the run is, and for the series of the frames that are new.
  async refresh() {
    const progress = await this.data.text("progress");
    this.message = progress.message;
    if (progress.frames > this.frames) this.append(await this.data.bytes(`series/${this.frames}`));
    this.running = progress.running;
  }

  append(buffer) {
    const names = this.head.series;
    const count = buffer.byteLength / (8 + 4 * names.length);
    for (const t of new Float64Array(buffer, 0, count)) this.time.push(t);
    const values = new Float32Array(buffer, 8 * count);
    names.forEach((name, s) => {
      for (let i = 0; i < count; i++) this.series[name].push(values[s * count + i]);
    });
    this.frames = this.time.length;
  }

  // Drops chunks that lie farther from here than the distance: first chunks of kinds that no layer shows, then the
  // farthest; false if the remaining chunks still fill the memory.
  makeRoom(here, distance, kinds) {
    while (this.bytes > this.budget) {
      let farthest = null, way = distance;
      for (const kind of this.all) {
        for (const index of kind.loaded.keys()) {
          const its = kinds.includes(kind) ? Math.abs(index - here) : Infinity;
          if (its > way) [farthest, way] = [[kind, index], its];
        }
      }
      if (!farthest) return false;
      farthest[0].drop(farthest[1]);
    }
    return true;
  }

  // Fetches what the frame needs, then the nearest chunk that is missing, as far as memory allows. True: call again. It is
  // false where nothing came, because a caller that turns on the spot lets nobody else run.
  async prefetch(frame, kinds) {
    const here = Math.floor(frame / this.head.chunk), last = Math.floor((this.frames - 1) / this.head.chunk);
    await Promise.all(kinds.map((kind) => kind.load(here, this.frames)));
    for (let distance = 1; distance <= last; distance++) {
      for (const index of [here + distance, here - distance]) {
        if (index < 0 || index > last) continue;
        const wanted = kinds.filter((kind) => !kind.has(index, this.frames) && !kind.failedLately(index));
        if (wanted.length === 0) continue;
        if (!this.makeRoom(here, distance, kinds)) return false;
        await Promise.all(wanted.map((kind) => kind.load(index, this.frames)));
        return wanted.some((kind) => kind.has(index, this.frames));
      }
    }
    return false;
  }

  // The last frame that is not later than the time.
  frameAt(time) {
    let low = 0, high = this.frames - 1;
    const slack = 1e-9 + 1e-6 * this.head.step; // steps add up with round-off
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.time[middle] <= time + slack) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
