// The layers over the bodies: contacts, normals, impulses, bounding boxes, joints, trails. Each layer is filled
// anew for the frame that is shown, and only while it is switched on.
import * as THREE from "three";
import { gapColour, kKinds } from "./theme.js";
import { quaternion, turned } from "./geometry.js";

const kTrailSamples = 80;
const kTrailTime = 1.5; // [s]
const kLongestArrow = 5; // sizes of a body
const kGravity = 9.81; // [m/s^2] an arrow of the size of a body is the weight of the median body

// Segments, points or instances whose number changes from frame to frame.
class Growing {
  constructor(object, sizes) {
    this.object = object;
    this.sizes = sizes;
    object.frustumCulled = false;
    this.reserve(64);
  }
  reserve(count) {
    if (count <= this.capacity) return;
    this.capacity = Math.max(count, 2 * (this.capacity ?? 0));
    const geometry = new THREE.BufferGeometry();
    for (const [name, size] of Object.entries(this.sizes)) {
      const attribute = new THREE.BufferAttribute(new Float32Array(this.capacity * size), size);
      geometry.setAttribute(name, attribute.setUsage(THREE.DynamicDrawUsage));
    }
    this.object.geometry?.dispose();
    this.object.geometry = geometry;
  }
  array(name) {
    return this.object.geometry.attributes[name].array;
  }
  finish(count) {
    this.object.geometry.setDrawRange(0, count);
    for (const attribute of Object.values(this.object.geometry.attributes)) attribute.needsUpdate = true;
  }
}

const kOver = { transparent: true, depthTest: false, depthWrite: false };

const kDotVertex = `attribute vec3 tint; varying vec3 vTint; uniform float size;
void main() { vTint = tint; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); gl_PointSize = size; }`;
const kDotFragment = `varying vec3 vTint; uniform vec3 rim;
void main() { float r = 2.0 * length(gl_PointCoord - 0.5); if (r > 1.0) discard;
  gl_FragColor = vec4(mix(vTint, rim, smoothstep(0.6, 0.75, r)), 1.0 - smoothstep(0.9, 1.0, r));
  #include <colorspace_fragment>
}`;

function dots(size) {
  const uniforms = { size: { value: size * devicePixelRatio }, rim: { value: new THREE.Color() } };
  return new THREE.Points(undefined, new THREE.ShaderMaterial({ ...kOver, uniforms, vertexShader: kDotVertex, fragmentShader: kDotFragment }));
}

// The contacts of a frame, wherever they are wanted: calls use(contact) with a view that is used again.
export function eachContact(store, frame, use) {
  const chunk = store.contacts.at(frame);
  if (!chunk) return -1;
  const D = store.head.dimension, size = 4 + 3 * D, { words, numbers, begin } = chunk;
  const contact = { a: 0, b: 0, kind: 0, gap: 0, point: [0, 0, 0], normal: [0, 0, 0], impulse: [0, 0, 0] };
  const first = begin[frame - chunk.first], last = begin[frame - chunk.first + 1];
  for (let i = first; i < last; i++) {
    const o = i * size;
    [contact.a, contact.b, contact.kind, contact.gap] = [words[o], words[o + 1], words[o + 2], numbers[o + 3]];
    for (let k = 0; k < D; k++) {
      contact.point[k] = numbers[o + 4 + k];
      contact.normal[k] = numbers[o + 4 + D + k];
      contact.impulse[k] = numbers[o + 4 + 2 * D + k];
    }
    use(contact);
  }
  return last - first;
}

