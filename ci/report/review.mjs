// Review: `stillframe review --web` in a browser, with a project of its own: what is decided in the page is what the references and the
// next run say. `node review.mjs PROGRAM [FOLDER]`; pictures of the page go to FOLDER.

import { createServer, request } from 'node:http';
import { join, resolve } from 'node:path';
import { open, check, equal, end } from './browser.mjs';
import { project } from './project.mjs';

const [program, pictures] = process.argv.slice(2).map((path) => resolve(path));
const made = project(program);
const records = new Map(made.records().map((record) => [record.name, record]));
const server = await made.review();
const { base } = server;
const PENDING = [
  'fresh/new', 'gone/old', 'paint/one', 'paint/three', 'paint/two', 'size/grown', 'stage/bright', 'stage/floats', 'stage/floats#depth', 'stage/moved',
];

const see = ({ page }, words, argument) => page.evaluate(words, argument);
const says = ({ page }) => page.locator('#says').innerText();
const shoot = async ({ page }, name) => { if (pictures) await page.screenshot({ path: join(pictures, `review-${name}.png`) }); };
const when = (tab, words, argument) => tab.page.waitForFunction(words, argument, { timeout: 8000 }).then(() => true, () => false);
const tally = (tab, words) => when(tab, (words) => byId('tally').textContent.includes(words), words);
const said = (tab, name, verb) => when(tab, ([name, verb]) => decisions.get(name)?.decision === verb, [name, verb]);
const started = (tab) => tab.page.waitForFunction(() => revision > 0);
/** A key that was pressed before may move on to the next case a moment later, so once is not enough. */
const goTo = async (tab, name) => {
  for (let tries = 0; tries < 3; tries++) {
    await see(tab, (name) => { location.hash = '#/case/' + encodeURIComponent(name); }, name);
    await tab.page.waitForTimeout(150);
    if (await when(tab, (name) => current?.name === name && !parts.shownPass.textContent.startsWith('Opening'), name)) return;
  }
  throw new Error(`${name} does not open`);
};

const [one, two] = [await open(base), await open(base)];
await started(one);
await started(two);
await shown();
await figures();
await keys();
await together();
await strangers();
await ended();
await again();
made.remove();
await end();

/** Everything that waits is there, with its picture. */
async function shown() {
  equal((await see(one, () => page.records.map(({ name }) => name))).sort(), PENDING, 'what waits');
  equal(await one.page.locator('.cluster').count(), 4, 'causes');
  check((await one.page.locator('.cluster:has-text("paint/one") .names').innerText()).includes('paint/three'), 'one cause holds what was painted');
  const loaded = await when(one, () => [...document.querySelectorAll('img.thumb')].every((img) => img.complete && img.naturalWidth > 0));
  check(loaded, 'small pictures come from the server');
  equal(await one.page.locator('.card .thumb.none').count(), 0, 'every case has one to look at, the one that goes as well');
  const bent = await see(one, () => [...document.querySelectorAll('.shot')].filter((shot) => {
    const [img, { width, height }] = [shot.querySelector('img'), shot.getBoundingClientRect()];
    return img && width > 0 && Math.abs(width / height - img.naturalWidth / img.naturalHeight) > 0.02;
  }).length);
  equal(bent, 0, 'frames have the shape of their picture, so that marks lie where they belong');
  await shoot(one, 'front-light');
  for (const [name, options] of [['dark', { colorScheme: 'dark' }], ['narrow', { viewport: { width: 420, height: 800 } }]]) {
    const tab = await open(base, options);
    await started(tab);
    await when(tab, () => [...document.querySelectorAll('img.thumb')].slice(0, 4).every((img) => img.complete && img.naturalWidth > 0));
    await shoot(tab, `front-${name}`);
    check(await see(tab, () => document.documentElement.scrollWidth <= innerWidth), `${name}: nothing of the front page stands out to the right`);
    await goTo(tab, 'stage/bright');
    await when(tab, () => viewer.found);
    await tab.page.waitForTimeout(100);
    await shoot(tab, `case-${name}`);
    check(await see(tab, () => document.documentElement.scrollWidth <= innerWidth), `${name}: nothing of a case stands out to the right`);
    equal(tab.errors, [], `${name}: no errors`);
    await tab.close();
  }
}

