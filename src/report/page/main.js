"use strict";

// Connects the data, the view, the slices and the controls of the page.
(() => {
  const meta = JSON.parse(document.getElementById("meta").textContent);
  const spheres = readSpheres(meta, readBytes("spheres")), bodies = readBodies(meta, readBytes("bodies"));
  const colors = palette(meta);
  const tints = coloring(meta, spheres, colors);
  const element = (id) => document.getElementById(id);

  const isFlat = meta.lengths[2] === 0;
  const slices = (isFlat ? [] : [0, 1, 2]).map((axis) => new Slice(element(`slice${axis}`), element(`at${axis}`), axis, meta, spheres, bodies, tints));

  let viewer = null;
  try {
    viewer = isFlat
      ? new DiskView(element("canvas"), element("note"), meta, spheres, tints)
      : new Viewer(element("canvas"), meta, spheres, bodies, tints);
    if (!isFlat) decorate(viewer, element("over"), element("note"));
  } catch (error) {
    element("note").textContent = `No 3-D view: ${error.message}.`;
  }

  // The position of a slider, as a length.
  const show = (slider, axis) => {
    const text = `${brief(Number(element(slider).value) * meta.lengths[axis], 3)} ${meta.unit}`.trim();
    element(`${slider}-value`).textContent = text;
    element(slider).setAttribute("aria-valuetext", text);
  };
  slices.forEach((slice, axis) => {
    element(`at${axis}`).addEventListener("input", () => show(`at${axis}`, axis));
    show(`at${axis}`, axis);
    hoverSlice(slice, element("slice-note"));
  });
  const cut = () => {
    show("cut", Number(element("axis").value));
    if (!viewer) return;
    viewer.cut = { axis: Number(element("axis").value), share: Number(element("cut").value) };
    viewer.choose();
    viewer.draw();
  };
  if (!isFlat) {
    element("axis").addEventListener("change", cut);
    element("cut").addEventListener("input", cut);
  }
  offerComponents(element("color"), meta);
  element("color").addEventListener("change", () => {
    const coloring = element("color").value;
    for (const part of [viewer, ...slices]) if (part) part.coloring = coloring;
    if (viewer) { viewer.choose(); viewer.draw(); }
    slices.forEach((slice) => slice.draw());
    legend(coloring);
  });
  if (!isFlat) show("cut", 0);
  element("save").addEventListener("click", async () => {
    const { canvas } = viewer, layer = await asImage(element("over"), canvas.width, canvas.height);
    savePng("view.png", canvas.width, canvas.height, [canvas, layer]);
  });
  element("save").disabled = !viewer;
  const figures = element("figures");
  if (figures) equipFigures(JSON.parse(figures.textContent));
  window.addEventListener("resize", () => slices.forEach((slice) => slice.draw()));

  function legend(coloring) {
    [element("low").textContent, element("high").textContent] = drawLegend(element("bar"), meta, colors, coloring);
  }
  legend("size");
  // Paper is light.
  for (const [event, isPrinting] of [["beforeprint", true], ["afterprint", false]]) {
    window.addEventListener(event, () => {
      document.documentElement.classList.toggle("printing", isPrinting);
      if (viewer) viewer.render();
      slices.forEach((slice) => slice.draw());
    });
  }
  // For tests and for the curious.
  window.jostle = { meta, spheres, bodies, viewer, slices };
})();
