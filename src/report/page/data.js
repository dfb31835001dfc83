"use strict";

// Bytes that an element of the page holds in base 64.
function readBytes(id) {
  const text = atob(document.getElementById(id).textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// The triangles on the surfaces of bodies: nine coordinates of corners each, and nine parts of normals (ViewData of Rust).
function readBodies(meta, bytes) {
  const n = meta.triangles;
  return { count: n, corners: new Float32Array(bytes.buffer, 0, 9 * n), normals: new Int8Array(bytes.buffer, 36 * n, 9 * n) };
}

// The spheres: quantized positions and radii, classes, contact numbers and components (from 1; 0 for none), as ViewData of Rust has them.
function readSpheres(meta, bytes) {
  const n = meta.spheres;
  const numbers = new Uint16Array(bytes.buffer, 0, 4 * n);
  return {
    count: n,
    // x, y, z in 65535ths of the lengths of the container, and the radius in 65535ths of the largest radius.
    numbers,
    classes: bytes.subarray(8 * n, 9 * n),
    contacts: bytes.subarray(9 * n, 10 * n),
    components: bytes.subarray(10 * n, 11 * n),
    center(i, axis) { return (numbers[4 * i + axis] / 65535) * meta.lengths[axis]; },
    radius(i) { return (numbers[4 * i + 3] / 65535) * meta.largest; },
  };
}

// Colors from 0 to 255 for a share from 0 to 1 of the scale, or for a class.
function palette(meta) {
  const parse = (hex) => [0, 2, 4].map((at) => parseInt(hex.substr(at, 2), 16));
  const scale = meta.scale.match(/.{6}/g).map(parse);
  const classes = meta.categories.match(/.{6}/g).map(parse);
  return {
    scale,
    classes,
    none: parse(meta.none),
    at: (share) => scale[Math.max(0, Math.min(255, Math.round(255 * share)))],
  };
}

// The share of the color scale of each sphere, or its class, for a choice of "size", "contacts", "type" or "component".
function coloring(meta, spheres, colors) {
  const span = Math.log(meta.largest / meta.smallest);
  const most = Math.sqrt(Math.max(1, meta.contacts));
  return {
    size: (i) => colors.at(span > 0 ? Math.log(Math.max(1e-9, spheres.radius(i) / meta.smallest)) / span : 0.5),
    contacts: (i) => colors.at(Math.sqrt(spheres.contacts[i]) / most),
    type: (i) => colors.classes[spheres.classes[i] % colors.classes.length],
    component: (i) => {
      const number = spheres.components[i];
      return number ? colors.classes[(number - 1) % colors.classes.length] : colors.none;
    },
  };
}

// Offers the colors of components where there are any.
function offerComponents(select, meta) {
  const offered = [...select.options].find((option) => option.value === "component");
  if (meta.components.length > 0 && !offered) select.append(new Option("component", "component"));
  if (meta.components.length === 0 && offered) {
    if (offered.selected) select.value = "size";
    offered.remove();
  }
}

// Draws the color scale of a choice on a canvas, and returns texts for its ends.
function drawLegend(bar, meta, colors, coloring) {
  const context = bar.getContext("2d");
  [bar.width, bar.height] = [256, 1];
  const classes = { type: meta.classes.length, component: meta.components.length }[coloring];
  for (let x = 0; x < 256; x++) {
    const tint = classes ? colors.classes[Math.floor((x / 256) * classes) % colors.classes.length] : colors.at(x / 255);
    context.fillStyle = `rgb(${tint.join(",")})`;
    context.fillRect(x, 0, 1, 1);
  }
  const round = (value) => Number(value.toPrecision(3)).toString();
  return {
    size: [`d = ${round(2 * meta.smallest)}`, `${round(2 * meta.largest)} ${meta.unit}`],
    contacts: ["0 contacts", `${meta.contacts}`],
    type: [`d = ${meta.classes[0]}`, `${meta.classes[meta.classes.length - 1]} ${meta.unit}`],
    component: [meta.components.join(", "), ""],
  }[coloring];
}

// Calls the function of a key that is pressed over a canvas.
function listenToKeys(canvas, keys) {
  canvas.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  });
}
