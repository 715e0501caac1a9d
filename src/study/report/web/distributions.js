// SPDX-License-Identifier: Apache-2.0
"use strict";
/* Distributions at one point of the sweep: CDFs by class, slowdown by flow size. */

const DISTRIBUTIONS = [
  ["fct_us", "Flow completion time", "us", true], ["slowdown", "Slowdown", "times", true], ["query_us", "Query completion time", "us", true],
  ["reorder", "Out-of-order degree of a flow", "number", false, "most packets held out of order"], ["queue_bytes", "Queue occupancy, all samples", "bytes", false],
  ["queue_max_bytes", "Largest queue of a port", "bytes", false], ["paused_share", "Share of the time that a port was paused", "share", false],
  ["imbalance", "Throughput imbalance of uplinks", "number", false, "(max − min) / mean"],
];
const PERCENTILES = [["p50", "median"], ["p95", "95th percentile"], ["p99", "99th percentile"]];
const DRAWN = { times: "slowdown", us: "time", bytes: "bytes", share: "share of the time", number: "value" };
const CLASS_NAMES = { all: "all", mice: "mice, under 100 KB", medium: "medium", elephant: "elephants, over 1 MB", host: "host links", uplink: "uplinks", core: "core links",
  peer: "peer links", other: "other links", tor: "of ToRs and leaves", agg: "of aggregation switches and spines" };

class Distributions {
  constructor(x) {
    this.x = x;
    this.points = x.points.filter(p => p.cdfs);
    if (!this.points.length) return;
    this.fixed = Object.fromEntries(x.otherAxes.map(a => [a.key, a.values[a.values.length - 1]]));
    this.tail = false;
    this.grid = element("div", { class: "grid" });
    this.root = section("distributions", "Distributions", element("p", { class: "note" }, "Over the flows of all seeds that count in the results (measure.from, measure.starts). A CDF says which share of the values is at most so large. Slowdown by flow size has as many buckets as the flows carry: the 99th percentile takes 600 flows a bucket, the 95th 120."),
      this.controls(), this.grid);
    this.fill();
  }

  controls() {
    const picks = this.x.otherAxes.map(a => picker(a.key, a.values.map((v, i) => [i, text(v)]), a.values.length - 1, v => { this.fixed[a.key] = a.values[v]; this.redraw(); }));
    const tail = element("button", { type: "button", "aria-pressed": false, onclick: () => {
      this.tail = !this.tail;
      tail.setAttribute("aria-pressed", this.tail);
      this.redraw();
    } }, "Show the tail (share above)");
    picks.push(tail);
    return element("div", { class: "controls" }, picks);
  }

  redraw() {
    dropCharts(this.grid);
    this.fill();
    drawCharts(this.grid);
  }

  here() { return matching(this.points, this.fixed).sort((a, b) => this.x.rowPlace(a) - this.x.rowPlace(b)); }

  fill() {
    const points = this.here(), found = [];
    for (const [id, word] of PERCENTILES) found.push(this.bySize(points, id, word));
    for (const [key, title, unit, log, value] of DISTRIBUTIONS) {
      const known = Object.keys(CLASS_NAMES), placeOf = c => known.includes(c) ? known.indexOf(c) : known.length;
      const classes = [...new Set(points.flatMap(p => Object.keys(p.cdfs[key] || {})))].sort((a, b) => placeOf(a) - placeOf(b));
      if (classes.length === 2 && classes.includes("all")) classes.splice(classes.indexOf("all"), 1);
      for (const c of classes) found.push(this.cdf(points, key, c, title, unit, log, value || DRAWN[unit]));
    }
    this.grid.replaceChildren(...found.filter(Boolean).map(c => c.figure));
    if (!this.grid.children.length) this.grid.append(element("p", { class: "note" }, "No flow of these runs finished."));
  }

  cdf(points, key, name, title, unit, log, value) {
    const series = [];
    for (const p of points) {
      const d = (p.cdfs[key] || {})[name];
      if (d) series.push({ name: this.x.rowAxis ? this.x.rowName(p) : "", place: this.x.rowPlace(p), n: d.n, ...this.steps(d.v) });
    }
    if (!series.length || series.every(s => s.x[s.x.length - 1] === 0)) return null;
    const only = Object.keys(points[0].cdfs[key] || {}).length === 1;
    return new Chart({ id: `cdf:${key}:${name}`, title: only && name === "all" ? title : `${title}, ${CLASS_NAMES[name] || name}`, x: { label: value, unit, log },
      y: { label: this.tail ? "share above" : "share of values", unit: "number", max: this.tail ? undefined : 1, noLog: !this.tail, log: this.tail }, series, points: false });
  }

  /* For equal values the last share counts. */
  steps(values) {
    const grid = this.x.data.grid, x = [], y = [];
    values.forEach((v, i) => {
      const share = this.tail ? 1 - grid[i] : grid[i];
      if (x.length && x[x.length - 1] === v) y[y.length - 1] = share;
      else { x.push(v); y.push(share); }
    });
    return { x, y };
  }

  /* Buckets have equal counts of flows, as many as carry the percentile (study/report/cdfs.h). */
  bySize(points, id, word) {
    const series = points.map(p => [p, p.by_size[id] || []]).filter(([, buckets]) => buckets.length > 1).map(([p, buckets]) => ({ name: this.x.rowAxis ? this.x.rowName(p) : "", place: this.x.rowPlace(p),
      x: buckets.map(b => b[1]), y: buckets.map(b => b[4]), low: buckets.map(b => b[5]), high: buckets.map(b => b[6]) }));
    if (!series.length || series.every(s => new Set(s.x).size < 2)) return null;
    const counts = [...new Set(series.map(s => s.x.length))].sort((a, b) => a - b);
    return new Chart({ id: `by-size:${id}`, title: `Slowdown by flow size, ${word}`, x: { label: `flow size (${counts.join(" to ")} buckets of equal count)`, unit: "bytes", log: true },
      y: { label: "slowdown, 95 % interval", unit: "times", log: true }, series, points: true });
  }
}
