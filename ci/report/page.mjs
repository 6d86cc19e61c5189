// Page: every key, filter, sorting, zoom and value of a report, the decisions that it hands out, and what it must not do.
// `node page.mjs REPORT.html BESIDE.html LARGE.html`

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { open, check, equal, end, DARK, NARROW } from './browser.mjs';

const [file, besideFile, largeFile] = process.argv.slice(2).map((path) => 'file://' + path);
const at = (name) => file + '#/case/' + encodeURIComponent(name);
/** The run itself, to count in what the page is made of. */
const records = readFileSync(join(dirname(process.argv[2]), 'run.jsonl'), 'utf8').split('\n').filter(Boolean).map((row) => JSON.parse(row)).filter(({ schema }) => schema === 'case/1');
const named = (...statuses) => records.filter(({ status }) => statuses.includes(status)).map(({ name }) => name);
const pressed = ({ page }, mode) => page.locator(`[data-mode=${mode}]`).getAttribute('aria-pressed');
// Not the text as rendered: a card that is far away is not.
const shown = ({ page }) => page.locator('#grid > .card:not([hidden]) .name').allTextContents();
const focused = ({ see }) => see(() => document.activeElement.querySelector('.name').textContent);
/** The colour of a pixel of the picture, where it stands on the canvas. */
const colorAt = ({ see }, x, y) => see(([x, y]) => {
  viewer.paintNow();
  const pane = viewer.panes()[0];
  const cx = pane.left + pane.width / 2 + (x + 0.5 - viewer.center[0]) * viewer.scale;
  const cy = viewer.canvas.height / 2 + (y + 0.5 - viewer.center[1]) * viewer.scale;
  return [...viewer.canvas.getContext('2d').getImageData(Math.floor(cx), Math.floor(cy), 1, 1).data].slice(0, 3);
}, [x, y]);

/** What is looked at in the end: its name, the case, keys. */
const VIEWS = [
  ['case', 'mesh/visor_1[samples=4]'],
  ['tile', 'shadow/cascade_0', 'ArrowRight'],
  ['swipe', 'shadow/cascade_0', '6'],
  ['heat', 'mesh/visor_1[samples=4]', '4'],
  ['objects', 'mesh/visor_1[samples=4]', '5'],
  ['values', 'hdr/one_ulp#color', 'ArrowRight', '8', 'z', 'z', 'z', 'Z', 'Z', 'Z'],
  ['crash', 'status/crash'],
  ['size', 'status/size', '8'],
  ['gone', 'status/gone'],
];

await front();
await filters();
await caseKeys();
await floats();
await kinds();
await passes();
await deciding();
await accessible();
await beside();
await large();
await looks();
await end();

async function front() {
  const tab = await open(file);
  const { page, see, key, text, errors, requests, close } = tab;
  // What passed is counted, what is known to fail has a card as well, everything else failed.
  const [quiet, known] = [named('pass', 'unchanged'), named('known-failure')];
  const failed = records.length - quiet.length - known.length;
  check(failed > 0 && known.length > 0 && quiet.length > 0, 'the run has cases of every kind');
  check((await text('#verdict')).startsWith(`${failed} of ${records.length} cases failed`), 'the verdict stands on top');
  equal(await page.locator('#counts .chip').allTextContents(), (await see('page.statuses')).map((status) => `${named(status).length} ${status}`), 'every status is counted');
  equal(await tab.count('.cluster'), 5, 'causes');
  equal((await shown(tab)).sort(), records.map(({ name }) => name).filter((name) => !quiet.includes(name)).sort(), 'a card for each that failed or is known to');
  check((await text('#passed-title')).startsWith(`${quiet.length} cases`), 'passing ones are counted');
  await page.click('#passed-title');
  equal((await page.locator('#passed-list li').allInnerTexts()).map((words) => words.split(' ')[0]), quiet, 'and listed');
  await page.waitForFunction(() => [...document.querySelectorAll('.cluster img')].every((img) => img.complete && img.naturalWidth > 0));
  await key('j', 'j');
  equal(await focused(tab), 'hdr/one_ulp#color', 'j goes from card to card');
  await key('k');
  equal(await focused(tab), 'aov/ids#id', 'k goes back');
  await key('Enter');
  await page.waitForSelector('#case:not([hidden])');
  equal(await see('document.activeElement.id'), 'case-name', 'the focus begins at the name');
  await key('Escape');
  await page.waitForSelector('#front:not([hidden])');
  equal(await focused(tab), 'aov/ids#id', 'and returns to the card');
  await key('?');
  check(await page.locator('dialog#keys[open]').isVisible(), '? lists the keys');
  check((await tab.count('dialog#keys li')) > 30, 'all of them');
  await page.uncheck('#keys-on');
  await key('Escape', 'j');
  check(await see('!document.activeElement.classList.contains("open") || document.activeElement.querySelector(".name").textContent === "aov/ids#id"'), 'keys can be switched off');
  await key('?');
  await page.check('#keys-on');
  await key('Escape', '/');
  equal(await see('document.activeElement.id'), 'filter-name', '/ filters');
  await page.click('#theme');
  equal(await see('getComputedStyle(document.documentElement).colorScheme'), 'light', 'a scheme can be chosen');
  await page.click('#theme');
  equal(await see('getComputedStyle(document.documentElement).colorScheme'), 'dark', 'and the other');
  const shift = await see('new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().reduce((a, e) => a + e.value, 0))).observe({ type: "layout-shift", buffered: true }) || setTimeout(() => done(0), 300))');
  check(shift < 0.01, `nothing jumps: ${shift}`);
  equal(errors, [], 'no errors');
  equal(requests, [file], 'no requests');
  await close();
}

