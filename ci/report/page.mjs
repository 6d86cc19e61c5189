// Page: every key, filter, sorting, zoom and value of a report, the decisions that it hands out, and what it must not do.
// `node page.mjs REPORT.html BESIDE.html LARGE.html`

import { readFileSync } from 'node:fs';
import { open, check, equal, end, axeFile } from './browser.mjs';

const [file, besideFile, largeFile] = process.argv.slice(2).map((path) => 'file://' + path);
const at = (name) => file + '#/case/' + encodeURIComponent(name);
const text = (page, selector) => page.locator(selector).innerText();
const pressed = (page, mode) => page.locator(`[data-mode=${mode}]`).getAttribute('aria-pressed');
// Not the text as rendered: a card that is far away is not.
const shown = (page) => page.locator('#grid > .card:not([hidden]) .name').allTextContents();
const see = (page, words) => page.evaluate(words);
/** Wait until what a key changed is painted. */
const key = async (page, ...keys) => {
  for (const one of keys) await page.keyboard.press(one);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
};
/** What is announced after somebody else has answered: the clipboard, a timer. */
const announced = (page, words) => page.waitForFunction((words) => byId('says').textContent.includes(words), words, { timeout: 8000 }).then(() => true, () => false);
const opened = (page) => page.waitForFunction(() => viewer.pair.new || viewer.pair.old || !parts.shownPass.textContent.startsWith('Opening'));
/** The colour of a pixel of the picture, where it stands on the canvas. */
const colorAt = (page, x, y) => page.evaluate(([x, y]) => {
  viewer.paintNow();
  const pane = viewer.panes()[0];
  const cx = pane.left + pane.width / 2 + (x + 0.5 - viewer.center[0]) * viewer.scale;
  const cy = viewer.canvas.height / 2 + (y + 0.5 - viewer.center[1]) * viewer.scale;
  return [...viewer.canvas.getContext('2d').getImageData(Math.floor(cx), Math.floor(cy), 1, 1).data].slice(0, 3);
}, [x, y]);

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
await end();

async function front() {
  const { page, errors, requests, close } = await open(file);
  check((await text(page, '#verdict')).startsWith('24 of 67 cases failed'), 'the verdict stands on top');
  equal(await page.locator('.cluster').count(), 4, 'causes');
  equal(await page.locator('#grid > .card').count(), 24, 'cards');
  check((await text(page, '#passed-title')).startsWith('42 cases'), 'passing ones are counted');
  await page.click('#passed-title');
  equal(await page.locator('#passed-list li').count(), 42, 'and listed');
  await page.waitForFunction(() => [...document.querySelectorAll('.cluster img')].every((img) => img.complete && img.naturalWidth > 0));
  await key(page, 'j', 'j');
  equal(await see(page, 'document.activeElement.querySelector(".name").textContent'), 'hdr/one_ulp#color', 'j goes from card to card');
  await key(page, 'k');
  equal(await see(page, 'document.activeElement.querySelector(".name").textContent'), 'aov/ids#id', 'k goes back');
  await key(page, 'Enter');
  await page.waitForSelector('#case:not([hidden])');
  equal(await see(page, 'document.activeElement.id'), 'case-name', 'the focus begins at the name');
  await key(page, 'Escape');
  await page.waitForSelector('#front:not([hidden])');
  equal(await see(page, 'document.activeElement.querySelector(".name").textContent'), 'aov/ids#id', 'and returns to the card');
  await key(page, '?');
  check(await page.locator('dialog#keys[open]').isVisible(), '? lists the keys');
  check((await page.locator('dialog#keys li').count()) > 30, 'all of them');
  await page.uncheck('#keys-on');
  await key(page, 'Escape', 'j');
  check(await see(page, '!document.activeElement.classList.contains("open") || document.activeElement.querySelector(".name").textContent === "aov/ids#id"'), 'keys can be switched off');
  await key(page, '?');
  await page.check('#keys-on');
  await key(page, 'Escape', '/');
  equal(await see(page, 'document.activeElement.id'), 'filter-name', '/ filters');
  await page.click('#theme');
  equal(await see(page, 'getComputedStyle(document.documentElement).colorScheme'), 'light', 'a scheme can be chosen');
  await page.click('#theme');
  equal(await see(page, 'getComputedStyle(document.documentElement).colorScheme'), 'dark', 'and the other');
  const shift = await see(page, 'new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().reduce((a, e) => a + e.value, 0))).observe({ type: "layout-shift", buffered: true }) || setTimeout(() => done(0), 300))');
  check(shift < 0.01, `nothing jumps: ${shift}`);
  equal(errors, [], 'no errors');
  equal(requests, [file], 'no requests');
  await close();
}

