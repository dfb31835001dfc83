"use strict";

// Connects the form, the worker, the view and the curves.
(() => {
  const element = (id) => document.getElementById(id);
  // A tab may hold this much memory besides the page: a phone has less.
  const MEMORY = (navigator.deviceMemory && navigator.deviceMemory < 4 ? 400 : 1500) * 1e6;

  // The laws with their parameters: name, least, largest and first value. Sliders of positive parameters are logarithmic.
  const LAWS = {
    mono: [["d", 0.01, 100, 1]],
    fuller: [["d_min", 0.01, 100, 1], ["d_max", 0.01, 1000, 16], ["n", 0.1, 2, 0.5]],
    lognormal: [["d50", 0.01, 100, 1], ["sigma", 0.01, 1.5, 0.3]],
    "power-law": [["exponent", -5, 2, -3], ["d_min", 0.01, 100, 1], ["d_max", 0.01, 1000, 10]],
    "rosin-rammler": [["d_prime", 0.01, 100, 10], ["n", 0.3, 5, 1.2], ["d_min", 0.01, 100, 1], ["d_max", 0.01, 1000, 30]],
  };
  // Pictures of the packing, besides the formats of the library.
  const PICTURES = [["png", "png", "picture"], ["html", "html", "report"]];

  let isLoaded = false, viewer = null, tableName = "sizes.csv", number = 0, shown = null, course = [], expected = null, packed = null;
  const worker = new Worker(URL.createObjectURL(new Blob([element("worker").textContent], { type: "text/javascript" })));

  function option(select, value, label = value) {
    const made = document.createElement("option");
    [made.value, made.textContent] = [value, label];
    select.append(made);
    return made;
  }

  // Fields of the chosen law: a number and a slider each.
  function lawFields() {
    const fields = LAWS[element("law").value].map(([name, least, largest, first]) => {
      const isLogarithmic = least > 0;
      const [toSlider, fromSlider] = isLogarithmic ? [Math.log, Math.exp] : [Number, Number];
      const field = document.createElement("label"), slider = document.createElement("input"), input = document.createElement("input");
      Object.assign(input, { type: "number", step: "any", value: first, name });
      Object.assign(slider, { type: "range", step: "any", min: toSlider(least), max: toSlider(largest), value: toSlider(first) });
      slider.setAttribute("aria-label", `${name} slider`);
      slider.addEventListener("input", () => { input.value = short(fromSlider(slider.value)); });
      input.addEventListener("input", () => { slider.value = toSlider(input.value); });
      field.append(name, input, slider);
      return field;
    });
    element("law-fields").replaceChildren(...fields);
  }

  function sizes() {
    const parameters = () => [...element("law-fields").querySelectorAll("input[name]")].map((input) => `${input.name}=${input.value}`);
    return {
      preset: () => ({ sizes: element("preset").value }),
      law: () => ({ sizes: `${element("law").value}:${parameters().join(",")}` }),
      table: () => ({ sizes: tableName, table: element("table").value }),
      text: () => ({ sizes: element("text").value.trim() }),
    }[element("kind").value]();
  }

  function container() {
    const aspect = `aspect=${element("aspect").value}`;
    return {
      box: () => ({ boundary: element("boundary").value }),
      sphere: () => ({ container: "sphere" }),
      cylinder: () => ({ container: `cylinder:${aspect}` }),
      cone: () => ({ container: `cone:taper=${element("taper").value},${aspect}` }),
    }[element("shape").value]();
  }

  // The request in the words of the command line.
  function request() {
    const wanted = { ...sizes(), ...container(), seed: Number(element("seed").value) || 0, memory: MEMORY };
    for (const name of ["number", "fraction"]) if (element(name).value) wanted[name] = Number(element(name).value);
    for (const name of ["effort", "exchange"]) if (element(name).value) wanted[name] = element(name).value;
    return wanted;
  }

  // The command and the line of Python that make the same bits.
  function commands(wanted) {
    const words = ["jostle pack", quoted(wanted.sizes)], python = [JSON.stringify(wanted.sizes)];
    if (wanted.number !== undefined) { words.push(`-n ${wanted.number}`); python.push(`n=${wanted.number}`); }
    for (const name of ["fraction", "container", "boundary", "effort", "exchange", "seed"]) {
      if (wanted[name] === undefined) continue;
      words.push(`--${name} ${quoted(String(wanted[name]))}`);
      python.push(`${name}=${JSON.stringify(wanted[name])}`);
    }
    element("command").textContent = words.join(" ");
    element("python").textContent = `jostle.pack(${python.join(", ")})`;
  }

  function quoted(word) {
    return /^[A-Za-z0-9_.,:=/+%@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  }

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
    shown = preview.error ? null : preview;
    element("message").textContent = preview.error || preview.doubt || "";
    element("pack").disabled = Boolean(preview.error) || !element("cancel").hidden;
    const unit = preview.unit ? ` ${preview.unit}` : "";
    element("expected").textContent = preview.error ? "" : [
      `${Math.round(preview.spheres)} spheres`,
      ...["D10", "D50", "D90"].map((name, k) => `${name} ${short(preview.quantiles[k])}${unit}`),
      ...(preview.expected ? [`expected packing fraction ${preview.expected.toFixed(3)}`] : []),
      `${short(1e-6 * preview.memory, 2)} MB`,
      ...preview.notes,
    ].join(" · ");
    drawCurves();
  }

  function drawCurves() {
    if (shown) {
      const { curve, unit } = shown, first = curve[0][0], last = curve[curve.length - 1][0];
      const isOne = last <= first * (1 + 1e-9);
      drawChart(element("curve"), {
        x: isOne ? [0.5 * first, 2 * first] : [first, last], y: [0, 1], isLogarithmic: true,
        label: `diameter${unit ? ` in ${unit}` : ""}`, format: (share) => `${Math.round(100 * share)} %`,
        lines: [{ points: isOne ? [[0.5 * first, 0], [first, 0], [first, 1], [2 * first, 1]] : curve }],
      });
    }
    if (course.length < 2) return;
    const fractions = course.map(([, fraction]) => fraction).concat(expected || []);
    const [low, high] = [Math.min(...fractions), Math.max(...fractions)], margin = Math.max(0.005, 0.05 * (high - low));
    const sweeps = [course[0][0], course[course.length - 1][0]];
    drawChart(element("rise"), {
      x: sweeps, y: [low - margin, high + margin], label: "sweeps",
      lines: [{ points: course }, ...(expected ? [{ points: sweeps.map((sweep) => [sweep, expected]), isDashed: true }] : [])],
    });
  }

  function showView({ meta, spheres: bytes }) {
    const spheres = readSpheres(meta, bytes), tints = coloring(meta, spheres, palette(meta));
    offerComponents(element("color"), meta);
    if (viewer) {
      viewer.coloring = element("color").value;
      viewer.update(meta, spheres, tints);
      return showLegend();
    }
    try {
      viewer = new Viewer(element("canvas"), meta, spheres, readBodies(meta, new Uint8Array(0)), tints);
      turnView();
    } catch (error) {
      element("note").textContent = `No 3-D view: ${error.message}.`;
    }
  }

  // Applies the cut and the colors that are chosen.
  function turnView() {
    if (!viewer) return;
    viewer.cut = { axis: Number(element("axis").value), share: Number(element("cut").value) };
    viewer.coloring = element("color").value;
    viewer.choose();
    viewer.draw();
    showLegend();
  }

  function showLegend() {
    const { meta, coloring } = viewer;
    [element("low").textContent, element("high").textContent] = drawLegend(element("bar"), meta, palette(meta), coloring);
  }

  function showProgress(progress) {
    const left = progress.remaining, done = progress.sweeps;
    element("fraction-now").textContent = progress.fraction.toFixed(3);
    element("spheres-now").textContent = progress.spheres;
    element("sweeps-now").textContent = done;
    element("remaining").textContent = Number.isFinite(left) ? `${Math.ceil((left / Math.max(1, done)) * progress.seconds)} s` : "–";
    if (Number.isFinite(left)) element("progress").value = done / (done + left);
    course.push([done, progress.fraction]);
    drawCurves();
  }

  function showResult({ result, isCancelled }) {
    isPacking(false);
    element("result").hidden = false;
    element("fraction-name").textContent = "packing fraction";
    element("fraction-now").textContent = result.fraction.toFixed(4);
    element("spheres-now").textContent = result.spheres;
    element("remaining").textContent = isCancelled ? "stopped" : "done";
    element("progress").value = 1;
    const unit = result.unit ? ` ${result.unit}` : "";
    const lengths = result.lengths.map((length) => short(length, 5)).join(" × ");
    const isMet = packed.fraction === undefined || result.fraction > packed.fraction * (1 - 1e-6);
    element("certificate").textContent =
      (isMet ? "" : `The requested packing fraction ${packed.fraction} was not reached. `) +
      `${result.spheres} spheres fill ${(100 * result.fraction).toFixed(2)} % of a container of ${lengths}${unit}. ` +
      (result.overlap === 0 ? "No two spheres overlap: checked in double precision." : `The largest overlap is ${result.overlap}${unit}.`) +
      (result.warning ? ` Note: ${result.warning}.` : "");
    element("save-table").hidden = packed.table === undefined;
    element("save-table").textContent = `Save the table as ${packed.sizes}`;
    element("inexact").hidden = !isCancelled;
    element("inexact").textContent = "This run was stopped early. The command goes on to its end, and makes a denser packing.";
  }

  function isPacking(is) {
    element("pack").disabled = is;
    element("cancel").hidden = !is;
    element("download").disabled = element("report").disabled = is;
    document.body.setAttribute("aria-busy", is);
  }

  function save(bytes, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: name.endsWith(".html") ? "text/html" : "application/octet-stream" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  function askFile(format, extension) {
    element("download").disabled = element("report").disabled = true;
    worker.postMessage({ kind: "file", format, extension });
  }

  async function useFile(chosen) {
    if (!chosen) return;
    tableName = chosen.name;
    element("table").value = await chosen.text();
    element("kind").value = "table";
    ask();
  }

  const handlers = {
    loaded({ choices }) {
      isLoaded = true;
      choices.presets.forEach((name) => option(element("preset"), name));
      element("preset").value = "concrete";
      for (const [name, extension, label] of [...choices.formats, ...PICTURES]) {
        option(element("format"), name, `${label || name} (.${extension})`).dataset.extension = extension;
      }
      ask();
    },
    preview: showPreview,
    progress: ({ progress }) => showProgress(progress),
    view: showView,
    packed: showResult,
    file({ extension, bytes }) { isPacking(false); save(bytes, `packing.${extension}`); },
    error({ error }) { element("message").textContent = error; isPacking(false); },
  };
  worker.onmessage = ({ data }) => handlers[data.kind](data);
  worker.onerror = (event) => handlers.error({ error: `the packer ended: ${event.message}` });

  Object.keys(LAWS).forEach((name) => option(element("law"), name));
  element("law").value = "fuller";
  lawFields();
  show(element("kind").value, "kind");
  show(element("shape").value, "shape");
  element("law").addEventListener("change", lawFields);
  element("request").addEventListener("input", ask);
  element("request").addEventListener("change", ask);
  element("request").addEventListener("submit", (event) => {
    event.preventDefault();
    packed = request();
    commands(packed);
    isPacking(true);
    [course, expected] = [[], shown && shown.expected];
    element("run").hidden = element("rise-figure").hidden = false;
    element("result").hidden = true;
    element("fraction-name").textContent = "packing fraction, overlaps count twice";
    element("fraction-expected").textContent = expected ? expected.toFixed(3) : "–";
    element("message").textContent = "";
    element("progress").removeAttribute("value");
    // On a phone, the view lies below the form.
    element("run").scrollIntoView({ block: "nearest" });
    worker.postMessage({ kind: "pack", request: packed });
  });
  element("cancel").addEventListener("click", () => worker.postMessage({ kind: "cancel" }));
  element("download").addEventListener("click", () => {
    const chosen = element("format").selectedOptions[0];
    askFile(chosen.value, chosen.dataset.extension);
  });
  element("report").addEventListener("click", () => askFile("html", "html"));
  element("save-table").addEventListener("click", () => save(packed.table, packed.sizes));
  element("file").addEventListener("change", () => useFile(element("file").files[0]));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => { event.preventDefault(); useFile(event.dataTransfer.files[0]); });
  for (const control of ["axis", "color"]) element(control).addEventListener("change", turnView);
  element("cut").addEventListener("input", turnView);
  window.addEventListener("resize", drawCurves);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawCurves);
  const bytes = readBytes("core");
  worker.postMessage({ kind: "load", bytes }, [bytes.buffer]);
  // For tests.
  window.jostle = { request, get viewer() { return viewer; } };
})();