/** What the page computes of two pictures is what the program computed. */
async function figures() {
  let compared = 0;
  for (const name of PENDING) {
    const record = records.get(name);
    if (record.pixels === undefined) continue;
    await goTo(one, name);
    await when(one, () => viewer.found);
    const own = await see(one, () => {
      const { old: before, new: after } = viewer.pair;
      const look = { stops: 0, channel: 'all', tone: 'clamp', falseColor: false };
      const isExact = before.kind === 'u8';
      const errors = isExact ? flip(shownBytes(before, look), shownBytes(after, look), before.width, before.height) : null;
      const { differs, count, max, tiles } = viewer.found;
      const box = [Infinity, Infinity, 0, 0];
      differs.forEach((is, at) => {
        const [x, y] = [at % before.width, Math.floor(at / before.width)];
        if (is) [box[0], box[1], box[2], box[3]] = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)];
      });
      return { count, max: Number.isFinite(max) ? max : null, box, tiles: tiles.map(({ x, y }) => [x, y]), flip: errors && errors.reduce((sum, error) => sum + error, 0) / errors.length };
    });
    const { pixels, max, box, tiles } = record;
    equal([own.count, own.max, own.box, own.tiles], [pixels, max, box, tiles], `${name}: pixels, max, box and tiles`);
    if (own.flip !== null) check(Math.abs(own.flip - record.flip_mean) < 1e-5, `${name}: FLIP ${own.flip} in the page, ${record.flip_mean} in the run`);
    compared++;
  }
  equal(compared, 7, 'cases with two pictures of one size');
}

/** One case by its key, another refused, a whole cause: at once in the references. */
async function keys() {
  equal(made.changed(), [], 'nothing is decided by looking');
  await goTo(one, 'stage/moved');
  await one.page.keyboard.press('a');
  check(await tally(one, '1 accepted'), 'a accepts');
  equal(made.changed(), [' M stage/moved'], 'its reference changes at once');
  await goTo(one, 'stage/floats');
  await one.page.keyboard.press('r');
  check(await tally(one, '1 accepted · 1 rejected'), 'r rejects');
  await one.page.keyboard.press('Escape');
  await one.page.click('.cluster:has-text("paint/one") .yes');
  check(await tally(one, '4 accepted · 1 rejected'), 'a cause is accepted through the page');
  check(await tally(two, '4 accepted · 1 rejected'), 'the other tab sees it');
  check((await says(two)).startsWith('Decided elsewhere'), 'and tells it');
  equal(made.changed(), [' M paint/one', ' M paint/three', ' M paint/two', ' M stage/moved'], 'exactly the accepted ones are references');
  await one.page.reload();
  check(await tally(one, '4 accepted · 1 rejected'), 'a page that is loaded again knows it');
  equal(await see(one, () => [...decisions.values()].map(({ name, decision }) => `${decision} ${name}`).sort()),
    ['accept paint/one', 'accept paint/three', 'accept paint/two', 'accept stage/moved', 'reject stage/floats'], 'case by case');
}

