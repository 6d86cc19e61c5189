// Browser: a real one without a window, and tabs: what a person does in them, what they can wait for, and whether it was right.
// CHROMIUM is the browser's file, REPORT_MODULES where npm has put what drives it; pictures go to the folder PICTURES, where that is set.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const modules = createRequire(process.env.REPORT_MODULES + '/');
const { chromium } = modules('playwright-core');
const axe = readFileSync(modules.resolve('axe-core/axe.min.js'), 'utf8');

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
const pictures = process.env.PICTURES;

export const DARK = { colorScheme: 'dark' };
export const NARROW = { viewport: { width: 420, height: 800 } };

/** Opens a tab; its `errors` and `requests` fill up as it lives. */
export async function open(url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 }, colorScheme: 'light', acceptDownloads: true, ...options });
  const page = await context.newPage();
  const [errors, requests] = [[], []];
  page.on('console', (message) => { // The checks read pixels back, the page does not.
    if (['error', 'warning'].includes(message.type()) && !message.text().includes('willReadFrequently')) errors.push(message.text()); });
  page.on('pageerror', (error) => errors.push(error.stack));
  page.on('request', (request) => { if (!/^(data|blob):/.test(request.url())) requests.push(request.url()); });
  await page.goto(url);

  const see = (words, argument) => page.evaluate(words, argument);
  /** Whether it becomes true before long: a server, a timer or the clipboard answers first. */
  const when = (words, argument) => page.waitForFunction(words, argument, { timeout: 8000 }).then(() => true, () => false);
  const painted = () => see(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  /** The case on show, or the one that is named, has its pictures. */
  const opened = async (name = null) => {
    if (!(await when((name) => current && (!name || current.name === name) && !parts.shownPass.textContent.startsWith('Opening'), name))) throw new Error(`${name ?? 'the case'} does not open`);
    await painted();
  };
  return {
    page, errors, requests, see, when, opened,
    /** Presses keys one after the other, until what they changed is painted. */
    key: async (...keys) => {
      for (const one of keys) await page.keyboard.press(one);
      await painted();
    },
    text: (selector) => page.locator(selector).innerText(),
    count: (selector) => page.locator(selector).count(),
    /** Whether a screen reader is told it. */
    told: (words) => when((words) => byId('says').textContent.includes(words), words),
    goTo: async (name) => {
      await see((name) => { location.hash = '#/case/' + encodeURIComponent(name); }, name);
      await opened(name);
    },
    /** Every small picture near the window is there. */
    thumbs: () => when(() => {
      const isSeen = (img) => { const box = img.getBoundingClientRect(); return box.width > 0 && box.top < innerHeight && box.bottom > 0; };
      return [...document.querySelectorAll('img.thumb')].filter(isSeen).every((img) => img.complete && img.naturalWidth > 0);
    }),
    shoot: async (name) => { if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) }); },
    fits: (words) => see(() => document.documentElement.scrollWidth <= innerWidth).then((fits) => check(fits, `${words}: nothing stands out to the right`)),
    /** axe-core finds nothing wrong; the tab was opened with `bypassCSP`. */
    accessible: async (words) => {
      if (!(await see('typeof axe !== "undefined"'))) await see(axe + ';0');
      const found = await see(() => axe.run(document, { resultTypes: ['violations'] }));
      for (const { id, help, nodes } of found.violations) check(false, `${words}: ${id}, ${help}: ${nodes.slice(0, 3).map((node) => node.html).join(' ')}`);
      check(found.passes.length > 10, `${words}: axe looked at something`);
    },
    close: () => context.close(),
  };
}

let checks = 0;
const failures = [];

/** Counts a check, and tells of it where it fails. */
export function check(good, words) {
  checks++;
  if (!good) {
    failures.push(words);
    console.error(`FAILED ${words}`);
  }
}

export function equal(got, want, words) {
  check(JSON.stringify(got) === JSON.stringify(want), `${words}: ${JSON.stringify(got)} instead of ${JSON.stringify(want)}`);
}

export async function end() {
  await browser.close();
  console.log(`${checks} checks in ${process.env.CHROMIUM}, ${failures.length} failed`);
  process.exit(failures.length > 0 || checks === 0 ? 1 : 0);
}
