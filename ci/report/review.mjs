// Review: `stillframe review --web` in a browser, with a project of its own: what is decided in the page is what the references and the
// next run say. `node review.mjs PROGRAM`

import { createServer, request } from 'node:http';
import { resolve } from 'node:path';
import { open, check, equal, end, DARK, NARROW } from './browser.mjs';
import { project } from './project.mjs';

const made = project(resolve(process.argv[2]));
const records = new Map(made.records().map((record) => [record.name, record]));
const server = await made.review();
const { base } = server;
const PENDING = [
  'fresh/new', 'gone/old', 'paint/one', 'paint/three', 'paint/two', 'size/grown', 'stage/bright', 'stage/floats', 'stage/floats#depth', 'stage/moved',
];

const tally = ({ when }, words) => when((words) => byId('tally').textContent.includes(words), words);
const said = ({ when }, name, verb) => when(([name, verb]) => decisions.get(name)?.decision === verb, [name, verb]);
/** Opens the page, until the server has told it what was decided. */
const start = async (address, options) => {
  const tab = await open(address, options);
  check(await tab.when(() => revision > 0), 'the server tells what was decided');
  return tab;
};
/** A decision moves on to the next case, a moment after it is known. */
const goTo = async (tab, name) => {
  await tab.page.waitForTimeout(150);
  await tab.goTo(name);
};

const [one, two] = [await start(base), await start(base)];
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
  equal((await one.see(() => page.records.map(({ name }) => name))).sort(), PENDING, 'what waits');
  equal(await one.count('.cluster'), 4, 'causes');
  check((await one.text('.cluster:has-text("paint/one") .names')).includes('paint/three'), 'one cause holds what was painted');
  const loaded = await one.when(() => [...document.querySelectorAll('img.thumb')].every((img) => img.complete && img.naturalWidth > 0));
  check(loaded, 'small pictures come from the server');
  equal(await one.count('.card .thumb.none'), 0, 'every case has one to look at, the one that goes as well');
  const bent = await one.see(() => [...document.querySelectorAll('.shot')].filter((shot) => {
    const [img, { width, height }] = [shot.querySelector('img'), shot.getBoundingClientRect()];
    return img && width > 0 && Math.abs(width / height - img.naturalWidth / img.naturalHeight) > 0.02;
  }).length);
  equal(bent, 0, 'frames have the shape of their picture, so that marks lie where they belong');
  await one.shoot('review-front-light');
  for (const [name, options] of [['dark', { ...DARK, bypassCSP: true }], ['narrow', NARROW]]) {
    const tab = await start(base, options);
    await tab.thumbs();
    await tab.shoot(`review-front-${name}`);
    await tab.fits(`front, ${name}`);
    if (name === 'dark') await tab.accessible('front of a review');
    await tab.goTo('stage/bright');
    check(await tab.when(() => viewer.found), `${name}: the pictures are compared`);
    await tab.shoot(`review-case-${name}`);
    await tab.fits(`case, ${name}`);
    if (name === 'dark') await tab.accessible('case of a review');
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
    await one.when(() => viewer.found);
    const own = await one.see(() => {
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
  await one.key('a');
  check(await tally(one, '1 accepted'), 'a accepts');
  equal(made.changed(), [' M stage/moved'], 'its reference changes at once');
  await goTo(one, 'stage/floats');
  await one.key('r');
  check(await tally(one, '1 accepted · 1 rejected'), 'r rejects');
  await one.key('Escape');
  await one.page.click('.cluster:has-text("paint/one") .yes');
  check(await tally(one, '4 accepted · 1 rejected'), 'a cause is accepted through the page');
  check(await tally(two, '4 accepted · 1 rejected'), 'the other tab sees it');
  check(await two.told('Decided elsewhere'), 'and tells it');
  equal(made.changed(), [' M paint/one', ' M paint/three', ' M paint/two', ' M stage/moved'], 'exactly the accepted ones are references');
  await one.page.reload();
  check(await tally(one, '4 accepted · 1 rejected'), 'a page that is loaded again knows it');
  equal(await one.see(() => [...decisions.values()].map(({ name, decision }) => `${decision} ${name}`).sort()),
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
    await two.see(() => { poll = async () => {}; });
    await one.key('a');
    check(await said(one, name, 'accept'), `${name} is accepted first`);
    await two.key('r');
    await two.page.waitForSelector('dialog#conflict[open]');
    check((await two.text('#conflict')).includes(`${name} was accepted there`), 'what changed is shown');
    if (left) await two.shoot('review-conflict');
    await two.page.click(answer);
    check(await said(two, name, verb), `${name}: ${answer}`);
    await two.page.reload();
    await two.when(() => revision > 0);
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
  await one.key('r');
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
  const token = await one.see(() => page.live.token);
  const revision = await one.see(() => revision);
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
  const tried = await tab.see(async ([base, token, wish]) => {
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
  await one.key('a');
  check(await one.when(() => byId('says').textContent.includes('cannot be reached') || byId('tally').textContent.includes('cannot be reached')), 'what is pressed then');
  equal(await one.see(() => decisions.get('stage/floats').decision), 'reject', 'is not taken for decided');
  await one.shoot('review-alone');
  await one.close();
  await two.close();
}

/** The next review knows what was said; the next run is green where it was accepted and red where it was not. */
async function again() {
  // What was accepted before this one began is taken back only if the run knows the former reference.
  made.forget();
  const second = await made.review();
  const tab = await start(second.base);
  check(await tally(tab, '6 accepted · 4 rejected'), 'the next review knows what was said');
  await goTo(tab, 'stage/moved');
  await tab.key('r');
  check(await tab.told('does not know the former one'), 'what cannot be done is told');
  equal(await tab.see(() => decisions.get('stage/moved').decision), 'accept', 'and not taken for done');
  equal(tab.errors.filter((words) => !words.includes('422')), [], 'no errors');
  await tab.close();
  equal(await second.end(), 0, 'it ends');
  made.still(1, 'test', '--no-cache');
  equal(made.records().map(({ name, status }) => `${name} ${status}`).sort(), [
    'first/hello pass', 'fresh/new new', 'paint/one pass', 'paint/three pass', 'paint/two pass', 'size/grown size', 'stage/bright pass',
    'stage/floats differs', 'stage/floats#depth differs', 'stage/moved pass', 'stage/steady pass',
  ], 'the next run');
}
