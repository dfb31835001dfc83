"use strict";

// The tools around the pictures of the page: axes and scale of the view, values at the pointer, and files to download.

const SVG = "http://www.w3.org/2000/svg";

// Returns a length of 1, 2 or 5 times a power of ten, at most `length`.
function roundLength(length) {
  const decade = 10 ** Math.floor(Math.log10(length));
  return [5, 2, 1].map((factor) => factor * decade).find((value) => value <= length * (1 + 1e-9)) ?? decade;
}

// Returns a number with a few digits.
function brief(value, digits = 4) { return Number(value.toPrecision(digits)).toString(); }

// Returns the sphere that the view shows at a point of its canvas, in its coordinates from 0 to 1; -1 for none.
function sphereAt(viewer, across, down) {
  const { meta, spheres } = viewer, { turn, project } = viewer.camera();
  const eyeRay = [(2 * across - 1) / project[0], (1 - 2 * down) / project[5], -1];
  // The columns of `turn` are the axes of the packing; its rows turn directions of the camera back.
  const back = (v) => [0, 1, 2].map((k) => turn[4 * k] * v[0] + turn[4 * k + 1] * v[1] + turn[4 * k + 2] * v[2]);
  const ray = back(eyeRay), length = Math.hypot(...ray), direction = ray.map((x) => x / length);
  const eye = back([-turn[12], -turn[13], -turn[14]]);
  const { axis, share } = viewer.cut, plane = share < 1 ? share * meta.lengths[axis] : Infinity;
  let best = Infinity, found = -1;
  for (let i = 0; i < spheres.count; i++) {
    const r = spheres.radius(i);
    const x = spheres.center(i, 0) - eye[0], y = spheres.center(i, 1) - eye[1], z = spheres.center(i, 2) - eye[2];
    const along = x * direction[0] + y * direction[1] + z * direction[2];
    const rest = r * r - (x * x + y * y + z * z - along * along);
    if (rest < 0) continue;
    const half = Math.sqrt(rest);
    let at = along - half;
    if (eye[axis] + at * direction[axis] > plane) {
      if (direction[axis] >= 0) continue;
      at = (plane - eye[axis]) / direction[axis];
      if (at < along - half || at > along + half) continue;
    }
    if (at > 0 && at < best) { best = at; found = i; }
  }
  return found;
}

// Returns the words about a sphere.
function sphereWords(meta, spheres, i) {
  const unit = meta.unit ? ` ${meta.unit}` : "";
  const center = [0, 1, 2].map((axis) => brief(spheres.center(i, axis))).join(", ");
  const contacts = spheres.contacts[i];
  return `d = ${brief(2 * spheres.radius(i))}${unit}, center (${center})${unit}, ${contacts} contact${contacts === 1 ? "" : "s"}`;
}

// Draws the axes and a scale bar over the view, and tells about the sphere at the pointer.
function decorate(viewer, drawing, note) {
  const { canvas, meta } = viewer, idle = note.textContent;
  const element = (name, attributes, text) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    drawing.append(made);
  };
  const earlier = viewer.onDrawn;
  viewer.onDrawn = () => {
    if (earlier) earlier();
    const { turn, project } = viewer.camera(), width = canvas.clientWidth, height = canvas.clientHeight;
    drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    drawing.replaceChildren();
    const [x, y] = [width - 52, 52];
    const axes = [0, 1, 2].map((k) => ({ name: "xyz"[k], right: turn[4 * k], up: turn[4 * k + 1], near: turn[4 * k + 2] }));
    for (const { name, right, up } of axes.sort((a, b) => a.near - b.near)) {
      element("line", { x1: x, y1: y, x2: x + 30 * right, y2: y - 30 * up, "stroke-width": 2 });
      element("text", { x: x + 41 * right, y: y - 41 * up + 4, "text-anchor": "middle" }, name);
    }
    // Pixels of a length at the middle of the container.
    const middle = meta.lengths.map((length) => 0.5 * length);
    const depth = -(turn[2] * middle[0] + turn[6] * middle[1] + turn[10] * middle[2] + turn[14]);
    const pixels = (0.5 * height * project[5]) / depth;
    const length = roundLength(Math.min(130, 0.3 * width) / pixels), right = width - 18, low = height - 16;
    element("path", { d: `M${right - length * pixels} ${low - 5}v5H${right}v-5`, fill: "none", "stroke-width": 2 });
    element("text", { x: right - 0.5 * length * pixels, y: low - 8, "text-anchor": "middle" }, `${brief(length)} ${meta.unit}`.trim());
  };
  let pointer = null;
  const tell = () => {
    if (!pointer) return;
    const found = sphereAt(viewer, ...pointer);
    pointer = null;
    note.textContent = found < 0 ? idle : sphereWords(meta, viewer.spheres, found);
  };
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons) return;
    if (!pointer) requestAnimationFrame(tell);
    pointer = [event.offsetX / canvas.clientWidth, event.offsetY / canvas.clientHeight];
  });
  canvas.addEventListener("pointerleave", () => { note.textContent = idle; });
  viewer.draw();
}

