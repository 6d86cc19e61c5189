// Compare: what differs between two pictures, and pictures of it. Equal means equal bits, NaN being one value.

const TILE = 64;
const MULTIPLIERS = ['steps', 1, 2, 4, 8, 16, 32, 64, 128];

const comparable = (a, b) => a && b && a.width === b.width && a.height === b.height && a.channels === b.channels && a.kind === b.kind;

const sameSample = (a, b) => Object.is(a, b);

const wholeOf = (kind) => ({ u8: 255, u16: 65535 }[kind] ?? 1);

/**
 * { differs: 0 or 1 a pixel, count, max, tiles: [{ x, y, first: pixel index }] in rows, steps: pixels by the power of two that their
 * difference is at most, and by Infinity }.
 */
function comparison(before, after) {
  const { width, height, channels, samples: a } = before;
  const b = after.samples;
  const differs = new Uint8Array(width * height);
  const columns = Math.ceil(width / TILE);
  const firsts = new Map();
  const steps = new Map();
  let total = 0;
  let max = 0;
  for (let pixel = 0, at = 0; pixel < differs.length; pixel++, at += channels) {
    let differing = false;
    let most = 0;
    for (let c = 0; c < channels; c++) {
      const [v, w] = [a[at + c], b[at + c]];
      if (v === w ? v === 0 && !sameSample(v, w) : !sameSample(v, w)) {
        differing = true;
        const step = Math.abs(v - w);
        // A number against NaN has no finite difference.
        if (!(step <= most)) most = Number.isNaN(step) ? Infinity : step;
      }
    }
    if (!differing) continue;
    differs[pixel] = 1;
    total++;
    if (most > max) max = most;
    const bound = Number.isFinite(most) ? (most > 0 ? Math.ceil(Math.log2(most)) : -149) : Infinity;
    steps.set(bound, (steps.get(bound) ?? 0) + 1);
    const tile = Math.floor(Math.floor(pixel / width) / TILE) * columns + Math.floor((pixel % width) / TILE);
    if (!firsts.has(tile)) firsts.set(tile, pixel);
  }
  const tiles = [...firsts].sort(([s], [t]) => s - t).map(([tile, first]) => ({ x: tile % columns, y: Math.floor(tile / columns), first }));
  return { differs, count: total, max, tiles, steps };
}

/** 0 where equal, else 1 to 9: doublings of the difference; of floats in their own steps, so that the last bit is seen. */
function level(kind, a, b) {
  if (sameSample(a, b)) return 0;
  if (kind === 'f32') {
    const steps = ulps(a, b);
    return 1 + Math.min(8, Math.floor(Math.log2(Math.max(1, steps)) / 3));
  }
  if (kind === 'u32') return 9;
  const share = Math.abs(a - b) / wholeOf(kind) * 255;
  return share <= 1 ? 1 : Math.min(9, 1 + Math.ceil(Math.log2(share)));
}

/** The multiplier at which the largest difference is well seen. */
function fittingMultiplier(kind, max) {
  if (kind === 'u32' || !(max > 0)) return 'steps';
  const share = max / wholeOf(kind);
  if (share * 128 < 0.2) return 'steps';
  return MULTIPLIERS.find((factor) => factor !== 'steps' && share * factor >= 0.5) ?? 128;
}

