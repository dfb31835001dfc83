"use strict";

// The worker owns the WebAssembly module and one run, so that the page stays responsive while spheres are packed.
// Milliseconds of sweeps between two looks at messages, and the least between two views.
const SLICE = 16, VIEW_INTERVAL = 100;
// Bytes of a triangle on the surface of a body.
const BODY_BYTES = 45;

let module = null, core = null, run = 0, isCancelled = false;

// Compiles the module, which is compressed.
async function load(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  await start();
}

// Starts the module with new memory.
async function start() {
  const fail = (at, length) => { throw new Error(new TextDecoder().decode(new Uint8Array(core.memory.buffer, at, length))); };
  const instance = await WebAssembly.instantiate(module, { jostle: { now: () => performance.now(), fail } });
  [core, run] = [instance.exports, 0];
  core.initialize();
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

// Returns the answer, in JSON, of a run that does nothing else.
function answerOnce(of) {
  const found = JSON.parse(text(of));
  core.release(of);
  return found;
}

function sendView() {
  core.view(run);
  const meta = JSON.parse(text(run));
  core.view_solids(run);
  const solids = answer(run), from = solids.length - BODY_BYTES * meta.triangles;
  const [spheres, bodies] = [solids.slice(0, from), solids.slice(from)];
  postMessage({ kind: "view", meta, spheres, bodies }, [spheres.buffer, bodies.buffer]);
}

function state() {
  core.state(run);
  return JSON.parse(text(run));
}

// Lets messages arrive. A message to itself comes sooner than a timer, which waits for four milliseconds.
const { port1, port2 } = new MessageChannel();
const pause = () => new Promise((resolve) => { port1.onmessage = resolve; port2.postMessage(null); });

async function pack(request) {
  if (run) core.release(run);
  isCancelled = false;
  run = withText("begin", JSON.stringify(request));
  const begun = text(run);
  if (begun) return postMessage({ kind: "error", error: JSON.parse(begun).error });
  let goesOn = true, next = 0;
  while (goesOn && !isCancelled) {
    goesOn = core.sweep(run, SLICE) === 1;
    postMessage({ kind: "progress", progress: state() });
    const begin = performance.now();
    if (begin > next) {
      sendView();
      // Views of many spheres take at most a fifth of the time.
      next = performance.now() + Math.max(VIEW_INTERVAL, 4 * (performance.now() - begin));
    }
    await pause();
    // A failed preview has ended the module.
    if (!run) return;
  }
  core.finish(run);
  sendView();
  postMessage({ kind: "packed", result: state(), isCancelled });
}

function file(format, extension) {
  const isWritten = withText("file", format, run) === 1;
  const bytes = answer(run);
  if (!isWritten) return postMessage({ kind: "error", error: new TextDecoder().decode(bytes) });
  postMessage({ kind: "file", format, extension, bytes }, [bytes.buffer]);
}

const handlers = {
  async load({ bytes }) {
    await load(bytes);
    postMessage({ kind: "loaded", choices: answerOnce(core.choices()) });
  },
  preview({ number, request }) {
    postMessage({ kind: "preview", number, preview: answerOnce(withText("preview", JSON.stringify(request))) });
  },
  pack: ({ request }) => pack(request),
  cancel() { isCancelled = true; },
  file: ({ format, extension }) => file(format, extension),
};

onmessage = async ({ data }) => {
  try {
    await handlers[data.kind](data);
  } catch (error) {
    postMessage({ kind: "error", error: `the packer ended: ${error.message}` });
    // The module cannot go on, and its memory may be full.
    if (module) await start();
  }
};
