// SPDX-License-Identifier: Apache-2.0
"use strict";
/* Summary: the question of the experiment, and the results. */

const list = words => words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;

function sweepSentence(x) {
  const swept = x.axes.filter(a => a.values.length > 1);
  const parts = swept.map(a => `${a.key} (${a.values.length > 8 ? `${a.values.length} values, ${text(a.values[0])} to ${text(a.values[a.values.length - 1])}` : a.values.map(text).join(", ")})`);
  const done = x.runs.filter(r => r.status === "done").length, seeds = x.seeds.length;
  const asked = parts.length ? `Sweeps ${list(parts)}` : "A single setting";
  return `${asked}${seeds > 1 ? `, each with ${seeds} seeds` : ", one seed"}: ${plural(x.runs.length, "run")}, ${done === x.runs.length ? "all done" : `${done} done`}.`;
}

/* Lists the rates of links tier by tier, since fabric.rate is only their default. A fabric from a file has its own. */
function linkRates(line) {
  const tiers = [["host_rate", "hosts"], ["uplink_rate", "uplinks"], ["core_rate", "core"]].filter(([k]) => line(k)).map(([k, name]) => [line(k), name]);
  if (!tiers.length || line("kind") === "file") return "";
  return tiers.every(([rate]) => rate === tiers[0][0]) ? `, links of ${tiers[0][0]}` : `, links of ${list(tiers.map(([rate, name]) => `${rate} (${name})`))}`;
}

function factsSentence(x) {
  const run = x.runs.find(r => r.status === "done") || x.runs[0];
  if (!run) return "";
  const config = configOf(run), line = key => (new RegExp(`^  ${key}: (.*)$`, "m").exec(config) || [])[1];
  const topology = run.detail && x.data.topologies[run.detail.load.topology] ? topologyOf(x.data, run.detail.load.topology) : null;
  const parts = [];
  if (line("kind")) parts.push(`Fabric: ${line("kind")}${topology && topology.hosts ? `, ${plural(topology.count(0, topology.hosts), "host")} and ${plural(topology.count(topology.hosts, topology.n), "switch").replace("switchs", "switches")}` : ""}${linkRates(line)}.`);
  const flows = x.runs.reduce((n, r) => n + (r.metric("flows.started") || 0), 0);
  const hops = x.runs.reduce((n, r) => n + (r.metric("engine.packet_hops") || 0), 0);
  if (flows) parts.push(`${plural(flows, "flow")} and ${digits(hops)} packet-hops were simulated in all.`);
  return parts.join(" ");
}

/* Reports flows that had not finished; no flow time includes them. */
function missingFlows(x) {
  const lacking = x.runs.filter(r => r.status === "done" && r.metric("fct_us.all.unfinished") > 0);
  if (!lacking.length) return [];
  const share = r => r.metric("fct_us.all.unfinished") / (r.metric("fct_us.all.unfinished") + (r.metric("fct_us.all.n") || 0));
  const worst = lacking.reduce((a, b) => share(b) > share(a) ? b : a), missed = worst.metric("fct_us.all.unfinished");
  return [`Flows are missing from the completion times of ${lacking.length} of ${plural(x.runs.length, "run")}: ${missed.toLocaleString("en")} of ${(missed + (worst.metric("fct_us.all.n") || 0)).toLocaleString("en")} flows had not finished when run ${worst.number} ended.`];
}

/* Reports flows that had not started. */
function lateFlows(x) {
  const lacking = x.runs.filter(r => r.status === "done" && r.metric("flows.not_started") > 0);
  if (!lacking.length) return [];
  const worst = lacking.reduce((a, b) => b.metric("flows.not_started") > a.metric("flows.not_started") ? b : a);
  return [`Flows had not started in ${lacking.length} of ${plural(x.runs.length, "run")}: ${digits(worst.metric("flows.not_started"))} when run ${worst.number} ended.`];
}

function unsettled(x) {
  const growing = x.runs.filter(r => r.status === "done" && r.metric("open_flows.settled") === 0 && r.metric("open_flows.growth") > 0);
  if (!growing.length) return [];
  const worst = growing.reduce((a, b) => b.metric("open_flows.growth") > a.metric("open_flows.growth") ? b : a);
  return [`${growing.length} of ${plural(x.runs.length, "run")} had not settled: open flows grew from ${digits(worst.metric("open_flows.first"))} to ${digits(worst.metric("open_flows.last"))} over the arrivals that count (run ${worst.number}).`];
}

function runWarnings(x) {
  const failed = x.runs.filter(r => r.status === "failed"), left = x.runs.filter(r => r.status === "running");
  const warnings = [];
  if (failed.length) warnings.push(`${plural(failed.length, "run")} failed: ${failed.slice(0, 3).map(r => `run ${r.number} (${r.failure || "no reason was recorded"})`).join("; ")}${failed.length > 3 ? " …" : ""}. They are left out below.`);
  if (left.length) warnings.push(`${plural(left.length, "run")} ${left.length === 1 ? "is" : "are"} not finished: under way, left out by --budget, or left by a program that was killed. The same heddle run goes on from there.`);
  warnings.push(...missingFlows(x), ...lateFlows(x), ...unsettled(x), ...x.parts.map(p => p.older).filter(Boolean));
  return warnings.map(w => element("p", { class: "warning", role: "note" }, w));
}

