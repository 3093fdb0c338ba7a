"use strict";
(() => {
const began = performance.now();
// Of several plans, those of programs and variants, the one that the address names: page.html#1.
const texts = document.querySelectorAll("script.plan");
const which = Math.max(0, Math.min(parseInt(location.hash.slice(1), 10) || 0, texts.length - 1));
const plan = JSON.parse(texts[which].textContent);
const $ = (id) => document.getElementById(id);
const make = (tag, text, name) => {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (name) e.className = name;
  return e;
};

// ---- the plan: columns that were written as differences ----

const running = (column) => { let at = 0; return column.map((d) => (at += d)); };
const S = plan.storages, V = plan.values, T = plan.steps;
S.first = running(S.first);
S.last = S.first.map((first, i) => first + S.life[i]);
V.storage = running(V.storage);
V.first = running(V.first);
V.last = V.first.map((first, i) => first + V.life[i]);
V.step = V.first.map((first, i) => first + V.step[i] - 1); // -1: no step writes it
V.of = V.of.map((back, i) => (back ? i - back : -1));
const count = V.name.length, ROLES = plan.roles, ALIASES = plan.aliases, text = (i) => plan.strings[i];
const planned = (v) => V.storage[v] < S.size.length;
const pinned = Uint8Array.from(S.pinned);
const atPeak = new Uint8Array(S.size.length);
for (const s of plan.peak) atPeak[s] = 1;

// Values by storage, and readers by value, as offsets into one list each.
function groups(n, m, keyOf) {
  const start = new Uint32Array(n + 1), list = new Uint32Array(m);
  for (let i = 0; i < m; i++) if (keyOf(i) < n) start[keyOf(i) + 1]++;
  for (let i = 0; i < n; i++) start[i + 1] += start[i];
  const next = start.slice();
  for (let i = 0; i < m; i++) if (keyOf(i) < n) list[next[keyOf(i)]++] = i;
  return (k) => list.subarray(start[k], start[k + 1]);
}
const valuesOf = groups(S.size.length, count, (v) => V.storage[v]);
const stepOfRead = [];
plan.reads.counts.forEach((n, step) => { while (n-- > 0) stepOfRead.push(step); });
const readValues = plan.reads.values;
const readsOf = groups(count, readValues.length, (i) => readValues[i]);

// ---- words ----

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
function bytes(n) {
  let unit = 0, x = n;
  while (x >= 1024 && unit < UNITS.length - 1) { x /= 1024; unit++; }
  return (unit === 0 ? String(x) : String(+x.toFixed(2))) + " " + UNITS[unit];
}
const grouped = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
const exact = (n) => n < 1024 ? n + " B" : grouped(n) + " B (" + bytes(n) + ")";
// What is no text, and what would turn the direction of text, is spelled.
const ODD = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{10fe80}-\u{10feff}]/gu;
function shown(name) {
  return name.replace(ODD, (c) => {
    const code = c.codePointAt(0);
    return code >= 0x10fe00 ? "\\x" + (code & 255).toString(16) : "\\u{" + code.toString(16) + "}";
  });
}
const nameOf = (v) => (text(V.graph[v]) ? shown(text(V.graph[v])) + "/" : "") + shown(V.name[v]);
const opOf = (step) => shown(text(T.op[step])) || "?";
const BEGINS = ["", "begin of ", "end of "];
function stepText(step) {
  if (step < 0) return "before the first step";
  if (step >= T.count) return "after the last step";
  const name = T.name.length ? T.name[step] : "";
  return "step " + step + " (" + BEGINS[T.kind[step]] + opOf(step) + (name ? " '" + shown(name) + "'" : "") + ")";
}
const address = (v) => S.at[V.storage[v]] + V.at[v];
const poolOf = (v) => plan.pools[S.pool[V.storage[v]]];
const aliasText = (v) => V.alias[v] ? ALIASES[V.alias[v]] + (V.of[v] >= 0 ? ": " + nameOf(V.of[v]) : "") : "";

// ---- state ----

const state = { chosen: -1, pool: 0, view: null, rows: [], sort: "id", down: false };
let colours = {};
const canvas = $("chart"), pen = canvas.getContext("2d");
const MARGIN = { left: 78, right: 14, top: 12, bottom: 38 };

function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["back", "text", "soft", "line", "peak", "edge", "rest0", "rest1", "rest2", "pinned", "ink", "live",
                      "bound", "at", "chosen"])
    colours[name] = style.getPropertyValue("--" + name).trim();
}
const wholeView = () => ({ x0: 0, x1: Math.max(T.count, 1), y0: 0, y1: Math.max(plan.pools[state.pool].size, 1) * 1.04 });

