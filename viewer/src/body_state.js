// What is known of the body that was picked, at the frame that is shown.
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
  return known < 0 ? null : { count, force: sum.map((x) => x / (store.head.step || 1)) };
}

const angleOf = ([w, , , z]) => 2 * Math.atan2(z, w);
const wrapped = (angle) => Math.atan2(Math.sin(angle), Math.cos(angle));

export function bodyState(store, stage, body) {
  const { name, kind, mass, appear } = store.head.bodies[body], frame = stage.bodies.frame, D = store.head.dimension;
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
  return { title: name, html: `<table>${rows.join("")}</table>` };
}
