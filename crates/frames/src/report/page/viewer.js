// Viewer: two pictures on one canvas. It knows how to look (mode, zoom, exposure ...), not what is being decided.

const MODES = [
  { id: 'old', key: '1', name: 'Old', needs: 'old' },
  { id: 'new', key: '2', name: 'New', needs: 'new' },
  { id: 'diff', key: '3', name: 'Diff', needs: 'both' },
  { id: 'heat', key: '4', name: 'Heat', needs: 'both' },
  { id: 'mask', key: '5', name: 'Objects', needs: 'both' },
  { id: 'swipe', key: '6', name: 'Swipe', needs: 'both' },
  { id: 'onion', key: '7', name: 'Onion', needs: 'both' },
  { id: 'side', key: '8', name: 'Side by side', needs: 'any' },
];

// No more than three flashes a second: faster ones can harm people.
const BLINK_HZ = [0.5, 1, 1.5, 2, 3];

class Viewer {
  /** `told` is called after everything that changes what is shown. */
  constructor(canvas, told) {
    this.canvas = canvas;
    this.told = told;
    this.pair = { old: null, new: null, objects: null };
    this.look = { stops: 0, channel: 'all', tone: 'clamp', falseColor: false };
    this.difference = { multiplier: 1, signed: false };
    this.mode = 'side';
    this.zoom = 'fit';
    this.center = [0, 0];
    this.scale = 1;
    this.share = 0.5;
    this.blinkHz = 2;
    this.blinking = false;
    this.blinkNew = true;
    this.cursor = null;
    this.tile = -1;
    this.tilesShown = true;
    this.only = null;
    this.layers = new Map();
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.listen();
  }

  // ---- what is shown

  show(pair) {
    this.stopBlinking();
    this.pair = pair;
    this.layers.clear();
    this.found = comparable(pair.old, pair.new) ? comparison(pair.old, pair.new) : null;
    this.tile = -1;
    this.cursor = null;
    this.only = null;
    const one = pair.new ?? pair.old;
    this.look = { stops: one ? Math.round(2 * fittingStops(one)) / 2 : 0, channel: 'all', tone: 'clamp', falseColor: false };
    this.difference = { multiplier: one && this.found ? fittingMultiplier(one.kind, this.found.max) : 1, signed: false };
    if (!this.can(this.mode)) this.mode = 'side';
    this.setZoom('fit');
  }

  get size() {
    const one = this.pair.new ?? this.pair.old;
    const both = [this.pair.new, this.pair.old].filter(Boolean);
    return one ? [Math.max(...both.map((p) => p.width)), Math.max(...both.map((p) => p.height))] : [1, 1];
  }

  can(mode) {
    const { needs } = MODES.find(({ id }) => id === mode);
    if (needs === 'any') return Boolean(this.pair.old || this.pair.new);
    if (needs === 'both') return (mode === 'swipe' || mode === 'onion') ? Boolean(this.pair.old && this.pair.new) : Boolean(this.found);
    return Boolean(this.pair[needs]);
  }

  setMode(mode) {
    if (!this.can(mode)) return false;
    this.stopBlinking();
    this.mode = mode;
    if (this.zoom === 'fit') this.setZoom('fit');
    this.paint();
    return true;
  }

  changeLook(change) {
    Object.assign(this.look, change);
    this.layers.clear();
    this.paint();
  }

  changeDifference(change) {
    Object.assign(this.difference, change);
    this.layers.delete('diff');
    this.paint();
  }

  showOnly(color) {
    this.only = this.only === color ? null : color;
    this.layers.delete('mask');
    this.paint();
  }

  /** One of the pictures of a mode: { levels: [{ canvas, width, height }] }, made when it is first asked for. */
  layer(id) {
    let layer = this.layers.get(id);
    if (!layer) {
      const { bytes, source } = this.bytesOfLayer(id);
      layer = { levels: [asCanvas(bytes, source.width, source.height)], smooth: id === 'old' || id === 'new' };
      if (!layer.smooth) {
        let level = { bytes, width: source.width, height: source.height };
        while (level.width > 64 && level.height > 64) {
          level = halved(level.bytes, level.width, level.height);
          layer.levels.push(asCanvas(level.bytes, level.width, level.height));
        }
      }
      layer.width = source.width;
      this.layers.set(id, layer);
    }
    return layer;
  }

  bytesOfLayer(id) {
    const { old: before, new: after, objects } = this.pair;
    if (id === 'old' || id === 'new') return { bytes: shownBytes(this.pair[id], this.look), source: this.pair[id] };
    if (id === 'diff') return { bytes: differenceBytes(before, after, this.difference), source: after };
    const shown = shownBytes(after, this.look);
    if (id === 'mask') return { bytes: maskBytes(shown, this.found, objects && objects.width === after.width && objects.height === after.height ? objects : null, this.only), source: after };
    return { bytes: heatBytes(shownBytes(before, this.look), shown, after.width, after.height, this.found), source: after };
  }

