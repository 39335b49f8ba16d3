// Which frame is shown, and when the next one is due. Frames are shown as they were recorded, never mixed.

export const kSpeeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

export class Player {
  constructor(store) {
    Object.assign(this, { store, time: store.time[0] ?? 0, frame: 0, playing: false, speed: 1, loop: false, atHead: false });
  }

  get end() {
    return this.store.time[this.store.frames - 1];
  }

  // Will the present frame change by itself?
  get moving() {
    return this.playing || this.atHead;
  }

  seekFrame(frame) {
    this.frame = Math.max(0, Math.min(this.store.frames - 1, Math.round(frame)));
    this.time = this.store.time[this.frame];
    this.atHead = this.store.running && this.frame === this.store.frames - 1;
  }

  seekTime(time) {
    this.seekFrame(this.store.frameAt(time));
  }

  toggle() {
    if (this.atHead) { // whoever follows a run sees it play: pause where we are
      this.atHead = this.playing = false;
      return;
    }
    if (!this.playing && this.time >= this.end && !this.store.running) this.seekFrame(0);
    this.playing = !this.playing;
  }

  faster(by) {
    const i = kSpeeds.indexOf(this.speed);
    this.speed = kSpeeds[Math.max(0, Math.min(kSpeeds.length - 1, i + by))];
  }

  // Moves on by a time of the wall clock [s].
  advance(passed) {
    if (this.atHead) return this.seekFrame(this.store.frames - 1);
    if (!this.playing) return;
    this.time += passed * this.speed;
    if (this.time >= this.end) {
      if (this.loop && !this.store.running) this.time = this.store.time[0];
      else {
        this.time = this.end;
        this.playing = this.store.running;
      }
    }
    this.frame = this.store.frameAt(this.time);
  }
}
