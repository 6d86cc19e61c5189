// Live: decisions that a server of `stillframe review --web` keeps, and other tabs make as well. The protocol is told in docs/report.md.

const POLL_MS = 1000;
let revision = 0;
let reachable = true;

const liveHeaders = () => ({ 'x-stillframe-token': page.live.token });

/** Takes a state of the server; the names whose decision changed. */
function takeState(state) {
  const changed = [];
  const names = new Set(state.decisions.map(({ name }) => name));
  for (const one of state.decisions) {
    const before = decisions.get(one.name);
    if (before?.decision !== one.decision || (before?.hash ?? null) !== (one.hash ?? null)) changed.push(one.name);
    decisions.set(one.name, one);
  }
  for (const name of [...decisions.keys()]) {
    if (!names.has(name)) {
      decisions.delete(name);
      changed.push(name);
    }
  }
  revision = state.revision;
  return changed;
}

function setReachable(now) {
  if (now === reachable) return;
  reachable = now;
  byId('main').classList.toggle('alone', !now);
  tell(now ? 'The server is back' : 'The server cannot be reached. Decisions are not kept until it is back.');
  byId('tally').dataset.alone = now ? '' : 'server cannot be reached';
  tellDecisions();
}

async function poll() {
  try {
    const reply = await fetch('api/run', { cache: 'no-store', headers: { ...liveHeaders(), 'if-none-match': `"${revision}"` } });
    if (!reply.ok && reply.status !== 304) throw new Error(String(reply.status));
    setReachable(true);
    if (reply.status === 304) return;
    const state = await reply.json();
    // A reply may be overtaken by that of a decision made meanwhile.
    if (state.revision <= revision && revision !== 0) return;
    const first = revision === 0;
    const changed = takeState(state);
    if (changed.length > 0) {
      if (!first) tell(`Decided elsewhere: ${changed.length === 1 ? changed[0] : plural(changed.length, 'case')}`);
      tellDecisions();
    }
  } catch {
    setReachable(false);
  }
}

/** Sends decisions; true once the server has them. When others were first with the same cases, people are asked again. */
async function sendDecisions(list) {
  for (;;) {
    let reply;
    let state;
    try {
      reply = await fetch('api/decide', {
        method: 'POST',
        headers: { ...liveHeaders(), 'content-type': 'application/json' },
        body: JSON.stringify({ schema: 'decide/1', revision, decisions: list }),
      });
      state = await reply.json();
    } catch {
      setReachable(false);
      return false;
    }
    setReachable(true);
    if (reply.ok) {
      takeState(state);
      return true;
    }
    if (reply.status !== 409) {
      tell(`Not decided: ${state.message ?? reply.statusText}`);
      return false;
    }
    const changed = takeState(state);
    tellDecisions();
    // Others spoke of other cases: what was said here still stands.
    const both = list.filter((one) => changed.includes(one.name) && decisions.get(one.name)?.decision !== one.decision);
    if (both.length > 0 && !(await askAgain(both))) return false;
  }
}

/** Shows what others said meanwhile; true where it shall be said nevertheless. */
function askAgain(list) {
  const dialog = byId('conflict');
  const words = { accept: 'accepted', reject: 'rejected' };
  return new Promise((resolve) => {
    const end = (answer) => { dialog.returnValue = answer; dialog.close(); };
    dialog.replaceChildren(
      el('h2', { id: 'conflict-title', text: 'Decided elsewhere first' }),
      el('ul', {}, list.map((one) => el('li', {}, el('code', { text: one.name }), ` was ${words[decisions.get(one.name)?.decision] ?? 'left open'} there; here it is to be ${words[one.decision]}`))),
      el('p', { class: 'buttons' },
        el('button', { type: 'button', id: 'conflict-keep', text: 'Leave it as it is', onclick: () => end('keep') }),
        el('button', { type: 'button', id: 'conflict-mine', text: 'Decide as I said', onclick: () => end('mine') })),
    );
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'mine'), { once: true });
    dialog.returnValue = 'keep';
    dialog.showModal();
  });
}

function startLive() {
  poll();
  setInterval(() => { if (!document.hidden) poll(); }, POLL_MS);
  document.addEventListener('visibilitychange', () => { if (!document.hidden) poll(); });
}
