// Browser: a real one without a window, and pages that tell of every error and every request.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const modules = createRequire(process.env.REPORT_MODULES + '/');
const { chromium } = modules('playwright-core');
export const axeFile = modules.resolve('axe-core/axe.min.js');

const path = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) => existsSync(file));
if (!path || !existsSync(path)) {
  console.error(`no browser: ${path ?? 'chromium'} is not there. Debian: apt-get install chromium; elsewhere set CHROMIUM to its file`);
  process.exit(1);
}

export const browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] });

/** Opens a page; `errors` and `requests` fill up as it lives. */
export async function open(url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 }, colorScheme: 'light', acceptDownloads: true, ...options });
  const page = await context.newPage();
  const [errors, requests] = [[], []];
  page.on('console', (message) => { // The checks read pixels back, the page does not.
    if (['error', 'warning'].includes(message.type()) && !message.text().includes('willReadFrequently')) errors.push(message.text()); });
  page.on('pageerror', (error) => errors.push(error.stack));
  page.on('request', (request) => { if (!/^(data|blob):/.test(request.url())) requests.push(request.url()); });
  await page.goto(url);
  return { page, errors, requests, close: () => context.close() };
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
  console.log(`${checks} checks in ${path}, ${failures.length} failed`);
  process.exit(failures.length > 0 || checks === 0 ? 1 : 0);
}