// ---- the chart ----

let width = 0, height = 0, queued = false, order = [];
const X = (step) => MARGIN.left + (step - state.view.x0) / (state.view.x1 - state.view.x0) * plotWidth();
const Y = (at) => height - MARGIN.bottom - (at - state.view.y0) / (state.view.y1 - state.view.y0) * plotHeight();
const plotWidth = () => width - MARGIN.left - MARGIN.right;
const plotHeight = () => height - MARGIN.top - MARGIN.bottom;
const from = (step) => Math.max(step, 0), to = (step) => Math.min(step + 1, Math.max(T.count, 1));
const boxOf = (s) => ({ x: X(from(S.first[s])), w: X(to(S.last[s])) - X(from(S.first[s])), y: Y(S.at[s] + S.size[s]),
                        h: Y(S.at[s]) - Y(S.at[s] + S.size[s]) });
const kindOf = (s) => pinned[s] ? "pinned" : atPeak[s] ? "peak" : "rest" + s % 3;

function choosePool(pool) {
  state.pool = pool;
  state.view = wholeView();
  order = [];
  for (let s = 0; s < S.size.length; s++) if (S.pool[s] === pool && S.size[s] > 0) order.push(s);
  const kinds = new Map(["pinned", "rest0", "rest1", "rest2", "peak"].map((k, i) => [k, i]));
  order.sort((a, b) => kinds.get(kindOf(a)) - kinds.get(kindOf(b)) || a - b);
  const arena = plan.pools[pool].kind === "arena";
  for (const e of document.querySelectorAll("#legend .arena")) e.hidden = !arena;
  $("pool").value = pool;
  describeChart();
  redraw();
}

function describeChart() {
  const p = plan.pools[state.pool];
  canvas.setAttribute("aria-label", "Pool " + shown(p.name) + ": " + bytes(p.size) + ", " + order.length +
    " storages over " + T.count + " steps." + (p.kind === "arena" ? " Lower bound " + bytes(p.bound) + "." : "") +
    (plan.figures.peak_step >= 0 ? " The peak is at " + stepText(plan.figures.peak_step) + "." : ""));
}

function redraw() {
  if (!queued) { queued = true; requestAnimationFrame(() => { queued = false; draw(); }); }
}

function fit() {
  const box = canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
  width = box.width; height = box.height;
  const w = Math.round(width * ratio), h = Math.round(height * ratio);
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
}

function nice(range, parts) {
  const raw = range / parts, power = 10 ** Math.floor(Math.log10(raw));
  for (const k of [1, 2, 5, 10]) if (k * power >= raw) return Math.max(1, k * power);
  return 1;
}

function drawAxes() {
  const v = state.view, bottom = height - MARGIN.bottom, right = width - MARGIN.right;
  pen.font = "11px system-ui, sans-serif"; pen.lineWidth = 1;
  pen.strokeStyle = colours.line; pen.fillStyle = colours.soft;
  const dy = Math.max(1, 2 ** Math.ceil(Math.log2((v.y1 - v.y0) / Math.max(3, plotHeight() / 60))));
  pen.textAlign = "right"; pen.textBaseline = "middle";
  for (let at = Math.ceil(v.y0 / dy) * dy; at <= v.y1; at += dy) {
    const y = Math.round(Y(at)) + 0.5;
    pen.beginPath(); pen.moveTo(MARGIN.left - 4, y); pen.lineTo(right, y); pen.stroke();
    pen.fillText(bytes(at), MARGIN.left - 8, y);
  }
  const dx = nice(v.x1 - v.x0, Math.max(3, plotWidth() / 80));
  pen.textAlign = "center"; pen.textBaseline = "top";
  for (let step = Math.ceil(v.x0 / dx) * dx; step < v.x1; step += dx) {
    const x = X(step + 0.5);
    if (x <= right) pen.fillText(String(step), x, bottom + 5);
  }
  pen.fillText("step", MARGIN.left + plotWidth() / 2, bottom + 21);
}

