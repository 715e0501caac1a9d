// SPDX-License-Identifier: Apache-2.0
"use strict";
/* Jobs of a run: what each rank did when in the slowest iteration, what it waited for, and the critical path. */

const RANKS_AT_ONCE = 64, ROW_LEAST = 0.6, ROW_MOST = 22, TIMELINE_MOST = 720;

class Jobs {
  constructor(x) {
    this.x = x;
    this.runs = x.runs.filter(r => r.detail && r.detail.jobs);
    if (!this.runs.length) return;
    this.controlsRow = element("div", { class: "controls" });
    this.head = element("p", {});
    this.canvas = element("canvas", { id: "job-timeline", role: "img", tabindex: 0 });
    this.where = element("p", { class: "note", "aria-live": "polite" });
    this.legend = element("ul", { class: "legend" });
    this.lost = element("div", { id: "job-lost" });
    this.canvas.addEventListener("mousemove", e => this.read(e));
    this.canvas.addEventListener("mouseleave", () => this.hint());
    this.root = section("jobs", "Jobs, rank by rank",
      element("p", { class: "note" }, "The slowest iteration of a job. A row is a rank: above, what it computes; below, messages on their way to it. Where the upper half is empty, the rank waits. The line is the critical path: the chain of messages and computations that ends last."),
      this.controlsRow, this.head, element("figure", {}, this.canvas, this.legend, this.where), this.lost);
    this.choose(this.runs[0], 0);
  }

  choose(run, job) {
    this.run = run;
    this.place = Math.min(job, run.detail.jobs.length - 1);
    this.job = run.detail.jobs[this.place];
    this.first = 0;
    this.count = this.job.ranks;
    const s = this.job.spans;
    this.spans = { n: s.n, rank: unpackIntegers(s.rank), what: unpackIntegers(s.what), start: unpackScaled(s.start), end: unpackScaled(s.end) };
    this.controls();
    this.fill();
  }

  controls() {
    const jobs = this.run.detail.jobs, { ranks } = this.job;
    const picks = [runPicker(this.x, this.runs, this.run, run => this.choose(run, this.place))];
    if (jobs.length > 1) picks.push(picker("Job", jobs.map((j, i) => [i, j.name]), this.place, i => this.choose(this.run, Number(i))));
    if (ranks > RANKS_AT_ONCE) {
      const parts = Array.from({ length: Math.ceil(ranks / RANKS_AT_ONCE) }, (_, i) => [i, `${i * RANKS_AT_ONCE} to ${Math.min(ranks, (i + 1) * RANKS_AT_ONCE) - 1}`]);
      picks.push(picker("Ranks", [["", "all"], ...parts], "", i => this.show(i)));
    }
    this.controlsRow.replaceChildren(...picks);
  }

  /* Shows all ranks, or a part of them. */
  show(part) {
    this.first = part === "" ? 0 : Number(part) * RANKS_AT_ONCE;
    this.count = part === "" ? this.job.ranks : Math.min(RANKS_AT_ONCE, this.job.ranks - this.first);
    this.draw();
  }

  fill() {
    const j = this.job, times = j.ideal_us > 0 ? `, ${digits(j.took_us / j.ideal_us)} times its ideal of ${write("us", j.ideal_us)}` : "";
    this.head.textContent = `${j.name}: ${j.op} on ${plural(j.ranks, "rank")}. ${j.iterations > 1 ? `Iteration ${j.iteration} of ${j.iterations}` : "It"} took ${write("us", j.took_us)}${times}.`;
    this.canvas.setAttribute("aria-label", `Timeline of ${plural(j.ranks, "rank")}: ${this.head.textContent}`);
    this.legend.replaceChildren(...j.phases.map((name, i) => element("li", {}, element("svg:svg", { class: "swatch", width: 14, height: 10, "aria-hidden": "true" }, element("svg:rect", { width: 14, height: 10, fill: colour(i) })), " ", name)));
    this.lost.replaceChildren(...this.lostTable());
    this.hint();
    this.draw();
  }

  hint() { this.where.textContent = "Point at a rank to read what it does."; }

  /* Times of this page have six digits: less than they tell apart is nothing. */
  lostOf(s) { return s.time - s.ideal < 1e-5 * this.job.took_us ? 0 : s.time - s.ideal; }

