// Plots of the steps, in step with time: energy, gap, residual, contacts.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

const kHeight = 104; // [px]
const kLeastResidual = 1e-17; // zeros are drawn here, below any round-off
const kGapLinear = 1e-9; // [m] below it the gap's axis is linear, above logarithmic

const kColours = { kinetic: "#e07b39", potential: "#4f7fd9", total: "#7d8796", min_gap: "#2f9e6e", residual: "#9a6fd0",
  contacts: "#7d8796", unilateral: "#12a150", inter_contact: "#f08c00", cross_contact: "#d6409f" };

const finite = (values) => Array.from(values, (x) => (Number.isFinite(x) ? x : null));

// The potential energy counts from its first value, so that changes are seen.
function energies({ kinetic, potential }) {
  const zero = potential.find(Number.isFinite) ?? 0;
  const p = potential.map((x) => x - zero);
  return { kinetic: finite(kinetic), potential: finite(p), total: finite(kinetic.map((x, i) => x + p[i])) };
}

const kPlots = [
  { name: "energy", title: "Energy", unit: "J", lines: energies },
  { name: "gap", title: "Least gap", unit: "m", distr: 4, asinh: kGapLinear, lines: (s) => ({ min_gap: finite(s.min_gap) }) },
  { name: "residual", title: "Residual", unit: "", distr: 3,
    lines: (s) => ({ residual: s.residual.map((x) => (Number.isFinite(x) ? Math.max(x, kLeastResidual) : null)) }) },
  { name: "contacts", title: "Contacts", unit: "", steps: true, lines: (s) => {
    const lines = { contacts: finite(s.contacts) };
    for (const name of ["unilateral", "inter_contact", "cross_contact"]) {
      if (name === "unilateral" || s[name].some((x) => x > 0)) lines[name] = finite(s[name]);
    }
    return lines;
  } },
];
const kShort = { kinetic: "kin", potential: "pot", total: "sum", min_gap: "gap", unilateral: "U", inter_contact: "I", cross_contact: "X", contacts: "all", residual: "" };

export function shortNumber(x) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const size = Math.abs(x);
  const text = size >= 1e5 || size < 1e-3 ? x.toExponential(1).replace("e+", "e") : String(Number(x.toPrecision(3)));
  return text.replaceAll("-", "−");
}

const kRaised = "⁰¹²³⁴⁵⁶⁷⁸⁹";
// 1e-9 as 10⁻⁹.
function powerOfTen(x) {
  if (x === null || x === 0) return x === 0 ? "0" : "";
  const e = Math.round(Math.log10(Math.abs(x)));
  return `${x < 0 ? "−" : ""}10${e < 0 ? "⁻" : ""}${[...String(Math.abs(e))].map((d) => kRaised[d]).join("")}`;
}

class Plot {
  constructor(parent, plot, onSeek) {
    Object.assign(this, { plot, onSeek });
    this.root = document.createElement("div");
    this.root.className = "chart";
    this.root.dataset.plot = plot.name;
    this.root.innerHTML = `<div class="chart-head"><b>${plot.title}${plot.unit ? ` <small>${plot.unit}</small>` : ""}</b><span></span></div><div class="chart-body"></div>`;
    this.readout = this.root.querySelector("span");
    this.body = this.root.querySelector(".chart-body");
    parent.append(this.root);
  }

  axis(side) {
    const css = (name) => () => getComputedStyle(document.documentElement).getPropertyValue(name);
    const axis = { side, stroke: css("--faint"), grid: { stroke: css("--line"), width: 1 }, ticks: { show: false }, font: "10px system-ui, sans-serif",
      size: side === 3 ? 46 : 18, gap: side === 3 ? 4 : 2, space: side === 3 ? 26 : 56 };
    if (side !== 3) return axis;
    axis.values = (_u, splits) => splits.map((x) => (this.plot.distr ? powerOfTen(x) : shortNumber(x)));
    if (this.plot.distr) {
      axis.splits = (_u, _axis, low, high) => this.decades(low, high);
      axis.filter = (_u, splits) => splits;
    }
    return axis;
  }

  setData(store) {
    const lines = this.plot.lines(store.series), names = Object.keys(lines);
    const data = [store.time, ...names.map((name) => lines[name])];
    if (this.chart && this.names.join() === names.join()) this.chart.setData(data);
    else this.make(names, data);
    this.data = data;
  }