// One storage; values that share it stand in it where there is room, those written in place hatched.
function drawInside(s, b) {
  for (const v of valuesOf(s)) {
    const x = Math.max(X(from(V.first[v])), MARGIN.left), w = Math.min(X(to(V.last[v])), width - MARGIN.right) - x;
    const y = Y(address(v) + V.bytes[v]), h = Y(address(v)) - y;
    if (w < 6 || h < 4) continue;
    if (V.alias[v]) {
      pen.globalAlpha = 0.45; pen.strokeStyle = colours.ink; pen.lineWidth = 1;
      pen.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
      if (ALIASES[V.alias[v]] === "inplace") hatch(x, y, w, h);
      pen.globalAlpha = 1;
    }
    if (h >= 13) label(V.name[v], x, y, w, h);
  }
}

function hatch(x, y, w, h) {
  pen.save(); pen.beginPath(); pen.rect(x, y, w, h); pen.clip(); pen.beginPath(); pen.globalAlpha = 0.25;
  for (let k = -h + 8 - ((x + y) % 8); k < w; k += 8) { pen.moveTo(x + k, y + h); pen.lineTo(x + k + h, y); }
  pen.stroke(); pen.restore();
}

function label(name, x, y, w, h) {
  const room = Math.floor((w - 8) / 6.2);
  if (room < 3) return;
  const said = shown(name);
  pen.fillStyle = colours.ink; pen.textAlign = "left"; pen.textBaseline = "middle";
  pen.fillText(said.length <= room ? said : said.slice(0, room - 1) + "\u2026", x + 4, y + h / 2);
}

function drawStorages() {
  const v = state.view, seen = new Int32Array(Math.ceil(height) + 1).fill(-1), named = [];
  let kind = "";
  for (const s of order) {
    if (from(S.first[s]) >= v.x1 || to(S.last[s]) <= v.x0 || S.at[s] >= v.y1 || S.at[s] + S.size[s] <= v.y0) continue;
    const b = boxOf(s), row = Math.min(Math.max(Math.round(b.y), 0), seen.length - 1), column = Math.floor(b.x);
    if (b.w < 1 && b.h < 1.5 && seen[row] === column) continue; // this pixel is drawn
    if (b.w < 1) seen[row] = column;
    if (kindOf(s) !== kind) { kind = kindOf(s); pen.fillStyle = colours[kind]; }
    const gapX = b.w > 3 ? 0.5 : 0, gapY = b.h > 3 ? 0.5 : 0;
    pen.fillRect(b.x + gapX, b.y + gapY, Math.max(b.w - 2 * gapX, 1), Math.max(b.h - 2 * gapY, 1));
    if (kind === "peak" && b.w > 4 && b.h > 4) {
      pen.strokeStyle = colours.edge; pen.lineWidth = 1; pen.strokeRect(b.x + 1, b.y + 1, b.w - 2, b.h - 2);
    }
    if (b.w >= 10 && b.h >= 5) named.push([s, b]);
  }
  for (const [s, b] of named) drawInside(s, b);
}

function drawLive() {
  const live = plan.pools[state.pool].live, stride = plan.stride;
  if (!live) return;
  const first = Math.max(0, Math.floor(state.view.x0 / stride)), last = Math.min(live.length, Math.ceil(state.view.x1 / stride));
  pen.strokeStyle = colours.live; pen.lineWidth = 1.5; pen.beginPath();
  for (let i = first; i < last; i++) {
    const y = Y(live[i]);
    pen.lineTo(X(i * stride), y);
    pen.lineTo(X(Math.min((i + 1) * stride, T.count)), y);
  }
  pen.stroke();
}

function pill(said, x, y, colour, align) {
  const w = pen.measureText(said).width + 8;
  const left = Math.min(Math.max(align === "right" ? x - w : x, MARGIN.left), width - MARGIN.right - w);
  pen.fillStyle = colours.back; pen.globalAlpha = 0.85; pen.fillRect(left, y - 8, w, 16); pen.globalAlpha = 1;
  pen.fillStyle = colour; pen.textAlign = "left"; pen.textBaseline = "middle"; pen.fillText(said, left + 4, y);
}

