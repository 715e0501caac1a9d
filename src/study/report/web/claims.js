// SPDX-License-Identifier: Apache-2.0
"use strict";
/* Expectations: claimed range and measured value, on one scale and in words. */

/* Classes of outcomes by their sign: met, unmet, or open (not decided, not measurable). */
const OUTCOME_KINDS = { 1: "met", "-1": "unmet", 0: "open" };

function claimValue(c, v) {
  if (v === null) return "any";
  if (v === 0 && (c.form === "change" || c.form === "share")) return "0 %";
  if (c.form === "change" || c.form === "share") return percent(v);
  if (c.form === "ratio") return write("times", v);
  return write(metricOf(c.metric).unit, v);
}

const claimRange = c => c.low === null && c.high === null ? "anything" : c.low === null ? `at most ${claimValue(c, c.high)}` : c.high === null ? `at least ${claimValue(c, c.low)}` : c.low === c.high ? claimValue(c, c.low) : `${claimValue(c, c.low)} to ${claimValue(c, c.high)}`;

/* Draws the sign of the verdict, which stands before its word too: a disc, a diamond, or a ring. */
function claimSign(kind, x, fill) {
  if (kind === "unmet") return element("svg:path", { class: "sign unmet", d: `M${x} 14 l8 8 l-8 8 l-8 -8 z`, fill });
  return element("svg:circle", { class: `sign ${kind}`, cx: x, cy: 22, r: 6, ...(kind === "met" ? { fill } : { fill: "var(--card)", stroke: fill, "stroke-width": 2.5 }) });
}

/* Draws the range as a bar and the measurement as a point with its 95 % interval, on one scale. */
function claimScale(c) {
  const width = 420, left = 12, right = width - 12, values = [c.low, c.high, c.measured].filter(v => v !== null);
  const interval = c.from !== null && c.to !== null;
  if (interval) values.push(c.from, c.to);
  if (c.form === "change" || c.form === "difference" || c.form === "share") values.push(0);
  if (c.form === "ratio") values.push(1);
  let low = Math.min(...values), high = Math.max(...values);
  const pad = (high - low || Math.abs(high) || 1) * 0.12;
  low -= pad;
  high += pad;
  const x = v => left + (right - left) * (v - low) / (high - low), open = v => v === null;
  const verdict = c.outcome, kind = OUTCOME_KINDS[c.sign];
  const from = open(c.low) ? left - 12 : x(c.low), to = open(c.high) ? right + 12 : x(c.high), part = [];
  part.push(element("svg:line", { x1: left, x2: right, y1: 22, y2: 22, stroke: "var(--line)", "stroke-width": 1 }));
  part.push(element("svg:rect", { x: from, y: 14, width: Math.max(3, to - from), height: 16, fill: "var(--accent)", opacity: 0.28, rx: 2 }));
  for (const v of [c.low, c.high]) if (v !== null) part.push(element("svg:line", { x1: x(v), x2: x(v), y1: 11, y2: 33, stroke: "var(--accent)", "stroke-width": 1.5 }));
  const zero = c.form === "ratio" ? 1 : 0;
  if (c.form !== "value") part.push(element("svg:line", { x1: x(zero), x2: x(zero), y1: 8, y2: 36, stroke: "var(--dim)", "stroke-dasharray": "2 3" }), element("svg:text", { x: x(zero), y: 43, "text-anchor": "middle" }, { ratio: "equal", share: "nothing" }[c.form] || "no change"));
  if (c.measured !== null) {
    const fill = { met: "var(--good)", unmet: "var(--bad)", open: "var(--dim)" }[kind];
    if (interval) part.push(element("svg:line", { x1: x(c.from), x2: x(c.to), y1: 22, y2: 22, stroke: fill, "stroke-width": 3 }));
    part.push(claimSign(kind, x(c.measured), fill));
  }
  return element("svg:svg", { viewBox: `0 0 ${width} 46`, preserveAspectRatio: "xMidYMid meet", role: "img", "aria-label": `claimed ${claimRange(c)}, measured ${c.measured === null ? "nothing" : claimValue(c, c.measured)}: ${verdict}` }, part);
}

/* Returns "expresspass against dctcp": the compared setting by its value, other settings by key and value. */
function claimComparison(c) {
  const { subject, against } = c;
  const word = (settings, key) => against && key in against && subject && key in subject && typeof settings[key] === "string" ? settings[key] : settingsText({ [key]: settings[key] });
  const words = settings => Object.keys(settings).map(key => word(settings, key)).join(", ");
  return [subject ? words(subject) : "", against ? `against ${words(against)}` : "", c.than ? `less the same at ${settingsText(c.than)}` : ""].filter(Boolean).join(" ");
}

function claimRow(c) {
  const verdict = c.outcome, kind = OUTCOME_KINDS[c.sign], where = settingsText(c.place);
  return element("div", { class: "claim", role: "listitem" },
    element("div", {}, element("b", {}, c.claim), element("div", { class: "note" }, [claimComparison(c), where, `${c.form} of ${c.metric}`, c.store].filter(Boolean).join(" · "))),
    claimScale(c),
    element("div", {}, element("div", { class: `verdict ${kind}` }, `${{ met: "●", unmet: "◆", open: "○" }[kind]} ${verdict}`),
      element("div", { class: "note" }, `measured ${c.measured === null ? `nothing${c.older && !c.reason ? " (the runs are older than this metric)" : ""}` : claimValue(c, c.measured)}${c.from !== null ? ` (${claimValue(c, c.from)} to ${claimValue(c, c.to)})` : ""}${c.seeds > 1 ? ` over ${c.seeds} seeds` : ", one seed"}; claimed ${claimRange(c)}${c.roughly ? `, wider than the paper: ${c.roughly}` : ""}${c.note ? ` (${c.note})` : ""}`)));
}

class Claims {
  constructor(x) {
    if (!x.claims.length) return;
    const counted = report.data.verdicts.map(v => [v, x.claims.filter(c => c.verdict === v).length]).filter(([, n]) => n);
    const recorded = x.claims.filter(c => c.recorded && !c.missing), news = recorded.filter(c => !c.as_recorded).length;
    const missing = x.claims.filter(c => c.missing).length;
    const words = [`${plural(x.claims.length, "outcome")}: ${counted.map(([v, n]) => `${v} ${n}`).join(", ")}`];
    if (missing) words.push(`runs are missing for ${missing}`);
    if (recorded.length) words.push(`of ${recorded.length} that the experiment file records, ${news || "none"} came out differently`);
    this.root = section("expectations", "Expectations", element("p", {}, `${words.join("; ")}.`),
      element("p", { class: "note" }, "The bar is what is claimed, the point what was measured (\u25cf it holds, \u25c6 it does not, \u25cb it is not decided or not measurable, with the reason), with its 95 % interval over the seeds."),
      element("div", { role: "list" }, x.claims.map(claimRow)));
  }
}
