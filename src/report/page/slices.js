"use strict";

// A plane through the packing: the exact discs in which it cuts the spheres.
class Slice {
  constructor(canvas, slider, axis, meta, spheres, tints) {
    Object.assign(this, { canvas, slider, axis, meta, spheres, tints, colouring: "size" });
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
    const tint = this.tints[this.colouring];
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
    const style = getComputedStyle(document.documentElement);
    context.strokeStyle = style.getPropertyValue("--muted");
    context.strokeRect(left, low - scale * meta.lengths[v], scale * meta.lengths[u], scale * meta.lengths[v]);
  }

  images(x, r, axis) {
    const length = this.meta.lengths[axis];
    if (!this.meta.periodic[axis]) return [x];
    return [x, ...(x < r ? [x + length] : []), ...(x > length - r ? [x - length] : [])];
  }
}