function drawLines() {
  const p = plan.pools[state.pool], right = width - MARGIN.right, bottom = height - MARGIN.bottom;
  const peak = plan.figures.peak_step;
  if (p.kind !== "arena") return;
  const y = Y(p.bound), x = X(peak + 0.5);
  pen.lineWidth = 2;
  if (y >= MARGIN.top && y <= bottom) {
    pen.strokeStyle = colours.bound; pen.setLineDash([7, 5]); pen.beginPath();
    pen.moveTo(MARGIN.left, y); pen.lineTo(right, y); pen.stroke(); pen.setLineDash([]);
    pill("lower bound " + bytes(p.bound), right, Math.min(y + 11, bottom - 27), colours.bound, "right");
  }
  if (peak >= 0 && x >= MARGIN.left && x <= right) {
    pen.strokeStyle = colours.at; pen.beginPath(); pen.moveTo(x, MARGIN.top); pen.lineTo(x, bottom); pen.stroke();
    pill("peak: step " + peak, x + 4, bottom - 10, colours.at, x > width / 2 ? "right" : "left");
  }
}

function drawChosen() {
  const s = state.chosen >= 0 && planned(state.chosen) ? V.storage[state.chosen] : -1;
  if (s < 0 || S.pool[s] !== state.pool) return;
  const b = boxOf(s);
  pen.strokeStyle = colours.chosen; pen.lineWidth = 3;
  pen.strokeRect(b.x - 1.5, b.y - 1.5, Math.max(b.w, 1) + 3, Math.max(b.h, 1) + 3);
}

function draw() {
  fit();
  if (width === 0) return;
  pen.clearRect(0, 0, width, height);
  drawAxes();
  pen.save(); pen.beginPath(); pen.rect(MARGIN.left, 0, plotWidth(), height - MARGIN.bottom); pen.clip();
  drawStorages(); drawLive(); drawLines(); drawChosen();
  pen.restore();
}

function zoom(factor, x, y) {
  const v = state.view, all = wholeView();
  const scale = (lo, hi, at, least, most) => {
    const size = Math.min(Math.max((hi - lo) * factor, least), most), share = (at - lo) / (hi - lo);
    return keepIn(at - size * share, size, most);
  };
  if (x !== null) [v.x0, v.x1] = scale(v.x0, v.x1, x, Math.min(2, all.x1), all.x1);
  if (y !== null) [v.y0, v.y1] = scale(v.y0, v.y1, y, Math.min(16, all.y1), all.y1);
  redraw();
}
function keepIn(lo, size, most) {
  lo = Math.min(Math.max(lo, 0), most - size);
  return [lo, lo + size];
}
function pan(dx, dy) {
  const v = state.view, all = wholeView();
  [v.x0, v.x1] = keepIn(v.x0 + dx, v.x1 - v.x0, all.x1);
  [v.y0, v.y1] = keepIn(v.y0 + dy, v.y1 - v.y0, all.y1);
  redraw();
}
const stepAt = (x) => state.view.x0 + (x - MARGIN.left) / plotWidth() * (state.view.x1 - state.view.x0);
const byteAt = (y) => state.view.y0 + (height - MARGIN.bottom - y) / plotHeight() * (state.view.y1 - state.view.y0);
const middle = () => [(state.view.x0 + state.view.x1) / 2, (state.view.y0 + state.view.y1) / 2];

// The value that has the byte at the step: the last of its storage that is written by then.
function valueAt(x, y) {
  if (x < MARGIN.left || x > width - MARGIN.right || y > height - MARGIN.bottom) return -1;
  const step = stepAt(x), at = byteAt(y);
  for (const s of order) {
    if (step < from(S.first[s]) || step >= to(S.last[s]) || at < S.at[s] || at >= S.at[s] + S.size[s]) continue;
    let found = -1;
    for (const v of valuesOf(s))
      if ((found < 0 || from(V.first[v]) <= step) && at >= address(v) && at < address(v) + V.bytes[v]) found = v;
    return found >= 0 ? found : valuesOf(s)[0];
  }
  return -1;
}

