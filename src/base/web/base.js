// SPDX-License-Identifier: Apache-2.0
"use strict";
/* Elements, themes and numbers: shared by the pages of heddle (this folder; study/report/web, live/lab/web). */

/* ---- elements: text is always set as text, so nothing in a store can become markup ---- */

function element(tag, attributes, ...children) {
  const e = tag.startsWith("svg:") ? document.createElementNS("http://www.w3.org/2000/svg", tag.slice(4)) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (value === true) e.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) e.setAttribute(key, value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) e.append(child);
  return e;
}

function section(id, title, ...children) {
  return element("section", { id, "aria-labelledby": id + "-title" }, element("h2", { id: id + "-title" }, title), ...children);
}

/* Makes a select of [value, text] pairs; `changed` is called with the value. */
function picker(label, options, value, changed) {
  const select = element("select", { onchange: () => changed(select.value) },
    options.map(([v, text]) => element("option", { value: v, selected: String(v) === String(value) }, text)));
  return element("label", {}, label, select);
}

/* ---- light and dark ---- */

const theme = () => document.documentElement.dataset.theme === "dark" ? "dark" : "light";
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/* The theme is the system's until the button sets another; `changed` redraws parts with colours of their own. */
const themes = {
  names: ["auto", "light", "dark"],
  chosen: "auto",
  wantsDark: matchMedia("(prefers-color-scheme: dark)"),
  begin(changed) {
    this.changed = changed;
    this.apply("auto");
    this.wantsDark.addEventListener("change", () => { if (this.chosen === "auto") this.choose("auto"); });
  },
  apply(name) { document.documentElement.dataset.theme = name === "auto" ? (this.wantsDark.matches ? "dark" : "light") : name; },
  choose(name) {
    this.chosen = name;
    this.apply(name);
    document.getElementById("theme").textContent = `Theme: ${name}`;
    this.changed();
  },
  button() {
    return element("button", { id: "theme", type: "button", onclick: () => this.choose(this.names[(this.names.indexOf(this.chosen) + 1) % 3]) }, `Theme: ${this.chosen}`);
  },
};

/* ---- numbers ---- */

const plural = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;

/* Writes a number as study/metrics/numbers.h does: no exponent, thousands grouped from 10,000 on. */
function digits(x, n = 3) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (x === 0) return "0";
  const a = Math.abs(x);
  const places = Math.min(20, Math.max(0, n - 1 - Math.floor(Math.log10(a) + 1e-12)));
  return x.toLocaleString("en", { maximumFractionDigits: places, useGrouping: a >= 10000 });
}

const scaled = (x, steps, n) => {
  const a = Math.abs(x);
  const [unit, size] = steps.find(([, size]) => a >= size * 0.9995) || steps[steps.length - 1];
  return `${digits(x / size, n)} ${unit}`;
};
const missing = x => x === null || x === undefined || Number.isNaN(x);

/* Writes a value of each unit, for metrics (study/metrics/metrics.h) and settings. */
const WRITE = {
  us: x => x === 0 ? "0 s" : scaled(x, [["s", 1e6], ["ms", 1e3], ["µs", 1], ["ns", 1e-3]]),
  bytes: x => x === 0 ? "0 B" : scaled(x, [["GB", 1e9], ["MB", 1e6], ["KB", 1e3], ["B", 1]]),
  "Mbit/s": x => x === 0 ? "0 bps" : scaled(x, [["Gbps", 1e3], ["Mbps", 1], ["Kbps", 1e-3]]),
  "Gbit/s": x => x === 0 ? "0 bps" : scaled(x, [["Gbps", 1], ["Mbps", 1e-3], ["Kbps", 1e-6]]),
  share: x => `${digits(100 * x)} %`,
  count: x => Math.abs(x) >= 1e5 ? scaled(x, [["G", 1e9], ["M", 1e6], ["k", 1e3]]) : Math.abs(x) >= 1000 ? digits(Math.round(x), 5) : digits(x),
  s: x => scaled(x * 1e6, [["s", 1e6], ["ms", 1e3], ["µs", 1]]),
  times: x => `${digits(x)}×`,
  number: x => Math.abs(x) >= 1e6 ? scaled(x, [["G", 1e9], ["M", 1e6]]) : digits(x),
};
const write = (unit, x) => missing(x) ? "–" : (WRITE[unit] || WRITE.number)(x);
const signed = (x, text) => `${x > 0 ? "+" : x < 0 ? "−" : "±"}${text}`;
const percent = x => signed(x, `${digits(Math.abs(100 * x), Math.abs(x) < 0.1 ? 2 : x > -1 && x < -0.999 ? 6 : 3)} %`);

/* ---- packed numbers (study/report/pack.h) ---- */

function bytesOf(base64) {
  const text = atob(base64), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

const unpackIntegers = base64 => new Uint32Array(bytesOf(base64).buffer);

function unpackScaled(packed, bits = 16) {
  if (!packed) return null;
  const bytes = bytesOf(packed.b), steps = bits === 8 ? bytes : new Uint16Array(bytes.buffer);
  return Float64Array.from(steps, step => step * packed.max / (bits === 8 ? 255 : 65535));
}
