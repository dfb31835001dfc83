"use strict";

// Connects the form, the worker and the view.
(() => {
  const element = (id) => document.getElementById(id);
  // A tab may hold this much memory besides the page: a phone has less.
  const MEMORY = (navigator.deviceMemory && navigator.deviceMemory < 4 ? 400 : 1500) * 1e6;

  // The laws with their parameters: name, least, largest and first value.
  const LAWS = {
    mono: [["d", 0.01, 100, 1]],
    fuller: [["d_min", 0.01, 100, 1], ["d_max", 0.01, 1000, 16], ["n", 0.1, 2, 0.5]],
    lognormal: [["d50", 0.01, 100, 1], ["sigma", 0.01, 1.5, 0.3]],
    "power-law": [["exponent", -5, 2, -3], ["d_min", 0.01, 100, 1], ["d_max", 0.01, 1000, 10]],
    "rosin-rammler": [["d", 0.01, 100, 10], ["n", 0.3, 5, 1.2], ["d_min", 0.01, 100, 1], ["d_max", 0.01, 1000, 30]],
  };

  let isLoaded = false, viewer = null, tableName = "sizes.csv", number = 0, expected = null;
  const worker = new Worker(URL.createObjectURL(new Blob([element("worker").textContent], { type: "text/javascript" })));

  function bytesOf(id) {
    const decoded = atob(element(id).textContent.trim());
    return Uint8Array.from(decoded, (letter) => letter.charCodeAt(0));
  }

  function option(select, value, label = value) {
    const made = document.createElement("option");
    [made.value, made.textContent] = [value, label];
    select.append(made);
  }

  // Fields of the chosen law: a number and a slider each.
  function lawFields() {
    const fields = element("law-fields");
    fields.replaceChildren();
    const label = document.createElement("label");
    const select = document.createElement("select");
    select.id = "law";
    Object.keys(LAWS).forEach((name) => option(select, name));
    select.value = fields.dataset.law || "fuller";
    label.append("Law ", select);
    fields.append(label);
    select.addEventListener("change", () => { fields.dataset.law = select.value; lawFields(); ask(); });
    for (const [name, least, largest, first] of LAWS[select.value]) {
      const field = document.createElement("label");
      const input = document.createElement("input"), slider = document.createElement("input");
      Object.assign(input, { type: "number", step: "any", value: first, name });
      Object.assign(slider, { type: "range", step: "any", min: least, max: largest, value: first });
      slider.setAttribute("aria-label", `${name} slider`);
      slider.addEventListener("input", () => { input.value = Number(slider.value).toPrecision(3); ask(); });
      input.addEventListener("input", () => { slider.value = input.value; });
      field.append(`${name} `, input, slider);
      fields.append(field);
    }
  }

  function sizes() {
    const kind = element("kind").value;
    if (kind === "preset") return { sizes: element("preset").value };
    if (kind === "table") return { sizes: tableName, table: element("table").value };
    const values = [...element("law-fields").querySelectorAll("input[name]")].map((input) => `${input.name}=${input.value}`);
    return { sizes: `${element("law").value}:${values.join(",")}` };
  }

  // The request in the words of the command line.
  function request() {
    const shape = element("shape").value, wanted = { ...sizes(), seed: Number(element("seed").value) || 0, memory: MEMORY };
    if (element("number").value) wanted.number = Number(element("number").value);
    if (element("fraction").value) wanted.fraction = Number(element("fraction").value);
    if (shape === "box") wanted.boundary = element("boundary").value;
    else if (shape === "sphere") wanted.container = "sphere";
    else wanted.container = `${shape}:${shape === "cone" ? "taper=0.5," : ""}aspect=${element("aspect").value}`;
    wanted.effort = element("effort").value;
    if (element("exchange").value) wanted.exchange = element("exchange").value;
    return wanted;
  }

  // The command and the line of Python that make the same bits.
  function commands(wanted) {
    const words = ["jostle pack", quoted(wanted.sizes), `-n ${wanted.number}`], python = [JSON.stringify(wanted.sizes), `n=${wanted.number}`];
    for (const name of ["fraction", "container", "boundary", "effort", "exchange", "seed"]) {
      if (wanted[name] === undefined) continue;
      words.push(`--${name} ${quoted(String(wanted[name]))}`);
      python.push(`${name}=${JSON.stringify(wanted[name])}`);
    }
    element("command").textContent = words.join(" ");
    element("python").textContent = `jostle.pack(${python.join(", ")})`;
  }

  function quoted(word) {
    return /^[A-Za-z0-9_.,:=/+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  }

  const short = (value, digits = 3) => Number(Number(value).toPrecision(digits)).toString();

  function show(kind, attribute) {
    for (const part of document.querySelectorAll(`[data-${attribute}]`)) part.hidden = !part.dataset[attribute].split(" ").includes(kind);
  }

  // Asks for the preview of the request, once the user pauses.
  let timer = 0;
  function ask() {
    show(element("kind").value, "kind");
    show(element("shape").value, "shape");
    clearTimeout(timer);
    if (!isLoaded) return;
    timer = setTimeout(() => { number += 1; worker.postMessage({ kind: "preview", number, request: request() }); }, 150);
  }

  function showPreview({ preview, number: of }) {
    if (of !== number) return;
    element("message").textContent = preview.error || preview.doubt || (preview.notes || []).join(" ");
    element("pack").disabled = Boolean(preview.error);
    if (preview.error) return;
    expected = preview.expected;
    const unit = preview.unit ? ` ${preview.unit}` : "";
    const quantiles = preview.quantiles.map((d) => short(d) + unit);
    element("expected").textContent =
      `${Math.round(preview.spheres)} spheres, D10 ${quantiles[0]}, D50 ${quantiles[1]}, D90 ${quantiles[2]}, ` +
      `${short(1e-6 * preview.memory, 2)} MB` + (expected ? `, expected packing fraction ${expected.toFixed(3)}` : "");
    drawCurve(preview.curve, unit);
  }

  // The grading curve: percent of the mass that passes, over the diameter on a logarithmic axis.
  function drawCurve(curve, unit) {
    const canvas = element("curve"), density = Math.min(2, window.devicePixelRatio || 1);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    [canvas.width, canvas.height] = [width * density, height * density];
    const context = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
    context.scale(density, density);
    const [left, right, top, bottom] = [44, width - 12, 12, height - 34];
    const [low, high] = [curve[0][0], curve[curve.length - 1][0]].map(Math.log);
    const x = (d) => (high > low ? left + ((Math.log(d) - low) / (high - low)) * (right - left) : 0.5 * (left + right));
    const y = (share) => bottom - share * (bottom - top);
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = style.getPropertyValue("--muted");
    context.strokeStyle = style.getPropertyValue("--grid");
    context.textAlign = "right";
    for (const percent of [0, 25, 50, 75, 100]) {
      context.beginPath();
      context.moveTo(left, y(percent / 100));
      context.lineTo(right, y(percent / 100));
      context.stroke();
      context.fillText(`${percent} %`, left - 6, y(percent / 100) + 4);
    }
    context.textAlign = "center";
    const ticks = high > low ? [0, 1, 2, 3, 4].map((k) => Math.exp(low + (k / 4) * (high - low))) : [Math.exp(low)];
    ticks.forEach((d, k) => {
      context.textAlign = ticks.length === 1 ? "center" : ["left", "center", "center", "center", "right"][k];
      context.fillText(short(d, 2), x(d), bottom + 15);
    });
    context.textAlign = "center";
    context.fillText(`diameter${unit}, mass passing`, 0.5 * (left + right), bottom + 30);
    context.strokeStyle = style.getPropertyValue("--accent");
    context.lineWidth = 2;
    context.beginPath();
    const points = high > low ? curve : [[curve[0][0], 0], [curve[0][0], 1]];
    points.forEach(([d, share], k) => (k ? context.lineTo(x(d), y(share)) : context.moveTo(x(d), y(share))));
    context.stroke();
  }

  function showView({ meta, spheres: bytes }) {
    const spheres = readSpheres(meta, bytes), tints = coloring(meta, spheres, palette(meta));
    if (viewer) return viewer.update(meta, spheres, tints);
    try {
      viewer = new Viewer(element("canvas"), meta, spheres, readBodies(meta, new Uint8Array(0)), tints);
    } catch (error) {
      element("note").textContent = `No 3-D view: ${error.message}.`;
    }
  }

  function showProgress(progress) {
    // Overlaps count twice in the packing fraction of a run.
    element("fraction-now").textContent = (progress.fraction || 0).toFixed(3);
    element("fraction-expected").textContent = expected ? expected.toFixed(3) : "–";
    element("spheres-now").textContent = progress.spheres;
    element("sweeps-now").textContent = progress.sweeps;
    const seconds = (progress.remaining / Math.max(1, progress.sweeps)) * progress.seconds;
    element("remaining").textContent = Number.isFinite(seconds) ? `${Math.ceil(seconds)} s` : "–";
  }

  function showResult({ result, isCancelled }) {
    isPacking(false);
    element("result").hidden = false;
    element("fraction-now").textContent = result.fraction.toFixed(4);
    element("spheres-now").textContent = result.spheres;
    element("remaining").textContent = "done";
    const unit = result.unit ? ` ${result.unit}` : "";
    const lengths = result.lengths.map((length) => short(length, 5)).join(" × ");
    element("certificate").textContent =
      `${result.spheres} spheres fill ${(100 * result.fraction).toFixed(2)} % of a container of ${lengths}${unit}. ` +
      (result.overlap === 0 ? "No two spheres overlap: checked in double precision." : `The largest overlap is ${result.overlap}.`) +
      (isCancelled ? " The run was stopped early, so that the packing is looser, and the command below does not make it." : "");
  }

  function isPacking(is) {
    element("pack").disabled = is;
    element("cancel").hidden = !is;
    element("download").disabled = element("report").disabled = is;
  }

  function save(bytes, name, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type }));
    link.download = name;
    link.click();
  }

  function saveFile({ format, bytes }) {
    if (format === "html") return save(bytes, "packing.html", "text/html");
    const extension = [...element("format").options].find((made) => made.value === format).dataset.extension;
    return save(bytes, `packing.${extension}`, "application/octet-stream");
  }

  const handlers = {
    loaded({ choices }) {
      isLoaded = true;
      choices.presets.forEach((name) => option(element("preset"), name));
      element("preset").value = "concrete";
      for (const [name, extension] of choices.formats) {
        option(element("format"), name);
        element("format").lastElementChild.dataset.extension = extension;
      }
      ask();
    },
    preview: showPreview,
    progress: ({ progress }) => showProgress(progress),
    view: showView,
    packed: showResult,
    file: saveFile,
    error({ error }) { element("message").textContent = error; isPacking(false); },
  };
  worker.onmessage = ({ data }) => handlers[data.kind](data);
  worker.onerror = (event) => handlers.error({ error: `the packer ended: ${event.message}` });

  lawFields();
  element("request").addEventListener("input", ask);
  element("request").addEventListener("change", ask);
  element("request").addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = request();
    commands(wanted);
    isPacking(true);
    element("run").hidden = false;
    element("result").hidden = true;
    element("message").textContent = "";
    worker.postMessage({ kind: "pack", request: wanted });
  });
  element("cancel").addEventListener("click", () => worker.postMessage({ kind: "cancel" }));
  element("download").addEventListener("click", () => worker.postMessage({ kind: "file", format: element("format").value }));
  element("report").addEventListener("click", () => worker.postMessage({ kind: "file", format: "html" }));
  element("file").addEventListener("change", async () => {
    const [chosen] = element("file").files;
    if (!chosen) return;
    tableName = chosen.name;
    element("table").value = await chosen.text();
    ask();
  });
  const cut = () => {
    if (!viewer) return;
    viewer.cut = { axis: Number(element("axis").value), share: Number(element("cut").value) };
    viewer.choose();
    viewer.draw();
  };
  element("axis").addEventListener("change", cut);
  element("cut").addEventListener("input", cut);
  const bytes = bytesOf("core");
  worker.postMessage({ kind: "load", bytes }, [bytes.buffer]);
  // For tests.
  window.jostle = { request, get viewer() { return viewer; } };
})();