function showTip(v, x, y) {
  const tip = $("tip");
  tip.hidden = v < 0;
  if (v < 0) return;
  tip.textContent = nameOf(v) + "\n" + text(V.type[v]) + ", " + exact(V.bytes[v]) + "\nat " + address(v) + ", steps " +
    V.first[v] + " to " + V.last[v] + (V.alias[v] ? "\n" + aliasText(v) : "") +
    "\n" + (V.step[v] >= 0 ? "made by " + stepText(V.step[v]) : ROLES[V.role[v]]);
  tip.style.left = Math.max(0, Math.min(x + 14, width - tip.offsetWidth - 4)) + "px";
  tip.style.top = (y + 16 + tip.offsetHeight > height ? Math.max(0, y - tip.offsetHeight - 10) : y + 16) + "px";
}

let drag = null;
canvas.addEventListener("pointerdown", (e) => {
  drag = { x: e.offsetX, y: e.offsetY, far: false };
  canvas.setPointerCapture(e.pointerId);
});
canvas.addEventListener("pointermove", (e) => {
  if (!drag) { showTip(valueAt(e.offsetX, e.offsetY), e.offsetX, e.offsetY); return; }
  const dx = e.offsetX - drag.x, dy = e.offsetY - drag.y, v = state.view;
  if (!drag.far && Math.abs(dx) + Math.abs(dy) < 4) return;
  pan(-dx / plotWidth() * (v.x1 - v.x0), dy / plotHeight() * (v.y1 - v.y0));
  drag = { x: e.offsetX, y: e.offsetY, far: true };
  $("tip").hidden = true;
});
canvas.addEventListener("pointerup", (e) => {
  if (drag && !drag.far) choose(valueAt(e.offsetX, e.offsetY), "chart");
  drag = null;
});
canvas.addEventListener("pointerleave", () => { $("tip").hidden = true; });
canvas.addEventListener("dblclick", () => { state.view = wholeView(); redraw(); });
canvas.addEventListener("wheel", (e) => {
  if (document.activeElement !== canvas && !e.ctrlKey && !e.metaKey) return; // the page scrolls
  e.preventDefault();
  const by = (e.deltaY || e.deltaX) * (e.deltaMode === 1 ? 30 : 1);
  zoom(1.0018 ** by, e.shiftKey ? null : stepAt(e.offsetX), e.shiftKey ? byteAt(e.offsetY) : null);
}, { passive: false });
$("in").onclick = () => zoom(0.6, ...middle());
$("out").onclick = () => zoom(1 / 0.6, ...middle());
$("whole").onclick = () => { state.view = wholeView(); redraw(); };
$("pool").onchange = () => choosePool(+$("pool").value);

// ---- what is chosen ----

const link = (v) => {
  const a = make("a", nameOf(v), "name");
  a.tabIndex = 0;
  a.onclick = () => choose(v, "link");
  a.onkeydown = (e) => { if (e.key === "Enter") choose(v, "link"); };
  return a;
};

function describe(v) {
  const rows = [["name", link(v)], ["type", text(V.type[v])], ["role", ROLES[V.role[v]]]];
  if (planned(v)) {
    rows.push(["bytes", exact(V.bytes[v])], ["place", shown(poolOf(v).name) + " at " + grouped(address(v))],
              ["needed", "steps " + V.first[v] + " to " + V.last[v]]);
    if (V.alias[v]) rows.push([ALIASES[V.alias[v]], V.of[v] >= 0 ? link(V.of[v]) : "a value not listed"]);
  } else rows.push(["no place", text(V.why[v]) || "not planned"]);
  if (V.step[v] >= 0) rows.push(["made by", stepText(V.step[v])]);
  const readers = [...readsOf(v)].map((i) => stepOfRead[i]);
  if (readers.length) rows.push(["read by", readers.slice(0, 8).map(stepText).join(", ") +
                                 (readers.length > 8 ? " and " + (readers.length - 8) + " more" : "")]);
  const others = planned(v) ? [...valuesOf(V.storage[v])].filter((o) => o !== v) : [];
  if (others.length) {
    const list = make("span");
    others.slice(0, 10).forEach((o, i) => list.append(i ? ", " : "", link(o)));
    if (others.length > 10) list.append(" and " + (others.length - 10) + " more");
    rows.push(["same storage", list]);
  }
  const dl = make("dl");
  for (const [key, value] of rows) {
    const dd = make("dd");
    dd.append(value);
    dl.append(make("dt", key), dd);
  }
  return dl;
}

