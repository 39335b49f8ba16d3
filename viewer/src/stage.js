// The scene on the canvas: cameras, light, grid, and the layers.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Bodies } from "./bodies.js";
import { BoxLayer, ContactLayer, JointLayer, TrailLayer } from "./layers.js";
import { kThemes } from "./theme.js";
import { radiusOf } from "./geometry.js";

const kFieldOfView = 38; // [degrees]
const kMoveTime = 350; // [ms] from one camera preset to the next
const kEndless = 60; // sizes of the scene after which half-spaces end
const kSlow = 60, kPause = 500; // [ms] between two pictures of a motion: slow, and not one motion
const kSlowDraws = 6;
const kWalls = 3; // this many fixed parts higher than the lowest hide the bodies inside
const kViews = { iso: [1, -1.35, 0.8], front: [0, -1, 0], side: [1, 0, 0], top: [0, -1e-4, 1] };

const kGridVertex = `varying vec2 at; void main() { vec4 w = modelMatrix * vec4(position, 1.0); at = w.xy; gl_Position = projectionMatrix * viewMatrix * w; }`;
const kGridFragment = `varying vec2 at; uniform vec3 colour; uniform float opacity, spacing, reach; uniform vec2 centre;
float lines(float s) { vec2 g = abs(fract(at / s - 0.5) - 0.5) / (fwidth(at) / s); return 1.0 - min(min(g.x, g.y), 1.0); }
void main() { float fade = 1.0 - smoothstep(0.35 * reach, reach, length(at - centre));
  gl_FragColor = vec4(colour, opacity * fade * max(0.45 * lines(spacing), lines(10.0 * spacing)));
  #include <colorspace_fragment>
}`;

// The region that the bodies which move take, and how large a body is.
function regionOf(store) {
  const { head } = store, D = head.dimension, chunk = store.poses.at(0);
  const radius = new Float64Array(head.bodies.length);
  for (const part of head.parts) {
    const r = Math.hypot(...part.pose.position) + radiusOf(head.shapes[part.shape], D);
    radius[part.body] = Math.max(radius[part.body], r);
  }
  const boxes = head.bodies.map((body, i) => boxOf(chunk, store, i, radius[i]));
  const all = new THREE.Box3(), low = new THREE.Box3();
  const movers = head.bodies.flatMap((b, i) => (b.kind === "dynamic" && radius[i] > 0 ? [i] : []));
  movers.forEach((i) => all.union(boxes[i]));
  const size = all.isEmpty() ? 1 : all.getSize(new THREE.Vector3()).length();
  boxes.forEach((box, i) => {
    if (radius[i] === 0) return;
    low.union(box);
    if (radius[i] < 1.5 * size || movers.length === 0) all.union(box);
  });
  if (all.isEmpty()) all.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  const sizes = movers.map((i) => radius[i]).sort((a, b) => a - b);
  return { box: all, floor: low.isEmpty() ? 0 : lowest(store, chunk), bodySize: sizes[sizes.length >> 1] ?? 1 };
}

function boxOf(chunk, store, i, radius) {
  const box = new THREE.Box3(), at = new THREE.Vector3();
  const every = Math.max(1, Math.floor(chunk.frames / 16));
  for (let f = 0; f < chunk.frames; f += store.head.bodies[i].kind === "fixed" ? chunk.frames : every) {
    const o = (f * store.bodies + i) * store.poseSize;
    at.set(chunk.values[o], chunk.values[o + 1], store.is2d ? 0 : chunk.values[o + 2]);
    box.expandByPoint(at.clone().addScalar(radius)).expandByPoint(at.clone().subScalar(radius));
  }
  return box;
}

// The height of the lowest half-space or, without one, of the lowest body that does not move.
function lowest(store, chunk) {
  let z = Infinity;
  for (const part of store.head.parts) {
    const shape = store.head.shapes[part.shape], o = part.body * store.poseSize;
    const base = chunk.values[o + 2] + (part.pose.position[2] ?? 0);
    if (shape.kind === "half-space") z = Math.min(z, base + shape.offset);
    else if (store.head.bodies[part.body].kind === "fixed" && shape.kind === "polytope") {
      for (let k = 2; k < shape.vertices.length; k += 3) z = Math.min(z, base + shape.vertices[k]);
    }
  }
  return Number.isFinite(z) ? z : 0;
}

// Do bodies that do not move stand around the others, as the walls of a box do?
export function hasWalls(store) {
  if (store.is2d) return false;
  const { head } = store, values = store.poses.at(0).values, spans = [];
  for (const part of head.parts) {
    const shape = head.shapes[part.shape];
    if (head.bodies[part.body].kind !== "fixed" || shape.kind !== "polytope") continue;
    const heights = shape.vertices.filter((_x, k) => k % 3 === 2);
    spans.push(values[part.body * store.poseSize + 2] + Math.max(...heights));
  }
  const floor = Math.min(...spans);
  return spans.filter((top) => top > floor).length >= kWalls;
}

