"use strict";

// A plane through the packing: the exact discs in which it cuts the spheres, and the sections of bodies.
class Slice {
  constructor(canvas, slider, axis, meta, spheres, bodies, tints) {
    Object.assign(this, { canvas, slider, axis, meta, spheres, bodies, tints, coloring: "size" });
    slider.addEventListener("input", () => this.draw());
    this.draw();
  }

  draw() {
    const { canvas, axis, meta, spheres } = this;
    const side = Math.max(1, Math.round(canvas.clientWidth * Math.min(2, window.devicePixelRatio || 1)));
    canvas.width = canvas.height = side;
    const context = canvas.getContext("2d");
    const [u, v] = [[1, 2], [0, 2], [0, 1]][axis];
    const scale = (0.94 * side) / Math.max(meta.lengths[u], meta.lengths[v]);
    const left = 0.5 * (side - scale * meta.lengths[u]), low = 0.5 * (side + scale * meta.lengths[v]);
    const at = Number(this.slider.value) * meta.lengths[axis], period = meta.lengths[axis];
    const tint = this.tints[this.coloring];
    context.clearRect(0, 0, side, side);
    for (let i = 0; i < spheres.count; i++) {
      const r = spheres.radius(i);
      let d = Math.abs(spheres.center(i, axis) - at);
      if (meta.periodic[axis]) d = Math.min(d, period - d);
      if (d >= r) continue;
      context.fillStyle = `rgb(${tint(i).join(",")})`;
      const disc = Math.sqrt(r * r - d * d) * scale;
      // Periodic images complete the discs at the edges.
      for (const x of this.images(spheres.center(i, u), r, u)) {
        for (const y of this.images(spheres.center(i, v), r, v)) {
          context.beginPath();
          context.arc(left + scale * x, low - scale * y, disc, 0, 2 * Math.PI);
          context.fill();
        }
      }
    }
    if (this.bodies.count > 0) this.fillBodies(context, at, (x, y) => [left + scale * x, low - scale * y]);
    const style = getComputedStyle(document.documentElement);
    context.strokeStyle = style.getPropertyValue("--muted");
    const border = this.border(at);
    if (!border) {
      context.strokeRect(left, low - scale * meta.lengths[v], scale * meta.lengths[u], scale * meta.lengths[v]);
      return;
    }
    context.beginPath();
    for (const [x, y] of border) context.lineTo(left + scale * x, low - scale * y);
    context.closePath();
    context.stroke();
  }

  // Fills the sections of bodies. Each edge of a section spans a triangle with the origin; the winding numbers of these triangles add up
  // to 1 inside a body.
  fillBodies(context, at, place) {
    const { axis } = this, { corners, count } = this.bodies;
    const [u, v] = [[1, 2], [0, 2], [0, 1]][axis];
    const origin = place(0, 0);
    context.beginPath();
    for (let first = 0; first < 9 * count; first += 9) {
      let up = null, down = null;
      for (let k = 0; k < 9; k += 3) {
        const a = first + k, b = first + ((k + 3) % 9);
        const below = corners[a + axis] - at, above = corners[b + axis] - at;
        if (below < 0 === above < 0) continue;
        const share = below / (below - above);
        const point = place(...[u, v].map((part) => corners[a + part] + share * (corners[b + part] - corners[a + part])));
        if (below < 0) up = point; else down = point;
      }
      if (!up) continue;
      context.moveTo(...origin);
      context.lineTo(...up);
      context.lineTo(...down);
      context.closePath();
    }
    context.fillStyle = `#${this.meta.body}`;
    context.fill("nonzero");
  }

  // The border of a container that is round about an axis, in the plane; null for other containers.
  border(at) {
    const rows = this.meta.profile, round = this.meta.round, steps = 120;
    if (rows.length === 0) return null;
    const height = this.meta.lengths[round], middle = 0.5 * this.meta.lengths[(round + 1) % 3];
    const radius = (z) => {
      let k = 1;
      while (k + 1 < rows.length && rows[k][0] < z) k++;
      const [[low, first], [high, last]] = [rows[k - 1], rows[k]];
      return first + (last - first) * Math.min(1, Math.max(0, (z - low) / (high - low)));
    };
    const shares = Array.from({ length: steps + 1 }, (_, k) => k / steps);
    if (this.axis === round) {
      const r = radius(at);
      return shares.map((share) => [middle + r * Math.cos(2 * Math.PI * share), middle + r * Math.sin(2 * Math.PI * share)]);
    }
    const half = (z) => Math.sqrt(Math.max(0, radius(z) ** 2 - (at - middle) ** 2));
    const heights = shares.map((share) => share * height).filter((z) => half(z) > 0);
    // The axis of the container is the second coordinate of the plane, unless it is x, or y in a plane across x.
    const isFirst = round === 0 || (round === 1 && this.axis === 0);
    const place = (x, z) => (isFirst ? [z, x] : [x, z]);
    return [...heights.map((z) => place(middle + half(z), z)), ...heights.reverse().map((z) => place(middle - half(z), z))];
  }

  images(x, r, axis) {
    const length = this.meta.lengths[axis];
    if (!this.meta.periodic[axis]) return [x];
    return [x, ...(x < r ? [x + length] : []), ...(x > length - r ? [x - length] : [])];
  }
}