function choose(v, by) {
  state.chosen = v;
  $("chosen").replaceChildren(make("h2", "Value"), v >= 0 ? describe(v) : make("p", "None is chosen."));
  if (v >= 0 && planned(v) && by !== "chart") bringIntoView(v);
  if (v >= 0 && by !== "row") scrollTo(v);
  renderRows();
  redraw();
}

function bringIntoView(v) {
  const s = V.storage[v], view = state.view;
  if (S.pool[s] !== state.pool) choosePool(S.pool[s]);
  else if (from(S.first[s]) < view.x0 || from(S.first[s]) >= view.x1 || S.at[s] < view.y0 || S.at[s] >= view.y1)
    pan((S.first[s] + S.last[s] + 1) / 2 - middle()[0], S.at[s] + S.size[s] / 2 - middle()[1]);
}

// ---- the table ----

const ROW = 26;
const COLUMNS = [["name", "value", nameOf], ["type", "type", (v) => text(V.type[v])], ["role", "role", (v) => ROLES[V.role[v]]],
  ["bytes", "bytes", (v) => V.bytes[v], true], ["pool", "pool", (v) => planned(v) ? shown(poolOf(v).name) : ""],
  ["at", "at", (v) => planned(v) ? address(v) : "", true], ["first", "from", (v) => planned(v) ? V.first[v] : "", true],
  ["last", "to", (v) => planned(v) ? V.last[v] : "", true],
  ["of", "shares bytes, or why not planned", (v) => planned(v) ? aliasText(v) : text(V.why[v])]];
let hay = null;
const haystack = () => hay || (hay = V.name.map((name, v) => (text(V.graph[v]) + "/" + name + " " + text(V.type[v]) + " " +
  (V.step[v] >= 0 ? text(T.op[V.step[v]]) : "")).toLowerCase()));

function filter() {
  const began = performance.now(), words = $("search").value.toLowerCase().split(/\s+/).filter((w) => w);
  const role = $("role").value, where = $("where").value, alive = $("alive").value === "" ? null : +$("alive").value;
  const lines = words.length ? haystack() : null, rows = [];
  for (let v = 0; v < count; v++) {
    if (role !== "" && V.role[v] !== +role) continue;
    if (where !== "" && (planned(v) ? S.pool[V.storage[v]] : -1) !== +where) continue;
    if (alive !== null && !(planned(v) && V.first[v] <= alive && alive <= V.last[v])) continue;
    if (lines && !words.every((w) => lines[v].includes(w))) continue;
    rows.push(v);
  }
  state.rows = rows;
  sortRows();
  $("window").scrollTop = 0;
  renderRows();
  document.body.dataset.searched = (performance.now() - began).toFixed(1);
}

function sortRows() {
  const column = COLUMNS.find((c) => c[0] === state.sort);
  if (column) {
    const key = new Map(state.rows.map((v) => [v, column[2](v)])), sign = state.down ? -1 : 1;
    state.rows.sort((a, b) => {
      const x = key.get(a), y = key.get(b);
      return x < y ? -sign : x > y ? sign : a - b;
    });
  }
  for (const th of $("heads").children) {
    const own = th.dataset.key === state.sort;
    th.setAttribute("aria-sort", own ? (state.down ? "descending" : "ascending") : "none");
    th.lastChild.textContent = th.dataset.label + (own ? (state.down ? " \u25be" : " \u25b4") : "");
  }
}

function sortBy(key, down) {
  state.sort = key;
  state.down = down;
  sortRows();
  renderRows();
}

function gap(rows) {
  const tr = make("tr", undefined, "gap"), td = make("td");
  td.style.height = rows * ROW + "px";
  tr.setAttribute("aria-hidden", "true");
  tr.append(td);
  return tr;
}

