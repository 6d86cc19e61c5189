// Color: from samples to what a screen shows. 8 and 16 bits are sRGB-encoded, floats linear, whole numbers are names.

const TONES = ['clamp', 'reinhard', 'filmic', 'log'];
const CHANNELS = ['all', 'R', 'G', 'B', 'A', 'luminance'];

const toLinear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const toSrgb = (v) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);

const LINEAR_OF_BYTE = Float32Array.from({ length: 256 }, (_, byte) => toLinear(byte / 255));

/** 4096 steps of the encoding: finer than a screen's 8 bits, and much faster than powers. */
const BYTE_OF_LINEAR = Uint8Array.from({ length: 4097 }, (_, step) => Math.round(255 * toSrgb((step / 4096) ** 2)));

/** A linear value as a byte of sRGB. */
function encode(v) {
  if (!(v > 0)) return 0;
  return v >= 1 ? 255 : BYTE_OF_LINEAR[Math.round(Math.sqrt(v) * 4096)];
}

/** Tone curves on one linear value. The filmic one is Narkowicz's fit of ACES (2015). */
const CURVES = {
  clamp: (v) => v,
  reinhard: (v) => (v > 0 ? v / (1 + v) : 0),
  filmic: (v) => (v > 0 ? (v * (2.51 * v + 0.03)) / (v * (2.43 * v + 0.59) + 0.14) : 0),
  // 16 stops around middle grey, so that nothing is clipped.
  log: (v) => (v > 0 ? toLinear(Math.min(1, Math.max(0, (Math.log2(v / 0.18) + 10) / 16))) : 0),
};

/** Magma of matplotlib (CC0), at 9 places with straight lines between. */
const MAGMA = [[0, 0, 4], [28, 16, 68], [79, 18, 123], [129, 37, 129], [181, 54, 122], [229, 80, 100], [251, 135, 97], [254, 194, 135], [252, 253, 191]];

function along(ramp, t) {
  const at = Math.min(1, Math.max(0, t)) * (ramp.length - 1);
  const low = Math.min(ramp.length - 2, Math.floor(at));
  const part = at - low;
  return [0, 1, 2].map((c) => Math.round(ramp[low][c] * (1 - part) + ramp[low + 1][c] * part));
}

const MAGMA_BYTES = Uint8Array.from({ length: 256 * 3 }, (_, at) => along(MAGMA, Math.floor(at / 3) / 255)[at % 3]);

/** Each doubling one step brighter, as the run's own difference pictures. */
const DOUBLINGS = [[40, 40, 160], [70, 40, 190], [120, 40, 190], [170, 40, 160], [225, 50, 110], [245, 80, 70], [255, 130, 60], [255, 190, 70], [255, 255, 255]];

/** One colour a stop, from 8 below to 8 above middle grey: what false colour shows. */
const STOPS = [[20, 20, 60], [40, 30, 110], [60, 40, 160], [50, 70, 200], [40, 110, 210], [40, 150, 200], [50, 180, 160], [90, 190, 110], [128, 128, 128], [170, 190, 70], [220, 200, 60], [240, 170, 50], [240, 130, 50], [235, 90, 50], [220, 50, 60], [230, 60, 160], [255, 255, 255]];

function stopColor(luminance) {
  if (!(luminance > 0)) return [0, 0, 0];
  return STOPS[Math.min(16, Math.max(0, Math.round(Math.log2(luminance / 0.18)) + 8))];
}

/** A colour of its own for every number but 0. */
function nameColor(number) {
  if (number === 0) return [0, 0, 0];
  let mixed = Math.imul(number, 0x9e3779b1) >>> 0;
  mixed = Math.imul(mixed ^ mixed >>> 15, 0x85ebca6b) >>> 0;
  return [64 + (mixed & 191), 64 + (mixed >>> 8 & 191), 64 + (mixed >>> 16 & 191)];
}

const luminance = (r, g, b) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/** The exposure at which the brightest finite value of a picture of one channel is white; 0 for others. */
function fittingStops(shown) {
  if (shown.kind !== 'f32' || shown.channels > 2) return 0;
  let most = 0;
  for (const value of shown.samples) if (Math.abs(value) > most && Number.isFinite(value)) most = Math.abs(value);
  return most > 0 ? -Math.log2(most) : 0;
}

/** A picture as bytes of RGBA for a canvas, with `look` = { stops, channel, tone, falseColor }. */
function shownBytes(shown, look) {
  const { samples, channels, kind, width, height } = shown;
  const out = new Uint8ClampedArray(width * height * 4);
  const pixelCount = width * height;
  if (kind === 'u32') {
    for (let at = 0; at < pixelCount; at++) {
      const color = nameColor(samples[at * channels]);
      out.set(color, at * 4);
      out[at * 4 + 3] = 255;
    }
    return out;
  }
  const plain = kind === 'u8' && look.stops === 0 && look.tone === 'clamp' && !look.falseColor && (look.channel === 'all' || look.channel.length === 1);
  const gain = 2 ** look.stops;
  const curve = CURVES[look.tone];
  const linear = kind === 'u8' ? (v) => LINEAR_OF_BYTE[v] : kind === 'u16' ? (v) => toLinear(v / 65535) : (v) => v;
  const whole = kind === 'u8' ? 255 : kind === 'u16' ? 65535 : 1;
  const grey = channels === 1 || (channels === 2 && kind !== 'f32');
  const alphaAt = channels === 4 ? 3 : channels === 2 && kind !== 'f32' ? 1 : -1;
  const chosen = 'RGBA'.indexOf(look.channel);
  for (let at = 0, from = 0, to = 0; at < pixelCount; at++, from += channels, to += 4) {
    let r = samples[from];
    let g = grey ? r : channels > 1 ? samples[from + 1] : r;
    let b = grey ? r : channels > 2 ? samples[from + 2] : 0;
    let alpha = alphaAt < 0 ? whole : samples[from + alphaAt];
    if (chosen === 3) {
      r = g = b = kind === 'f32' ? alpha : alpha;
      alpha = whole;
    } else if (chosen >= 0) {
      r = g = b = [r, g, b][chosen];
      alpha = whole;
    }
    if (plain) {
      out[to] = r;
      out[to + 1] = g;
      out[to + 2] = b;
      out[to + 3] = alpha;
      continue;
    }
    r = linear(r) * gain;
    g = linear(g) * gain;
    b = linear(b) * gain;
    if (look.falseColor) {
      out.set(stopColor(luminance(r, g, b)), to);
      out[to + 3] = 255;
      continue;
    }
    if (look.channel === 'luminance') r = g = b = luminance(r, g, b);
    // NaN and infinity must not pass for black and white.
    const sound = Number.isFinite(r + g + b);
    out[to] = sound ? encode(curve(r)) : 255;
    out[to + 1] = sound ? encode(curve(g)) : 0;
    out[to + 2] = sound ? encode(curve(b)) : 255;
    out[to + 3] = Math.round(255 * Math.min(1, Math.max(0, alpha / whole)));
  }
  return out;
}