async function filters() {
  const { page, errors, close } = await open(file);
  const named = async (words) => { await page.fill('#filter-name', words); return shown(page); };
  equal((await named('visor')).length, 3, 'a part of a name');
  equal((await named('shadow/*_[135]')).length, 0, 'brackets of a glob are letters');
  equal((await named('shadow/*')).length, 6, 'a glob');
  equal((await named('shadow/cascade_?')).length, 6, 'a glob of one letter');
  equal((await named('re:_[135]$')).length, 3, 'a pattern');
  equal((await named('re:(')).length, 0, 'a broken pattern');
  check(await page.locator('#none').isVisible(), 'nothing found is told');
  equal((await named('tag:even')).length, 6, 'a tag');
  await named('');
  await page.click('[data-status=new]');
  equal(await shown(page), ['status/new'], 'by status');
  await page.click('[data-status=gone]');
  equal(await shown(page), ['status/gone', 'status/new'], 'by two statuses');
  check((await see(page, 'location.hash')).includes('status=new%2Cgone'), 'the address holds the filter');
  await page.reload();
  equal(await shown(page), ['status/gone', 'status/new'], 'and brings it back');
  await page.click('[data-status=new]');
  await page.click('[data-status=gone]');
  await page.selectOption('#filter-pass', 'shadow.resolve');
  equal((await shown(page)).length, 6, 'by pass');
  await page.selectOption('#filter-pass', '');
  await page.selectOption('#filter-tag', 'odd');
  equal((await shown(page)).length, 4, 'by tag');
  await page.selectOption('#filter-tag', '');
  await page.click('.cluster:nth-child(2) >> text=Show');
  equal((await shown(page)).length, 3, 'by cause');
  await page.selectOption('#filter-cluster', '');
  const order = async (by) => { await page.selectOption('#sort', by); return (await shown(page))[0]; };
  equal(await order('area'), 'mesh/visor_0[samples=4]', 'sorted by area');
  equal(await order('max'), 'aov/ids#id', 'by max');
  check(Boolean(await order('flip')), 'by FLIP');
  equal(await order('time'), 'mesh/visor_0[samples=4]', 'by time');
  equal(await order('name'), 'aov/ids#id', 'by name');
  equal(errors, [], 'no errors');
  await close();
}