function rowOf(v, index) {
  const tr = make("tr", undefined, v === state.chosen ? "chosen" : "");
  tr.setAttribute("aria-rowindex", index + 2);
  tr.dataset.value = v;
  for (const [key, , of, number] of COLUMNS) {
    const td = make("td", of(v), "c-" + key + (number ? " n" : key === "name" || key === "of" ? " name" : ""));
    td.title = key === "bytes" ? exact(V.bytes[v]) : td.textContent;
    tr.append(td);
  }
  return tr;
}

const MOST_PRINTED = 1000;
function renderRows(all) {
  const box = $("window"), n = state.rows.length;
  const first = all ? 0 : Math.max(0, Math.floor(box.scrollTop / ROW) - 5);
  const last = all ? Math.min(n, MOST_PRINTED) : Math.min(n, first + Math.ceil(box.clientHeight / ROW) + 11);
  const body = [];
  for (let i = first; i < last; i++) body.push(rowOf(state.rows[i], i));
  $("rows").replaceChildren(...(all ? body : [gap(first), ...body, gap(n - last)]));
  box.firstElementChild.setAttribute("aria-rowcount", n + 1);
  $("count").textContent = n === count ? n + " values" : n + " of " + count + " values";
}

function scrollTo(v) {
  const at = state.rows.indexOf(v), box = $("window"), head = $("heads").offsetHeight;
  if (at < 0) return;
  if (at * ROW < box.scrollTop || (at + 1) * ROW + head > box.scrollTop + box.clientHeight)
    box.scrollTop = Math.max(0, at * ROW - box.clientHeight / 2);
}

function move(by) {
  if (state.rows.length === 0) return;
  const at = state.rows.indexOf(state.chosen);
  const next = at < 0 ? 0 : Math.min(Math.max(at + by, 0), state.rows.length - 1);
  choose(state.rows[next], "key");
}

function makeHeads() {
  for (const [key, said, , number] of COLUMNS) {
    const th = make("th", undefined, "c-" + key + (number ? " n" : "")), button = make("button", said);
    th.scope = "col";
    th.dataset.key = key;
    th.dataset.label = said;
    button.onclick = () => sortBy(key, state.sort === key ? !state.down : Boolean(number) && key === "bytes");
    th.append(button);
    $("heads").append(th);
  }
}

$("window").addEventListener("scroll", () => renderRows());
$("rows").addEventListener("click", (e) => {
  const tr = e.target.closest("tr[data-value]");
  if (tr) choose(+tr.dataset.value, "row");
});
for (const id of ["search", "role", "where", "alive"]) $(id).addEventListener("input", filter);
$("clear").onclick = clear;
function clear() {
  for (const id of ["search", "role", "where", "alive"]) $(id).value = "";
  state.sort = "id";
  filter();
}

// ---- keys ----

const KEYS = {
  "/": () => { $("search").focus(); $("search").select(); }, n: () => move(1), p: () => move(-1),
  "0": () => $("whole").onclick(), "+": () => $("in").onclick(), "=": () => $("in").onclick(), "-": () => $("out").onclick(),
};
const ARROWS = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const at = document.activeElement, v = state.view;
  if (e.key === "Escape") {
    if (at === $("search")) { $("search").value = ""; filter(); at.blur(); } else choose(-1, "key");
  } else if (at === canvas && ARROWS[e.key]) {
    pan(ARROWS[e.key][0] * (v.x1 - v.x0), ARROWS[e.key][1] * (v.y1 - v.y0));
    e.preventDefault();
  } else if (at === $("window") && (e.key === "ArrowDown" || e.key === "ArrowUp")) {
    move(e.key === "ArrowDown" ? 1 : -1);
    e.preventDefault();
  } else if (KEYS[e.key] && !/^(INPUT|SELECT)$/.test(at.tagName)) {
    KEYS[e.key]();
    e.preventDefault();
  }
});

// ---- the head and the peak ----

function fact(label, value) {
  const span = make("span", label + " ");
  span.append(make("b", value));
  $("facts").append(span, " ");
}

function choosePlan() {
  texts.forEach((text, i) => {
    const option = make("option", text.dataset.label);
    option.value = i;
    $("plans").append(option);
  });
  $("plans").value = which;
  $("which").hidden = texts.length < 2;
  $("plans").onchange = () => { location.hash = $("plans").value; location.reload(); };
}