export class ContactLayer {
  constructor(store, size) {
    Object.assign(this, { store, size, colourBy: "kind", scale: 1, selected: -1, count: 0, arrows: 0 });
    this.dots = new Growing(dots(10), { position: 3, tint: 3 });
    this.lines = new Growing(new THREE.LineSegments(undefined, new THREE.LineBasicMaterial(kOver)), { position: 3 });
    this.material = new THREE.MeshBasicMaterial(kOver);
    this.shafts = this.instances(new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0));
    this.heads = this.instances(new THREE.ConeGeometry(1, 1, 16).translate(0, 0.5, 0));
    this.group = new THREE.Group().add(this.dots.object, this.lines.object, this.shafts, this.heads);
    [this.lines.object, this.shafts, this.heads, this.dots.object].forEach((o, i) => (o.renderOrder = 10 + i));
    const masses = store.head.bodies.filter((b) => b.kind === "dynamic").map((b) => b.mass).sort((a, b) => a - b);
    this.weight = (masses[masses.length >> 1] ?? 1) * kGravity;
  }

  instances(geometry, capacity = 64) {
    const mesh = new THREE.InstancedMesh(geometry, this.material, capacity);
    mesh.frustumCulled = false;
    return mesh;
  }

  setTheme(theme) {
    this.dots.object.material.uniforms.rim.value.set(theme.background);
    this.lines.object.material.color.set(theme.normal);
    this.material.color.set(theme.impulse);
  }

  show({ contacts, normals, impulses }) {
    this.dots.object.visible = contacts;
    this.lines.object.visible = normals;
    this.shafts.visible = this.heads.visible = impulses;
  }

  get isOn() {
    return this.dots.object.visible || this.lines.object.visible || this.shafts.visible;
  }

  update(frame) {
    if (!this.isOn) return true;
    const list = [];
    const count = eachContact(this.store, frame, (c) => list.push({ ...c, point: [...c.point], normal: [...c.normal], impulse: [...c.impulse] }));
    if (count < 0) return false;
    this.count = count;
    this.fillDots(list);
    this.fillNormals(list);
    this.fillArrows(list.filter((c) => Math.hypot(...c.impulse) > 0));
    return true;
  }

  // Impulses are recorded on A. Drawn is what the body feels that was picked, or that can move: -1 where that is B.
  side(contact) {
    const dynamic = (i) => this.store.head.bodies[i].kind === "dynamic";
    if (contact.b === this.selected) return -1;
    return contact.a !== this.selected && !dynamic(contact.a) && dynamic(contact.b) ? -1 : 1;
  }

  fillDots(list) {
    this.dots.reserve(list.length);
    const position = this.dots.array("position"), tint = this.dots.array("tint"), colour = new THREE.Color();
    list.forEach((c, i) => {
      position.set(c.point, 3 * i);
      if (this.colourBy === "gap") gapColour(c.gap, colour);
      else colour.set((kKinds[c.kind] ?? kKinds[0]).colour);
      tint.set([colour.r, colour.g, colour.b], 3 * i);
    });
    this.dots.finish(list.length);
  }

  fillNormals(list) {
    this.lines.reserve(2 * list.length);
    const position = this.lines.array("position"), length = 0.7 * this.size;
    list.forEach((c, i) => {
      for (let k = 0; k < 3; k++) {
        position[6 * i + k] = c.point[k];
        position[6 * i + 3 + k] = c.point[k] + length * c.normal[k];
      }
    });
    this.lines.finish(2 * list.length);
  }

  reserveArrows(count) {
    if (count <= this.shafts.instanceMatrix.count) return;
    for (const name of ["shafts", "heads"]) {
      const mesh = this.instances(this[name].geometry, 2 * count);
      Object.assign(mesh, { visible: this[name].visible, renderOrder: this[name].renderOrder });
      this.group.remove(this[name]).add(mesh);
      this[name].dispose();
      this[name] = mesh;
    }
  }

  fillArrows(list) {
    this.reserveArrows(list.length);
    const { shafts, heads, size } = this, h = this.store.head.step || 1;
    const turn = new THREE.Quaternion(), at = new THREE.Vector3(), along = new THREE.Vector3(), scale = new THREE.Vector3(), matrix = new THREE.Matrix4();
    list.forEach((c, i) => {
      const force = Math.hypot(...c.impulse) / h;
      const length = Math.min((this.scale * size * force) / this.weight, kLongestArrow * size);
      const head = Math.min(0.22 * size, 0.5 * length);
      along.set(...c.impulse).normalize().multiplyScalar(this.side(c));
      turn.setFromUnitVectors(kY, along);
      at.set(...c.point);
      shafts.setMatrixAt(i, matrix.compose(at, turn, scale.set(0.025 * size, Math.max(length - head, 1e-9), 0.025 * size)));
      at.addScaledVector(along, length - head);
      heads.setMatrixAt(i, matrix.compose(at, turn, scale.set(0.4 * head, head, 0.4 * head)));
    });
    for (const mesh of [shafts, heads]) {
      mesh.count = list.length;
      mesh.instanceMatrix.needsUpdate = true;
    }
    this.arrows = list.length;
  }
}
const kY = new THREE.Vector3(0, 1, 0);

