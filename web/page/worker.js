"use strict";

// The worker owns the WebAssembly module and one run, so that the page stays responsive while spheres are packed.
// Milliseconds of sweeps between two looks at messages, and between two views.
const SLICE = 40, VIEW_INTERVAL = 200;

let core = null, run = 0, isCancelled = false;

async function load(bytes) {
  const imports = { jostle: { now: () => performance.now() } };
  const { instance } = await WebAssembly.instantiate(bytes, imports);
  core = instance.exports;
}

// Calls a function with a text, and returns its result.
function withText(name, text, ...before) {
  const bytes = new TextEncoder().encode(text);
  const at = core.allocate(bytes.length);
  new Uint8Array(core.memory.buffer, at, bytes.length).set(bytes);
  return core[name](...before, at, bytes.length);
}

// Returns a copy of the last answer of a run.
function answer(of) {
  return new Uint8Array(core.memory.buffer, core.output(of), core.output_length(of)).slice();
}

function text(of) {
  return new TextDecoder().decode(answer(of));
}

function preview(request) {
  const of = withText("preview", JSON.stringify(request));
  const found = JSON.parse(text(of));
  core.end(of);
  return found;
}

function view() {
  core.view(run);
  const meta = JSON.parse(text(run));
  core.view_spheres(run);
  return { meta, spheres: answer(run) };
}

function state() {
  core.state(run);
  return JSON.parse(text(run));
}

// Lets messages arrive.
const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

async function pack(request) {
  if (run) core.end(run);
  isCancelled = false;
  run = withText("begin", JSON.stringify(request));
  const begun = text(run);
  if (begun) return postMessage({ kind: "error", error: JSON.parse(begun).error });
  let shown = -Infinity, goesOn = true;
  while (goesOn && !isCancelled) {
    goesOn = core.sweep(run, SLICE) === 1;
    postMessage({ kind: "progress", progress: state() });
    if (performance.now() - shown > VIEW_INTERVAL) {
      postMessage({ kind: "view", ...view() });
      shown = performance.now();
    }
    await pause();
  }
  core.finish(run);
  postMessage({ kind: "view", ...view() });
  postMessage({ kind: "packed", result: state(), isCancelled });
}

function file(format) {
  const isWritten = withText("file", format, run) === 1;
  const bytes = answer(run);
  postMessage(isWritten ? { kind: "file", format, bytes } : { kind: "error", error: new TextDecoder().decode(bytes) });
}

onmessage = async ({ data }) => {
  try {
    if (data.kind === "load") {
      await load(data.bytes);
      const of = core.choices();
      postMessage({ kind: "loaded", choices: JSON.parse(text(of)) });
      core.end(of);
    } else if (data.kind === "preview") {
      postMessage({ kind: "preview", number: data.number, preview: preview(data.request) });
    } else if (data.kind === "pack") {
      await pack(data.request);
    } else if (data.kind === "cancel") {
      isCancelled = true;
    } else if (data.kind === "file") {
      file(data.format);
    }
  } catch (error) {
    postMessage({ kind: "error", error: `the packer ended: ${error.message}` });
  }
};
