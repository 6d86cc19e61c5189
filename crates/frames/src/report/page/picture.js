// Picture: exact samples out of the files of a run. PNG and EXR are read here and not by the browser, which would round:
// its canvas holds 8 bits with alpha multiplied in.
//
// A picture: { name, width, height, channels, kind: 'u8'|'u16'|'u32'|'f32', samples } with samples interleaved, rows top to bottom.

const decoded = new Map();
const DECODED_MAX = 16;
const waiting = new Map();

/** What a sidecar script calls. */
globalThis.stillframePicture = (name, text) => {
  waiting.get(name)?.(fromBase64(text));
  waiting.delete(name);
};

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const plain = atob(text);
  const bytes = new Uint8Array(plain.length);
  for (let at = 0; at < plain.length; at++) bytes[at] = plain.charCodeAt(at);
  return bytes;
}

/** The bytes of a picture's file, wherever the page keeps it. */
async function fileOf(name) {
  const inside = byId('p:' + name);
  if (inside) return fromBase64(inside.textContent.trim());
  if (page.live) {
    const reply = await fetch(page.pictures_at + name);
    if (!reply.ok) throw new Error(`${name}: ${reply.status} ${reply.statusText}`);
    return new Uint8Array(await reply.arrayBuffer());
  }
  if (!page.beside.includes(name)) throw new Error(`${name} is missing: it could not be read when this page was written`);
  // A page that was opened from a disk may not fetch its neighbours, but it may load scripts.
  return new Promise((resolve, reject) => {
    waiting.set(name, resolve);
    const script = el('script', { src: page.pictures_at + name.split('/').pop() + '.js' });
    script.nonce = byId('program').nonce;
    script.onload = () => script.remove();
    script.onerror = () => {
      waiting.delete(name);
      script.remove();
      reject(new Error(`${script.getAttribute('src')} is not there: this page is over its size limit and keeps its pictures beside itself`));
    };
    document.head.append(script);
  });
}

/** A decoded picture; the last few are kept. */
function picture(name) {
  let found = decoded.get(name);
  if (!found) {
    found = fileOf(name).then((bytes) => (name.endsWith('.exr') ? readExr(bytes) : readPng(bytes)))
      .then((read) => Object.assign(read, { name }));
    found.catch(() => decoded.delete(name));
  }
  decoded.delete(name);
  decoded.set(name, found);
  while (decoded.size > DECODED_MAX) decoded.delete(decoded.keys().next().value);
  return found;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** PNG as `stillframe-frames` writes it: 8 or 16 bits, not interlaced, no palette. Source: W3C PNG specification, 3rd edition. */
async function readPng(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) !== 0x89504e47) throw new Error('not a PNG file');
  let header = null;
  const parts = [];
  for (let at = 8; at + 8 <= bytes.length;) {
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (kind === 'IHDR') header = { width: view.getUint32(at + 8), height: view.getUint32(at + 12), bits: bytes[at + 16], color: bytes[at + 17], interlace: bytes[at + 20] };
    if (kind === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const channels = { 0: 1, 2: 3, 4: 2, 6: 4 }[header?.color];
  if (!channels || header.interlace || header.bits < 8) throw new Error('a PNG file of another kind than this page reads');
  const { width, height, bits } = header;
  const rows = await inflate(await new Blob(parts).arrayBuffer());
  const pixelBytes = channels * bits / 8;
  const rowBytes = width * pixelBytes;
  const flat = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) {
    unfilter(rows[y * (rowBytes + 1)], rows.subarray(y * (rowBytes + 1) + 1, (y + 1) * (rowBytes + 1)), flat, y * rowBytes, rowBytes, pixelBytes);
  }
  if (bits === 8) return { width, height, channels, kind: 'u8', samples: flat };
  const samples = new Uint16Array(flat.length / 2);
  for (let at = 0; at < samples.length; at++) samples[at] = flat[2 * at] << 8 | flat[2 * at + 1];
  return { width, height, channels, kind: 'u16', samples };
}

