// All bodies in two draw calls. Each vertex knows the number of its body and finds pose and colour in a texture, so
// that a frame costs a few kilobytes however many bodies and shapes there are.
import * as THREE from "three";
import { mergedBodies } from "./geometry.js";

const kPerRow = 256; // bodies in a row of the texture
const kTexels = 3; // position and presence (0 absent, 1 there, 2 there and fixed); quaternion x, y, z, w; colour and mark

const kHead = `
attribute float body;
uniform highp sampler2D poses;
uniform float hollow;
varying vec4 vLook;
vec4 bodyTexel(int k) { int i = int(body + 0.5); return texelFetch(poses, ivec2(${kTexels} * (i % ${kPerRow}) + k, i / ${kPerRow}), 0); }
vec3 turn(vec4 q, vec3 v) { vec3 t = 2.0 * cross(q.xyz, v); return v + q.w * t + cross(q.xyz, t); }
#include <common>`;
const kPlace = `vec4 place = bodyTexel(0);
vLook = bodyTexel(2);
bool shown = place.w > 0.5 && (place.w < 1.5 || hollow < 0.5);
vec3 transformed = shown ? turn(bodyTexel(1), position) + place.xyz : vec3(0.0);`;
const kNormal = "vec3 objectNormal = turn(bodyTexel(1), normal);";

// Makes a material of three.js read poses from the texture; `paint` is what the mark does to the colour.
function posed(material, uniforms, paint) {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader.replace("#include <common>", kHead)
      .replace("#include <beginnormal_vertex>", kNormal).replace("#include <begin_vertex>", kPlace);
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "varying vec4 vLook;\nuniform vec3 accent;\n#include <common>")
      .replace("#include <color_fragment>", `#include <color_fragment>\n${paint}`);
  };
  return material;
}

const kPaintFaces = "diffuseColor.rgb = mix(vLook.rgb, accent, 0.35 * vLook.a);";
const kPaintEdges = "diffuseColor = mix(diffuseColor, vec4(accent, 1.0), vLook.a);";

export class Bodies {
  constructor(store, reach) {
    this.store = store;
    const count = Math.max(1, store.bodies);
    this.rows = Math.ceil(count / kPerRow);
    this.state = new Float32Array(4 * kTexels * kPerRow * this.rows);
    this.texture = new THREE.DataTexture(this.state, kTexels * kPerRow, this.rows, THREE.RGBAFormat, THREE.FloatType);
    const merged = mergedBodies(store.head, reach);
    this.parts = merged.bodies;
    this.accent = { value: new THREE.Color() };
    this.hollow = { value: 0 }; // 1: fixed bodies have edges only
    this.uniforms = { poses: { value: this.texture }, accent: this.accent, hollow: this.hollow };
    this.group = new THREE.Group();
    this.addFaces(merged.faces);
    this.addEdges(merged.lines);
    this.presence = store.head.bodies.map((body, i) => (body.kind === "fixed" && !this.parts[i].endless ? 2 : 1));
    this.frame = -1;
    this.marked = -1;
  }

  offset(i) {
    return 4 * kTexels * i;
  }