export class Stage {
  constructor(canvas, store) {
    Object.assign(this, { canvas, store, dirty: true, selected: -1, follow: false, move: null });
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.simple = false;
    this.region = regionOf(store);
    this.radius = 0.5 * this.region.box.getSize(new THREE.Vector3()).length();
    this.scene = new THREE.Scene();
    this.bodies = new Bodies(store, kEndless * this.radius);
    this.contacts = new ContactLayer(store, this.region.bodySize);
    this.boxes = new BoxLayer(store, this.bodies);
    this.joints = new JointLayer(store, this.bodies, this.region.bodySize);
    this.trails = new TrailLayer(store);
    this.addLights();
    this.addGrid();
    this.scene.add(this.bodies.group, this.trails.object, this.boxes.object, this.joints.object, this.contacts.group);
    this.addCamera();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.resize();
    this.look(store.is2d ? "fit" : "iso", false);
  }

  addLights() {
    this.ambient = new THREE.HemisphereLight();
    this.sun = new THREE.DirectionalLight("#ffffff");
    if (this.store.is2d) return;
    const r = this.radius * 1.6, centre = this.region.box.getCenter(new THREE.Vector3());
    this.sun.position.copy(centre).add(new THREE.Vector3(-0.45, -0.7, 1.5).multiplyScalar(2 * r));
    this.sun.target.position.copy(centre);
    // "?simple" at the end of the address spares slow machines the shadows from the start.
    this.simple = location.search === "?simple";
    this.sun.castShadow = !this.simple;
    this.sun.shadow.mapSize.set(2048, 2048);
    Object.assign(this.sun.shadow.camera, { left: -r, right: r, top: r, bottom: -r, near: 0.1 * r, far: 7 * r });
    this.sun.shadow.normalBias = 0.004 * r;
    this.sun.shadow.intensity = 0.55;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene.add(this.ambient, this.sun, this.sun.target);
  }

  addGrid() {
    const spacing = 10 ** Math.floor(Math.log10(this.radius) - 0.4), reach = (this.store.is2d ? 30 : 6) * this.radius;
    const centre = this.region.box.getCenter(new THREE.Vector3());
    const uniforms = { colour: { value: new THREE.Color() }, opacity: { value: 0 }, spacing: { value: spacing },
      reach: { value: reach }, centre: { value: new THREE.Vector2(centre.x, centre.y) } };
    const material = new THREE.ShaderMaterial({ uniforms, vertexShader: kGridVertex, fragmentShader: kGridFragment, transparent: true,
      depthWrite: false, depthTest: !this.store.is2d, side: THREE.DoubleSide });
    this.grid = new THREE.Mesh(new THREE.PlaneGeometry(2 * reach, 2 * reach), material);
    this.grid.position.set(centre.x, centre.y, this.store.is2d ? 0 : this.region.floor + 2e-3 * this.radius);
    this.grid.renderOrder = this.store.is2d ? -1 : 0;
    this.scene.add(this.grid);
  }