async function together() {
  // Of different cases, at once: both stand.
  await goTo(one, 'stage/bright');
  await goTo(two, 'stage/floats#depth');
  await Promise.all([one.page.keyboard.press('a'), two.page.keyboard.press('r')]);
  for (const tab of [one, two]) check(await tally(tab, '5 accepted · 2 rejected'), 'two cases at once');
  // Of the same case: the second one is asked again. Its own polling is held back, as if both had pressed at the same moment.
  for (const [name, answer, verb, left] of [['gone/old', '#conflict-keep', 'accept', ' D gone/old'], ['fresh/new', '#conflict-mine', 'reject', null]]) {
    await goTo(one, name);
    await goTo(two, name);
    await see(two, () => { poll = async () => {}; });
    await one.page.keyboard.press('a');
    check(await said(one, name, 'accept'), `${name} is accepted first`);
    await two.page.keyboard.press('r');
    await two.page.waitForSelector('dialog#conflict[open]');
    check((await two.page.locator('#conflict').innerText()).includes(`${name} was accepted there`), 'what changed is shown');
    if (left) await shoot(two, 'conflict');
    await two.page.click(answer);
    check(await said(two, name, verb), `${name}: ${answer}`);
    await two.page.reload();
    await started(two);
    for (const tab of [one, two]) check(await said(tab, name, verb), `${name}: both tabs know the last word`);
    equal(made.changed().filter((row) => row.endsWith(name)), left ? [left] : [], `${name}: and so do the references`);
  }
  // The same press in both: nothing is written twice, and nobody is asked.
  await goTo(one, 'size/grown');
  await goTo(two, 'size/grown');
  await Promise.all([one.page.keyboard.press('a'), two.page.keyboard.press('a')]);
  for (const tab of [one, two]) check(await said(tab, 'size/grown', 'accept'), 'the same word twice');
  // Who changes their mind gets the old reference back, whole.
  await goTo(one, 'size/grown');
  await one.page.keyboard.press('r');
  for (const tab of [one, two]) check(await said(tab, 'size/grown', 'reject'), 'the mind is changed');
  equal([made.changed(), made.locks()], [[' D gone/old', ' M paint/one', ' M paint/three', ' M paint/two', ' M stage/bright', ' M stage/moved'],
    ['gone/old', 'paint/one', 'paint/three', 'paint/two', 'stage/bright', 'stage/moved']], 'pictures and lines of the accepted ones, and no others');
  made.still(0, 'store', 'verify');
  const words = [...one.errors, ...two.errors].filter((words) => !words.includes('409'));
  equal(words, [], 'no errors');
  check([...one.requests, ...two.requests].every((url) => url.startsWith(base)), 'no requests to anybody else');
}

