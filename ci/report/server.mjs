// Server: the least that follows the protocol of docs/report.md, for the page's tests. `stillframe review --web` is the real one.

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';

/** Serves the folder of a run whose page was made with `token`; { base, state, close }. */
export async function serve(folder, token) {
  const state = { schema: 'review/1', run: '000001', revision: 1, decisions: [] };
  const tell = (reply, status, body, headers = {}) => reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body && JSON.stringify(body));
  const server = createServer(async (request, reply) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    if (path.startsWith('/api/') && request.headers['x-stillframe-token'] !== token) return tell(reply, 403, { message: 'not this page' });
    if (path === '/api/run') {
      const tag = `"${state.revision}"`;
      return request.headers['if-none-match'] === tag ? tell(reply, 304) : tell(reply, 200, state, { etag: tag });
    }
    if (path === '/api/decide' && request.method === 'POST') {
      let text = '';
      for await (const part of request) text += part;
      const wish = JSON.parse(text);
      if (wish.revision !== state.revision) return tell(reply, 409, state);
      const names = new Set(wish.decisions.map(({ name }) => name));
      state.decisions = [...state.decisions.filter(({ name }) => !names.has(name)), ...wish.decisions];
      state.revision++;
      return tell(reply, 200, state);
    }
    try {
      const bytes = await readFile(join(folder, normalize(path === '/' ? '/report.html' : decodeURIComponent(path))));
      reply.writeHead(200, { 'content-type': path.endsWith('.png') ? 'image/png' : path === '/' ? 'text/html' : 'application/octet-stream' }).end(bytes);
    } catch {
      tell(reply, 404, { message: 'nothing here' });
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { base: `http://127.0.0.1:${server.address().port}/`, state, close: () => server.close() };
}
