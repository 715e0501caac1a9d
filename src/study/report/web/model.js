// SPDX-License-Identifier: Apache-2.0
"use strict";
/* Contents of the store: experiments, axes of their sweeps, points (runs that differ in their seed only), metrics. */

const UNITS = { ps: 1e-6, ns: 1e-3, us: 1, ms: 1e3, s: 1e6, B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, KiB: 1024, MiB: 1048576,
  GiB: 1073741824, bps: 1, Kbps: 1e3, Mbps: 1e6, Gbps: 1e9, Tbps: 1e12, "/s": 1, "%": 0.01 };

/* Returns the number of a setting such as 0.3, "10Gbps" or "500/s"; null if it is a name. */
function settingNumber(value) {
  if (typeof value === "number") return value;
  const m = typeof value === "string" && /^([-+]?[\d.]+(?:e[-+]?\d+)?)\s?([a-zA-Z/%]*)$/i.exec(value);
  if (!m) return null;
  if (m[2] === "") return Number(m[1]);
  return m[2] in UNITS ? Number(m[1]) * UNITS[m[2]] : null;
}

function settingUnit(values) {
  const unit = String(values.find(v => typeof v === "string") || "").replace(/^[-+\d.e]+\s?/i, "");
  if (/^(ps|ns|us|ms|s)$/.test(unit)) return "us";
  if (/^(B|KB|MB|GB|TB|KiB|MiB|GiB)$/.test(unit)) return "bytes";
  if (/bps$/.test(unit)) return "bps";
  return unit === "/s" ? "/s" : unit === "%" ? "share" : "number";
}
WRITE.bps = x => WRITE["Mbit/s"](x / 1e6);
WRITE["/s"] = x => `${digits(x, 4)}/s`;

const same = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);
const text = value => typeof value === "string" ? value : JSON.stringify(value);

/* ---- metrics ---- */

/* Returns {path, label, unit, better: -1 less, 1 more, 0 neither} from the program's table of metrics. */
const metricOf = path => ({ path, ...(report.data.table[path] || { label: path, unit: "number", better: 0 }) });

/* ---- experiments ---- */

/* Joins experiments of one name from several stores for comparison: the store becomes a setting. */
function experimentsOf(data) {
  const byName = new Map();
  for (const e of data.experiments) byName.set(e.name, [...(byName.get(e.name) || []), e]);
  return [...byName.values()].map(parts => new Experiment(parts, data));
}

class Experiment {
  constructor(parts, data) {
    this.parts = parts;
    this.name = parts[0].name;
    this.title = parts[0].title || parts[0].name;
    this.data = data;
    this.runs = [];
    this.points = [];
    this.claims = parts.flatMap(p => p.claims.map(c => ({ ...c, store: parts.length > 1 ? p.store : null })));
    for (const part of parts) this.take(part, parts.length > 1 ? { store: part.store } : {});
    this.axes = this.axesOf();
    this.table = data.tables[this.name];
    this.rowAxis = this.axes.find(a => a.key === this.table.key) || null;
    this.rowsAttach();
    this.metrics = [...new Set(parts.flatMap(p => p.metrics))].map(metricOf);
    this.byPath = new Map(this.metrics.map(m => [m.path, m]));
  }

  take(part, extra) {
    const first = this.runs.length, place = new Map(part.metrics.map((name, i) => [name, i])), zero = new Set(part.zero);
    for (const [i, run] of part.runs.entries()) {
      const metric = path => place.has(path) ? run.metrics[place.get(path)] : zero.has(path) && run.status === "done" ? 0 : null;
      this.runs.push({ ...run, part, metric, settings: { ...extra, ...run.settings }, detail: part.details[i] || null });
    }
    for (const p of part.points)
      this.points.push({ ...p, settings: { ...extra, ...p.settings }, runs: p.runs.map(i => this.runs[first + i]) });
  }

  /* Returns the swept keys and their values, in the order of the runs. */
  axesOf() {
    const axes = new Map();
    for (const p of this.points.length ? this.points : this.runs)
      for (const [key, value] of Object.entries(p.settings)) {
        if (key === "run.seed") continue;
        const values = axes.get(key) || axes.set(key, []).get(key);
        if (!values.some(v => same(v, value))) values.push(value);
      }
    return [...axes].map(([key, values]) => {
      const numeric = values.length > 1 && values.every(v => settingNumber(v) !== null);
      return { key, values, numeric, unit: numeric ? settingUnit(values) : "number" };
    });
  }

  /* Gives each point its row of the table of results. */
  rowsAttach() {
    const places = new Map(this.table.rows.map((row, i) => [JSON.stringify(row.settings), i]));
    for (const p of this.points) {
      p.place = places.get(JSON.stringify(p.settings));
      p.row = this.table.rows[p.place];
    }
  }

  get otherAxes() { return this.axes.filter(a => a !== this.rowAxis && a.values.length > 1); }
  get lineAxis() { return this.rowAxis && !this.rowAxis.numeric ? this.rowAxis : null; }
  get seeds() { return [...new Set(this.runs.map(r => r.settings["run.seed"]))]; }
  rowName(point) { return this.rowAxis ? text(point.settings[this.rowAxis.key]) : this.title; }
  rowPlace(point) { return this.rowAxis ? this.rowAxis.values.findIndex(v => same(v, point.settings[this.rowAxis.key])) : 0; }
  has(path) { return this.points.some(p => statistic(p, path) !== null); }
  /* Returns the metrics that are quoted most, in the order of the table. */
  quoted() { return [...this.table.columns, ...this.table.further].map(path => this.byPath.get(path)).filter(Boolean); }
}

/* Returns the mean over the runs of a point and its 95 % interval, as study/claims/estimate.h shows it: without rounding alone, and
 * not below 0 where the metric is not; for one run low and high are the mean. */
function statistic(point, path) {
  const values = point.runs.map(r => r.metric(path));
  if (!values.length || values.some(missing)) return null;
  const n = values.length, mean = values.reduce((a, b) => a + b, 0) / n;
  const half = n > 1 ? report.data.t95[n - 2] * Math.sqrt(values.reduce((a, v) => a + (v - mean) ** 2, 0) / (n - 1) / n) : 0;
  if (half <= 1e-9 * Math.abs(mean)) return { mean, low: mean, high: mean, n };
  const low = metricOf(path).signed ? mean - half : Math.max(0, mean - half);
  return { mean, low, high: mean + half, n };
}

const settingsText = (settings, without = []) => Object.entries(settings).filter(([k]) => !without.includes(k))
  .map(([k, v]) => `${k} ${text(v)}`).join(", ");

/* Filters the points whose settings have these values; null means any. */
const matching = (points, filter) => points.filter(p => Object.entries(filter).every(([k, v]) => v === null || same(p.settings[k], v)));

/* ---- fabrics (study/report/topology.h) ---- */

const topologies = new Map();
function topologyOf(data, key) {
  if (topologies.has(key)) return topologies.get(key);
  const t = data.topologies[key], tier = unpackScaled(t.tier, 8) || [];
  topologies.set(key, new Topology({ names: t.names.split("\n"), hosts: t.hosts, node: unpackIntegers(t.node), neighbour: unpackIntegers(t.neighbour),
    parallel: unpackIntegers(t.parallel), linkTier: Array.from(tier, v => t.tiers[Math.round(v)]), of: t.of ? unpackIntegers(t.of) : null,
    merged: t.merged ? unpackIntegers(t.merged) : null }));
  return topologies.get(key);
}
