// Flip: how different two pictures look to people, for the heat map. Source: Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström,
// Fairchild, "FLIP: A Difference Evaluator for Alternating Images", 2020 (LDR-FLIP at 67 pixels a degree). Written from the paper.

const FLIP_PPD = 67;

/** Linear RGB (D65) to Lab; XYZ is divided by the white point. */
const WHITE = [0.950428545, 1, 1.088900371];
const TO_XYZ = [[0.412390799, 0.357584339, 0.180480788], [0.212639006, 0.715168679, 0.072192315], [0.019330819, 0.119194780, 0.950532152]];
const TO_RGB = [[3.240969942, -1.537383178, -0.498610760], [-0.969243636, 1.875967502, 0.041555057], [0.055630080, -0.203976959, 1.056971514]];

function xyzOf(r, g, b) {
  return TO_XYZ.map((row, at) => (row[0] * r + row[1] * g + row[2] * b) / WHITE[at]);
}

const bend = (t) => (t > 216 / 24389 ? Math.cbrt(t) : (841 / 108) * t + 4 / 29);

function huntLab(r, g, b) {
  const [x, y, z] = xyzOf(r, g, b).map(bend);
  const lightness = 116 * y - 16;
  // Hunt: colours look weaker in the dark.
  return [lightness, 0.01 * lightness * 500 * (x - y), 0.01 * lightness * 200 * (y - z)];
}

const hyab = (p, q) => Math.abs(p[0] - q[0]) + Math.hypot(p[1] - q[1], p[2] - q[2]);

/** Gaussians of the eye's contrast sensitivity as kernels of one row: [weight, spread] pairs, of Y, Cx and Cz. */
const SENSITIVITY = [[[1, 0.0047]], [[1, 0.0053]], [[34.1, 0.04], [13.5, 0.025]]];

function sensitivityRadius() {
  return Math.ceil(3 * Math.sqrt(0.04 / (2 * Math.PI ** 2)) * FLIP_PPD);
}

/** Both parts of a sum of two Gaussians are separable by themselves: e^(-pi^2 x^2 / b). */
function gaussian(spread, radius) {
  return Float32Array.from({ length: 2 * radius + 1 }, (_, at) => Math.exp(-(Math.PI ** 2) * ((at - radius) / FLIP_PPD) ** 2 / spread));
}

function convolved(plane, width, height, across, down) {
  const radius = across.length - 1 >> 1;
  const half = new Float32Array(plane.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let k = -radius; k <= radius; k++) {
        const sx = Math.min(width - 1, Math.max(0, x + k));
        sum += across[k + radius] * plane[y * width + sx];
      }
      half[y * width + x] = sum;
    }
  }
  const out = new Float32Array(plane.length);
  for (let k = -radius; k <= radius; k++) {
    const weight = down[k + radius];
    for (let y = 0; y < height; y++) {
      const row = Math.min(height - 1, Math.max(0, y + k)) * width;
      for (let x = 0; x < width; x++) out[y * width + x] += weight * half[row + x];
    }
  }
  return out;
}

function filtered(planes, width, height) {
  const radius = sensitivityRadius();
  return planes.map((plane, at) => {
    let whole = 0;
    const sum = new Float32Array(plane.length);
    for (const [amount, spread] of SENSITIVITY[at]) {
      const kernel = gaussian(spread, radius);
      const weight = amount * Math.sqrt(Math.PI / spread);
      const area = kernel.reduce((a, b) => a + b, 0) ** 2;
      whole += weight * area;
      const part = convolved(plane, width, height, kernel, kernel);
      for (let p = 0; p < sum.length; p++) sum[p] += weight * part[p];
    }
    for (let p = 0; p < sum.length; p++) sum[p] /= whole;
    return sum;
  });
}

