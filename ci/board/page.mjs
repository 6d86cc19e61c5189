// One picture of a model by three.js or Filament in headless Chromium on SwiftShader.
//   node page.mjs three|filament MODEL.glb OUT.png
// Needs CHROMIUM, and BOARD_MODULES: a folder with node_modules of playwright-core, three and filament.
// Prints how long the page itself took, in milliseconds, without the start of the browser.
import { createServer } from "node:http";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join } from "node:path";

const [engine, model, out] = process.argv.slice(2);
const modules = process.env.BOARD_MODULES;
const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");
const here = new URL(".", import.meta.url).pathname;
const types = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

const server = createServer(async (request, answer) => {
  const path = new URL(request.url, "http://localhost").pathname;
  const file = path === "/model.glb" ? model : path.startsWith("/modules/") ? join(modules, "node_modules", path.slice(9)) : join(here, path);
  try {
    const bytes = await readFile(file);
    answer.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    answer.end(bytes);
  } catch {
    answer.writeHead(404);
    answer.end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const page = await browser.newPage({ viewport: { width: 512, height: 512 } });
const problems = [];
page.on("pageerror", (error) => problems.push(String(error)));
page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
const started = performance.now();
await page.goto(`http://127.0.0.1:${server.address().port}/${engine}.html`);
await page.waitForFunction(() => window.picture !== undefined, null, { timeout: 120000 }).catch((error) => {
  console.error([String(error), ...problems].join("\n"));
  process.exit(1);
});
const picture = await page.evaluate(() => window.picture);
console.log((performance.now() - started).toFixed(0));
await writeFile(out, Buffer.from(picture.split(",")[1], "base64"));
await browser.close();
server.close();