  addFaces({ position, normal, body }) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
    geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normal, 3));
    geometry.setAttribute("body", new THREE.Float32BufferAttribute(body, 1));
    const flat = this.store.is2d;
    const options = { side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
    const material = flat ? new THREE.MeshBasicMaterial({ ...options, transparent: true, opacity: 0.85, depthTest: false })
      : new THREE.MeshStandardMaterial({ ...options, roughness: 0.82, metalness: 0 });
    this.faces = new THREE.Mesh(geometry, posed(material, this.uniforms, kPaintFaces));
    // No "#include <color_fragment>" in it: only the vertices change.
    const depth = new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking, side: THREE.DoubleSide });
    this.faces.customDepthMaterial = posed(depth, this.uniforms, "");
    this.faces.castShadow = this.faces.receiveShadow = !flat;
    this.faces.frustumCulled = false;
    this.group.add(this.faces);
  }

  addEdges({ position, body }) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
    geometry.setAttribute("body", new THREE.Float32BufferAttribute(body, 1));
    const material = new THREE.LineBasicMaterial({ transparent: true, depthTest: !this.store.is2d });
    this.edges = new THREE.LineSegments(geometry, posed(material, { ...this.uniforms, hollow: { value: 0 } }, kPaintEdges));
    this.edges.frustumCulled = false;
    this.edges.renderOrder = 1;
    this.group.add(this.edges);
  }

  setTheme(theme) {
    const colour = new THREE.Color();
    let dynamic = 0;
    this.store.head.bodies.forEach((body, i) => {
      colour.set(body.kind === "dynamic" ? theme.bodies[dynamic++ % theme.bodies.length] : theme[this.parts[i].endless ? "endless" : body.kind]);
      this.state.set([colour.r, colour.g, colour.b], this.offset(i) + 8);
    });
    this.accent.value.set(theme.accent);
    this.edges.material.color.set(theme.edge);
    this.edges.material.opacity = theme.edgeOpacity;
    this.texture.needsUpdate = true;
  }

  mark(body) {
    if (this.marked >= 0) this.state[this.offset(this.marked) + 11] = 0;
    if (body >= 0) this.state[this.offset(body) + 11] = 1;
    this.marked = body;
    this.texture.needsUpdate = true;
  }

  // Puts every body where it was in the frame; false when that frame is not loaded.
  setFrame(frame) {
    const chunk = this.store.poses.at(frame);
    if (!chunk) return false;
    const { poseSize, bodies, is2d, head } = this.store;
    const from = chunk.values, to = this.state, time = this.store.time[frame] + 1e-9;
    let a = (frame - chunk.first) * bodies * poseSize;
    for (let i = 0, b = 0; i < bodies; i++, a += poseSize, b += 4 * kTexels) {
      to[b] = from[a];
      to[b + 1] = from[a + 1];
      to[b + 2] = is2d ? 0 : from[a + 2];
      to[b + 3] = head.bodies[i].appear <= time ? this.presence[i] : 0;
      if (is2d) {
        to[b + 4] = to[b + 5] = 0;
        to[b + 6] = Math.sin(from[a + 2] / 2);
        to[b + 7] = Math.cos(from[a + 2] / 2);
      } else {
        to[b + 4] = from[a + 4];
        to[b + 5] = from[a + 5];
        to[b + 6] = from[a + 6];
        to[b + 7] = from[a + 3];
      }
    }
    this.texture.needsUpdate = true;
    this.frame = frame;
    return true;
  }

  isVisible(i) {
    return this.state[this.offset(i) + 3] > 0.5;
  }

  // A point of a body's frame in the world, as it is drawn; `out` is a Vector3.
  toWorld(i, point, out) {
    const o = this.offset(i), s = this.state;
    kTurn.set(s[o + 4], s[o + 5], s[o + 6], s[o + 7]);
    return out.set(point[0], point[1], point[2] ?? 0).applyQuaternion(kTurn).add(kShift.set(s[o], s[o + 1], s[o + 2]));
  }

  pose(i) {
    const o = this.offset(i), s = this.state;
    return { position: [s[o], s[o + 1], s[o + 2]], quaternion: [s[o + 7], s[o + 4], s[o + 5], s[o + 6]] };
  }

  // The body that a ray meets first, or -1.
  pick(ray) {
    let nearest = -1, best = Infinity;
    for (let i = 0; i < this.store.bodies; i++) {
      if (!this.isVisible(i)) continue;
      const distance = this.hit(i, ray);
      // Half-spaces, which have no end, lie behind all other bodies.
      const rank = this.parts[i].endless ? distance + 1e9 : distance;
      if (rank < best) [best, nearest] = [rank, i];
    }
    return nearest;
  }

  hit(i, ray) {
    const { position, quaternion: q } = this.pose(i);
    const back = new THREE.Quaternion(-q[1], -q[2], -q[3], q[0]);
    const local = ray.clone();
    local.origin.sub(kShift.set(...position)).applyQuaternion(back);
    local.direction.applyQuaternion(back);
    const t = this.parts[i].triangles, point = new THREE.Vector3();
    let best = Infinity;
    for (let k = 0; k < t.length; k += 9) {
      kA.set(t[k], t[k + 1], t[k + 2]);
      kB.set(t[k + 3], t[k + 4], t[k + 5]);
      kC.set(t[k + 6], t[k + 7], t[k + 8]);
      if (local.intersectTriangle(kA, kB, kC, false, point)) best = Math.min(best, point.distanceTo(local.origin));
    }
    return best;
  }
}

const kTurn = new THREE.Quaternion();
const kShift = new THREE.Vector3(), kA = new THREE.Vector3(), kB = new THREE.Vector3(), kC = new THREE.Vector3();