  // ---- where

  panes() {
    const able = ['old', 'new', 'diff'].filter((id) => this.can(id));
    const sides = this.mode !== 'side' ? [this.mode] : able.length > 0 ? able : ['new'];
    const gap = Math.round(8 * devicePixelRatio);
    const width = Math.floor((this.canvas.width - gap * (sides.length - 1)) / sides.length);
    return sides.map((id, index) => ({ id, left: index * (width + gap), width }));
  }

  setZoom(zoom) {
    const [width, height] = this.size;
    this.zoom = zoom;
    if (zoom === 'fit') {
      this.center = [width / 2, height / 2];
      this.scale = Math.min(this.panes()[0].width / width, this.canvas.height / height);
      // Small pictures grow by whole steps, so that their pixels stay squares of one size.
      if (this.scale > 1) this.scale = Math.min(8, Math.floor(this.scale));
    } else this.scale = zoom;
    this.paint();
  }

  cycleZoom() {
    const next = this.zoom === 'fit' ? 1 : this.zoom === 1 ? 8 : 'fit';
    if (next === 8 && this.cursor) this.center = [this.cursor[0] + 0.5, this.cursor[1] + 0.5];
    this.setZoom(next);
  }

  zoomAround(factor, x, y) {
    const before = this.pictureAt(x, y);
    this.scale = Math.min(128, Math.max(1 / 16, this.scale * factor));
    this.zoom = this.scale;
    const after = this.pictureAt(x, y);
    this.center = [this.center[0] + before[0] - after[0], this.center[1] + before[1] - after[1]];
    this.paint();
  }

  pan(dx, dy) {
    const [width, height] = this.size;
    this.center = [Math.min(width, Math.max(0, this.center[0] + dx)), Math.min(height, Math.max(0, this.center[1] + dy))];
    this.paint();
  }

  /** By keys: one pixel where pixels are large, else an eighth of what is seen. */
  panStep(x, y) {
    const step = this.scale >= 8 ? 1 : this.panes()[0].width / this.scale / 8;
    this.pan(x * step, y * step);
    if (this.scale >= 8) this.point(Math.floor(this.center[0]), Math.floor(this.center[1]));
  }

  pictureAt(x, y) {
    const pane = this.panes().findLast((pane) => x >= pane.left) ?? this.panes()[0];
    return [(x - pane.left - pane.width / 2) / this.scale + this.center[0], (y - this.canvas.height / 2) / this.scale + this.center[1]];
  }

  /** Puts the cursor on a pixel, or nowhere. */
  point(x, y) {
    const [width, height] = this.size;
    this.cursor = x >= 0 && y >= 0 && x < width && y < height ? [x, y] : null;
    this.paint();
  }

  stepTile(step) {
    const tiles = this.found?.tiles ?? [];
    if (tiles.length === 0) return null;
    this.tile = this.tile < 0 ? (step > 0 ? 0 : tiles.length - 1) : (this.tile + step + tiles.length) % tiles.length;
    const { first, x, y } = tiles[this.tile];
    this.cursor = [first % this.size[0], Math.floor(first / this.size[0])];
    if (this.zoom === 'fit' && this.scale < 4) this.scale = this.zoom = 4;
    // Around the tile where all of it is seen, else around its first pixel.
    const seen = Math.min(this.panes()[0].width, this.canvas.height) / this.scale;
    this.center = seen < TILE || this.scale >= 8 ? this.cursor.map((v) => v + 0.5) : [x * TILE + TILE / 2, y * TILE + TILE / 2];
    this.paint();
    return { number: this.tile + 1, of: tiles.length, x, y };
  }

  // ---- blinking

  blink() {
    if (!this.pair.old || !this.pair.new) return;
    if (this.mode !== 'old' && this.mode !== 'new') this.setMode('new');
    if (calm.matches) {
      // Without motion: one change a press.
      this.setMode(this.mode === 'old' ? 'new' : 'old');
      return;
    }
    if (this.blinking) this.stopBlinking();
    else {
      this.blinking = true;
      this.blinkNew = this.mode === 'new';
      this.tick();
    }
    this.told();
  }

