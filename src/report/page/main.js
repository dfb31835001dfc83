"use strict";

// Connects the data, the 3-D view, the slices and the controls of the page.
(() => {
  const meta = JSON.parse(document.getElementById("meta").textContent);
  const spheres = readSpheres(meta), bodies = readBodies(meta);
  const colors = palette(meta);
  const tints = coloring(meta, spheres, colors);
  const element = (id) => document.getElementById(id);

  const slices = [0, 1, 2].map((axis) => new Slice(element(`slice${axis}`), element(`at${axis}`), axis, meta, spheres, bodies, tints));

  let viewer = null;
  try {
    viewer = new Viewer(element("canvas"), meta, spheres, bodies, tints);
  } catch (error) {
    element("note").textContent = `No 3-D view: ${error.message}.`;
  }

  const cut = () => {
    if (!viewer) return;
    viewer.cut = { axis: Number(element("axis").value), share: Number(element("cut").value) };
    viewer.choose();
    viewer.draw();
  };
  element("axis").addEventListener("change", cut);
  element("cut").addEventListener("input", cut);
  if (meta.components.length) element("color").append(new Option("component", "component"));
  element("color").addEventListener("change", () => {
    const coloring = element("color").value;
    for (const part of [viewer, ...slices]) if (part) part.coloring = coloring;
    if (viewer) { viewer.choose(); viewer.draw(); }
    slices.forEach((slice) => slice.draw());
    legend(coloring);
  });
  window.addEventListener("resize", () => slices.forEach((slice) => slice.draw()));

  function legend(coloring) {
    const bar = element("bar"), context = bar.getContext("2d");
    [bar.width, bar.height] = [256, 1];
    const classes = { type: meta.classes.length, component: meta.components.length }[coloring];
    for (let x = 0; x < 256; x++) {
      const tint = classes ? colors.classes[Math.floor((x / 256) * classes) % colors.classes.length] : colors.at(x / 255);
      context.fillStyle = `rgb(${tint.join(",")})`;
      context.fillRect(x, 0, 1, 1);
    }
    const round = (value) => Number(value.toPrecision(3)).toString();
    const ends = {
      size: [`d = ${round(2 * meta.smallest)}`, `${round(2 * meta.largest)} ${meta.unit}`],
      contacts: ["0 contacts", `${meta.contacts}`],
      type: [meta.classes[0], meta.classes[meta.classes.length - 1]],
      component: [meta.components.join(", "), ""],
    }[coloring];
    [element("low").textContent, element("high").textContent] = ends;
  }
  legend("size");
  // For tests and for the curious.
  window.jostle = { meta, spheres, bodies, viewer, slices };
})();
