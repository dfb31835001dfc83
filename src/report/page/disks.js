"use strict";

// The view of disks: they can be moved, zoomed and pointed at.
class DiskView {
  constructor(canvas, note, meta, spheres, tints) {
    Object.assign(this, { canvas, note, meta, spheres, tints, coloring: "size", zoom: 1, pointed: -1 });
    this.middle = [0.5 * meta.lengths[0], 0.5 * meta.lengths[1]];
    this.listen();
    this.tell();
    this.draw();
  }

  // All disks are drawn.
  choose() { this.drawn = this.spheres.count; }

  // Shows other disks, in a container that may have another size.
  update(meta, spheres, tints) {
    this.middle = this.middle.map((value, axis) => (value / this.meta.lengths[axis]) * meta.lengths[axis]);
    Object.assign(this, { meta, spheres, tints, pointed: -1 });
    this.draw();
  }

  // Pixels for each unit of length.
  scale() {
    const { lengths } = this.meta;
    return 0.96 * this.zoom * Math.min(this.canvas.width / lengths[0], this.canvas.height / lengths[1]);
  }

  // The point of the packing below a pointer.
  point(event) {
    const box = this.canvas.getBoundingClientRect(), density = this.canvas.width / box.width, scale = this.scale();
    const right = density * (event.clientX - box.left) - 0.5 * this.canvas.width;
    const down = density * (event.clientY - box.top) - 0.5 * this.canvas.height;
    return [this.middle[0] + right / scale, this.middle[1] - down / scale];
  }

  // Shifts that bring a disk and its periodic images into the container.
  shifts(x, r, axis) {
    const length = this.meta.lengths[axis];
    if (!this.meta.periodic[axis]) return [0];
    return [0, ...(x < r ? [length] : []), ...(x > length - r ? [-length] : [])];
  }

  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.render(); });
  }

  render() {
    const { canvas, meta, spheres } = this;
    const density = Math.min(2, window.devicePixelRatio || 1);
    canvas.width = Math.round(canvas.clientWidth * density);
    canvas.height = Math.round(canvas.clientHeight * density);
    const context = canvas.getContext("2d"), scale = this.scale();
    const left = 0.5 * canvas.width - scale * this.middle[0], low = 0.5 * canvas.height + scale * this.middle[1];
    const place = (x, y) => [left + scale * x, low - scale * y];
    const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue("--ink");
    context.save();
    context.beginPath();
    context.rect(...place(0, meta.lengths[1]), scale * meta.lengths[0], scale * meta.lengths[1]);
    context.clip();
    context.fillStyle = `#${meta.body}`;
    for (const body of meta.rings) {
      context.beginPath();
      for (const ring of body) {
        ring.forEach((point, k) => (k ? context.lineTo(...place(...point)) : context.moveTo(...place(...point))));
        context.closePath();
      }
      context.fill("evenodd");
    }
    const tint = this.tints[this.coloring];
    for (let i = 0; i < spheres.count; i++) {
      const r = spheres.radius(i), disc = scale * r;
      const [x, y] = [spheres.center(i, 0), spheres.center(i, 1)];
      for (const dx of this.shifts(x, r, 0)) for (const dy of this.shifts(y, r, 1)) {
        const [right, down] = place(x + dx, y + dy);
        if (right < -disc || right > canvas.width + disc || down < -disc || down > canvas.height + disc) continue;
        context.fillStyle = `rgb(${tint(i).join(",")})`;
        // Disks of a pixel look the same as squares, which are faster.
        if (disc < 0.75) { context.fillRect(right - disc, down - disc, 2 * disc, 2 * disc); continue; }
        context.beginPath();
        context.arc(right, down, disc, 0, 2 * Math.PI);
        context.fill();
        if (i !== this.pointed) continue;
        context.lineWidth = 2 * density;
        context.strokeStyle = ink;
        context.stroke();
      }
    }
    context.restore();
    context.lineWidth = density;
    context.strokeStyle = style.getPropertyValue("--muted");
    context.beginPath();
    for (let k = 0; k < meta.outline.length; k += 6) {
      context.moveTo(...place(meta.outline[k], meta.outline[k + 1]));
      context.lineTo(...place(meta.outline[k + 3], meta.outline[k + 4]));
    }
    context.stroke();
    if (this.onDrawn) this.onDrawn();
  }

  // The disk at a point; -1 between disks.
  at([x, y]) {
    const { meta, spheres } = this;
    for (let i = 0; i < spheres.count; i++) {
      const distance = [x, y].map((value, axis) => {
        const d = Math.abs(value - spheres.center(i, axis));
        return meta.periodic[axis] ? Math.min(d, meta.lengths[axis] - d) : d;
      });
      if (Math.hypot(...distance) < spheres.radius(i)) return i;
    }
    return -1;
  }

  // Shows the numbers of the disk that is pointed at.
  tell() {
    const { meta, spheres, pointed: i } = this;
    if (i < 0) { this.note.textContent = "Drag or arrow keys move, + and − zoom, after a click also the wheel. Point at a disk for its numbers."; return; }
    const round = (value) => Number(value.toPrecision(4)).toString();
    const center = [0, 1].map((axis) => round(spheres.center(i, axis))).join(", ");
    this.note.textContent =
      `diameter ${round(2 * spheres.radius(i))} ${meta.unit}, center ${center}, contacts ${spheres.contacts[i]}, class ${meta.classes[spheres.classes[i]]}`;
  }

  move(right, up) {
    this.middle = [this.middle[0] + right, this.middle[1] + up];
    this.draw();
  }

  enlarge(factor) {
    this.zoom = Math.max(0.5, Math.min(2000, this.zoom * factor));
    this.draw();
  }

  listen() {
    const { canvas } = this;
    let last = null;
    canvas.addEventListener("pointerdown", (event) => { last = this.point(event); canvas.setPointerCapture(event.pointerId); });
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, () => { last = null; });
    canvas.addEventListener("pointerleave", () => this.choosePointed(-1));
    canvas.addEventListener("pointermove", (event) => {
      const at = this.point(event);
      if (!last) { this.choosePointed(this.at(at)); return; }
      this.move(last[0] - at[0], last[1] - at[1]);
    });
    // A page scrolls over the view until a click or the tabulator key chooses it.
    canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== canvas && !event.ctrlKey) return;
      event.preventDefault();
      // The point below the pointer stays there.
      const before = this.point(event);
      this.enlarge(Math.exp(-0.0015 * event.deltaY));
      const after = this.point(event);
      this.move(before[0] - after[0], before[1] - after[1]);
    }, { passive: false });
    const step = (right, up) => () => { const at = (0.1 * canvas.height) / this.scale(); this.move(at * right, at * up); };
    listenToKeys(canvas, {
      ArrowLeft: step(-1, 0), ArrowRight: step(1, 0), ArrowUp: step(0, 1), ArrowDown: step(0, -1),
      "+": () => this.enlarge(1.2), "=": () => this.enlarge(1.2), "-": () => this.enlarge(1 / 1.2),
    });
    window.addEventListener("resize", () => this.draw());
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    window.addEventListener("beforeprint", () => this.render());
  }

  choosePointed(id) {
    if (id === this.pointed) return;
    this.pointed = id;
    this.tell();
    this.draw();
  }
}