function makeHead() {
  const f = plan.figures;
  choosePlan();
  plan.pools.forEach((p, i) => {
    const option = make("option", shown(p.name) + " (" + bytes(p.size) + ")"), where = make("option", shown(p.name));
    option.value = where.value = i;
    $("pool").append(option);
    $("where").append(where);
  });
  const none = make("option", "not planned");
  none.value = -1;
  $("where").append(none);
  [...new Set(V.role)].sort((a, b) => a - b).forEach((role) => {
    const option = make("option", ROLES[role]);
    option.value = role;
    $("role").append(option);
  });
  fact("arena", bytes(f.arena));
  fact("lower bound", bytes(f.bound) + (f.optimal ? ", optimal" : f.bound > 0 && f.arena > f.bound
    ? " (" + ((f.arena / f.bound - 1) * 100).toFixed(2) + " % above)" : ""));
  fact("without reuse", bytes(f.naive));
  fact("RAM", bytes(f.ram));
  fact("flash", bytes(f.flash));
  fact("steps", grouped(T.count) + (f.reordered ? ", reordered" : ""));
  fact("values", grouped(plan.total));
  if (plan.extents) fact("for", shown(plan.extents));
  if (plan.total > count) {
    $("left-out").hidden = false;
    $("left-out").textContent = "The page has " + grouped(count) + " of " + grouped(plan.total) + " values: those of the peak and " +
      "those in the largest storages. The others lie in storages of at most " + exact(plan.largest_left_out) +
      "; the line of bytes alive counts all. --emit=html,values=N takes more or fewer.";
  }
}

function makePeak() {
  const box = $("peak"), f = plan.figures, MOST = 25;
  if (f.peak_step < 0 || plan.peak.length === 0) { box.hidden = true; for (const e of document.querySelectorAll(".at-peak")) e.hidden = true; return; }
  const rounded = (s) => Math.ceil(S.size[s] / plan.pools[S.pool[s]].align) * plan.pools[S.pool[s]].align;
  const total = plan.peak.reduce((sum, s) => sum + rounded(s), 0), all = make("button", "in the table");
  all.onclick = () => { clear(); $("alive").value = f.peak_step; filter(); sortBy("bytes", true); $("window").scrollIntoView(); };
  box.append(make("p", stepText(f.peak_step) + ": " + bytes(total) + " in " + plan.peak.length + " storages, each rounded up to " +
             plan.pools[S.pool[plan.peak[0]]].align + " B "), all);
  for (const s of plan.peak.slice(0, MOST)) {
    const v = S.root[s] >= 0 ? S.root[s] : valuesOf(s)[0], button = make("button", undefined, "weight"), bar = make("i");
    button.append(make("span", nameOf(v), "name"), make("span", bytes(S.size[s])), bar);
    bar.style.width = Math.max(1, S.size[s] / (S.size[plan.peak[0]] || 1) * 100) + "%";
    button.title = nameOf(v) + ", steps " + S.first[s] + " to " + S.last[s];
    button.onclick = () => choose(v, "link");
    box.append(button);
  }
  if (plan.peak.length > MOST) box.append(make("p", "and " + (plan.peak.length - MOST) + " smaller"));
}

// ---- paper, and other lights ----

function forPrint(on) {
  document.documentElement.classList.toggle("print", on);
  readColours();
  draw();
  renderRows(on);
}
addEventListener("beforeprint", () => forPrint(true));
addEventListener("afterprint", () => forPrint(false));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); redraw(); });
new ResizeObserver(() => { redraw(); renderRows(); }).observe($("frame"));

readColours();
makeHead();
makeHeads();
makePeak();
choosePool(plan.pool);
filter();
draw();
document.body.dataset.ran = (performance.now() - began).toFixed(1);
requestAnimationFrame(() => requestAnimationFrame(() => { document.body.dataset.painted = performance.now().toFixed(1); }));
// For scripts that look at the page.
window.tenure = { plan, state, choose, boxOf, X, Y, valueAt, nameOf, colour: (s) => colours[kindOf(s)] };
})();