/** Whoever is not the page decides nothing, and sees nothing that would help. */
async function strangers() {
  const token = await see(one, () => page.live.token);
  const revision = await see(one, () => revision);
  const wish = JSON.stringify({ schema: 'decide/1', revision, decisions: [{ name: 'stage/floats', hash: records.get('stage/floats').hash, decision: 'accept' }] });
  const { port } = new URL(base);
  /** With headers that a browser lets nobody set, and paths as they are. */
  const ask = (path, method, headers, body) => new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers }, (reply) => {
      let words = '';
      reply.on('data', (part) => { words += part; });
      reply.on('end', () => resolve({ status: reply.statusCode, words, allow: reply.headers['access-control-allow-origin'] }));
    });
    asked.on('error', reject);
    asked.end(body);
  });
  const ours = { 'x-stillframe-token': token };
  equal((await ask('/api/run', 'GET', ours)).status, 200, 'the page itself is let in');
  equal(JSON.parse((await ask('/api/run', 'GET', ours)).words).run, '000002', 'and told the run');
  for (const [who, path, method, headers] of [
    ['no token', '/api/decide', 'POST', {}],
    ['a wrong token', '/api/decide', 'POST', { 'x-stillframe-token': token.replace(/./g, '0') }],
    ['an empty token', '/api/decide', 'POST', { 'x-stillframe-token': '' }],
    ['another host', '/api/decide', 'POST', { ...ours, host: 'example.org' }],
    ['another host with our port', '/api/decide', 'POST', { ...ours, host: `example.org:${port}` }],
    ['another port', '/api/decide', 'POST', { ...ours, host: '127.0.0.1:1' }],
    ['no token, reading', '/api/run', 'GET', {}],
    ['another host, the page with its token', '/', 'GET', { host: `example.org:${port}` }],
  ]) equal((await ask(path, method, headers, method === 'POST' ? wish : undefined)).status, 403, `${who} is refused`);
  const picture = '/' + records.get('stage/bright').new_picture;
  equal((await ask(picture, 'GET', {})).status, 200, 'pictures of the run');
  equal((await ask(picture, 'GET', { host: `example.org:${port}` })).status, 404, 'for no other host');
  for (const path of ['/run.jsonl', '/../../../../stillframe.toml', '/%2e%2e/%2e%2e/%2e%2e/%2e%2e/stillframe.toml', '/pictures/..%2frun.jsonl', '//etc/passwd']) {
    equal((await ask(path, 'GET', ours)).status, 404, `${path} is not handed out`);
  }
  for (const [status, body] of [[400, 'no wish'], [400, '{}'], [400, wish.replace('"accept"', '"bless"')], [400, wish.replace('b3:', 'b3')], [422, wish.replace('stage/floats', 'stage/none')],
    [422, wish.replace('stage/floats', 'stage/steady')], [422, wish.replace(/b3:../, 'b3:00')], [409, wish.replace(`"revision":${revision}`, '"revision":1')]]) {
    equal((await ask('/api/decide', 'POST', ours, body)).status, status, `${body.slice(0, 200)}`);
  }
  // A page of somebody else, in the same browser.
  const other = createServer((_, reply) => reply.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>other</title>'));
  await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
  const tab = await open(`http://127.0.0.1:${other.address().port}/`);
  const tried = await see(tab, async ([base, token, wish]) => {
    const refused = (promise) => promise.then((reply) => (reply.type === 'opaque' ? 'sent blindly' : `answered ${reply.status}`), () => 'refused');
    return [
      await refused(fetch(base + 'api/decide', { method: 'POST', headers: { 'x-stillframe-token': token, 'content-type': 'application/json' }, body: wish })),
      await refused(fetch(base + 'api/decide', { method: 'POST', body: wish })),
      await refused(fetch(base + 'api/decide', { method: 'POST', mode: 'no-cors', body: wish })),
      await refused(fetch(base)),
    ];
  }, [base, token, wish]);
  equal(tried, ['refused', 'refused', 'sent blindly', 'refused'], 'a page of another origin');
  await tab.close();
  other.close();
  const now = JSON.parse((await ask('/api/run', 'GET', ours)).words);
  equal([now.revision, now.decisions.find(({ name }) => name === 'stage/floats').decision], [revision, 'reject'], 'and nothing was decided');
}

async function ended() {
  equal(await server.end(), 0, '^C ends it, with tabs open');
  for (const tab of [one, two]) check(await tally(tab, 'server cannot be reached'), 'a server that is gone is told');
  await goTo(one, 'stage/floats');
  await one.page.keyboard.press('a');
  check(await when(one, () => byId('says').textContent.includes('cannot be reached') || byId('tally').textContent.includes('cannot be reached')), 'what is pressed then');
  equal(await see(one, () => decisions.get('stage/floats').decision), 'reject', 'is not taken for decided');
  await shoot(one, 'alone');
  await one.close();
  await two.close();
}

/** The next review knows what was said; the next run is green where it was accepted and red where it was not. */
async function again() {
  const second = await made.review();
  const tab = await open(second.base);
  await started(tab);
  check(await tally(tab, '6 accepted · 4 rejected'), 'the next review knows what was said');
  // What was accepted before this one began cannot be taken back here, and that is told.
  await goTo(tab, 'stage/moved');
  await tab.page.keyboard.press('r');
  check(await when(tab, () => byId('says').textContent.includes('accepted before this review began')), 'what cannot be done is told');
  equal(await see(tab, () => decisions.get('stage/moved').decision), 'accept', 'and not taken for done');
  equal(tab.errors.filter((words) => !words.includes('422')), [], 'no errors');
  await tab.close();
  equal(await second.end(), 0, 'it ends');
  made.still(1, 'test', '--no-cache');
  equal(made.records().map(({ name, status }) => `${name} ${status}`).sort(), [
    'first/hello pass', 'fresh/new new', 'paint/one pass', 'paint/three pass', 'paint/two pass', 'size/grown size', 'stage/bright pass',
    'stage/floats differs', 'stage/floats#depth differs', 'stage/moved pass', 'stage/steady pass',
  ], 'the next run');
}