// The boxes along the axes that the broad phase sees.
export class BoxLayer {
  constructor(store, bodies) {
    Object.assign(this, { store, bodies });
    this.lines = new Growing(new THREE.LineSegments(undefined, new THREE.LineBasicMaterial({ ...kOver, depthTest: !store.is2d, opacity: 0.8 })), { position: 3 });
    this.object = this.lines.object;
    this.object.renderOrder = 4;
    this.edges = store.is2d ? kFlatEdges : kBoxEdges;
  }
  setTheme(theme) {
    this.object.material.color.set(theme.box);
  }
  update() {
    const { bodies, edges } = this, point = new THREE.Vector3();
    this.lines.reserve(2 * edges.length * this.store.bodies);
    const position = this.lines.array("position");
    let n = 0;
    bodies.parts.forEach((part, i) => {
      if (part.endless || !bodies.isVisible(i)) return;
      const box = new THREE.Box3();
      for (let k = 0; k < part.points.length; k += 3) {
        box.expandByPoint(bodies.toWorld(i, [part.points[k], part.points[k + 1], part.points[k + 2]], point));
      }
      for (const { centre, radius } of part.rounds) {
        const c = bodies.toWorld(i, centre, point);
        box.union(new THREE.Box3(c.clone().subScalar(radius), c.clone().addScalar(radius)));
      }
      if (box.isEmpty()) return;
      for (const corner of edges.flat()) {
        for (let k = 0; k < 3; k++) position[n++] = (corner >> k) & 1 ? box.max.getComponent(k) : box.min.getComponent(k);
      }
    });
    this.lines.finish(n / 3);
    this.count = n / 6 / edges.length;
  }
}
// Corners by bits: 1 for the larger x, 2 for y, 4 for z.
const kFlatEdges = [[0, 1], [1, 3], [3, 2], [2, 0]];
const kBoxEdges = [...kFlatEdges, [4, 5], [5, 7], [7, 6], [6, 4], [0, 4], [1, 5], [2, 6], [3, 7]];