/* Returns a cell of the table of results (study/report/page_table.h); null if the row has no such value. */
function cellOf(point, column) {
  const cell = point.row && point.row.cells[column];
  return cell && { mean: cell[0], low: cell[1], high: cell[2], n: cell[3], best: cell[4] };
}

class Summary {
  constructor(x) {
    this.x = x;
    this.baseline = 0;
    this.metrics = x.table.columns.map(metricOf);
    this.filter = Object.fromEntries(x.otherAxes.map(a => [a.key, null]));
    this.limit();
    this.table = element("div", { class: "scroll", id: "summary-table" });
    this.root = section("summary", "What was asked and what came out", element("p", {}, sweepSentence(x)), element("p", { class: "dim" }, factsSentence(x)),
      runWarnings(x), x.points.length ? [this.controls(), this.table, this.note()] : element("p", {}, "No run has finished, so there are no results yet."));
    this.draw();
  }

  /* With many groups the table starts with one value of the longest axes. */
  limit() {
    const groups = () => this.x.otherAxes.reduce((n, a) => n * (this.filter[a.key] === null ? a.values.length : 1), 1);
    for (const a of [...this.x.otherAxes].sort((p, q) => q.values.length - p.values.length))
      if (groups() > 6) this.filter[a.key] = a.values[a.values.length - 1];
  }

  controls() {
    const { x } = this, picks = [];
    if (x.rowAxis && x.rowAxis.values.length > 1)
      picks.push(picker("Baseline", x.rowAxis.values.map((v, i) => [i, text(v)]), this.baseline, v => { this.baseline = Number(v); this.draw(); }));
    for (const a of x.otherAxes)
      picks.push(picker(a.key, [["", "each"], ...a.values.map((v, i) => [i, text(v)])], this.filter[a.key] === null ? "" : a.values.indexOf(this.filter[a.key]),
        v => { this.filter[a.key] = v === "" ? null : a.values[v]; this.draw(); }));
    return element("div", { class: "controls" }, picks);
  }

  note() {
    const shows = words => this.metrics.some(m => words.test(m.label));
    return element("p", { class: "note" }, [this.x.seeds.length > 1 ? "Means over the seeds with their 95 % intervals." : "",
      "★ marks the best of a column where its 95 % interval has no point in common with another, percentages are against the baseline.", this.x.table.notes,
      shows(/\bFCT\b/) ? "FCT: flow completion time." : "", shows(/median|95th|99th/) ? "Median, 95th and 99th are percentiles." : ""].filter(Boolean).join(" "));
  }

  groups() {
    const groups = new Map();
    for (const p of matching(this.x.points, this.filter)) {
      const key = settingsText(p.settings, this.x.rowAxis ? [this.x.rowAxis.key] : []);
      groups.set(key, [...(groups.get(key) || []), p]);
    }
    return groups;
  }

  draw() {
    const head = element("tr", {}, element("th", { scope: "col" }, this.x.rowAxis ? this.x.rowAxis.key : ""),
      this.metrics.map(m => element("th", { scope: "col", title: m.path }, m.label, element("small", {}, { "-1": "less is better", 1: "more is better", 0: "" }[m.better]))));
    const body = [];
    for (const [name, points] of this.groups()) {
      const swept = points[0] && this.x.otherAxes.map(a => `${a.key} ${text(points[0].settings[a.key])}`).join(", ");
      if (swept) body.push(element("tr", { class: "group" }, element("th", { colspan: this.metrics.length + 1, scope: "rowgroup" }, element("span", {}, swept))));
      body.push(...this.rows(points, name));
    }
    this.table.replaceChildren(element("table", {}, element("thead", {}, head), element("tbody", {}, body)));
  }

  rows(points) {
    const sorted = [...points].sort((a, b) => this.x.rowPlace(a) - this.x.rowPlace(b));
    const base = sorted.find(p => this.x.rowPlace(p) === this.baseline);
    return sorted.map(p => element("tr", {}, element("th", { scope: "row" }, this.x.lineAxis ? swatch(this.x.rowPlace(p)) : null, this.x.rowName(p)),
      this.metrics.map((m, c) => this.cell(m, cellOf(p, c), base && base !== p ? cellOf(base, c) : null))));
  }

  cell(m, s, base) {
    if (!s) return element("td", { "data-metric": m.path }, "–");
    const change = base && base.mean ? s.mean / base.mean - 1 : null;
    const kind = !m.better || change === null || Math.abs(change) < 0.005 ? "" : change * m.better > 0 ? "good" : "bad";
    const known = s.low !== null;
    const spread = known ? `95 % interval ${write(m.unit, s.low)} to ${write(m.unit, s.high)} over ${s.n} seeds` : s.n > 1 ? `all ${s.n} seeds gave the same run` : "one seed";
    return element("td", { class: s.best ? "best" : null, title: `${m.path}: ${s.mean} (${spread})`, "data-metric": m.path, "data-value": s.mean },
      element("span", { class: "value" }, write(m.unit, s.mean), known ? element("small", {}, ` ±${write(m.unit, s.high - s.mean)}`) : null), change === null ? null : element("span", { class: `delta ${kind}` }, percent(change)));
  }
}