  make(names, data) {
    this.chart?.destroy();
    this.names = names;
    const { distr = 1, asinh, steps } = this.plot;
    // uPlot takes a key that is undefined for a wish.
    const paths = steps ? { paths: uPlot.paths.stepped({ align: -1 }) } : {};
    const scale = distr === 1 ? {} : { distr, range: (_u, low, high) => this.range(low, high), ...(asinh ? { asinh } : {}) };
    this.chart = new uPlot({ width: Math.max(120, this.body.clientWidth), height: kHeight, legend: { show: false }, padding: [6, 8, 0, 0],
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false }, scales: { x: { time: false }, y: scale },
      axes: [this.axis(2), this.axis(3)], hooks: { draw: [() => this.place()] },
      series: [{}, ...names.map((name) => ({ stroke: kColours[name], width: 1.4, points: { show: false }, ...paths }))] }, data, this.body);
    this.marker = document.createElement("div");
    this.marker.className = "marker";
    this.chart.over.append(this.marker);
    this.listen(this.chart.over);
  }

  // A few powers of ten; around zero of both signs.
  decades(low, high) {
    const floor = this.plot.distr === 3 ? low : kGapLinear, found = this.plot.distr === 3 ? [] : [0];
    const span = Math.log10(Math.max(high, -low) / floor), every = Math.max(1, Math.ceil(span / (this.plot.distr === 3 ? 4 : 2.5)));
    const first = Math.ceil(Math.log10(floor) - 1e-9) + (this.plot.distr === 3 ? 0 : every); // the first is next to zero
    for (let e = first; 10 ** e <= Math.max(high, -low) * 1.001; e += every) {
      if (10 ** e <= high) found.push(10 ** e);
      if (this.plot.distr !== 3 && -(10 ** e) >= low) found.unshift(-(10 ** e));
    }
    return found.length > 1 || this.plot.distr === 3 ? found : [-kGapLinear, 0, kGapLinear];
  }

  // Logarithmic axes get whole decades and at least two of them.
  range(low, high) {
    if (low === null || high === null) return this.plot.distr === 3 ? [1e-16, 1e-8] : [-1, 1];
    if (this.plot.distr === 3) return [10 ** Math.floor(Math.log10(low) - 0.2), 10 ** Math.ceil(Math.log10(high) + 0.2)];
    return [Math.min(low, -kGapLinear) * 1.5, Math.max(high, kGapLinear) * 1.5];
  }

  listen(over) {
    const seek = (event) => this.onSeek(this.chart.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
    over.addEventListener("pointerdown", (event) => {
      over.setPointerCapture(event.pointerId);
      seek(event);
    });
    over.addEventListener("pointermove", (event) => event.buttons & 1 && seek(event));
  }

  // The line at the present time; where it is depends on the size of the chart.
  place() {
    if (this.marker && this.time !== undefined) this.marker.style.transform = `translateX(${this.chart.valToPos(this.time, "x")}px)`;
  }

  show(frame, time) {
    this.time = time;
    this.place();
    const text = this.names.map((name, i) => {
      const label = kShort[name] ?? name;
      return `<i style="color:${kColours[name]}">${label} ${shortNumber(this.data[i + 1][frame])}</i>`;
    }).join("");
    if (text !== this.text) this.readout.innerHTML = this.text = text;
  }

  resize() {
    const width = this.body.clientWidth;
    if (width > 0) this.chart.setSize({ width, height: kHeight });
  }
}

export class Plots {
  constructor(parent, store, onSeek) {
    this.store = store;
    this.plots = kPlots.map((plot) => new Plot(parent, plot, onSeek));
    this.refresh();
    new ResizeObserver(() => this.plots.forEach((plot) => plot.resize())).observe(parent);
  }
  refresh() {
    this.plots.forEach((plot) => plot.setData(this.store));
  }
  redraw() {
    // A chart that was never drawn has no scales yet.
    this.plots.forEach((plot) => plot.chart.status === 1 && plot.chart.redraw());
  }
  show(frame, time) {
    this.plots.forEach((plot) => plot.show(frame, time));
  }
}
