// Triangles and edges of the recorded shapes, in the frame of their body.

const kDiscCorners = 64;
const kSphereRings = 24;

// Positions, normals and edges of one part, as plain arrays of numbers; `points` are what a box must hold.
class Mesh {
  positions = [];
  normals = [];
  edges = [];
  points = [];
  triangle(a, b, c, na, nb, nc) {
    this.positions.push(...a, ...b, ...c);
    this.normals.push(...na, ...nb, ...nc);
  }
  edge(a, b) {
    this.edges.push(...a, ...b);
  }
}

const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const unit = (a) => scaled(a, 1 / (Math.hypot(...a) || 1));
const kUp = [0, 0, 1];

// A vector turned by the quaternion w, x, y, z.
export function turned(q, v) {
  const u = [q[1], q[2], q[3]];
  const t = scaled(cross(u, v), 2);
  return plus(plus(v, t, q[0]), cross(u, t));
}

// The quaternion of a recorded orientation: itself, or an angle about z.
export const quaternion = (orientation) => Array.isArray(orientation)
  ? orientation : [Math.cos(orientation / 2), 0, 0, Math.sin(orientation / 2)];
const lifted = (v) => [v[0], v[1], v[2] ?? 0];

function polytope(shape, dimension) {
  const mesh = new Mesh(), vertices = [];
  for (let i = 0; i < shape.vertices.length; i += dimension) {
    vertices.push(lifted(shape.vertices.slice(i, i + dimension)));
  }
  for (const loop of shape.faces) {
    const corner = (i) => vertices[loop[i % loop.length]];
    const normal = dimension === 2 ? kUp : unit(cross(minus(corner(1), corner(0)), minus(corner(2), corner(0))));
    for (let i = 1; i + 1 < loop.length; i++) {
      mesh.triangle(corner(0), corner(i), corner(i + 1), normal, normal, normal);
    }
    for (let i = 0; i < loop.length; i++) {
      // Each edge of a solid belongs to two faces.
      if (dimension === 2 || loop[i] < loop[(i + 1) % loop.length]) mesh.edge(corner(i), corner(i + 1));
    }
  }
  mesh.points = vertices;
  return mesh;
}

function disc(shape) {
  const mesh = new Mesh(), r = shape.radius;
  const corner = (i) => [r * Math.cos((2 * Math.PI * i) / kDiscCorners), r * Math.sin((2 * Math.PI * i) / kDiscCorners), 0];
  for (let i = 0; i < kDiscCorners; i++) {
    mesh.triangle([0, 0, 0], corner(i), corner(i + 1), kUp, kUp, kUp);
    mesh.edge(corner(i), corner(i + 1));
  }
  mesh.edge([0, 0, 0], corner(0)); // shows how it turns
  mesh.round = r;
  return mesh;
}

function sphere(shape) {
  const mesh = new Mesh(), r = shape.radius;
  const point = (i, j) => {
    const a = (Math.PI * i) / kSphereRings, b = (Math.PI * j) / kSphereRings;
    return [Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b), Math.cos(a)];
  };
  for (let i = 0; i < kSphereRings; i++) {
    for (let j = 0; j < 2 * kSphereRings; j++) {
      const [a, b, c, d] = [point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)];
      mesh.triangle(scaled(a, r), scaled(b, r), scaled(c, r), a, b, c);
      mesh.triangle(scaled(a, r), scaled(c, r), scaled(d, r), a, c, d);
    }
  }
  for (let j = 0; j < 2 * kSphereRings; j++) { // three circles show how it turns
    const a = (Math.PI * j) / kSphereRings, b = (Math.PI * (j + 1)) / kSphereRings, R = r * 1.002;
    mesh.edge([R * Math.cos(a), R * Math.sin(a), 0], [R * Math.cos(b), R * Math.sin(b), 0]);
    mesh.edge([R * Math.cos(a), 0, R * Math.sin(a)], [R * Math.cos(b), 0, R * Math.sin(b)]);
    mesh.edge([0, R * Math.cos(a), R * Math.sin(a)], [0, R * Math.cos(b), R * Math.sin(b)]);
  }
  mesh.round = r;
  return mesh;
}

// A half-space has no end; it is drawn as far as `reach` [m].
function halfSpace(shape, dimension, reach) {
  const mesh = new Mesh(), n = unit(lifted(shape.normal)), on = scaled(n, shape.offset);
  const along = dimension === 2 ? [n[1], -n[0], 0] : unit(cross(n, Math.abs(n[2]) < 0.9 ? kUp : [1, 0, 0]));
  const across = dimension === 2 ? n : cross(n, along);
  const corner = (s, t) => plus(plus(on, along, s * reach), across, t * reach);
  const top = dimension === 2 ? 0 : 1;
  const normal = dimension === 2 ? kUp : n;
  const [a, b, c, d] = [corner(-1, -1), corner(1, -1), corner(1, top), corner(-1, top)];
  mesh.triangle(a, b, c, normal, normal, normal);
  mesh.triangle(a, c, d, normal, normal, normal);
  if (dimension === 2) mesh.edge(d, c);
  mesh.endless = true;
  return mesh;
}

export function meshOf(shape, dimension, reach) {
  if (shape.kind === "sphere") return dimension === 2 ? disc(shape) : sphere(shape);
  if (shape.kind === "half-space") return halfSpace(shape, dimension, reach);
  return polytope(shape, dimension);
}

// How far the shape reaches from the origin of its frame; 0 for half-spaces, which have no end.
export function radiusOf(shape, dimension) {
  if (shape.kind === "sphere") return shape.radius;
  if (shape.kind === "half-space") return 0;
  let most = 0;
  for (let i = 0; i < shape.vertices.length; i += dimension) {
    most = Math.max(most, Math.hypot(...shape.vertices.slice(i, i + dimension)));
  }
  return most;
}

// All bodies in one: arrays with the number of the body beside each vertex, and per body what picking and boxes need.
export function mergedBodies(head, reach) {
  const meshes = head.shapes.map((shape) => meshOf(shape, head.dimension, reach));
  const faces = { position: [], normal: [], body: [] }, lines = { position: [], body: [] };
  const bodies = head.bodies.map(() => ({ points: [], rounds: [], triangles: [], endless: false }));
  for (const part of head.parts) {
    const mesh = meshes[part.shape], q = quaternion(part.pose.orientation), p = lifted(part.pose.position);
    const body = bodies[part.body];
    const put = (target, from, move) => {
      for (let i = 0; i < from.length; i += 3) {
        const v = turned(q, [from[i], from[i + 1], from[i + 2]]);
        const w = move ? plus(v, p) : v;
        target.push(w[0], w[1], w[2]);
      }
    };
    put(body.triangles, mesh.positions, true);
    put(faces.position, mesh.positions, true);
    put(faces.normal, mesh.normals, false);
    put(lines.position, mesh.edges, true);
    for (let i = 0; i < mesh.positions.length / 3; i++) faces.body.push(part.body);
    for (let i = 0; i < mesh.edges.length / 3; i++) lines.body.push(part.body);
    for (const point of mesh.points) body.points.push(...plus(turned(q, point), p));
    if (mesh.round) body.rounds.push({ centre: p, radius: mesh.round });
    body.endless ||= Boolean(mesh.endless);
  }
  return { faces, lines, bodies };
}
