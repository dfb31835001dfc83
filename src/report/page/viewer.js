"use strict";

// The 3-D view: each sphere is a square that the fragment shader turns into an exact sphere, cut by a plane.
const VERTEX = `#version 300 es
precision highp float;
in vec2 corner;
in vec4 sphere;   // position and radius, quantized
in vec3 tint;
uniform mat4 turn;      // from the packing to the camera
uniform mat4 project;   // from the camera to the screen
uniform vec3 lengths;
uniform float largest;
out vec3 center;
out vec3 place;
out float radius;
out vec3 color;
void main() {
  radius = sphere.w * largest;
  vec3 world = sphere.xyz * lengths;
  center = (turn * vec4(world, 1.0)).xyz;
  // The square touches the sphere on the side of the camera; perspective makes the visible disc a little wider.
  place = center + vec3(corner * radius * 1.25, radius);
  color = tint;
  gl_Position = project * vec4(place, 1.0);
}`;

// The brightness of a surface, from its normal and the direction from the camera.
const SHADE = `#version 300 es
precision highp float;
float shaded(vec3 normal, vec3 ray) {
  vec3 light = normalize(vec3(-0.35, 0.65, 0.7));
  float diffuse = max(dot(normal, light), 0.0);
  float sky = 0.5 + 0.5 * normal.y;
  float rim = 1.0 - 0.25 * pow(1.0 - max(dot(normal, -ray), 0.0), 2.0);
  return rim * (0.38 + 0.22 * sky + 0.48 * diffuse);
}
`;

const FRAGMENT = SHADE + `
in vec3 center;
in vec3 place;
in float radius;
in vec3 color;
uniform mat4 project;
uniform vec4 plane;     // in camera coordinates: points with dot(plane.xyz, p) > plane.w are cut away
out vec4 result;
void main() {
  vec3 ray = normalize(place);
  float along = dot(ray, center);
  float rest = radius * radius - dot(center, center) + along * along;
  if (rest < 0.0) discard;
  float near = along - sqrt(rest), far = along + sqrt(rest);
  vec3 hit = ray * near;
  vec3 normal = (hit - center) / radius;
  bool cut = dot(plane.xyz, hit) > plane.w;
  float shade;
  if (cut) {
    float slope = dot(plane.xyz, ray);
    if (slope >= 0.0) discard;
    float at = plane.w / slope;
    if (at < near || at > far) discard;
    hit = ray * at;
    // The cut has one brightness from every side.
    shade = 0.95;
    // A dark rim separates the discs of the cut.
    float height = dot(plane.xyz, center) - plane.w;
    float disc = sqrt(max(radius * radius - height * height, 0.0));
    if (disc - length(hit - center + plane.xyz * height) < 0.04 * radius) shade = 0.72;
  } else {
    shade = shaded(normal, ray);
  }
  result = vec4(color * shade, 1.0);
  vec4 clip = project * vec4(hit, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
}`;

const BODY_VERTEX = `#version 300 es
in vec3 point;
in vec3 normal;         // zero on a cut
uniform mat4 turn;
uniform mat4 project;
out vec3 place;
out vec3 outwards;
void main() {
  place = (turn * vec4(point, 1.0)).xyz;
  outwards = mat3(turn) * normal;
  gl_Position = project * vec4(place, 1.0);
}`;

const BODY_FRAGMENT = SHADE + `
in vec3 place;
in vec3 outwards;
uniform vec3 color;
uniform vec4 plane;
out vec4 result;
void main() {
  bool cut = outwards == vec3(0.0);
  if (!cut && dot(plane.xyz, place) > plane.w) discard;
  result = vec4(color * (cut ? 0.95 : shaded(normalize(outwards), normalize(place))), 1.0);
}`;

const LINE_VERTEX = `#version 300 es
in vec3 point;
uniform mat4 turn;
uniform mat4 project;
void main() { gl_Position = project * turn * vec4(point, 1.0); }`;

