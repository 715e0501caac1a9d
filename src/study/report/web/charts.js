// SPDX-License-Identifier: Apache-2.0
"use strict";
/* Line charts: uPlot with our colours, our legend, log axes, a cursor by mouse or arrow keys. */

/* Okabe and Ito's colours, distinct for every common kind of colour vision; dashes tell lines apart without colour. A series has the
 * hue that it has in figures (study/figures/draw.c). */
const COLOURS = {
  light: ["#222222", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#a87400", "#7f7f00"],
  dark: ["#e0e0e0", "#56b4e9", "#ff8a3d", "#2fc79b", "#e69fc8", "#8fd0ff", "#e6b422", "#f0e442"],
};
const DASHES = [[], [9, 4], [3, 3], [10, 3, 3, 3], [14, 4], [2, 5], [7, 2], [1, 3]];
const colour = i => COLOURS[theme()][i % 8];
const dash = i => DASHES[(i + (i >> 3)) % 8];

const charts = []; /* all charts of the page */

function swatch(i, solid) {
  const line = element("svg:line", { x1: 0, y1: 5, x2: 26, y2: 5, stroke: colour(i), "stroke-width": 2.5, "stroke-dasharray": solid ? "" : dash(i).join(" ") });
  return element("svg:svg", { class: "swatch", width: 26, height: 10, "aria-hidden": "true" }, line);
}

/* Joins series to rows x, y1, y2 ...: the union of all x, null where a series has no value. */
function joined(series) {
  const xs = [...new Set(series.flatMap(s => s.x))].filter(Number.isFinite).sort((a, b) => a - b);
  const place = new Map(xs.map((x, i) => [x, i]));
  const column = (s, values) => {
    const out = new Array(xs.length).fill(null);
    s.x.forEach((x, i) => { if (place.has(x)) out[place.get(x)] = values[i] ?? null; });
    return out;
  };
  return { xs, columns: series.map(s => ({ y: column(s, s.y), low: s.low && column(s, s.low), high: s.high && column(s, s.high) })) };
}

class Chart {
  /* spec: {id, title, x: {label, unit, log}, y: {label, unit, log, zero}, series: [{name, place, x, y, low, high}], sync, points} */
  constructor(spec) {
    this.spec = spec;
    this.log = { x: !!spec.x.log, y: !!spec.y.log };
    this.hidden = new Set();
    this.figure = element("figure", { class: "chart", tabindex: 0, "data-chart": spec.id, onkeydown: e => this.key(e),
      "aria-label": `${spec.title}: ${spec.y.label} against ${spec.x.label}, ${spec.series.length} lines. Arrow keys move the cursor.` });
    this.plot = element("div", { class: "plot" });
    this.legend = element("ul", { class: "legend" });
    this.figure.append(element("figcaption", {}, element("span", {}, spec.title), this.toggle("x"), this.toggle("y")), this.plot, this.legend);
    charts.push(this);
  }

  canLog(axis) {
    if (this.spec[axis].noLog) return false;
    const values = this.spec.series.flatMap(s => axis === "x" ? s.x : [...s.y, ...(s.high || [])]).filter(v => Number.isFinite(v) && v > 0);
    return values.length > 1 && Math.max(...values.slice(0, 5000)) > 5 * Math.min(...values.slice(0, 5000));
  }

  toggle(axis) {
    if (!this.canLog(axis)) { this.log[axis] = false; return null; }
    const button = element("button", { type: "button", "aria-pressed": this.log[axis], title: `logarithmic ${axis} axis`, onclick: () => {
      this.log[axis] = !this.log[axis];
      button.setAttribute("aria-pressed", this.log[axis]);
      this.draw();
    } }, `log ${axis}`);
    return button;
  }

  table() {
    const positive = v => this.log.y && !(v > 0) ? null : v;
    const { xs, columns } = joined(this.spec.series);
    const keep = xs.map(x => !this.log.x || x > 0);
    const rows = column => column.filter((_, i) => keep[i]).map(positive);
    const data = [xs.filter((_, i) => keep[i])];
    for (const c of columns) data.push(rows(c.y), ...(c.low ? [rows(c.low), rows(c.high)] : []));
    return data;
  }

  /* Returns the indexes of the lines in uPlot's list; a band follows its line. */
  lines() {
    let at = 1;
    return this.spec.series.map(s => { const here = at; at += s.low ? 3 : 1; return here; });
  }

  options(width) {
    const { spec } = this, series = [{}], bands = [];
    spec.series.forEach((s, i) => {
      const show = !this.hidden.has(i), many = s.x.length > 60;
      series.push({ label: s.name, show, stroke: colour(s.place), width: many ? 1.5 : 2, dash: spec.solid ? [] : dash(s.place), spanGaps: true,
        points: { show: !many && (spec.points ?? s.x.length <= 12), size: 6, fill: css("--card"), width: 2 } });
      if (!s.low) return;
      const edge = { show, stroke: "transparent", width: 0, spanGaps: true, points: { show: false } };
      series.push({ ...edge }, { ...edge });
      bands.push({ series: [series.length - 1, series.length - 2], fill: colour(s.place) + "33" });
    });
    const axis = (which, side) => ({ scale: which, side, stroke: css("--dim"), label: spec[which].label, labelSize: 22, labelFont: "12px system-ui, sans-serif",
      font: "11px system-ui, sans-serif", grid: { stroke: css("--grid"), width: 1 }, ticks: { stroke: css("--line"), width: 1, size: 5 },
      values: (u, splits) => splits.map(v => v === null ? "" : write(spec[which].unit, v)),
      ...(which === "y" ? { size: 66 } : { size: 38, space: 58 }) });
    return { width, height: document.documentElement.classList.contains("printing") ? 190 : 250, series, bands, legend: { show: false }, padding: [10, 24, 0, 0],
      scales: { x: { time: false, distr: this.log.x ? 3 : 1 }, y: { distr: this.log.y ? 3 : 1, ...(this.log.y ? {} : { range: (u, low, high) => this.range(low, high) }) } },
      axes: [axis("x", 2), axis("y", 3)],
      cursor: { drag: { x: true, y: false }, points: { size: 8 }, ...(spec.sync ? { sync: { key: spec.sync, setSeries: false } } : {}) },
      hooks: { setCursor: [u => this.read(u)], ...(spec.marks ? { drawClear: [u => this.drawMarks(u)] } : {}) } };
  }

  /* Shades spans of time behind the lines, with a line and a name at the start of each. */
  drawMarks(u) {
    const g = u.ctx, { left, top, width, height } = u.bbox, ratio = devicePixelRatio || 1;
    g.save();
    this.spec.marks.forEach((m, i) => {
      const from = Math.max(left, u.valToPos(m.from, "x", true)), to = m.to === null ? left + width : Math.min(left + width, u.valToPos(m.to, "x", true));
      if (!(to > from)) return;
      g.fillStyle = "rgba(128, 128, 128, 0.13)";
      g.fillRect(from, top, to - from, height);
      g.fillStyle = css("--bad");
      g.fillRect(from, top, 1.5 * ratio, height);
      g.font = `${10 * ratio}px system-ui, sans-serif`;
      g.textAlign = "left";
      g.fillText(m.name, from + 4 * ratio, top + (11 + 12 * (i % 4)) * ratio, Math.max(20, left + width - from - 6 * ratio));
    });
    g.restore();
  }

  range(low, high) {
    if (low === null || high === null) return [0, 1];
    const { y } = this.spec;
    if (y.max !== undefined) return [0, y.max];
    const bottom = low >= 0 && y.zero !== false ? 0 : low - 0.06 * (high - low || 1);
    return [bottom, high + 0.06 * (high - bottom || 1)];
  }

  draw() {
    if (this.u) this.u.destroy();
    const data = this.table();
    this.plot.replaceChildren();
    this.u = data[0].length ? new uPlot(this.options(Math.max(280, this.plot.clientWidth || 400)), data, this.plot) : null;
    if (!this.u) this.plot.append(element("p", { class: "note" }, "No values."));
    this.drawLegend();
  }

  drawLegend() {
    this.outputs = this.spec.series.map(() => element("output", {}));
    this.legend.replaceChildren(...this.spec.series.map((s, i) => {
      const button = element("button", { type: "button", "aria-pressed": !this.hidden.has(i), title: "show or hide", onclick: () => {
        if (!this.hidden.delete(i)) this.hidden.add(i);
        button.setAttribute("aria-pressed", !this.hidden.has(i));
        this.show(i);
      } }, swatch(s.place, this.spec.solid), s.name);
      return element("li", {}, button, " ", this.outputs[i]);
    }));
    if (this.spec.series.length === 1 && !this.spec.series[0].name) this.legend.querySelector("button").hidden = true;
  }

  show(i) {
    const at = this.lines()[i];
    for (let k = at; k < at + (this.spec.series[i].low ? 3 : 1); k++) this.u.setSeries(k, { show: !this.hidden.has(i) });
  }

  /* Shows the values at the cursor beside the names: the nearest point of each line. */
  read(u) {
    const at = u.cursor.idx;
    if (!this.outputs) return;
    this.lines().forEach((line, i) => {
      const y = at === null || at === undefined ? null : nearest(u.data[line], at);
      this.outputs[i].textContent = y === null || this.hidden.has(i) ? "" : write(this.spec.y.unit, y);
    });
    if (this.where === undefined) this.legend.append(this.where = element("li", { class: "dim" }));
    if (!this.where.isConnected) this.legend.append(this.where);
    this.where.textContent = at === null || at === undefined ? "" : `at ${write(this.spec.x.unit, u.data[0][at])}`;
  }

  key(e) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!step || !this.u || e.target !== this.figure) return;
    e.preventDefault();
    const n = this.u.data[0].length, now = this.u.cursor.idx;
    const at = Math.min(n - 1, Math.max(0, now === null || now === undefined ? (step > 0 ? 0 : n - 1) : now + step));
    this.u.setCursor({ left: this.u.valToPos(this.u.data[0][at], "x"), top: this.u.over.clientHeight / 2 }, true, true);
  }
}

function nearest(column, at) {
  for (let d = 0; d < column.length; d++) {
    if (column[at - d] !== null && column[at - d] !== undefined) return column[at - d];
    if (column[at + d] !== null && column[at + d] !== undefined) return column[at + d];
  }
  return null;
}

/* Draws charts when their section enters the page, and again for another width or theme. */
function drawCharts(root) {
  for (const chart of charts) if (root.contains(chart.figure)) chart.draw();
}
function dropCharts(root) {
  for (let i = charts.length - 1; i >= 0; i--) {
    if (!root.contains(charts[i].figure)) continue;
    if (charts[i].u) charts[i].u.destroy();
    charts.splice(i, 1);
  }
}