// Tells about the sphere of a slice at the pointer.
function hoverSlice(slice, note) {
  const idle = note.textContent, { canvas, axis, meta, spheres } = slice;
  const [u, v] = [[1, 2], [0, 2], [0, 1]][axis];
  canvas.addEventListener("pointermove", (event) => {
    const side = canvas.clientWidth, scale = (0.94 * side) / Math.max(meta.lengths[u], meta.lengths[v]);
    const x = (event.offsetX - 0.5 * side) / scale + 0.5 * meta.lengths[u];
    const y = 0.5 * meta.lengths[v] - (event.offsetY - 0.5 * side) / scale;
    const at = Number(slice.slider.value) * meta.lengths[axis];
    const far = (i, part, position) => {
      const d = Math.abs(spheres.center(i, part) - position);
      return meta.periodic[part] ? Math.min(d, meta.lengths[part] - d) : d;
    };
    let found = -1;
    for (let i = 0; i < spheres.count && found < 0; i++) {
      const r = spheres.radius(i), d = far(i, axis, at);
      if (d < r && Math.hypot(d, far(i, u, x), far(i, v, y)) < r) found = i;
    }
    note.textContent = found < 0 ? idle : sphereWords(meta, spheres, found);
  });
  canvas.addEventListener("pointerleave", () => { note.textContent = idle; });
}

// Offers a file of some content.
function download(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Returns an SVG element as an image, with the colors of the page.
function asImage(svg, width, height) {
  const style = getComputedStyle(document.documentElement), copy = svg.cloneNode(true);
  copy.setAttribute("xmlns", SVG);
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const { stroke, fill } = getComputedStyle(svg);
  copy.setAttribute("style", `font-family: sans-serif; font-size: ${getComputedStyle(svg).fontSize}; stroke: ${svg.id ? stroke : "none"}; fill: ${fill}`);
  for (const text of svg.id ? copy.querySelectorAll("text") : []) text.setAttribute("stroke", "none");
  const text = new XMLSerializer().serializeToString(copy).replace(/var\((--\w+)\)/g, (_, name) => style.getPropertyValue(name).trim());
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error("the picture cannot be drawn"));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
}

// Saves pictures on top of each other as one PNG file.
async function savePng(name, width, height, layers) {
  const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
  [canvas.width, canvas.height] = [width, height];
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--paper");
  context.fillRect(0, 0, width, height);
  for (const layer of layers) context.drawImage(layer, 0, 0, width, height);
  canvas.toBlob((content) => download(name, content));
}

// Returns the numbers of a figure as a table.
function figureCsv(figure) {
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  const rows = [["series", figure.x.label, figure.y.label, "error"]];
  for (const { label, points } of figure.series) {
    for (const [x, y, error] of points) rows.push([label, figure.groups.length ? figure.groups[x] : x, y, error || ""]);
  }
  return rows.map((row) => row.map((cell) => quoted(String(cell))).join(",")).join("\n") + "\n";
}

// Adds the buttons of the figures.
function equipFigures(figures) {
  document.querySelectorAll(".figures figure").forEach((frame, number) => {
    const figure = figures[number], svg = frame.querySelector("svg");
    const name = figure.title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
    const button = (label, act) => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = label;
      made.setAttribute("aria-label", `${label} of the figure ${figure.title}`);
      made.addEventListener("click", act);
      frame.querySelector("figcaption").append(made);
    };
    button("PNG", async () => savePng(`${name}.png`, 1440, 960, [await asImage(svg, 1440, 960)]));
    button("CSV", () => download(`${name}.csv`, new Blob([figureCsv(figure)], { type: "text/csv" })));
  });
}