const LINE_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 color;
out vec4 result;
void main() { result = vec4(color, 1.0); }`;

class Viewer {
  constructor(canvas, meta, spheres, bodies, tints) {
    Object.assign(this, { canvas, meta, spheres, bodies, tints });
    this.coloring = "size";
    this.cut = { axis: 0, share: 1 };
    // From the corner of the largest coordinates, so that a cut faces the viewer.
    this.yaw = 2.2;
    this.pitch = 0.42;
    this.zoom = 1;
    this.gl = canvas.getContext("webgl2", { antialias: true, stencil: true, preserveDrawingBuffer: true });
    if (!this.gl) throw new Error("this browser has no WebGL 2");
    this.prepare();
    this.choose();
    this.listen();
    this.draw();
  }

  program(vertex, fragment) {
    const gl = this.gl;
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    return program;
  }

  prepare() {
    const gl = this.gl;
    this.balls = this.program(VERTEX, FRAGMENT);
    this.lines = this.program(LINE_VERTEX, LINE_FRAGMENT);
    const buffer = (data) => {
      const made = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, made);
      if (data) gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      return made;
    };
    const attribute = (program, name, size, type, normalized, divisor) => {
      const at = gl.getAttribLocation(program, name);
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, size, type, normalized, 0, 0);
      gl.vertexAttribDivisor(at, divisor);
    };
    this.ballArrays = gl.createVertexArray();
    gl.bindVertexArray(this.ballArrays);
    buffer(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]));
    attribute(this.balls, "corner", 2, gl.FLOAT, false, 0);
    this.numberBuffer = buffer(null);
    attribute(this.balls, "sphere", 4, gl.UNSIGNED_SHORT, true, 1);
    this.tintBuffer = buffer(null);
    attribute(this.balls, "tint", 3, gl.UNSIGNED_BYTE, true, 1);
    this.lineArrays = gl.createVertexArray();
    gl.bindVertexArray(this.lineArrays);
    this.outlineBuffer = buffer(new Float32Array(this.meta.outline));
    attribute(this.lines, "point", 3, gl.FLOAT, false, 0);
    this.prepareBodies(buffer, attribute);
    gl.enable(gl.DEPTH_TEST);
  }

  // Shows other spheres and bodies, in a container that may have another size.
  update(meta, spheres, bodies, tints) {
    const gl = this.gl;
    Object.assign(this, { meta, spheres, bodies, tints });
    this.measure();
    for (const [buffer, data] of [[this.cornerBuffer, bodies.corners], [this.normalBuffer, bodies.normals]]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.outlineBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(meta.outline), gl.DYNAMIC_DRAW);
    this.choose();
    this.draw();
  }

  // Determines the bounding box of bodies and container.
  measure() {
    const { corners, count } = this.bodies;
    const low = [0, 0, 0], high = [...this.meta.lengths];
    for (let i = 0; i < 9 * count; i++) {
      low[i % 3] = Math.min(low[i % 3], corners[i]);
      high[i % 3] = Math.max(high[i % 3], corners[i]);
    }
    this.extent = [low, high];
  }

  prepareBodies(buffer, attribute) {
    const gl = this.gl, { corners, normals } = this.bodies;
    this.measure();
    this.solids = this.program(BODY_VERTEX, BODY_FRAGMENT);
    this.bodyArrays = gl.createVertexArray();
    gl.bindVertexArray(this.bodyArrays);
    this.cornerBuffer = buffer(corners);
    attribute(this.solids, "point", 3, gl.FLOAT, false, 0);
    this.normalBuffer = buffer(normals);
    attribute(this.solids, "normal", 3, gl.BYTE, true, 0);
    // A rectangle in the cutting plane, without normals.
    this.cutArrays = gl.createVertexArray();
    gl.bindVertexArray(this.cutArrays);
    this.cutBuffer = buffer(null);
    attribute(this.solids, "point", 3, gl.FLOAT, false, 0);
  }

  // Chooses the spheres that may be visible: those near the surface of the packing, which come first, and those near the
  // cutting plane. Large packings stay fast, because hidden spheres are left out.
  choose() {
    const gl = this.gl, { meta, spheres } = this;
    const { axis, share } = this.cut;
    // In steps of the quantized numbers, which the loop compares without a function call.
    const all = spheres.numbers, radius = meta.largest / meta.lengths[axis];
    const isCut = share < 1, at = 65535 * share, reach = (65535 * meta.depth) / meta.lengths[axis];
    const chosen = new Uint32Array(spheres.count);
    let count = 0;
    for (let i = 0; i < spheres.count; i++) {
      const x = all[4 * i + axis];
      if (isCut && x - radius * all[4 * i + 3] > at) continue;
      if (i < meta.outer || (isCut && x > at - reach)) chosen[count++] = i;
    }
    const numbers = new Uint16Array(4 * count), tints = new Uint8Array(3 * count);
    const tint = this.tints[this.coloring];
    for (let slot = 0; slot < count; slot++) {
      const i = chosen[slot], color = tint(i);
      for (let part = 0; part < 4; part++) numbers[4 * slot + part] = all[4 * i + part];
      for (let part = 0; part < 3; part++) tints[3 * slot + part] = color[part];
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.numberBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.DYNAMIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.tintBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, tints, gl.DYNAMIC_DRAW);
    this.drawn = count;
  }

  // Returns the matrices of the camera, by columns.
  camera() {
    const { lengths } = this.meta;
    const size = Math.hypot(...lengths);
    const [sy, cy, sp, cp] = [Math.sin(this.yaw), Math.cos(this.yaw), Math.sin(this.pitch), Math.cos(this.pitch)];
    // Rows: to the right, up, towards the viewer. The z axis of the packing points up.
    const right = [cy, sy, 0], back = [sy * cp, -cy * cp, sp];
    const up = [back[1] * right[2] - back[2] * right[1], back[2] * right[0] - back[0] * right[2], back[0] * right[1] - back[1] * right[0]];
    const middle = lengths.map((length) => 0.5 * length);
    const distance = (1.75 * size) / this.zoom;
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const turn = [
      right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
      -dot(right, middle), -dot(up, middle), -dot(back, middle) - distance, 1,
    ];
    const [low, high] = this.extent;
    const reach = Math.max(0.75 * size, ...[low, high].map((corner) => Math.hypot(...corner.map((x, k) => x - middle[k]))));
    const near = Math.max(0.02 * size, distance - reach), far = distance + reach;
    const aspect = this.canvas.width / this.canvas.height;
    const f = 1 / Math.tan(0.29), fit = Math.min(1, aspect);
    const project = [
      (f * fit) / aspect, 0, 0, 0, 0, f * fit, 0, 0,
      0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0,
    ];
    const { axis, share } = this.cut;
    const normal = [right[axis], up[axis], back[axis]];
    const base = [turn[12], turn[13], turn[14]];
    const offset = share < 1 ? share * lengths[axis] + dot(normal, base) : 1e30;
    return { turn, project, plane: [...normal, offset] };
  }

  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.render(); });
  }

  render() {
    const gl = this.gl, canvas = this.canvas;
    const density = Math.min(2, window.devicePixelRatio || 1);
    const [width, height] = [canvas.clientWidth * density, canvas.clientHeight * density].map(Math.round);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    const style = getComputedStyle(document.documentElement);
    const paper = rgb(style.getPropertyValue("--raised")), ink = rgb(style.getPropertyValue("--muted"));
    gl.viewport(0, 0, width, height);
    gl.clearColor(...paper, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    const { turn, project, plane } = this.camera();
    gl.useProgram(this.balls);
    const at = (program, name) => gl.getUniformLocation(program, name);
    gl.uniformMatrix4fv(at(this.balls, "turn"), false, turn);
    gl.uniformMatrix4fv(at(this.balls, "project"), false, project);
    gl.uniform3fv(at(this.balls, "lengths"), this.meta.lengths);
    gl.uniform1f(at(this.balls, "largest"), this.meta.largest);
    gl.uniform4fv(at(this.balls, "plane"), plane);
    gl.bindVertexArray(this.ballArrays);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.drawn);
    if (this.bodies.count > 0) this.renderBodies(turn, project, plane);
    gl.useProgram(this.lines);
    gl.uniformMatrix4fv(at(this.lines, "turn"), false, turn);
    gl.uniformMatrix4fv(at(this.lines, "project"), false, project);
    gl.uniform3fv(at(this.lines, "color"), ink);
    gl.bindVertexArray(this.lineArrays);
    gl.drawArrays(gl.LINES, 0, this.meta.outline.length / 3);
    if (this.onDrawn) this.onDrawn();
  }

  renderBodies(turn, project, plane) {
    const gl = this.gl;
    const at = (name) => gl.getUniformLocation(this.solids, name);
    const draw = () => { gl.bindVertexArray(this.bodyArrays); gl.drawArrays(gl.TRIANGLES, 0, 3 * this.bodies.count); };
    gl.useProgram(this.solids);
    gl.uniformMatrix4fv(at("turn"), false, turn);
    gl.uniformMatrix4fv(at("project"), false, project);
    gl.uniform4fv(at("plane"), plane);
    gl.uniform3fv(at("color"), rgb(this.meta.body));
    draw();
    const { axis, share } = this.cut;
    if (share >= 1) return;
    // Where the line of sight leaves bodies more often than it enters them behind the plane, the plane is inside a body.
    gl.enable(gl.STENCIL_TEST);
    gl.disable(gl.DEPTH_TEST);
    gl.depthMask(false);
    gl.colorMask(false, false, false, false);
    gl.stencilFunc(gl.ALWAYS, 0, 255);
    gl.stencilOpSeparate(gl.BACK, gl.KEEP, gl.KEEP, gl.INCR_WRAP);
    gl.stencilOpSeparate(gl.FRONT, gl.KEEP, gl.KEEP, gl.DECR_WRAP);
    draw();
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.colorMask(true, true, true, true);
    gl.stencilFunc(gl.NOTEQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    const corners = [0, 1, 2, 3].flatMap((number) => {
      const corner = [0, 0, 0];
      corner[axis] = share * this.meta.lengths[axis];
      [corner[u], corner[v]] = [this.extent[number & 1][u], this.extent[number >> 1][v]];
      return corner;
    });
    gl.bindVertexArray(this.cutArrays);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.cutBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(corners), gl.DYNAMIC_DRAW);
    gl.vertexAttrib3f(gl.getAttribLocation(this.solids, "normal"), 0, 0, 0);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.disable(gl.STENCIL_TEST);
  }

  rotate(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = Math.max(-1.55, Math.min(1.55, this.pitch + pitch));
    this.draw();
  }

  scale(factor) {
    this.zoom = Math.max(0.4, Math.min(12, this.zoom * factor));
    this.draw();
  }

  listen() {
    const canvas = this.canvas;
    let last = null;
    canvas.addEventListener("pointerdown", (event) => { last = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
    // Where a finger scrolls the page, the browser cancels the pointer.
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, () => { last = null; });
    canvas.addEventListener("pointermove", (event) => {
      if (!last) return;
      this.rotate(-0.008 * (event.clientX - last[0]), 0.008 * (event.clientY - last[1]));
      last = [event.clientX, event.clientY];
    });
    // A page scrolls over the view until a click or the tabulator key chooses it.
    canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== canvas && !event.ctrlKey) return;
      event.preventDefault();
      this.scale(Math.exp(-0.001 * event.deltaY));
    }, { passive: false });
    listenToKeys(canvas, {
      ArrowLeft: () => this.rotate(-0.1, 0), ArrowRight: () => this.rotate(0.1, 0),
      ArrowUp: () => this.rotate(0, 0.1), ArrowDown: () => this.rotate(0, -0.1),
      "+": () => this.scale(1.2), "=": () => this.scale(1.2), "-": () => this.scale(1 / 1.2),
    });
    window.addEventListener("resize", () => this.draw());
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    window.addEventListener("beforeprint", () => this.render());
  }
}

// Returns a color #rrggbb as numbers from 0 to 1.
function rgb(text) {
  const hex = text.trim().replace("#", "");
  return [0, 2, 4].map((at) => parseInt(hex.substr(at, 2), 16) / 255);
}
