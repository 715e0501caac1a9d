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
  if (flows) parts.push(`${plural(flows, "flow")} and ${write("count", hops)} packet-hops were simulated in all.`);
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

/* ---- changes, in the words of study/print/cell_text.h ---- */

/* Returns the change of a cell against the row at place `base`; without an interval where the page has no comparison of the two. */
function changeOf(point, column, base, rows) {
  const there = point.row.against[base] && point.row.against[base][column];
  if (there) return { form: there[0], value: there[1], low: there[2], high: there[3] };
  const of = point.row.cells[column], against = rows[base].cells[column];
  if (!of || !against || point.row.against[base]) return null;
  return against[0] > 0 ? { form: "change", value: of[0] / against[0] - 1, low: null, high: null }
    : { form: "difference", value: of[0] - against[0], low: null, high: null };
}

const isRatio = value => (value > -1 && value < -0.95) || value > 9;
const ratioText = ratio => ratio <= 0 ? "0" : ratio < 1 ? `1/${digits(1 / ratio)}` : `${digits(ratio)}×`;

function changeText(m, c) {
  if (c.value === 0 && !(c.high > 0)) return "same";
  if (c.form === "change") return isRatio(c.value) ? ratioText(1 + c.value) : percent(c.value);
  return signed(c.value, m.unit === "share" ? `${digits(Math.abs(100 * c.value))} pp` : write(m.unit, Math.abs(c.value)));
}

/* Returns "−54 to −44 %", the 95 % interval of a change; "" without one. */
function changeInterval(m, c) {
  if (c.low === null || c.high === c.low) return "";
  const ends = c.form !== "change" ? [c.low, c.high].map(v => changeText(m, { form: c.form, value: v, high: 1 }))
    : isRatio(c.value) ? [c.low, c.high].map(v => ratioText(1 + v)) : [c.low, c.high].map(percent);
  const unit = (/ ?[^\d ]*$/.exec(ends[1]) || [""])[0];
  return `${unit && ends[0].endsWith(unit) ? ends[0].slice(0, -unit.length) : ends[0]} to ${ends[1]}`;
}

class Summary {
  constructor(x) {
    this.x = x;
    this.metrics = x.table.columns.map((path, i) => ({ ...metricOf(path), label: x.table.heads[i][0], better: x.table.heads[i][1] }));
    this.baseline = this.askedBaseline();
    this.filter = Object.fromEntries(x.otherAxes.map(a => [a.key, null]));
    this.limit();
    this.table = element("div", { class: "scroll", id: "summary-table" });
    this.root = section("summary", "What was asked and what came out", element("p", {}, sweepSentence(x)), element("p", { class: "dim" }, factsSentence(x)),
      runWarnings(x), x.points.length ? [this.controls(), this.table, this.noteText = element("p", { class: "note" }, this.note())] : element("p", {}, "No run has finished, so there are no results yet."));
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
      picks.push(picker("Compare with", this.baselines(), this.baseline, v => { this.baseline = v; this.draw(); this.noteText.textContent = this.note(); }));
    for (const a of x.otherAxes)
      picks.push(picker(a.key, [["", "each"], ...a.values.map((v, i) => [i, text(v)])], this.filter[a.key] === null ? "" : a.values.indexOf(this.filter[a.key]),
        v => { this.filter[a.key] = v === "" ? null : a.values[v]; this.draw(); }));
    return element("div", { class: "controls" }, picks);
  }

  /* Baselines: a value of the rows, each group with its own row ("value:0"), or one row for all groups ("row:5"). */
  baselines() {
    const { x } = this, { rows } = x.table, named = x.rowAxis.values.map((v, i) => [`value:${i}`, text(v)]);
    const all = x.points.length > 0 && rows.every((r, i) => Object.keys(r.against).length === rows.length - 1);
    const single = x.otherAxes.length && all ? rows.map((r, i) => [`row:${i}`, `row ${i + 1}: ${this.rowText(i)}`]) : [];
    return [...named, ...single];
  }

  rowText(place) {
    const { x } = this, { settings } = x.table.rows[place];
    return [x.rowAxis ? text(settings[x.rowAxis.key]) : "", ...x.otherAxes.map(a => `${a.key} ${text(settings[a.key])}`)].filter(Boolean).join(", ");
  }

