// The state of the selected body at the present frame.
import { eachContact } from "./layers.js";
import { shortNumber } from "./plots.js";

// Five digits behind the point where they fit, three with an exponent where they do not.
function exact(x) {
  const size = Math.abs(x);
  const text = size !== 0 && (size < 1e-3 || size >= 1e5) ? x.toExponential(2) : String(Number(size < 1 ? x.toFixed(5) : x.toPrecision(6)));
  return text.replaceAll("-", "−");
}
const vector = (values) => values.map((x) => `<td>${exact(x)}</td>`).join("");
const length = (values) => Math.hypot(...values);
const row = (label, unit, values) => `<tr><th>${label}${unit ? ` <small>${unit}</small>` : ""}</th>${vector(values)}</tr>`;
const wide = (label, text) => `<tr><th>${label}</th><td colspan="3" class="wide">${text}</td></tr>`;

// Linear and angular velocity in the frame; null when they are not loaded.
export function velocityOf(store, body, frame) {
  const chunk = store.velocities.at(frame);
  if (!chunk) return null;
  const o = ((frame - chunk.first) * store.bodies + body) * store.velocitySize, D = store.head.dimension;
  return { linear: Array.from(chunk.values.slice(o, o + D)), angular: Array.from(chunk.values.slice(o + D, o + store.velocitySize)) };
}

// How many contacts the body has, and the sum of their impulses on it.
export function contactsOf(store, body, frame) {
  const sum = [0, 0, 0];
  let count = 0;
  const known = eachContact(store, frame, (c) => {
    if (c.a !== body && c.b !== body) return;
    count++;
    for (let k = 0; k < 3; k++) sum[k] += c.a === body ? c.impulse[k] : -c.impulse[k];
  });
  return known < 0 ? null : { count, force: sum.map((x) => x / stepFrom(store, frame)) };
}

// The length [s] of the step whose contacts a frame shows: the one that starts there or, at the end, the last.
function stepFrom(store, frame) {
  return store.series.h?.[Math.min(frame + 1, store.frames - 1)] || store.head.step || 1;
}

// What the values of a joint are: ways or angles [dynamics/joint.h].
const kJointUnits = { revolute: ["rad"], prismatic: ["m"], cylindrical: ["m", "rad"], spherical: ["rad", "rad", "rad"],
  universal: ["rad", "rad"], planar: ["m", "m", "rad"] };

// The joints of a body, each with its values and rates in the frame; these are empty when they are not loaded.
export function jointsOf(store, body, frame) {
  const found = [], chunk = store.jointValues > 0 ? store.joints.at(frame) : null;
  let place = chunk ? (frame - chunk.first) * 2 * store.jointValues : 0;
  for (const { name, kind, bodies, values = 0 } of store.head.joints) {
    const part = (from) => (chunk ? Array.from(chunk.values.slice(from, from + values)) : []);
    if (bodies.includes(body)) {
      const others = bodies.filter((other) => other !== body).map((other) => (other < 0 ? "world" : store.head.bodies[other].name));
      found.push({ name, kind, other: others[0] ?? "", units: kJointUnits[kind] ?? [], values: part(place), rates: part(place + store.jointValues) });
    }
    place += values;
  }
  return found;
}

const plain = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function jointRow({ name, kind, other, units, values, rates }) {
  const shown = values.map((x, i) => (units[i] === "rad" ? `${exact((x * 180) / Math.PI)}°, ${exact(rates[i])} rad/s` : `${exact(x)} m, ${exact(rates[i])} m/s`));
  return wide(plain(name), [`${kind} to ${plain(other)}`, ...shown].join("<br>"));
}

const angleOf = ([w, , , z]) => 2 * Math.atan2(z, w);
const wrapped = (angle) => Math.atan2(Math.sin(angle), Math.cos(angle));

export function bodyState(store, stage, body) {
  const { kind, mass, appear } = store.head.bodies[body], frame = stage.bodies.frame, D = store.head.dimension;
  const pose = stage.bodies.pose(body), velocity = velocityOf(store, body, frame), contacts = contactsOf(store, body, frame);
  const rows = [wide("kind", kind === "dynamic" ? `dynamic, ${exact(mass)} kg` : kind)];
  if (!stage.bodies.isVisible(body)) rows.push(wide("appears", `at ${exact(appear)} s`));
  rows.push(row("position", "m", pose.position.slice(0, D)));
  if (D === 2) rows.push(wide("angle", `${exact((wrapped(angleOf(pose.quaternion)) * 180) / Math.PI)}°`));
  else rows.push(wide("quaternion", pose.quaternion.map((x) => x.toFixed(4).replace("-", "−")).join("&ensp;")));
  if (velocity) {
    rows.push(row("velocity", "m/s", velocity.linear));
    rows.push(wide("speed", `${exact(length(velocity.linear))} m/s`));
    rows.push(D === 2 ? wide("spin", `${exact(velocity.angular[0])} rad/s`) : row("spin", "rad/s", velocity.angular));
  }
  if (contacts) {
    rows.push(wide("contacts", `${contacts.count}${contacts.count ? `, force ${shortNumber(length(contacts.force))} N` : ""}`));
  }
  rows.push(...jointsOf(store, body, frame).map(jointRow));
  return `<table>${rows.join("")}</table>`;
}