/** Edges and points by derivatives of a Gaussian, as lengths of the two directions. */
function features(light, width, height) {
  const deviation = 0.5 * 0.082 * FLIP_PPD;
  const radius = Math.ceil(3 * deviation);
  const along = (f) => Float32Array.from({ length: 2 * radius + 1 }, (_, at) => f(at - radius));
  const bell = (x) => Math.exp(-(x * x) / (2 * deviation * deviation));
  const smooth = along(bell);
  const total = smooth.reduce((a, b) => a + b, 0);
  for (let at = 0; at < smooth.length; at++) smooth[at] /= total;
  const halves = (kernel) => {
    const sum = (keep) => kernel.reduce((a, v) => a + (keep(v) ? Math.abs(v) : 0), 0);
    const [up, down] = [sum((v) => v > 0), sum((v) => v < 0)];
    return kernel.map((v) => (v > 0 ? v / up : down > 0 ? v / down : 0));
  };
  const slope = halves(along((x) => -x * bell(x)));
  const curve = halves(along((x) => (x * x / (deviation * deviation) - 1) * bell(x)));
  const size = (kernel) => {
    const across = convolved(light, width, height, kernel, smooth);
    const down = convolved(light, width, height, smooth, kernel);
    return across.map((v, at) => Math.hypot(v, down[at]));
  };
  return [size(slope), size(curve)];
}

/** FLIP of two shown pictures (bytes of RGBA): 0 to 1 a pixel. */
function flip(beforeBytes, afterBytes, width, height) {
  const seen = [beforeBytes, afterBytes].map((bytes) => {
    const planes = [0, 1, 2].map(() => new Float32Array(width * height));
    for (let pixel = 0; pixel < width * height; pixel++) {
      const [x, y, z] = xyzOf(LINEAR_OF_BYTE[bytes[pixel * 4]], LINEAR_OF_BYTE[bytes[pixel * 4 + 1]], LINEAR_OF_BYTE[bytes[pixel * 4 + 2]]);
      planes[0][pixel] = 116 * y - 16;
      planes[1][pixel] = 500 * (x - y);
      planes[2][pixel] = 200 * (y - z);
    }
    const light = planes[0].map((v) => (v + 16) / 116);
    return { planes: filtered(planes, width, height), features: features(light, width, height) };
  });
  const most = hyab(huntLab(0, 1, 0), huntLab(0, 0, 1)) ** 0.7;
  const knee = 0.4 * most;
  const labOf = ({ planes }, pixel) => {
    const y = (planes[0][pixel] + 16) / 116;
    const xyz = [(planes[1][pixel] / 500 + y) * WHITE[0], y * WHITE[1], (y - planes[2][pixel] / 200) * WHITE[2]];
    return huntLab(...TO_RGB.map((row) => Math.min(1, Math.max(0, row[0] * xyz[0] + row[1] * xyz[1] + row[2] * xyz[2]))));
  };
  const out = new Float32Array(width * height);
  for (let pixel = 0; pixel < out.length; pixel++) {
    const apart = hyab(labOf(seen[0], pixel), labOf(seen[1], pixel)) ** 0.7;
    const color = apart < knee ? apart * 0.95 / knee : 0.95 + (apart - knee) / (most - knee) * 0.05;
    const [edge, point] = [0, 1].map((which) => Math.abs(seen[0].features[which][pixel] - seen[1].features[which][pixel]));
    const feature = (Math.max(edge, point) / Math.SQRT2) ** 0.5;
    out[pixel] = Math.min(1, color) ** (1 - feature);
  }
  return out;
}

/** The heat map: FLIP in magma. Only around what differs is there anything to compute. */
function heatBytes(beforeBytes, afterBytes, width, height, found) {
  const out = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < width * height; at++) out.set([0, 0, 4, 255], at * 4);
  if (found.tiles.length === 0) return out;
  // The filters reach this far.
  const halo = 32;
  const left = Math.max(0, Math.min(...found.tiles.map(({ x }) => x * TILE)) - halo);
  const top = Math.max(0, Math.min(...found.tiles.map(({ y }) => y * TILE)) - halo);
  const right = Math.min(width, Math.max(...found.tiles.map(({ x }) => (x + 1) * TILE)) + halo);
  const bottom = Math.min(height, Math.max(...found.tiles.map(({ y }) => (y + 1) * TILE)) + halo);
  const [w, h] = [right - left, bottom - top];
  const cut = (bytes) => {
    const part = new Uint8ClampedArray(w * h * 4);
    for (let y = 0; y < h; y++) part.set(bytes.subarray(((top + y) * width + left) * 4, ((top + y) * width + right) * 4), y * w * 4);
    return part;
  };
  const errors = flip(cut(beforeBytes), cut(afterBytes), w, h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const color = Math.round(255 * errors[y * w + x]) * 3;
      out.set(MAGMA_BYTES.subarray(color, color + 3), ((top + y) * width + left + x) * 4);
    }
  }
  return out;
}