  addCamera() {
    const flat = this.store.is2d;
    this.camera = flat ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(kFieldOfView, 1, this.radius / 200, this.radius * 4 * kEndless);
    if (flat) Object.assign(this.camera, { near: -10 * this.radius - 10, far: 10 * this.radius + 10 });
    else this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => (this.dirty = true));
    this.controls.addEventListener("start", () => (this.move = null));
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    if (!flat) return;
    this.controls.enableRotate = false;
    this.controls.screenSpacePanning = true;
    this.controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN };
    this.controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.canvas.parentElement;
    if (w === 0 || h === 0) return;
    this.renderer.setSize(w, h, false);
    if (this.store.is2d) {
      const half = this.halfHeight(w / h);
      Object.assign(this.camera, { left: (-half * w) / h, right: (half * w) / h, top: half, bottom: -half });
    } else {
      this.camera.aspect = w / h;
    }
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  // Size of the flat camera's view, so that the whole region fits.
  halfHeight(aspect) {
    const size = this.region.box.getSize(new THREE.Vector3());
    return 0.56 * Math.max(size.y, size.x / aspect);
  }

  // Moves the camera to a preset: fit, iso, front, side, top.
  look(name, smoothly = true) {
    const target = this.region.box.getCenter(new THREE.Vector3());
    if (this.follow && this.selected >= 0) this.centreOf(this.selected, target);
    if (this.store.is2d) {
      target.z = 0;
      return this.moveTo({ target, position: target.clone().setZ(1), zoom: 1 }, smoothly);
    }
    const direction = name === "fit" ? this.camera.position.clone().sub(this.controls.target) : new THREE.Vector3(...kViews[name]);
    const narrow = Math.min(1, this.camera.aspect);
    const distance = (0.9 * this.radius) / Math.sin((kFieldOfView * Math.PI) / 360) / Math.max(narrow, 0.45);
    this.moveTo({ target, position: target.clone().addScaledVector(direction.normalize(), distance), zoom: 1 }, smoothly);
  }

  moveTo(to, smoothly) {
    const from = { target: this.controls.target.clone(), position: this.camera.position.clone(), zoom: this.camera.zoom };
    this.move = { from, to, begin: smoothly ? performance.now() : -Infinity };
    this.dirty = true;
  }

  advanceMove(now) {
    if (!this.move) return;
    const { from, to, begin } = this.move, share = Math.min(1, (now - begin) / kMoveTime);
    const eased = share * share * (3 - 2 * share);
    this.controls.target.lerpVectors(from.target, to.target, eased);
    this.camera.position.lerpVectors(from.position, to.position, eased);
    this.camera.zoom = from.zoom + (to.zoom - from.zoom) * eased;
    this.camera.updateProjectionMatrix();
    if (share === 1) this.move = null;
    this.dirty = true;
  }

  setTheme(name) {
    const theme = kThemes[name];
    this.scene.background = new THREE.Color(theme.background);
    this.ambient.color.set(theme.sky);
    this.ambient.groundColor.set(theme.ground);
    this.ambient.intensity = theme.ambient;
    this.sun.intensity = theme.sun;
    this.grid.material.uniforms.colour.value.set(theme.grid);
    this.grid.material.uniforms.opacity.value = theme.gridOpacity;
    for (const layer of [this.bodies, this.contacts, this.boxes, this.joints, this.trails]) layer.setTheme(theme);
    this.refill();
  }

  // Which layers are on, by name.
  setLayers(on) {
    this.bodies.edges.visible = on.edges || on.hollow;
    this.bodies.hollow.value = on.hollow ? 1 : 0;
    this.boxes.object.visible = on.boxes;
    this.joints.object.visible = on.joints;
    this.trails.object.visible = on.trails;
    this.grid.visible = on.grid;
    this.contacts.show(on);
    this.refill();
  }

  refill() {
    if (this.bodies.frame >= 0) this.setFrame(this.bodies.frame);
    this.dirty = true;
  }

  // Shows the loaded parts of a frame; false if some are not loaded.
  setFrame(frame) {
    const before = this.follow && this.selected >= 0 && this.bodies.frame >= 0 ? this.centreOf(this.selected, new THREE.Vector3()) : null;
    if (!this.bodies.setFrame(frame)) return false;
    if (before) {
      const shift = this.centreOf(this.selected, new THREE.Vector3()).sub(before);
      this.controls.target.add(shift);
      this.camera.position.add(shift);
    }
    if (this.boxes.object.visible) this.boxes.update();
    if (this.joints.object.visible) this.joints.update();
    if (this.trails.object.visible) this.trails.update(frame);
    this.dirty = true;
    return this.contacts.update(frame);
  }

  centreOf(body, out) {
    return this.bodies.toWorld(body, this.store.head.bodies[body].com, out);
  }

  select(body) {
    this.selected = body;
    this.contacts.selected = body;
    this.bodies.mark(body);
    this.refill();
  }

  setFollow(on) {
    this.follow = on;
    if (!on || this.selected < 0) return;
    const target = this.centreOf(this.selected, new THREE.Vector3());
    const position = this.camera.position.clone().add(target).sub(this.controls.target);
    this.moveTo({ target, position, zoom: this.camera.zoom }, true);
  }

  // The body under a point of the canvas, or -1.
  pick(x, y) {
    const box = this.canvas.getBoundingClientRect(), caster = new THREE.Raycaster();
    this.camera.updateMatrixWorld();
    caster.setFromCamera(new THREE.Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2), this.camera);
    return this.bodies.pick(caster.ray);
  }

  // Where on the page a body's centre is drawn.
  onPage(body) {
    const box = this.canvas.getBoundingClientRect(), p = this.centreOf(body, new THREE.Vector3()).project(this.camera);
    return [box.left + ((p.x + 1) / 2) * box.width, box.top + ((1 - p.y) / 2) * box.height];
  }

  // Where pictures come slowly, do without shadows and fine pixels.
  watchPace(now) {
    const slow = now - this.lastDraw > kSlow && now - this.lastDraw < kPause;
    this.slowDraws = slow ? (this.slowDraws ?? 0) + 1 : 0;
    this.lastDraw = now;
    if (this.slowDraws < kSlowDraws || this.simple) return;
    this.simple = true;
    this.sun.castShadow = false;
    this.renderer.setPixelRatio(1);
    this.resize();
  }

  draw(now) {
    this.advanceMove(now);
    this.controls.update();
    if (!this.dirty) return false;
    this.dirty = false;
    this.watchPace(now);
    this.renderer.render(this.scene, this.camera);
    return true;
  }
}
