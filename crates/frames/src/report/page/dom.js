// Dom: elements, numbers and announcements, in the few forms that the page needs.

const byId = (id) => document.getElementById(id);

/** An element with attributes (`on…` are listeners, `class`, `text`, others as they are) and children; nulls are left out. */
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'text') node.textContent = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const count = (number) => grouped.format(number);

/** `1 case`, `2 cases`. */
const plural = (number, one, many = one + 's') => `${count(number)} ${number === 1 ? one : many}`;

function percent(share) {
  if (share > 0 && share < 0.0001) return '< 0.01 %';
  return `${(share * 100).toFixed(share < 0.1 ? 2 : 0)} %`;
}

/** The largest difference beside its scale: `31/255`; floats in their own unit. */
function delta(why) {
  if (why.max === null) return '∞';
  if (why.full_scale > 1) return `${count(why.max)}/${count(why.full_scale)}`;
  return Number.isInteger(why.max) ? count(why.max) : shortFloat(why.max);
}

/** Few digits, for reading; `exactFloat` is for comparing. */
function shortFloat(value) {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.001 || size >= 100000)) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
}

const floatView = new DataView(new ArrayBuffer(8));

function bitsOf(value) {
  floatView.setFloat32(0, value);
  return floatView.getUint32(0);
}

/** The fewest digits that only this 32-bit float has. */
function exactFloat(value) {
  if (!Number.isFinite(value)) return String(value);
  if (Object.is(value, -0)) return '-0';
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}

const hex = (word) => word.toString(16).padStart(8, '0');

/** Floats as whole numbers in their own order, so that neighbours are one apart. */
function ordered(value) {
  const bits = bitsOf(value);
  return bits & 0x80000000 ? -(bits & 0x7fffffff) : bits;
}

/** Steps between two floats. */
function ulps(a, b) {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b) ? 0 : Infinity;
  // 0 and -0 are different results, though nothing lies between them.
  return Math.abs(ordered(a) - ordered(b)) || (Object.is(a, b) ? 0 : 1);
}

const TOLD_MS = 5000;
let toldUntil = 0;

/** Tells a screen reader; sighted people see it happen. */
function say(words) {
  const region = byId('says');
  clearTimeout(toldUntil);
  region.classList.remove('seen');
  // The same words twice are news as well.
  region.textContent = region.textContent === words ? words + '\u00a0' : words;
}

/** Tells everybody, for a while: nothing else on the page shows it. */
function tell(words) {
  say(words);
  byId('says').classList.add('seen');
  toldUntil = setTimeout(() => byId('says').classList.remove('seen'), TOLD_MS);
}

async function copyText(text, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Files opened from a disk may not use the clipboard everywhere: an old way that works there.
    const area = el('textarea', { class: 'unseen', 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
    button.focus();
  }
  button.textContent = 'Copied';
  say('Copied');
  setTimeout(() => { button.textContent = before; }, 1200);
}

const calm = matchMedia('(prefers-reduced-motion: reduce)');
