// Live: two tabs that decide at once, against a server that keeps decisions.
// `node live.mjs FOLDER TOKEN` starts the small server of server.mjs for a run's folder; `node live.mjs --base URL` takes one that runs, of
// a run made by the same example.

import { open, check, equal, end } from './browser.mjs';
import { serve } from './server.mjs';

const [first, second] = process.argv.slice(2);
const server = first === '--base' ? null : await serve(first, second);
const base = server?.base ?? second;

const [one, two] = [await open(base), await open(base)];
const tally = (tab, words) => tab.page.waitForFunction((words) => byId('tally').textContent.includes(words), words, { timeout: 8000 }).then(() => true, () => false);
const says = (tab) => tab.page.locator('#says').innerText();
const goTo = async (tab, name) => {
  await tab.page.evaluate((name) => { location.hash = '#/case/' + encodeURIComponent(name); }, name);
  await tab.page.waitForFunction((name) => current?.name === name && (viewer.pair.new || viewer.pair.old), name);
};

await one.page.waitForFunction(() => revision > 0);
await two.page.waitForFunction(() => revision > 0);
await one.page.click('.cluster:nth-child(1) .yes');
check(await tally(one, '6 accepted'), 'a cause is accepted through the page');
check(await tally(two, '6 accepted'), 'the other tab sees it');
check((await says(two)).startsWith('Decided elsewhere'), 'and tells it');

// Both at once, of different cases: both stand.
await goTo(one, 'texture/grain');
await goTo(two, 'status/new');
await Promise.all([one.page.keyboard.press('a'), two.page.keyboard.press('r')]);
check(await tally(one, '7 accepted · 1 rejected'), 'two cases at once');
check(await tally(two, '7 accepted · 1 rejected'), 'in both tabs');

// Of the same case: the second one is asked again. Its own polling is held back, as if both had pressed at the same moment.
for (const [answer, verdict] of [['#conflict-keep', 'accept'], ['#conflict-mine', 'reject']]) {
  await goTo(one, 'status/gone');
  await goTo(two, 'status/gone');
  await one.page.evaluate(() => decide([recordOf.get('status/gone')], 'reject'));
  await two.page.waitForFunction(() => decisions.get('status/gone')?.decision === 'reject');
  await two.page.evaluate(() => { poll = async () => {}; });
  await one.page.evaluate(() => decide([recordOf.get('status/gone')], 'accept'));
  await two.page.keyboard.press('r');
  await two.page.waitForSelector('dialog#conflict[open]');
  check((await two.page.locator('#conflict').innerText()).includes('status/gone was accepted there'), 'what changed is shown');
  await two.page.click(answer);
  await two.page.waitForFunction((verdict) => decisions.get('status/gone')?.decision === verdict, verdict);
  await two.page.reload();
  await two.page.waitForFunction((verdict) => decisions.get('status/gone')?.decision === verdict, verdict);
  await one.page.waitForFunction((verdict) => decisions.get('status/gone')?.decision === verdict, verdict);
}
if (server) {
  const kept = server.state.decisions.map(({ name }) => name);
  equal(new Set(kept).size, kept.length, 'nothing twice');
  const wrong = await fetch(base + 'api/decide', { method: 'POST', body: '{}' });
  equal(wrong.status, 403, 'who has no token decides nothing');
}
equal([...one.errors, ...two.errors].filter((words) => !words.includes('409')), [], 'no errors');
check([...one.requests, ...two.requests].every((url) => url.startsWith(base)), 'no requests to anybody else');

if (server) {
  server.close();
  check(await tally(one, 'server cannot be reached'), 'a server that is gone is told');
}
await end();
