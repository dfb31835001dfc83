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
  // The shapes: the lengths of a container of given size, the ratios of the smallest one with their first values, the boundaries, of which
  // the first one is that of the library, and the bodies that fit.
  const SPACE = { sphere: ["d"], box: ["lx", "ly", "lz"], cylinder: ["d", "h"] }, PLANE = { circle: ["d"], rectangle: ["lx", "ly"] };
  const SHAPES = {
    box: { lengths: ["lx", "ly", "lz"], boundaries: { "": "periodic", ppw: "walls along z", www: "walls" }, bodies: SPACE },
    cylinder: {
      lengths: ["d", "h"], ratios: { aspect: ["Height over diameter", 1] }, boundaries: { "": "walls", p: "periodic along z" }, bodies: SPACE,
    },
    sphere: { lengths: ["d"], bodies: SPACE },
    cone: {
      lengths: ["d_bottom", "d_top", "h"], ratios: { taper: ["Upper over lower diameter", 0.5], aspect: ["Height over diameter", 1] }, bodies: SPACE,
    },
    rectangle: {
      lengths: ["lx", "ly"], ratios: { aspect: ["Height over width", 1] }, boundaries: { "": "periodic", pw: "walls along y", ww: "walls" },
      bodies: PLANE,
    },
    circle: { lengths: ["d"], bodies: PLANE },
  };
  const NAMES = { lx: "Length along x", ly: "Length along y", lz: "Length along z", d: "Diameter", h: "Height", d_bottom: "Lower diameter", d_top: "Upper diameter" };
  const NOTES = {
    space: "Drag or arrow keys turn, + and − zoom, after a click also the wheel.",
    plane: "Drag or arrow keys move, + and − zoom, after a click also the wheel. Point at a disk for its numbers.",
  };
  // Pictures of the packing, besides the formats of the library.
  const PICTURES = [["png", "png", true, "picture"], ["html", "html", true, "report"]];

  let isLoaded = false, viewer = null, views = {}, tableName = "sizes.csv", number = 0, shown = null, course = [], expected = null, packed = null;
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

  const shape = () => SHAPES[element("shape").value];
  const isFlat = () => shape().bodies === PLANE;
  const isGiven = () => element("size").value === "given";

  // Fields of the chosen shape: its lengths, or the ratios of its smallest container.
  function shapeFields() {
    const { lengths, ratios = {}, boundaries = {}, bodies } = shape();
    // The expected size of the packing.
    const side = shown ? Number(shown.side.toPrecision(2)) : 20;
    const length = (name) => [name, NAMES[name], name === "d_top" ? 0.5 * side : side];
    const rows = isGiven() ? lengths.map(length) : Object.entries(ratios).map(([name, [label, first]]) => [name, label, first]);
    const fields = rows.map(([name, label, value]) => {
      const field = document.createElement("label"), input = document.createElement("input");
      Object.assign(input, { type: "number", min: 0, step: "any", value, name });
      field.append(label, input);
      return field;
    });
    element("shape-fields").replaceChildren(...fields);
    element("boundary").replaceChildren(...Object.entries(boundaries).map(([value, label]) => new Option(label, value)));
    element("boundary-field").hidden = !element("boundary").length;
    element("body").replaceChildren(...Object.keys(bodies).map((name) => new Option(name)));
    element("bodies").replaceChildren();
  }

  // A given container is filled, unless a number is given, too.
  function chooseSize() {
    element("number").value = isGiven() ? "" : 5000;
    element("number").placeholder = isGiven() ? "as many as fit" : "10000";
    shapeFields();
  }

  // The lengths or ratios of the shape, by name.
  const measures = () => Object.fromEntries([...element("shape-fields").querySelectorAll("input")].map((input) => [input.name, input.value]));
  const written = (name, fields) => [name, Object.entries(fields).map(([key, value]) => `${key}=${value}`).join(",")].filter(Boolean).join(":");

  function container() {
    const name = element("shape").value, boundary = element("boundary").value;
    return {
      ...(name === "box" && !isGiven() ? {} : { container: written(name, measures()) }),
      ...(boundary ? { boundary } : {}),
      ...(isGiven() && element("bodies").children.length ? { keep_out: bodies().map((input) => input.value.trim()) } : {}),
    };
  }

  const bodies = () => [...element("bodies").querySelectorAll("input")];

  // Adds a body in the middle of the container, a third as large.
  function addBody() {
    const name = element("body").value, of = measures(), width = of.d || of.d_bottom;
    const lengths = [of.lx || width, of.ly || width, ...(isFlat() ? [] : [of.lz || of.h || width])].map(Number);
    const size = Math.min(...lengths) / 3;
    const fields = Object.fromEntries(shape().bodies[name].map((key) => [key, short(size)]));
    const row = document.createElement("div"), input = document.createElement("input"), remove = document.createElement("button");
    row.className = "row";
    Object.assign(input, { type: "text", spellcheck: false, value: `${written(name, fields)}@${lengths.map((length) => short(length / 2)).join(",")}` });
    input.setAttribute("aria-label", "Body that keeps spheres out");
    Object.assign(remove, { type: "button", textContent: "×" });
    remove.setAttribute("aria-label", "Remove this body");
    remove.addEventListener("click", () => { row.remove(); ask(); });
    row.append(input, remove);
    element("bodies").append(row);
    ask();
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
    if (wanted.keep_out) {
      words.push(...wanted.keep_out.map((body) => `--keep-out ${quoted(body)}`));
      python.push(`keep_out=${JSON.stringify(wanted.keep_out)}`);
    }
    // Lines break between words, not at their hyphens.
    element("command").replaceChildren(...words.flatMap((word) => {
      const made = document.createElement("span");
      made.textContent = word;
      return [made, " "];
    }));
    element("python").textContent = `jostle.pack(${python.join(", ")})`;
  }

  function quoted(word) {
    return /^[A-Za-z0-9_.,:=/+%@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  }

  function show(kind, attribute) {
    for (const part of document.querySelectorAll(`[data-${attribute}]`)) part.hidden = !part.dataset[attribute].split(" ").includes(kind);
  }

  function showChosen() {
    show(element("kind").value, "kind");
    show(element("size").value, "size");
  }

  // Asks for the preview of the request, once the user pauses.
  let timer = 0;
  function ask() {
    showChosen();
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
      `${Math.round(preview.spheres)} ${isFlat() ? "disks" : "spheres"}`,
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

  function showView({ meta, spheres: bytes, bodies: triangles }) {
    const spheres = readSpheres(meta, bytes), bodies = readBodies(meta, triangles), tints = coloring(meta, spheres, palette(meta));
    offerComponents(element("color"), meta);
    const of = meta.lengths[2] === 0 ? "plane" : "space", earlier = viewer;
    [element("canvas").hidden, element("plane").hidden] = [of === "plane", of === "space"];
    show(of, "view");
    viewer = views[of];
    if (viewer) {
      viewer.coloring = element("color").value;
      if (of === "plane") viewer.update(meta, spheres, tints);
      else viewer.update(meta, spheres, bodies, tints);
    } else {
      try {
        viewer = views[of] = of === "plane"
          ? new DiskView(element("plane"), element("note"), meta, spheres, tints)
          : new Viewer(element("canvas"), meta, spheres, bodies, tints);
        turnView();
      } catch (error) {
        element("note").textContent = `No 3-D view: ${error.message}.`;
        return;
      }
    }
    if (viewer !== earlier) element("note").textContent = NOTES[of];
    element("note").classList.toggle("below", of === "plane");
    showLegend();
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
    const [them, measure] = result.lengths[2] === 0 ? ["disks", lengths.replace(/ × 0$/, "")] : ["spheres", lengths];
    const isMet = packed.fraction === undefined || result.fraction > packed.fraction * (1 - 1e-6);
    element("certificate").textContent =
      (isMet ? "" : `The requested packing fraction ${packed.fraction} was not reached. `) +
      `${result.spheres} ${them} fill ${(100 * result.fraction).toFixed(2)} % of a container of ${measure}${unit}. ` +
      (result.overlap === 0 ? `No two ${them} overlap: checked in double precision.` : `The largest overlap is ${result.overlap}${unit}.`) +
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
      for (const [name, extension, isFlat, label = name] of [...choices.formats, ...PICTURES]) {
        Object.assign(option(element("format"), name, `${label} (.${extension})`).dataset, { extension, ...(isFlat ? { flat: "" } : {}) });
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
  chooseSize();
  showChosen();
  element("shape").addEventListener("change", shapeFields);
  element("size").addEventListener("change", chooseSize);
  element("add-body").addEventListener("click", addBody);
  element("law").addEventListener("change", lawFields);
  element("request").addEventListener("input", ask);
  element("request").addEventListener("change", ask);
  element("request").addEventListener("submit", (event) => {
    event.preventDefault();
    packed = request();
    commands(packed);
    isPacking(true);
    [course, expected] = [[], shown && shown.expected];
    const flat = isFlat();
    element("spheres-name").textContent = flat ? "disks" : "spheres";
    for (const made of element("format").options) made.hidden = made.disabled = flat && made.dataset.flat === undefined;
    if (element("format").selectedOptions[0].disabled) element("format").selectedIndex = 0;
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