async function filters() {
  const tab = await open(file);
  const { page, see, text, errors, close } = tab;
  const filtered = async (words) => { await page.fill('#filter-name', words); return shown(tab); };
  equal((await filtered('visor')).length, 3, 'a part of a name');
  equal((await filtered('shadow/*_[135]')).length, 0, 'brackets of a glob are letters');
  equal((await filtered('shadow/*')).length, 6, 'a glob');
  equal((await filtered('shadow/cascade_?')).length, 6, 'a glob of one letter');
  equal((await filtered('re:_[135]$')).length, 3, 'a pattern');
  equal(await filtered('=shadow/cascade_1'), ['shadow/cascade_1'], 'a whole name');
  equal((await filtered('=shadow/cascade_')).length, 0, 'and no part of one');
  equal((await filtered('{shadow,mesh}/*_{1,2}*')).length, 4, 'a glob of alternatives');
  for (const broken of ['re:(', 'shadow/{a']) {
    equal((await filtered(broken)).length, 0, `${broken} shows nothing`);
    check((await text('#none')).includes('no filter'), `${broken}: and why`);
    equal(await page.getAttribute('#filter-name', 'aria-invalid'), 'true', `${broken}: to everybody`);
  }
  await filtered('of no case');
  check((await text('#none')).includes('No changed case'), 'nothing found is told');
  equal((await filtered('tag:even')).length, 6, 'a tag');
  await filtered('');
  await page.click('[data-status=new]');
  equal(await shown(tab), ['status/new'], 'by status');
  await page.click('[data-status=gone]');
  equal(await shown(tab), ['status/gone', 'status/new'], 'by two statuses');
  check((await see('location.hash')).includes('status=new%2Cgone'), 'the address holds the filter');
  await page.reload();
  equal(await shown(tab), ['status/gone', 'status/new'], 'and brings it back');
  await page.click('[data-status=new]');
  await page.click('[data-status=gone]');
  await page.selectOption('#filter-pass', 'shadow.resolve');
  equal((await shown(tab)).length, 6, 'by pass');
  await page.selectOption('#filter-pass', '');
  await page.selectOption('#filter-tag', 'odd');
  equal((await shown(tab)).length, 4, 'by tag');
  await page.selectOption('#filter-tag', '');
  await page.click('.cluster:nth-child(2) >> text=Show');
  equal((await shown(tab)).length, 3, 'by cause');
  await page.selectOption('#filter-cluster', '');
  const order = async (by) => { await page.selectOption('#sort', by); return (await shown(tab))[0]; };
  equal(await order('area'), 'mesh/visor_0[samples=4]', 'sorted by area');
  equal(await order('max'), 'aov/ids#id', 'by max');
  check(Boolean(await order('flip')), 'by FLIP');
  equal(await order('time'), 'mesh/visor_0[samples=4]', 'by time');
  equal(await order('name'), 'aov/ids#id', 'by name');
  equal(errors, [], 'no errors');
  await close();
}

