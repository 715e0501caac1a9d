// SPDX-License-Identifier: Apache-2.0
"use strict";
/* Pauses by flow control in a run: which ports, how long, by which neighbours. */

class Pauses {
  constructor(x) {
    this.x = x;
    this.runs = x.runs.filter(r => r.detail && r.detail.pauses);
    if (!this.runs.length) return;
    this.run = this.runs[0];
    this.body = element("div", {});
    this.root = section("pauses", "Who paused whom", element("p", { class: "note" }, "A port may not send while its neighbour has it paused. A class of a port is a row; renewals of a pause are no stop of their own. Storms are stops of at least switch.pause_storm."),
      element("div", { class: "controls" }, runPicker(x, this.runs, this.run, run => { this.run = run; this.fill(); })), this.body);
    this.fill();
  }

  /* Returns [paused node, neighbour that paused it]; ports in a pod that is drawn as one have no names. */
  ends(port) {
    const t = topologyOf(this.x.data, this.run.detail.load.topology);
    return port === null ? ["within a pod", "within a pod"] : [t.names[t.node[port]], t.names[t.neighbour[port]]];
  }

  fill() {
    const p = this.run.detail.pauses;
    this.body.replaceChildren(this.longest(p), p.n > p.longest.length ? element("p", { class: "note" }, `The ${p.longest.length} longest of ${p.n}.`) : "", ...this.rings(p.rings));
  }

  longest(p) {
    const columns = ["who waited", "for whom", "class", "paused", "stops", "storms", "longest stop", "from"];
    const rows = p.longest.map(([port, cls, paused, stops, storms, longest, from]) => {
      const [node, neighbour] = this.ends(port);
      return element("tr", {}, element("td", { class: "left" }, node), element("td", { class: "left" }, neighbour), ...[cls, write("us", paused), write("count", stops), write("count", storms), write("us", longest), write("us", from)].map(v => element("td", {}, v)));
    });
    return element("div", { class: "scroll" }, element("table", { id: "pause-table" }, element("thead", {}, element("tr", {}, columns.map((c, i) => element("th", { scope: "col", class: i < 2 ? "left" : null }, c)))), element("tbody", {}, rows)));
  }

  rings(rings) {
    if (!rings.length) return [];
    const items = rings.map(r => element("li", {}, `${r.ports.map(([port, cls]) => `${this.ends(port)[0]} waits for ${this.ends(port)[1]} (class ${cls})`).join(", ")}; seen from ${write("us", r.first_us)} to ${write("us", r.last_us)}`));
    return [element("h3", {}, "Rings"), element("p", { class: "note" }, "Each waited for the next and the last for the first: a cyclic buffer dependency."), element("ul", { id: "pause-rings" }, items)];
  }
}