  tick() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.blinking) return;
      this.blinkNew = !this.blinkNew;
      this.mode = this.blinkNew ? 'new' : 'old';
      this.paint();
      this.tick();
    }, 500 / this.blinkHz);
  }

  stopBlinking() {
    this.blinking = false;
    clearTimeout(this.timer);
  }

  changeRate(step) {
    const at = Math.min(BLINK_HZ.length - 1, Math.max(0, BLINK_HZ.indexOf(this.blinkHz) + step));
    this.blinkHz = BLINK_HZ[at];
    this.told();
  }

  // ---- painting

  resize() {
    const box = this.canvas.getBoundingClientRect();
    const [width, height] = [Math.round(box.width * devicePixelRatio), Math.round(box.height * devicePixelRatio)];
    if (width === 0 || (width === this.canvas.width && height === this.canvas.height)) return;
    this.canvas.width = width;
    this.canvas.height = height;
    if (this.zoom === 'fit') this.setZoom('fit');
    else this.paint();
  }

  /** Once a frame, however much changes. */
  paint() {
    if (this.painting) return;
    this.painting = requestAnimationFrame(() => {
      this.painting = 0;
      this.paintNow();
      this.told();
    });
  }

  paintNow() {
    const context = this.canvas.getContext('2d');
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (!this.pair.old && !this.pair.new) return;
    for (const pane of this.panes()) {
      context.save();
      context.beginPath();
      context.rect(pane.left, 0, pane.width, this.canvas.height);
      context.clip();
      context.translate(pane.left + pane.width / 2, this.canvas.height / 2);
      this.paintPane(context, pane);
      context.restore();
    }
  }

  paintPane(context, pane) {
    const [width, height] = this.size;
    const [left, top] = [-this.center[0] * this.scale, -this.center[1] * this.scale];
    paintChecks(context, left, top, width * this.scale, height * this.scale);
    if (pane.id === 'swipe' || pane.id === 'onion') {
      this.paintLayer(context, 'old', left, top);
      context.save();
      if (pane.id === 'onion') context.globalAlpha = this.share;
      else {
        const at = -pane.width / 2 + pane.width * this.share;
        context.beginPath();
        context.rect(at, -this.canvas.height, pane.width, 2 * this.canvas.height);
        context.clip();
      }
      this.paintLayer(context, 'new', left, top);
      context.restore();
      if (pane.id === 'swipe') {
        const at = Math.round(pane.width * (this.share - 0.5));
        for (const [color, width] of [['#000', 4], ['#fff', 2]]) {
          context.fillStyle = color;
          context.fillRect(at - width / 2, -this.canvas.height, width, 2 * this.canvas.height);
        }
      }
    } else this.paintLayer(context, pane.id, left, top);
    this.paintTiles(context, left, top);
    if (this.scale >= 8) this.paintGrid(context, pane, left, top);
    if (this.cursor) {
      context.lineWidth = 2;
      context.strokeStyle = '#000';
      const [x, y] = [left + this.cursor[0] * this.scale, top + this.cursor[1] * this.scale];
      const size = Math.max(this.scale, 6);
      context.strokeRect(x - 2, y - 2, size + 4, size + 4);
      context.strokeStyle = '#fff';
      context.strokeRect(x - 0.5, y - 0.5, size + 1, size + 1);
    }
    if (this.scale >= 48) this.paintValues(context, pane, left, top);
  }

  paintLayer(context, id, left, top) {
    const layer = this.layer(id);
    // The level whose pixels are just not larger than those of the screen.
    const wanted = this.scale < 1 && !layer.smooth ? Math.min(layer.levels.length - 1, Math.floor(-Math.log2(this.scale) + 0.5)) : 0;
    const level = layer.levels[wanted];
    context.imageSmoothingEnabled = this.scale < 1 && layer.smooth;
    context.imageSmoothingQuality = 'high';
    const step = this.scale * 2 ** wanted;
    context.drawImage(level, left, top, level.width * step, level.height * step);
  }

  paintTiles(context, left, top) {
    if (!this.tilesShown || !this.found || this.scale >= 48) return;
    context.lineWidth = 1;
    this.found.tiles.forEach(({ x, y }, index) => {
      const current = index === this.tile;
      context.strokeStyle = current ? '#ffb020' : 'rgba(255, 176, 32, 0.45)';
      context.lineWidth = current ? 2 : 1;
      // Those at the right and bottom edge are cut by the picture.
      const [w, h] = [Math.min(TILE, this.size[0] - x * TILE), Math.min(TILE, this.size[1] - y * TILE)];
      context.strokeRect(Math.round(left + x * TILE * this.scale) + 0.5, Math.round(top + y * TILE * this.scale) + 0.5, w * this.scale - 1, h * this.scale - 1);
    });
  }

  /** First and last pixels that are seen, ends included. */
  seen(pane) {
    const [width, height] = this.size;
    const [w, h] = [pane.width / this.scale / 2, this.canvas.height / this.scale / 2];
    return {
      x0: Math.max(0, Math.floor(this.center[0] - w)), x1: Math.min(width - 1, Math.floor(this.center[0] + w)),
      y0: Math.max(0, Math.floor(this.center[1] - h)), y1: Math.min(height - 1, Math.floor(this.center[1] + h)),
    };
  }

  paintGrid(context, pane, left, top) {
    const { x0, x1, y0, y1 } = this.seen(pane);
    context.beginPath();
    for (let x = x0; x <= x1 + 1; x++) {
      const at = Math.round(left + x * this.scale) + 0.5;
      context.moveTo(at, top + y0 * this.scale);
      context.lineTo(at, top + (y1 + 1) * this.scale);
    }
    for (let y = y0; y <= y1 + 1; y++) {
      const at = Math.round(top + y * this.scale) + 0.5;
      context.moveTo(left + x0 * this.scale, at);
      context.lineTo(left + (x1 + 1) * this.scale, at);
    }
    context.lineWidth = 1;
    context.strokeStyle = 'rgba(128, 128, 128, 0.35)';
    context.stroke();
  }

  paintValues(context, pane, left, top) {
    const source = pane.id === 'old' || !this.pair.new ? this.pair.old : this.pair.new;
    const { x0, x1, y0, y1 } = this.seen(pane);
    const line = Math.min(14, this.scale / (source.channels + 1.5));
    context.font = `${line}px ui-monospace, "DejaVu Sans Mono", monospace`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        if (x >= source.width || y >= source.height) continue;
        const texts = Array.from({ length: source.channels }, (_, c) => this.valueIn(pane.id, source, x, y, c));
        const [tx, ty] = [left + (x + 0.5) * this.scale, top + (y + 0.5) * this.scale];
        // A dark plate, so that they are read on every colour; around it the pixel shows its own.
        const width = Math.min(this.scale - 4, 6 + Math.max(...texts.map((text) => context.measureText(text).width)));
        const height = texts.length * line * 1.1 + 4;
        context.fillStyle = 'rgba(0, 0, 0, 0.62)';
        context.fillRect(tx - width / 2, ty - height / 2, width, height);
        context.fillStyle = '#fff';
        texts.forEach((text, c) => context.fillText(text, tx, ty + (c - (texts.length - 1) / 2) * line * 1.1, this.scale - 8));
      }
    }
  }

  valueIn(id, source, x, y, c) {
    const at = (y * source.width + x) * source.channels + c;
    if ((id === 'diff' || id === 'heat') && this.found) {
      const [a, b] = [this.pair.old.samples[at], this.pair.new.samples[at]];
      if (sameSample(a, b)) return '0';
      return source.kind === 'f32' ? `${ulps(a, b)} ulp` : (b > a ? '+' : '') + (b - a);
    }
    return source.kind === 'f32' ? shortFloat(source.samples[at]) : String(source.samples[at]);
  }

  // ---- the pointer

  listen() {
    const at = (event) => {
      const box = this.canvas.getBoundingClientRect();
      return [(event.clientX - box.left) * devicePixelRatio, (event.clientY - box.top) * devicePixelRatio];
    };
    let held = null;
    const swipe = ([x]) => { this.share = Math.min(1, Math.max(0, x / this.canvas.width)); this.paint(); };
    this.canvas.addEventListener('pointerdown', (event) => {
      held = at(event);
      this.canvas.setPointerCapture(event.pointerId);
      if (this.mode === 'swipe' && !event.shiftKey) swipe(held);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      const now = at(event);
      if (held && this.mode === 'swipe' && !event.shiftKey) swipe(now);
      else if (held) this.pan((held[0] - now[0]) / this.scale, (held[1] - now[1]) / this.scale);
      if (held) held = now;
      const [x, y] = this.pictureAt(...now);
      this.point(Math.floor(x), Math.floor(y));
    });
    for (const end of ['pointerup', 'pointercancel']) this.canvas.addEventListener(end, () => { held = null; });
    this.canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoomAround(2 ** (-event.deltaY / 240), ...at(event));
    }, { passive: false });
    this.canvas.addEventListener('dblclick', () => this.cycleZoom());
  }
}

function asCanvas(bytes, width, height) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d').putImageData(new ImageData(bytes, width, height), 0, 0);
  return canvas;
}

let checks = null;

/** What shows through where a picture is not opaque. */
function paintChecks(context, left, top, width, height) {
  if (!checks) {
    const tile = document.createElement('canvas');
    tile.width = tile.height = 16;
    const paint = tile.getContext('2d');
    paint.fillStyle = '#5a5c61';
    paint.fillRect(0, 0, 16, 16);
    paint.fillStyle = '#6e7076';
    paint.fillRect(0, 0, 8, 8);
    paint.fillRect(8, 8, 8, 8);
    checks = context.createPattern(tile, 'repeat');
  }
  context.fillStyle = checks;
  context.fillRect(left, top, width, height);
}