// Where joints sit: a dot, lines to both centres of mass, and the axis.
export class JointLayer {
  constructor(store, bodies, size) {
    Object.assign(this, { store, bodies, size });
    this.lines = new Growing(new THREE.LineSegments(undefined, new THREE.LineBasicMaterial(kOver)), { position: 3 });
    this.dots = new Growing(dots(9), { position: 3, tint: 3 });
    this.object = new THREE.Group().add(this.lines.object, this.dots.object);
    this.lines.object.renderOrder = 7;
    this.dots.object.renderOrder = 8;
    this.colour = new THREE.Color();
  }
  setTheme(theme) {
    this.colour.set(theme.joint);
    this.lines.object.material.color.copy(this.colour);
    this.dots.object.material.uniforms.rim.value.set(theme.background);
  }
  update() {
    const { joints, bodies: people } = this.store.head, out = new THREE.Vector3();
    this.lines.reserve(6 * joints.length);
    this.dots.reserve(joints.length);
    const line = [], position = this.dots.array("position"), tint = this.dots.array("tint");
    let n = 0;
    for (const joint of joints) {
      if (joint.bodies.some((b) => b >= 0 && !this.bodies.isVisible(b))) continue;
      const anchors = joint.frames.map((frame, side) => this.world(joint.bodies[side], frame.position, out));
      joint.bodies.forEach((b, side) => {
        if (b >= 0) line.push(...anchors[side], ...this.world(b, people[b].com, out));
      });
      position.set(anchors[0], 3 * n);
      tint.set([this.colour.r, this.colour.g, this.colour.b], 3 * n++);
      if (!this.store.is2d && kWithAxis.has(joint.kind)) line.push(...this.axis(joint, out));
    }
    this.lines.reserve(line.length / 3);
    this.lines.array("position").set(line);
    this.lines.finish(line.length / 3);
    this.dots.finish(n);
    this.count = n;
  }
  world(body, point, out) {
    return body < 0 ? [point[0], point[1], point[2] ?? 0] : this.bodies.toWorld(body, point, out).toArray();
  }
  // The z axis of the frame on A, both ways.
  axis(joint, out) {
    const { position, orientation } = joint.frames[0];
    const z = turned(quaternion(orientation), [0, 0, this.size]);
    return [-1, 1].flatMap((s) => this.world(joint.bodies[0], position.map((x, k) => x + s * z[k]), out));
  }
}
const kWithAxis = new Set(["revolute", "prismatic", "cylindrical", "planar"]);

// Where the centres of mass were in the last seconds.
export class TrailLayer {
  constructor(store) {
    this.store = store;
    this.material = new THREE.LineBasicMaterial({ ...kOver, depthTest: !store.is2d, vertexColors: true });
    this.lines = new Growing(new THREE.LineSegments(undefined, this.material), { position: 3, color: 4 });
    this.object = this.lines.object;
    this.object.renderOrder = 3;
    this.colour = new THREE.Color();
    this.movers = store.head.bodies.flatMap((body, i) => (body.kind === "fixed" ? [] : [i]));
  }
  setTheme(theme) {
    this.colour.set(theme.trail);
  }
  // Frames from old to new, as far as they are loaded.
  samples(frame) {
    const { store } = this, since = store.frameAt(store.time[frame] - kTrailTime);
    const every = Math.max(1, Math.ceil((frame - since) / kTrailSamples));
    const frames = [];
    for (let f = frame; f >= since; f -= every) {
      if (!store.poses.at(f)) break;
      frames.unshift(f);
    }
    return frames;
  }
  update(frame) {
    const { store, movers } = this, frames = this.samples(frame), segments = Math.max(0, frames.length - 1);
    this.lines.reserve(2 * segments * movers.length);
    const position = this.lines.array("position"), colour = this.lines.array("color");
    const { r, g, b } = this.colour;
    let n = 0;
    for (const body of movers) {
      const { appear, com } = store.head.bodies[body];
      let last = null;
      frames.forEach((f, k) => {
        const here = store.time[f] + 1e-9 >= appear ? this.centre(f, body, com) : null;
        if (last && here) {
          position.set(last, 3 * n);
          position.set(here, 3 * n + 3);
          colour.set([r, g, b, (k - 1) / segments, r, g, b, k / segments], 4 * n);
          n += 2;
        }
        last = here;
      });
    }
    this.lines.finish(n);
    this.count = n / 2;
  }
  centre(frame, body, com) {
    const { store } = this, chunk = store.poses.at(frame), v = chunk.values;
    const o = ((frame - chunk.first) * store.bodies + body) * store.poseSize;
    if (store.is2d) {
      const c = Math.cos(v[o + 2]), s = Math.sin(v[o + 2]);
      return [v[o] + c * com[0] - s * com[1], v[o + 1] + s * com[0] + c * com[1], 0];
    }
    if (com[0] === 0 && com[1] === 0 && com[2] === 0) return [v[o], v[o + 1], v[o + 2]];
    const t = turned([v[o + 3], v[o + 4], v[o + 5], v[o + 6]], com);
    return [v[o] + t[0], v[o + 1] + t[1], v[o + 2] + t[2]];
  }
}