async function caseKeys() {
  const tab = await open(at('shadow/cascade_0'));
  const { page, see, key, text, errors, requests, close } = tab;
  await tab.opened();
  await key();
  equal(await pressed(tab, 'side'), 'true', 'side by side at first');
  equal(await see('viewer.panes().map((pane) => pane.id)'), ['old', 'new', 'diff'], 'old, new, difference');
  // 100, 110 lies in the patch that is brighter.
  for (const [number, mode] of [['1', 'old'], ['2', 'new'], ['3', 'diff'], ['4', 'heat'], ['5', 'mask'], ['6', 'swipe'], ['7', 'onion'], ['8', 'side']]) {
    await key(number);
    equal(await pressed(tab, mode), 'true', `${number} shows ${mode}`);
  }
  const sample = (which, x, y) => see(`[...viewer.pair.${which}.samples.subarray((${y} * 160 + ${x}) * 3, (${y} * 160 + ${x}) * 3 + 3)]`);
  await key('g', '1');
  equal(await colorAt(tab, 100, 110), await sample('old', 100, 110), 'old pixels as they are');
  await key('2');
  equal(await colorAt(tab, 100, 110), await sample('new', 100, 110), 'new pixels as they are');
  await key('3');
  equal(await colorAt(tab, 10, 10), [0, 0, 0], 'equal ones are black');
  equal(await see('viewer.difference.multiplier'), 8, 'the multiplier fits');
  equal(await colorAt(tab, 100, 110), [15 * 8, 15 * 8, 15 * 8], 'the difference times the multiplier');
  await key('m');
  equal(await colorAt(tab, 100, 110), [240, 240, 240], 'm doubles it');
  for (let n = 0; n < 12; n++) await key('m');
  equal(await see('viewer.difference.multiplier'), 128, 'up to 128');
  for (let n = 0; n < 12; n++) await key('M');
  equal(await see('viewer.difference.multiplier'), 'steps', 'down to steps');
  await key('m', 'x');
  const [r, , b] = await colorAt(tab, 100, 110);
  check(r > b, 'brighter is orange');
  await key('x', '4');
  equal(await colorAt(tab, 10, 10), [0, 0, 4], 'no heat where nothing differs');
  check((await colorAt(tab, 100, 110)).reduce((a, v) => a + v) > 60, 'heat where it does');
  await key('5');
  equal(await colorAt(tab, 100, 110), [0xd0, 0x50, 0x30], 'changed pixels in the colour of their object');
  await page.click('.objects button >> nth=1');
  check((await colorAt(tab, 100, 110))[0] < 60, 'one object alone');
  await page.click('.objects button >> nth=1');
  await key('6', ']', ']');
  equal(await see('viewer.share.toFixed(2)'), '0.60', '] moves the swipe');
  await key('[');
  equal(await see('viewer.share.toFixed(2)'), '0.55', '[ moves it back');
  await key('7');
  const mixed = (await colorAt(tab, 100, 110))[0];
  check(mixed > (await sample('old', 100, 110))[0] && mixed < (await sample('new', 100, 110))[0], 'onion lies between');
  await key('g', '1', 'z');
  equal(await see('viewer.scale'), 1, 'z: 1:1');
  await key('z');
  equal(await see('viewer.scale'), 8, 'z: 8 times');
  await key('z');
  equal(await see('viewer.zoom'), 'fit', 'z: fit');
  await key('ArrowRight');
  check((await text('.tools >> nth=1')).includes('tile 1 of 4'), 'an arrow goes to a tile');
  check((await text('#readout')).includes('+'), 'and tells the first difference');
  await key('ArrowLeft');
  check((await text('.tools >> nth=1')).includes('tile 4 of 4'), 'and around');
  await key('z', 'z', 'z', 'z');
  await see('viewer.setZoom(8)');
  const before = await see('viewer.center');
  await key('Shift+ArrowRight');
  equal((await see('viewer.center'))[0], Math.min(160, before[0] + 1), 'shift pans by pixels');
  await key('Z', 'Z', 'Z');
  check((await see('viewer.scale')) >= 48, 'Z zooms on to the values');
  await see('viewer.setZoom("fit")');
  const box = await page.locator('#canvas').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await key();
  check(/^\d+, \d+/.test(await text('#readout')), 'the pointer reads pixels');
  const center = await see('viewer.center');
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 40, box.y + box.height / 2);
  await page.mouse.up();
  check((await see('viewer.center'))[0] > center[0], 'dragging pans');
  await page.mouse.wheel(0, -240);
  await key();
  check((await see('viewer.zoom')) !== 'fit', 'the wheel zooms');
  await key(' ');
  equal(await see('viewer.blinking'), true, 'space blinks');
  const seen = new Set();
  for (let n = 0; n < 12; n++) { seen.add(await see('viewer.mode')); await page.waitForTimeout(70); }
  equal([...seen].sort(), ['new', 'old'], 'old and new in turn');
  await key('+', '+', '+', '+');
  equal(await see('viewer.blinkHz'), 3, 'never above 3 a second');
  await key('-');
  equal(await see('viewer.blinkHz'), 2, 'slower');
  await key(' ');
  equal(await see('viewer.blinking'), false, 'space ends it');
  await key('c');
  equal(await see('viewer.look.channel'), 'R', 'c goes through the channels');
  for (let n = 0; n < 5; n++) await key('c');
  equal(await see('viewer.look.channel'), 'all', 'and around');
  await key('t', 'f', 'e');
  equal(await see('[viewer.look.tone, viewer.look.falseColor, viewer.look.stops]'), ['reinhard', true, 0.5], 't, f, e');
  await key('E', 'f');
  equal(await see('viewer.look.stops'), 0, 'E');
  await key('j');
  await page.waitForFunction(() => current.name === 'shadow/cascade_1');
  await key('k');
  await page.waitForFunction(() => current.name === 'shadow/cascade_0');
  await key('s');
  await page.waitForFunction(() => current.name === 'shadow/cascade_1');
  const facts = await text('.facts');
  for (const words of ['1,350 px (5.27 %), max 18/255', '61,101 to 119,129', 'edge+area, brighter', '4 tiles of 64 px, 1 region', 'ground', '96 %', '9–16', '1,164', '0123456789ab', 'soft/1', 'ms to render', 'stillframe accept =shadow/cascade_1', 'stillframe review']) check(facts.includes(words), `the facts tell ${words}`);
  await page.click('.commands button >> nth=1');
  check(await tab.told('Copied'), 'a command is copied');
  equal(errors, [], 'no errors');
  equal(requests.length, 1, 'no requests');
  await close();

  const calm = await open(at('shadow/cascade_0'), { reducedMotion: 'reduce' });
  await calm.opened();
  await calm.key(' ');
  const first = await calm.see('viewer.mode');
  await calm.page.waitForTimeout(700);
  equal(await calm.see('[viewer.blinking, viewer.mode]'), [false, first], 'who wants no motion gets none');
  await calm.close();
}