  askedBaseline() {
    const { x } = this, { asked } = x.table;
    if (asked && asked.row !== undefined) return `row:${asked.row}`;
    const place = asked ? x.rowAxis.values.findIndex(v => text(v) === asked.name) : 0;
    return `value:${Math.max(0, place)}`;
  }

  /* Returns the place of the row that a point is compared with; null if its group has no such row. */
  baseOf(point, points) {
    const [kind, number] = this.baseline.split(":");
    const base = kind === "row" ? Number(number) : points.find(p => this.x.rowPlace(p) === Number(number))?.place;
    return base === undefined || base === point.place ? null : base;
  }

  baselineText() {
    const [kind, number] = this.baseline.split(":");
    if (!this.x.rowAxis || this.x.rowAxis.values.length < 2) return "";
    return kind === "row" ? `row ${Number(number) + 1} (${this.rowText(Number(number))})`
      : `${text(this.x.rowAxis.values[Number(number)])}${this.x.otherAxes.length ? " of the same group" : ""}`;
  }

  note() {
    const shows = words => this.metrics.some(m => words.test(m.label)), base = this.baselineText();
    return [this.x.seeds.length > 1 ? "Means over the seeds with their 95 % intervals. ★ marks the best of a column where its interval has no point in common with another." : "One seed: no spread is known.",
      base ? `Changes are against ${base}${this.x.seeds.length > 1 ? ", with their 95 % interval over pairs of one seed" : ""}: percentages of its value; 1/N or N× where a percentage tells little; pp are percentage points.` : "",
      this.x.table.empty.length ? `No run has a value of ${list(this.x.table.empty)}.` : "", this.x.table.notes, shows(/\bFCT\b/) ? "FCT: flow completion time." : "", shows(/median|95th|99th/) ? "Median, 95th and 99th are percentiles." : "",
      "heddle report --columns METRIC,... --baseline ROW shows other columns, and starts with another comparison."].filter(Boolean).join(" ");
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
    if (this.table.isConnected) hintScrolling(); /* another baseline has other widths */
  }

  rows(points) {
    const sorted = [...points].sort((a, b) => this.x.rowPlace(a) - this.x.rowPlace(b)), { rows } = this.x.table;
    return sorted.map(p => {
      const base = this.baseOf(p, sorted);
      return element("tr", {}, element("th", { scope: "row" }, this.x.lineAxis ? swatch(this.x.rowPlace(p)) : null, this.x.rowName(p)),
        this.metrics.map((m, c) => this.cell(m, cellOf(p, c), base === null ? null : changeOf(p, c, base, rows))));
    });
  }

  /* Returns " ±12 µs", or " 0 to 514 µs" for an interval that reaches 0. */
  spread(m, s) {
    if (s.low === null || s.low === s.high) return null;
    return element("small", {}, !m.signed && s.low <= 0 ? ` 0 to ${write(m.unit, s.high)}` : ` ±${write(m.unit, s.high - s.mean)}`);
  }

  cell(m, s, change) {
    if (!s) return element("td", { "data-metric": m.path }, "–");
    const open = change && change.low !== null && change.low <= 0 && change.high >= 0; // no change is within the interval
    const kind = !m.better || !change || open || (change.form === "change" && Math.abs(change.value) < 0.005) || change.value === 0 ? "" : change.value * m.better > 0 ? "good" : "bad";
    const known = s.low !== null, interval = change ? changeInterval(m, change) : "";
    const spread = known ? `95 % interval ${write(m.unit, s.low)} to ${write(m.unit, s.high)} over ${s.n} seeds` : s.n > 1 ? `all ${s.n} seeds gave the same run` : "one seed";
    return element("td", { class: s.best ? "best" : null, title: `${m.path}: ${s.mean} (${spread})`, "data-metric": m.path, "data-value": s.mean },
      element("span", { class: "value" }, write(m.unit, s.mean), this.spread(m, s)),
      change ? element("span", { class: `delta ${kind}`, "data-change": change.value, "data-low": change.low, "data-high": change.high }, changeText(m, change), interval ? element("small", {}, ` (${interval})`) : null) : null);
  }
}