async function caseKeys() {
  const { page, errors, requests, close } = await open(at('shadow/cascade_0'));
  await opened(page);
  await key(page);
  equal(await pressed(page, 'side'), 'true', 'side by side at first');
  equal(await see(page, 'viewer.panes().map((pane) => pane.id)'), ['old', 'new', 'diff'], 'old, new, difference');
  // 100, 110 lies in the patch that is brighter.
  for (const [number, mode] of [['1', 'old'], ['2', 'new'], ['3', 'diff'], ['4', 'heat'], ['5', 'mask'], ['6', 'swipe'], ['7', 'onion'], ['8', 'side']]) {
    await key(page, number);
    equal(await pressed(page, mode), 'true', `${number} shows ${mode}`);
  }
  const sample = (which, x, y) => see(page, `[...viewer.pair.${which}.samples.subarray((${y} * 160 + ${x}) * 3, (${y} * 160 + ${x}) * 3 + 3)]`);
  await key(page, 'g', '1');
  equal(await colorAt(page, 100, 110), await sample('old', 100, 110), 'old pixels as they are');
  await key(page, '2');
  equal(await colorAt(page, 100, 110), await sample('new', 100, 110), 'new pixels as they are');
  await key(page, '3');
  equal(await colorAt(page, 10, 10), [0, 0, 0], 'equal ones are black');
  equal(await see(page, 'viewer.difference.multiplier'), 8, 'the multiplier fits');
  equal(await colorAt(page, 100, 110), [15 * 8, 15 * 8, 15 * 8], 'the difference times the multiplier');
  await key(page, 'm');
  equal(await colorAt(page, 100, 110), [240, 240, 240], 'm doubles it');
  for (let n = 0; n < 12; n++) await key(page, 'm');
  equal(await see(page, 'viewer.difference.multiplier'), 128, 'up to 128');
  for (let n = 0; n < 12; n++) await key(page, 'M');
  equal(await see(page, 'viewer.difference.multiplier'), 'steps', 'down to steps');
  await key(page, 'm', 'x');
  const [r, , b] = await colorAt(page, 100, 110);
  check(r > b, 'brighter is orange');
  await key(page, 'x', '4');
  equal(await colorAt(page, 10, 10), [0, 0, 4], 'no heat where nothing differs');
  check((await colorAt(page, 100, 110)).reduce((a, v) => a + v) > 60, 'heat where it does');
  await key(page, '5');
  equal(await colorAt(page, 100, 110), [0xd0, 0x50, 0x30], 'changed pixels in the colour of their object');
  await page.click('.objects button >> nth=1');
  check((await colorAt(page, 100, 110))[0] < 60, 'one object alone');
  await page.click('.objects button >> nth=1');
  await key(page, '6', ']', ']');
  equal(await see(page, 'viewer.share.toFixed(2)'), '0.60', '] moves the swipe');
  await key(page, '[');
  equal(await see(page, 'viewer.share.toFixed(2)'), '0.55', '[ moves it back');
  await key(page, '7');
  const mixed = (await colorAt(page, 100, 110))[0];
  check(mixed > (await sample('old', 100, 110))[0] && mixed < (await sample('new', 100, 110))[0], 'onion lies between');
  await key(page, 'g', '1', 'z');
  equal(await see(page, 'viewer.scale'), 1, 'z: 1:1');
  await key(page, 'z');
  equal(await see(page, 'viewer.scale'), 8, 'z: 8 times');
  await key(page, 'z');
  equal(await see(page, 'viewer.zoom'), 'fit', 'z: fit');
  await key(page, 'ArrowRight');
  check((await text(page, '.tools >> nth=1')).includes('tile 1 of 4'), 'an arrow goes to a tile');
  check((await text(page, '#readout')).includes('+'), 'and tells the first difference');
  await key(page, 'ArrowLeft');
  check((await text(page, '.tools >> nth=1')).includes('tile 4 of 4'), 'and around');
  await key(page, 'z', 'z', 'z', 'z');
  await see(page, 'viewer.setZoom(8)');
  const before = await see(page, 'viewer.center');
  await key(page, 'Shift+ArrowRight');
  equal((await see(page, 'viewer.center'))[0], Math.min(160, before[0] + 1), 'shift pans by pixels');
  await key(page, 'Z', 'Z', 'Z');
  check((await see(page, 'viewer.scale')) >= 48, 'Z zooms on to the values');
  await see(page, 'viewer.setZoom("fit")');
  const box = await page.locator('#canvas').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await key(page);
  check(/^\d+, \d+/.test(await text(page, '#readout')), 'the pointer reads pixels');
  const center = await see(page, 'viewer.center');
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 40, box.y + box.height / 2);
  await page.mouse.up();
  check((await see(page, 'viewer.center'))[0] > center[0], 'dragging pans');
  await page.mouse.wheel(0, -240);
  await key(page);
  check((await see(page, 'viewer.zoom')) !== 'fit', 'the wheel zooms');
  await key(page, ' ');
  equal(await see(page, 'viewer.blinking'), true, 'space blinks');
  const seen = new Set();
  for (let n = 0; n < 12; n++) { seen.add(await see(page, 'viewer.mode')); await page.waitForTimeout(70); }
  equal([...seen].sort(), ['new', 'old'], 'old and new in turn');
  await key(page, '+', '+', '+', '+');
  equal(await see(page, 'viewer.blinkHz'), 3, 'never above 3 a second');
  await key(page, '-');
  equal(await see(page, 'viewer.blinkHz'), 2, 'slower');
  await key(page, ' ');
  equal(await see(page, 'viewer.blinking'), false, 'space ends it');
  await key(page, 'c');
  equal(await see(page, 'viewer.look.channel'), 'R', 'c goes through the channels');
  for (let n = 0; n < 5; n++) await key(page, 'c');
  equal(await see(page, 'viewer.look.channel'), 'all', 'and around');
  await key(page, 't', 'f', 'e');
  equal(await see(page, '[viewer.look.tone, viewer.look.falseColor, viewer.look.stops]'), ['reinhard', true, 0.5], 't, f, e');
  await key(page, 'E', 'f');
  equal(await see(page, 'viewer.look.stops'), 0, 'E');
  await key(page, 'j');
  await page.waitForFunction(() => current.name === 'shadow/cascade_1');
  await key(page, 'k');
  await page.waitForFunction(() => current.name === 'shadow/cascade_0');
  await key(page, 's');
  await page.waitForFunction(() => current.name === 'shadow/cascade_1');
  const facts = await text(page, '.facts');
  for (const words of ['1,350 px (5.27 %), max 18/255', '61,101 to 119,129', 'edge+area, brighter', '4 tiles of 64 px, 1 region', 'ground', '96 %', '9–16', '1,164', '0123456789ab', 'soft/1', 'ms to render', "stillframe accept 'shadow/cascade_1'", 'stillframe review']) check(facts.includes(words), `the facts tell ${words}`);
  await page.click('.commands button >> nth=1');
  check(await announced(page, 'Copied'), 'a command is copied');
  equal(errors, [], 'no errors');
  equal(requests.length, 1, 'no requests');
  await close();

  const calm = await open(at('shadow/cascade_0'), { reducedMotion: 'reduce' });
  await opened(calm.page);
  await key(calm.page, ' ');
  const first = await see(calm.page, 'viewer.mode');
  await calm.page.waitForTimeout(700);
  equal([await see(calm.page, 'viewer.blinking'), await see(calm.page, 'viewer.mode')], [false, first], 'who wants no motion gets none');
  await calm.close();
}