  /* The steps of the critical path, summed by name. */
  lostTable() {
    const sums = new Map();
    for (const [phase, from, to, start, end, ideal, flow] of this.job.path) {
      const s = sums.get(phase) || { messages: 0, computations: 0, time: 0, ideal: 0 };
      s[flow === null ? "computations" : "messages"]++;
      s.time += end - start;
      s.ideal += ideal;
      sums.set(phase, s);
    }
    if (!sums.size) return [];
    const columns = ["critical path", "messages", "computations", "time", "ideal", "lost"];
    const rows = [...sums].map(([phase, s]) => element("tr", {}, element("td", { class: "left" }, this.job.phases[phase]), ...[write("count", s.messages), write("count", s.computations), write("us", s.time), write("us", s.ideal), write("us", this.lostOf(s))].map(v => element("td", {}, v))));
    const left = this.job.path_left ? element("p", { class: "note" }, `Its last ${plural(this.job.path_left, "step")} are not in this page; heddle why has all.`) : "";
    return [element("div", { class: "scroll" }, element("table", { id: "job-path" }, element("thead", {}, element("tr", {}, columns.map((c, i) => element("th", { scope: "col", class: i < 1 ? "left" : null }, c)))), element("tbody", {}, rows))), left];
  }

  /* ---- drawing ---- */

  get rowHeight() { return Math.max(ROW_LEAST, Math.min(ROW_MOST, TIMELINE_MOST / this.count)); }

  draw() {
    const width = Math.max(260, this.canvas.parentElement.clientWidth - 28 || 600), row = this.rowHeight, ratio = devicePixelRatio || 1;
    this.left = row >= 9 ? 64 : 34;
    this.width = width;
    const height = row * this.count + 22;
    Object.assign(this.canvas, { width: width * ratio, height: height * ratio });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    const g = this.canvas.getContext("2d");
    g.scale(ratio, ratio);
    this.drawSpans(g, row);
    this.drawPath(g, row);
    this.drawAxes(g, row, height);
  }

  at(us) { return this.left + us / this.job.took_us * (this.width - this.left - 4); }

  drawSpans(g, row) {
    const s = this.spans;
    for (let i = 0; i < s.n; i++) {
      const place = s.rank[i] - this.first, computes = s.what[i] % 2;
      if (place < 0 || place >= this.count) continue;
      g.fillStyle = colour(s.what[i] >> 1);
      g.globalAlpha = computes ? 1 : 0.75;
      const x = this.at(s.start[i]), wide = Math.max(0.5, this.at(s.end[i]) - x);
      g.fillRect(x, place * row + (computes ? row * 0.08 : row * 0.6), wide, computes ? row * 0.5 : row * 0.3);
    }
    g.globalAlpha = 1;
  }

  drawPath(g, row) {
    g.strokeStyle = css("--bad");
    g.lineWidth = row > 4 ? 1.8 : 1;
    g.beginPath();
    for (const [, from, to, start, end] of this.job.path) {
      const a = from - this.first, b = to - this.first;
      if (from === null || to === null || a < 0 || b < 0 || a >= this.count || b >= this.count) continue;
      g.moveTo(this.at(start), (a + 0.33) * row);
      g.lineTo(this.at(end), (b + 0.33) * row);
    }
    g.stroke();
  }

  drawAxes(g, row, height) {
    g.fillStyle = css("--dim");
    g.font = "11px system-ui, sans-serif";
    g.textAlign = "right";
    const step = Math.max(1, 2 ** Math.ceil(Math.log2(13 / row)));
    for (let i = 0; i < this.count; i += step) g.fillText(`${row >= 9 ? "rank " : ""}${this.first + i}`, this.left - 5, i * row + Math.min(row, 13) * 0.8);
    const n = this.width > 700 ? 8 : 4;
    for (let i = 0; i <= n; i++) {
      const us = this.job.took_us * i / n;
      g.textAlign = i === n ? "right" : i ? "center" : "left";
      g.fillText(write("us", us), this.at(us), height - 6);
    }
  }

  /* ---- reading ---- */

  read(e) {
    const us = (e.offsetX - this.left) / (this.width - this.left - 4) * this.job.took_us, rank = this.first + Math.floor(e.offsetY / this.rowHeight);
    if (us < 0 || us > this.job.took_us || rank < this.first || rank >= this.first + this.count) return this.hint();
    const s = this.spans, computes = new Set(), gets = new Set();
    for (let i = 0; i < s.n; i++) if (s.rank[i] === rank && s.start[i] <= us && us <= s.end[i]) (s.what[i] % 2 ? computes : gets).add(this.job.phases[s.what[i] >> 1]);
    const does = computes.size ? `computes: ${[...computes].join(", ")}` : gets.size ? `waits, while it receives: ${[...gets].join(", ")}` : "waits, and nothing is on its way to it";
    const beside = computes.size && gets.size ? `; receives: ${[...gets].join(", ")}` : "";
    this.where.textContent = `rank ${rank}${this.job.hosts[rank] ? ` (${this.job.hosts[rank]})` : ""} at ${write("us", us)}: ${does}${beside}`;
  }
}