/** The difference of each channel times a number, or of each pixel in steps; with `signed`, orange is brighter and blue darker. */
function differenceBytes(before, after, { multiplier, signed }) {
  const { channels, kind, samples: a, width, height } = before;
  const b = after.samples;
  const out = new Uint8ClampedArray(width * height * 4);
  const factor = multiplier === 'steps' ? 0 : multiplier * 255 / wholeOf(kind);
  const colors = Math.min(3, kind === 'f32' || channels !== 2 ? channels : 1);
  for (let pixel = 0, at = 0, to = 0; pixel < width * height; pixel++, at += channels, to += 4) {
    out[to + 3] = 255;
    let most = 0;
    let sum = 0;
    let changed = false;
    for (let c = 0; c < channels; c++) {
      const [v, w] = [a[at + c], b[at + c]];
      if (sameSample(v, w)) continue;
      changed = true;
      sum += w - v;
      const size = factor === 0 ? level(kind, v, w) : Math.abs(w - v);
      if (!(size <= most)) most = size;
    }
    if (signed) {
      const base = 26;
      out[to] = out[to + 1] = out[to + 2] = base;
      if (!changed) continue;
      const size = factor === 0 ? 0.25 + 0.75 * most / 9 : Math.min(1, most * factor / 255);
      const tint = sum >= 0 ? [255, 156, 50] : [70, 150, 255];
      for (let c = 0; c < 3; c++) out[to + c] = base + (tint[c] - base) * size;
    } else if (factor === 0) {
      if (changed) out.set(DOUBLINGS[most - 1], to);
    } else if (changed) {
      for (let c = 0; c < colors; c++) {
        const size = sameSample(a[at + c], b[at + c]) ? 0 : Math.abs(b[at + c] - a[at + c]) * factor;
        out[to + c] = Number.isNaN(size) ? 255 : size;
      }
      if (colors === 1) out[to + 1] = out[to + 2] = out[to];
      // A change of alpha alone shows as well.
      if (channels === 4 || (channels === 2 && colors === 1)) {
        const alpha = Math.abs(b[at + channels - 1] - a[at + channels - 1]) * factor;
        for (let c = 0; c < 3; c++) out[to + c] = Math.max(out[to + c], alpha * 0.6);
      }
    }
  }
  return out;
}

/** Changed pixels in their object's colour over the new picture, dimmed; white without objects. `only`: one object's colour. */
function maskBytes(afterBytes, found, objects, only) {
  const out = new Uint8ClampedArray(afterBytes.length);
  for (let pixel = 0, to = 0; pixel < found.differs.length; pixel++, to += 4) {
    out[to + 3] = 255;
    let color = [255, 255, 255];
    if (objects) {
      const at = pixel * objects.channels;
      color = objects.channels >= 3 ? [objects.samples[at], objects.samples[at + 1], objects.samples[at + 2]] : nameColor(objects.samples[at]);
    }
    if (found.differs[pixel] && (!only || only === cssColor(color))) {
      // Black stands for no object and must be seen as well.
      if (color[0] + color[1] + color[2] === 0) color = [255, 255, 255];
      out.set(color, to);
    } else {
      const grey = 0.22 * luminance(afterBytes[to], afterBytes[to + 1], afterBytes[to + 2]);
      out[to] = out[to + 1] = out[to + 2] = grey;
    }
  }
  return out;
}

const cssColor = ([r, g, b]) => '#' + [r, g, b].map((v) => v.toString(16).padStart(2, '0')).join('');

/** Half the size, the most of each four pixels: one changed pixel stays in sight from afar. */
function halved(bytes, width, height) {
  const [w, h] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const out = new Uint8ClampedArray(w * h * 4);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      let best = -1;
      let most = -1;
      for (let dy = 0; dy < 2; dy++) {
        for (let dx = 0; dx < 2; dx++) {
          const [sx, sy] = [2 * x + dx, 2 * y + dy];
          if (sx >= width || sy >= height) continue;
          const from = (sy * width + sx) * 4;
          // How far from grey, then how bright: tints beat the dimmed picture around them.
          const [r, g, b] = [bytes[from], bytes[from + 1], bytes[from + 2]];
          const size = r + g + b + 4 * (Math.max(r, g, b) - Math.min(r, g, b));
          if (size > most) [most, best] = [size, from];
        }
      }
      const to = (y * w + x) * 4;
      for (let c = 0; c < 4; c++) out[to + c] = bytes[best + c];
    }
  }
  return { bytes: out, width: w, height: h };
}

/** Regions of changed pixels that touch by sides or corners: how many, and the size of the largest. */
function regions(found, width, height) {
  const open = found.differs.slice();
  const stack = [];
  let [number, largest] = [0, 0];
  for (let start = open.indexOf(1); start >= 0; start = open.indexOf(1, start + 1)) {
    number++;
    let size = 0;
    open[start] = 0;
    stack.push(start);
    while (stack.length > 0) {
      const at = stack.pop();
      size++;
      const [x, y] = [at % width, Math.floor(at / width)];
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx;
          if (open[next]) {
            open[next] = 0;
            stack.push(next);
          }
        }
      }
    }
    largest = Math.max(largest, size);
  }
  return { number, largest };
}