async function floats() {
  const { page, errors, close } = await open(at('hdr/one_ulp#color'));
  await opened(page);
  await key(page, 'ArrowRight');
  const readout = await text(page, '#readout');
  for (const words of ['37, 60', '1.20625', '3f9a6666', '1.2062501', '3f9a6667', '+1 ulp']) check(readout.includes(words), `one ulp: ${words} in ${readout}`);
  equal(await see(page, 'viewer.difference.multiplier'), 'steps', 'a difference that no multiplier shows is shown by steps');
  await key(page, '3', 'g', 'z');
  await see(page, 'viewer.cursor = null, viewer.setZoom("fit")');
  await key(page);
  check((await colorAt(page, 37, 60)).some((v) => v > 100), 'one ulp is seen');
  await see(page, 'viewer.setZoom(0.25)');
  await key(page);
  check(await see(page, '[...viewer.canvas.getContext("2d").getImageData(0, 0, viewer.canvas.width, viewer.canvas.height).data].some((v, at) => at % 4 === 2 && v === 160)'), 'from afar too');
  await see(page, 'viewer.setZoom("fit")');
  await key(page, '2');
  const dim = await colorAt(page, 20, 30);
  await key(page, 'e', 'e');
  const bright = await colorAt(page, 20, 30);
  check(bright[0] > dim[0], 'exposure');
  await key(page, 't');
  check((await colorAt(page, 20, 30))[0] < bright[0], 'a tone curve');
  await key(page, 'f');
  check(JSON.stringify(await see(page, 'STOPS')).includes(JSON.stringify(await colorAt(page, 20, 30))), 'false colour');
  equal(errors, [], 'no errors');
  await close();
}

async function kinds() {
  const { page, errors, close } = await open(at('aov/ids#id'));
  await opened(page);
  await key(page, 'ArrowRight');
  check((await text(page, '#readout')).includes('70000'), 'whole numbers are read');
  const visit = async (name) => {
    await see(page, `location.hash = ${JSON.stringify('#/case/' + encodeURIComponent(name))}`);
    await page.waitForFunction((name) => current?.name === name, name);
    await opened(page);
    await key(page);
  };
  for (const [name, panes] of [['status/new', ['new']], ['status/gone', ['old']], ['status/size', ['old', 'new']], ['status/nondet', ['old', 'new', 'diff']], ['status/crash', ['new']]]) {
    await visit(name);
    equal(await see(page, 'viewer.panes().map((pane) => pane.id)'), panes, name);
  }
  await visit('status/size');
  await key(page, '3');
  equal(await pressed(page, 'diff'), 'false', 'no difference of two sizes');
  check(await announced(page, 'one size'), 'and why');
  await visit('status/crash');
  await key(page, 'a');
  check(await announced(page, 'repeat it alone'), 'what to do about a crash');
  check((await text(page, '.message')).includes('made-up message'), 'its message stands there');
  equal(errors, [], 'no errors');
  await close();
}