async function floats() {
  const tab = await open(at('hdr/one_ulp#color'));
  const { see, key, text, errors, close } = tab;
  await tab.opened();
  await key('ArrowRight');
  const readout = await text('#readout');
  for (const words of ['37, 60', '1.20625', '3f9a6666', '1.2062501', '3f9a6667', '+1 ulp']) check(readout.includes(words), `one ulp: ${words} in ${readout}`);
  equal(await see('viewer.difference.multiplier'), 'steps', 'a difference that no multiplier shows is shown by steps');
  await key('3', 'g', 'z');
  await see('viewer.cursor = null, viewer.setZoom("fit")');
  await key();
  check((await colorAt(tab, 37, 60)).some((v) => v > 100), 'one ulp is seen');
  await see('viewer.setZoom(0.25)');
  await key();
  check(await see('[...viewer.canvas.getContext("2d").getImageData(0, 0, viewer.canvas.width, viewer.canvas.height).data].some((v, at) => at % 4 === 2 && v === 160)'), 'from afar too');
  await see('viewer.setZoom("fit")');
  await key('2');
  const dim = await colorAt(tab, 20, 30);
  await key('e', 'e');
  const bright = await colorAt(tab, 20, 30);
  check(bright[0] > dim[0], 'exposure');
  await key('t');
  check((await colorAt(tab, 20, 30))[0] < bright[0], 'a tone curve');
  await key('f');
  check(JSON.stringify(await see('STOPS')).includes(JSON.stringify(await colorAt(tab, 20, 30))), 'false colour');
  equal(errors, [], 'no errors');
  await close();
}

