"use strict";

// Numbers of a few digits at round steps: 1, 2 and 5 times powers of ten.
function roundTicks(low, high, isLogarithmic, most = 6) {
  const ticks = [];
  if (isLogarithmic) {
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
      for (const digit of [1, 2, 5]) ticks.push(digit * 10 ** power);
    }
    const inside = ticks.filter((tick) => tick >= 0.999 * low && tick <= 1.001 * high);
    if (inside.length > most) return inside.filter((tick) => Number.isInteger(Math.round(1e6 * Math.log10(tick)) / 1e6));
    if (inside.length > 1) return inside;
    ticks.length = 0;
  }
  const rough = (high - low) / (most - 1), power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((digit) => digit * power >= 0.999 * rough);
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) ticks.push(k * step);
  return ticks;
}

const short = (value, digits = 3) => Number(Number(value).toPrecision(digits)).toString();

// Draws lines over axes. `x` and `y` are the ends of the axes; a line has points [x, y] and may be dashed.
function drawChart(canvas, { x: [low, high], y: [least, largest], isLogarithmic, label, lines, format = short }) {
  const density = Math.min(2, window.devicePixelRatio || 1);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  [canvas.width, canvas.height] = [width * density, height * density];
  const context = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
  context.scale(density, density);
  const [left, right, top, bottom] = [46, width - 14, 12, height - 36];
  const along = isLogarithmic ? Math.log : (value) => value;
  const at = (value) => left + ((along(value) - along(low)) / (along(high) - along(low))) * (right - left);
  const up = (value) => bottom - ((value - least) / (largest - least)) * (bottom - top);
  context.font = "12px system-ui, sans-serif";
  context.fillStyle = style.getPropertyValue("--muted");
  context.strokeStyle = style.getPropertyValue("--grid");
  const rule = (...ends) => { context.beginPath(); ends.forEach(([a, b], k) => (k ? context.lineTo(a, b) : context.moveTo(a, b))); context.stroke(); };
  context.textAlign = "right";
  for (const tick of roundTicks(least, largest, false)) {
    rule([left, up(tick)], [right, up(tick)]);
    context.fillText(format(tick), left - 6, up(tick) + 4);
  }
  context.textAlign = "center";
  for (const tick of roundTicks(low, high, isLogarithmic)) {
    rule([at(tick), top], [at(tick), bottom]);
    context.fillText(short(tick), at(tick), bottom + 16);
  }
  context.fillText(label, 0.5 * (left + right), bottom + 32);
  context.strokeStyle = style.getPropertyValue("--accent");
  context.lineWidth = 2;
  for (const { points, isDashed } of lines) {
    context.setLineDash(isDashed ? [6, 5] : []);
    rule(...points.map(([a, b]) => [at(a), up(b)]));
  }
}