function unfilter(filter, row, out, start, rowBytes, step) {
  const above = start - rowBytes;
  const first = start === 0;
  for (let x = 0; x < rowBytes; x++) {
    const left = x >= step ? out[start + x - step] : 0;
    const up = first ? 0 : out[above + x];
    let guess = 0;
    if (filter === 1) guess = left;
    else if (filter === 2) guess = up;
    else if (filter === 3) guess = left + up >> 1;
    else if (filter === 4) {
      const corner = first || x < step ? 0 : out[above + x - step];
      const sum = left + up - corner;
      const [toLeft, toUp, toCorner] = [Math.abs(sum - left), Math.abs(sum - up), Math.abs(sum - corner)];
      guess = toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
    }
    out[start + x] = row[x] + guess;
  }
}

/** EXR as `stillframe-frames` writes it: one part, scanlines, ZIP, 32 bits a sample. Source: "The OpenEXR File Layout". */
async function readExr(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== 0x01312f76) throw new Error('not an EXR file');
  let at = 8;
  const word = () => {
    let end = at;
    while (bytes[end]) end++;
    const text = new TextDecoder().decode(bytes.subarray(at, end));
    at = end + 1;
    return text;
  };
  const list = [];
  let width = 0, height = 0, compression = -1;
  for (let name = word(); name; name = word()) {
    word();
    const size = view.getInt32(at, true);
    at += 4;
    const end = at + size;
    if (name === 'channels') {
      for (let channel = word(); channel; channel = word()) {
        list.push({ channel, kind: view.getInt32(at, true) });
        at += 16;
      }
    } else if (name === 'dataWindow') {
      width = view.getInt32(at + 8, true) - view.getInt32(at, true) + 1;
      height = view.getInt32(at + 12, true) - view.getInt32(at + 4, true) + 1;
    } else if (name === 'compression') compression = bytes[at];
    at = end;
  }
  if (compression !== 3 || list.some(({ kind }) => kind !== 0 && kind !== 2)) throw new Error('an EXR file of another kind than this page reads');
  const channels = list.length;
  const whole = list[0].kind === 0;
  const buffer = new ArrayBuffer(width * height * channels * 4);
  const words = new Uint32Array(buffer);
  // The file has its channels by name; a picture has them as R G B A, or as they stand.
  const rank = (name) => ('RGBA'.includes(name) ? 'RGBA'.indexOf(name) : name.charCodeAt(0));
  const sorted = list.map(({ channel }) => channel).sort((a, b) => rank(a) - rank(b));
  const blocks = [];
  for (let top = 0; top < height; top += 16) blocks.push(Number(view.getBigUint64(at + blocks.length * 8, true)));
  await Promise.all(blocks.map(async (start, index) => {
    const rows = Math.min(16, height - index * 16);
    const size = width * channels * 4 * rows;
    const packed = bytes.subarray(start + 8, start + 8 + view.getInt32(start + 4, true));
    const raw = packed.length < size ? unsort(await inflate(packed)) : packed;
    const data = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
    for (let row = 0; row < rows; row++) {
      for (let c = 0; c < channels; c++) {
        const to = sorted.indexOf(list[c].channel);
        let from = (row * channels + c) * width * 4;
        let pixel = (index * 16 + row) * width * channels + to;
        for (let x = 0; x < width; x++, from += 4, pixel += channels) words[pixel] = data.getUint32(from, true);
      }
    }
  }));
  return { width, height, channels, kind: whole ? 'u32' : 'f32', samples: whole ? words : new Float32Array(buffer) };
}

/** Steps become bytes, and the two halves are dealt out in turn. */
function unsort(bytes) {
  for (let at = 1; at < bytes.length; at++) bytes[at] = bytes[at] + bytes[at - 1] - 128;
  const out = new Uint8Array(bytes.length);
  const half = bytes.length + 1 >> 1;
  for (let at = 0; at < bytes.length; at++) out[at] = bytes[at & 1 ? half + (at >> 1) : at >> 1];
  return out;
}