async function kinds() {
  const tab = await open(at('aov/ids#id'));
  const { page, see, key, text, errors, close } = tab;
  await tab.opened();
  await key('ArrowRight');
  check((await text('#readout')).includes('70000'), 'whole numbers are read');
  for (const [name, panes] of [['status/new', ['new']], ['status/gone', ['old']], ['status/size', ['old', 'new']], ['status/nondet', ['old', 'new', 'diff']], ['status/crash', ['new']]]) {
    await tab.goTo(name);
    equal(await see('viewer.panes().map((pane) => pane.id)'), panes, name);
  }
  await tab.goTo('status/size');
  await key('3');
  equal(await pressed(tab, 'diff'), 'false', 'no difference of two sizes');
  check(await tab.told('one size'), 'and why');
  check(await tab.count('#says.seen') === 1, 'to everybody: nothing else shows it');
  await key('2');
  equal(await tab.count('#says.seen'), 0, 'what is seen happening is told to screen readers alone');
  await tab.goTo('status/crash');
  await key('a');
  check(await tab.told('repeat it alone'), 'what to do about a crash');
  check((await text('.message')).includes('made-up message'), 'its message stands there');
  check((await text('.message')).includes('repeat it alone'), 'and what to do');
  equal(await page.locator('.tools').filter({ visible: true }).count(), 0, 'no tools for pictures that are not there');
  check(!(await text('.commands')).includes('accept'), 'nothing to accept');
  await tab.goTo('status/gone');
  check(!(await text('.commands')).includes('stillframe test'), 'what is gone cannot be tested');
  equal(errors, [], 'no errors');
  await close();
}

async function passes() {
  const tab = await open(at('shadow/cascade_2'));
  const { page, key, text, errors, close } = tab;
  await tab.opened();
  equal(await page.locator('.strip li').evaluateAll((items) => items.map((item) => item.className)), ['equal', 'equal', 'first', 'differs'], 'the first pass that differs');
  check((await text('.strip .first')).includes('draw 3/9 ground'), 'and its draw');
  await page.click('.strip .first button');
  await page.waitForFunction(() => viewer.pair.new?.width === 80);
  check((await text('.shown-pass')).includes('shadow.resolve'), 'a pass opens in the viewer');
  await key('0');
  await page.waitForFunction(() => viewer.pair.new?.width === 160);
  equal(errors, [], 'no errors');
  await close();
}

async function deciding() {
  const tab = await open(file);
  const { page, key, text, errors, close } = tab;
  check(await page.locator('#download').isDisabled(), 'nothing to download yet');
  await page.click('.cluster:nth-child(1) .yes');
  check((await text('#tally')).startsWith('6 accepted'), 'a whole cause is accepted');
  await key('j', 'r');
  check((await text('#tally')).includes('1 rejected'), 'a card is rejected');
  await page.selectOption('#filter-decided', 'open');
  equal((await shown(tab)).some((name) => name.startsWith('shadow/')), false, 'by decision');
  await page.selectOption('#filter-decided', '');
  await tab.goTo('status/gone');
  await key('a');
  await page.waitForFunction(() => current.name === 'status/new');
  check(await tab.told('Accepted status/gone'), 'a verdict is told');
  await key('r');
  await page.waitForFunction(() => current.name !== 'status/new');
  await tab.goTo('status/new');
  await key('u');
  equal(await page.getAttribute('#case', 'data-decision'), '', 'u takes it back');
  await tab.goTo('mesh/visor_1[samples=4]');
  await key('R');
  const [download] = await Promise.all([page.waitForEvent('download'), key('d')]);
  equal(download.suggestedFilename(), 'decisions.json', 'its name');
  const document = JSON.parse(readFileSync(await download.path(), 'utf8'));
  equal(document.schema, 'decisions/1', 'its schema');
  equal(document.decisions.filter(({ decision }) => decision === 'accept').length, 7, 'accepted');
  equal(document.decisions.filter(({ decision }) => decision === 'reject').map(({ name }) => name), ['aov/ids#id', 'mesh/visor_0[samples=4]', 'mesh/visor_1[samples=4]', 'mesh/visor_2[samples=4]'], 'rejected');
  equal(document.decisions.find(({ name }) => name === 'status/gone').hash, null, 'of what is gone there is no picture');
  check(document.decisions.filter(({ name }) => name !== 'status/gone').every(({ hash }) => /^b3:[0-9a-f]{64}$/.test(hash)), 'each speaks of a picture');
  equal(errors, [], 'no errors');
  await close();
}

