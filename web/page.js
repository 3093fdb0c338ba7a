// The page: what is chosen becomes words of a command line, which the library in the worker reads. All that
// comes from a model is shown as text, or by pages of tenure in frames that may run their own script alone.
"use strict";
const $ = (id) => document.getElementById(id);
const ERROR = 0;
const NAMES = { 1: "the model or a request is wrong", 2: "an option is wrong", 3: "out of memory", 4: "it does not fit",
  70: "tenure made a mistake" };
let worker, compiled, waiting = null, started, models = [null, null], shown = "Plan", made = {};

function say(text) { $("status").textContent = text; }

// ---- the worker ----

function text(id) { return $(id).textContent; }

async function unpacked() {
  const packed = Uint8Array.from(atob(text("wasm").trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

function ask(request) {
  return new Promise((resolve, reject) => {
    waiting = { resolve, reject, id: started = performance.now() };
    worker.postMessage({ ...request, id: waiting.id });
  });
}

function onMessage({ data }) {
  if (data.doing) return say(data.doing + ", " + ((performance.now() - begun) / 1000).toFixed(1) + " s");
  if (!waiting || data.done !== waiting.id) return;
  const { resolve, reject } = waiting;
  waiting = null;
  for (const m of data.messages) note(m.text, m.severity === ERROR);
  if (data.failed) {
    note(data.failed, true);
    restart().then(() => reject(data));
  } else {
    resolve(data);
  }
}

async function restart() {
  if (worker) worker.terminate();
  worker = new Worker(URL.createObjectURL(new Blob([text("glue"), text("worker")], { type: "text/javascript" })));
  worker.onmessage = onMessage;
  await ask({ compiled });
  for (const which of [0, 1]) if (models[which]) await ask({ open: [which, models[which]] });
}

// ---- what is asked for ----

function words() {
  const chosen = [$("level").value, $("target").value, $("memory").value, $("io").value];
  if ($("align").value) chosen.push("--align=" + $("align").value);
  if ($("reuse").checked) chosen.push("--reuse-inputs");
  for (const input of $("dims").querySelectorAll("input")) {
    if (input.value) chosen.push("--dim=" + input.name + "=" + input.value);
  }
  return [...chosen, ...$("more").value.trim().split(/\s+/)].filter((w) => w !== "").join("\n");
}

function note(line, bad) {
  const item = document.createElement("li");
  item.textContent = line;
  item.className = bad ? "error" : "";
  $("messages").append(item);
}

let begun = 0;
async function busy(what, work) {
  if (waiting) return;
  begun = performance.now();
  $("messages").replaceChildren();
  $("plan").disabled = true;
  $("cancel").disabled = false;
  say(what);
  try {
    say(await work());
  } catch (end) {
    say(end === "cancelled" ? "cancelled" : end && end.failed ? "it could not be done" : String(end));
  }
  $("cancel").disabled = true;
  $("plan").disabled = !models[0];
}

async function call(...args) {
  const answer = await ask({ call: args });
  if (answer.status !== 0) throw NAMES[answer.status] || "it failed with status " + answer.status;
  return answer;
}

async function openFile(which, file) {
  models[which] = file;
  await ask({ open: [which, file] });
  if (which === 0) showDims(await (await ask({ call: ["page_dims", 0] })).files[0]?.blob.text() ?? "");
}

// The line that shows how to bind them has the names as options take them: --dim 'NAME=1'.
function showDims(listed) {
  const names = [...new Set(Array.from(listed.matchAll(/ --dim '((?:[^'\n]|'\\'')*)=\d+'/g), (m) => m[1].replaceAll("'\\''", "'")))];
  const old = Object.fromEntries(Array.from($("dims").querySelectorAll("input"), (i) => [i.name, i.value]));
  $("dims").replaceChildren(...names.map((name) => {
    const label = document.createElement("label"), input = document.createElement("input");
    input.name = name;
    input.placeholder = "open";
    input.value = old[name] ?? (listed.match(new RegExp(" --dim '" + name.replace(/[^\w]/g, "\\$&") + "=(\\d+)'")) || [])[1] ?? "";
    label.append("dimension " + name + " ", input);
    return label;
  }));
  $("dims").hidden = names.length === 0;
}

async function plan() {
  const options = words();
  made = {};
  const report = await call("page_plan", 0, options);
  made.Report = { text: await report.files[0].blob.text() };
  const page = await call("page_emit", 0, "html", "", "plan.html");
  made.Plan = { page: page.files[0].blob };
  if (models[1]) {
    await call("page_plan", 1, options);
    made.Difference = { page: (await call("page_diff", "--format=html")).files[0].blob };
  }
  made.Fit = { fit: options };
  made.Explain = { explain: options.replace(/^--emit=.*\n?/m, "") };
  made.Files = { files: true };
  show(made[shown] ? shown : "Plan");
  return "planned in " + seconds() + ", with " + Math.round(page.memory / 1048576) + " MiB";
}

// ---- what is shown ----

const KINDS = [["c-header", "offsets as a C header", ".h"], ["c-program", "a C program", ".c"],
  ["c-program,weights=none", "a C program without the weights", ".c"], ["json", "the plan as JSON", ".json"],
  ["onnx", "the model with its plan", ".planned.onnx"], ["tflm", "the model with its plan", ".planned.tflite"],
  ["html", "this page of the plan", ".html"], ["svg", "a picture", ".svg"], ["csv", "buffers as CSV", ".csv"]];

function stem() { return models[0].name.replace(/\.[^.]*$/, "") || "model"; }

function show(name) {
  shown = name;
  $("tabs").replaceChildren(...["Plan", "Report", "Fit", "Explain", "Difference", "Files"].filter((n) => made[n]).map((n) => {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.textContent = n;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-selected", String(n === name));
    tab.tabIndex = n === name ? 0 : -1;
    tab.onclick = () => show(n);
    return tab;
  }));
  const it = made[name] || {};
  $("panel").replaceChildren();
  $("panel").setAttribute("aria-label", name);
  if (it.fit !== undefined) fitted(it);
  if (it.page) framed(it.page);
  if (it.text !== undefined) written(it.text);
  if (it.explain !== undefined) explained(it);
  if (it.files) listed();
}

// A frame without an origin: it sees neither this page nor the network.
async function framed(blob) {
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.title = shown;
  $("panel").append(frame); // before what is waited for: another tab may be shown then
  frame.srcdoc = await blob.text();
}

// A form of text fields above a result: `fields` are their names in it, by label.
function asking(it, button, fields, work) {
  const form = document.createElement("form"), go = document.createElement("button");
  form.className = "row";
  for (const [name, [before, hint, size]] of Object.entries(fields)) {
    const label = document.createElement("label"), input = document.createElement("input");
    input.value = it[name] ?? "";
    input.placeholder = hint;
    input.size = size;
    input.oninput = () => { it[name] = input.value.trim(); };
    label.append(before + " ", input);
    form.append(label, " ");
  }
  go.textContent = button;
  form.append(go);
  form.onsubmit = (event) => {
    event.preventDefault();
    work();
  };
  $("panel").append(form);
}

function seconds() { return ((performance.now() - begun) / 1000).toFixed(2) + " s"; }

// The plan found takes the place of the last one, in all that is made of it.
function fitted(it) {
  const budget = () => ["ram", "flash", "ops"].filter((name) => it[name]).map((name) => "--" + name + "=" + it[name]);
  asking(it, "Fit", { ram: ["RAM", "64K", 8], flash: ["flash", "any", 8], ops: ["operations that may be added", "none: +30%", 10] },
    () => busy("trying what makes it fit", async () => {
      made = { Fit: it };
      delete it.page;
      const answer = await ask({ call: ["page_fit", 0, [it.fit, ...budget()].join("\n")] });
      if (answer.files.length) it.page = answer.files[0].blob;
      if (answer.files.length && (answer.status === 0 || answer.status === 4)) {
        made = { Plan: { page: (await call("page_emit", 0, "html", "", "plan.html")).files[0].blob }, Fit: it, Files: { files: true } };
      }
      show("Fit");
      if (answer.status !== 0) throw NAMES[answer.status];
      return "fits, found in " + seconds();
    }));
}

function written(what) {
  const pre = document.createElement("pre");
  pre.textContent = what;
  $("panel").append(pre);
}

function explained(it) {
  asking(it, "Explain", { tensor: ["tensor", "all, or a name; * matches any", 40] }, () => busy("explaining", async () => {
    it.said = await (await call("page_explain", 0, it.explain, it.tensor ?? "")).files[0].blob.text();
    show("Explain");
    $("panel").querySelector("input").focus();
    return "explained in " + seconds();
  }));
  if (it.said) written(it.said);
}

function listed() {
  const list = document.createElement("ul");
  for (const [asked, what, ending] of KINDS) {
    const [kind, options = ""] = asked.split(",");
    if ((kind === "onnx" && /\.tflite$/i.test(models[0].name)) || (kind === "tflm" && !/\.tflite$/i.test(models[0].name))) continue;
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.textContent = "make " + what;
    button.onclick = () => busy("writing " + what, async () => {
      const answer = await call("page_emit", 0, kind, options, stem() + ending);
      for (const a of item.querySelectorAll("a")) URL.revokeObjectURL(a.href);
      item.replaceChildren(button, ...answer.files.flatMap(({ name, blob }) => {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(blob);
        link.download = name;
        link.textContent = name + " (" + blob.size.toLocaleString("en") + " bytes)";
        return [" ", link];
      }));
      item.querySelector("a").focus();
      return "written";
    });
    item.append(button);
    list.append(item);
  }
  $("panel").append(list);
}

// ---- events ----

function take(which, file) {
  if (file) busy("reading " + file.name, async () => {
    await openFile(which, file);
    return plan();
  });
}

$("form").onsubmit = (event) => {
  event.preventDefault();
  busy("planning", plan);
};
$("cancel").onclick = () => {
  if (!waiting) return;
  const { reject } = waiting;
  waiting = null;
  restart().then(() => reject("cancelled"));
};
for (const which of [0, 1]) $("file" + which).onchange = (event) => take(which, event.target.files[0]);
$("tabs").onkeydown = (event) => {
  const tabs = Array.from($("tabs").children), step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length].textContent;
  show(next);
  Array.from($("tabs").children).find((t) => t.textContent === next).focus();
};
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    document.body.classList.toggle("over", kind === "dragover");
    if (kind === "drop") {
      const [first, second] = event.dataTransfer.files;
      if (second) busy("reading " + second.name, () => openFile(1, second)).then(() => take(0, first));
      else take(0, first);
    }
  });
}
(async () => {
  try {
    compiled = await unpacked();
    await restart();
    say("ready: choose a model");
    document.body.dataset.ready = "yes";
  } catch (error) {
    say("this browser cannot run the page: " + (error.message || error));
  }
})();