async function passes() {
  const { page, errors, close } = await open(at('shadow/cascade_2'));
  await opened(page);
  equal(await page.locator('.strip li').evaluateAll((items) => items.map((item) => item.className)), ['equal', 'equal', 'first', 'differs'], 'the first pass that differs');
  check((await text(page, '.strip .first')).includes('draw 3/9 ground'), 'and its draw');
  await page.click('.strip .first button');
  await page.waitForFunction(() => viewer.pair.new?.width === 80);
  check((await text(page, '.shown-pass')).includes('shadow.resolve'), 'a pass opens in the viewer');
  await key(page, '0');
  await page.waitForFunction(() => viewer.pair.new?.width === 160);
  equal(errors, [], 'no errors');
  await close();
}

async function deciding() {
  const { page, errors, close } = await open(file);
  check(await page.locator('#download').isDisabled(), 'nothing to download yet');
  await page.click('.cluster:nth-child(1) .yes');
  check((await text(page, '#tally')).startsWith('6 accepted'), 'a whole cause is accepted');
  await key(page, 'j', 'r');
  check((await text(page, '#tally')).includes('1 rejected'), 'a card is rejected');
  await page.selectOption('#filter-decided', 'open');
  equal((await shown(page)).some((name) => name.startsWith('shadow/')), false, 'by decision');
  await page.selectOption('#filter-decided', '');
  await see(page, 'location.hash = "#/case/status%2Fgone"');
  await opened(page);
  await key(page, 'a');
  await page.waitForFunction(() => current.name === 'status/new');
  check(await announced(page, 'Accepted status/gone'), 'a verdict is told');
  await key(page, 'r');
  await page.waitForFunction(() => current.name !== 'status/new');
  await see(page, 'location.hash = "#/case/status%2Fnew"');
  await page.waitForFunction(() => current.name === 'status/new');
  await key(page, 'u');
  equal(await page.getAttribute('#case', 'data-decision'), '', 'u takes it back');
  await see(page, 'location.hash = "#/case/mesh%2Fvisor_1%5Bsamples%3D4%5D"');
  await page.waitForFunction(() => current.name.startsWith('mesh'));
  await key(page, 'R');
  const [download] = await Promise.all([page.waitForEvent('download'), key(page, 'd')]);
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

/** axe-core, in both schemes, on each kind of page. */
async function accessible() {
  const axe = readFileSync(axeFile, 'utf8');
  for (const colorScheme of ['light', 'dark']) {
    const { page, close } = await open(file, { colorScheme, bypassCSP: true });
    const look = async (where) => {
      if (!(await see(page, 'typeof axe !== "undefined"'))) await page.evaluate(axe + ';0');
      const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
      for (const { id, help, nodes } of found.violations) check(false, `${where}, ${colorScheme}: ${id}, ${help}: ${nodes.slice(0, 3).map((node) => node.html).join(' ')}`);
      check(found.passes.length > 10, `${where}: axe looked at something`);
    };
    await look('front');
    await page.click('.cluster:nth-child(1) .yes');
    await page.click('#passed-title');
    await look('front, decided');
    await see(page, 'location.hash = "#/case/shadow%2Fcascade_3"');
    await opened(page);
    await key(page, 'ArrowRight');
    await look('case');
    await key(page, '?');
    await look('keys');
    await close();
  }
}

async function beside() {
  const { page, errors, requests, close } = await open(besideFile);
  check((await text(page, '.note')).includes('lie beside this page'), 'the page says where its pictures are');
  await see(page, 'location.hash = "#/case/shadow%2Fcascade_3"');
  await opened(page);
  equal(await see(page, 'viewer.found.count'), 1350, 'and opens them');
  check(requests.every((url) => url.startsWith('file://') && (url.includes('/report-pictures/') || url.endsWith('.html'))), 'from nowhere else');
  equal(errors, [], 'no errors');
  await close();
}

/** 500 failures: from the navigation to the first paint after everything stands, the best of three. */
async function large() {
  const times = [];
  for (let n = 0; n < 3; n++) {
    const { page, errors, close } = await open(largeFile);
    await see(page, 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    times.push(await see(page, 'performance.now()'));
    equal(await page.locator('#grid > .card').count(), 500, 'all cards are there');
    equal(errors, [], 'no errors');
    if (n === 0) {
      await page.fill('#filter-name', 'case_049');
      equal((await shown(page)).length, 10, 'filters among many');
      await key(page, 'Escape', 'j', 'Enter');
      await opened(page);
      check(Boolean(await see(page, 'viewer.found')), 'a case of many opens');
    }
    await close();
  }
  const best = Math.min(...times);
  console.log(`500 failures: open in ${times.map((time) => Math.round(time)).join(', ')} ms`);
  check(best < 2000, `500 failures open in ${best} ms`);
}