/** For every reader, in both schemes, on each kind of page. */
async function accessible() {
  for (const colorScheme of ['light', 'dark']) {
    const tab = await open(file, { colorScheme, bypassCSP: true });
    const { page, key, close } = tab;
    await tab.accessible(`front, ${colorScheme}`);
    await page.click('.cluster:nth-child(1) .yes');
    await page.click('#passed-title');
    await tab.accessible(`front, decided, ${colorScheme}`);
    await tab.goTo('shadow/cascade_3');
    await key('ArrowRight');
    await tab.accessible(`case, ${colorScheme}`);
    await key('?');
    await tab.accessible(`keys, ${colorScheme}`);
    await close();
  }
}

async function beside() {
  const tab = await open(besideFile);
  const { page, see, text, errors, requests, close } = tab;
  check((await text('.note')).includes('lie beside this page'), 'the page says where its pictures are');
  await tab.goTo('shadow/cascade_3');
  equal(await see('viewer.found.count'), 1350, 'and opens them');
  check(requests.every((url) => url.startsWith('file://') && (url.includes('/report-pictures/') || url.endsWith('.html'))), 'from nowhere else');
  equal(errors, [], 'no errors');
  await close();
}

/** 500 failures: from the navigation to the first paint after everything stands, the best of three. */
async function large() {
  const times = [];
  for (let n = 0; n < 3; n++) {
    const tab = await open(largeFile);
  const { page, see, key, errors, close } = tab;
    await see('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    times.push(await see('performance.now()'));
    equal(await tab.count('#grid > .card'), 500, 'all cards are there');
    equal(errors, [], 'no errors');
    if (n === 0) {
      await page.fill('#filter-name', 'case_049');
      equal((await shown(tab)).length, 10, 'filters among many');
      await key('Escape', 'j', 'Enter');
      await tab.opened();
      check(Boolean(await see('viewer.found')), 'a case of many opens');
    }
    await close();
  }
  const best = Math.min(...times);
  console.log(`500 failures: open in ${times.map((time) => Math.round(time)).join(', ')} ms`);
  check(best < 2000, `500 failures open in ${best} ms`);
}

/** What people see first, in both schemes and on a narrow screen; with PICTURES set, pictures of it. */
async function looks() {
  for (const [scheme, options] of [['light', {}], ['dark', DARK], ['narrow', NARROW]]) {
    const tab = await open(file, options);
    const { page, see, key, errors, close } = tab;
    check(await tab.thumbs(), `${scheme}: small pictures`);
    await page.click('.cluster:nth-child(2) .yes');
    await see(() => say(''));
    await tab.shoot(`page-front-${scheme}`);
    await tab.fits(`front, ${scheme}`);
    if (scheme !== 'narrow') equal(await see(() => byId('sort').offsetTop), await see(() => byId('filter-name').offsetTop), `${scheme}: the filter is one row`);
    await page.locator('#passed').scrollIntoViewIfNeeded();
    await tab.thumbs();
    await tab.shoot(`page-end-${scheme}`);
    await key('?');
    await tab.shoot(`page-keys-${scheme}`);
    await tab.fits(`keys, ${scheme}`);
    await key('Escape');
    for (const [view, name, ...keys] of VIEWS) {
      await tab.goTo(name);
      if (keys.length > 0) await key(...keys);
      if (view === 'tile') {
        const isSeen = await see(() => viewer.panes().map((pane) => viewer.seen(pane)).every(({ x0, x1, y0, y1 }) => {
          const [x, y] = viewer.cursor;
          return x >= x0 && x <= x1 && y >= y0 && y <= y1;
        }));
        check(isSeen, `${scheme}: the first pixel of a tile is seen`);
      }
      await tab.shoot(`page-${view}-${scheme}`);
      await tab.fits(`${view}, ${scheme}`);
    }
    equal(errors, [], `${scheme}: no errors`);
    await close();
  }
}
