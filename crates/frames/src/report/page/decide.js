// Decide: what people say of candidates. A decision speaks of a picture (its hash), not of a name alone.

const decisions = new Map(page.decisions.map((said) => [said.name, said]));
const decisionListeners = [];
let unsaved = false;

const canDecide = (record) => page.pending_statuses.includes(record.status);

/** 'accept', 'reject' or undefined: what was said of this very picture. */
function decisionOf(record) {
  const said = decisions.get(record.name);
  return said && (said.hash ?? null) === (record.hash ?? null) ? said.decision : undefined;
}

const said = (record, verb) => ({ name: record.name, hash: record.hash ?? null, decision: verb });

const tellDecisions = () => decisionListeners.forEach((listen) => listen());

/** Says `verb` of all records that can be decided; how many were. With a server it has the last word. */
async function decide(records, verb) {
  const open = records.filter(canDecide);
  if (open.length === 0) {
    tell(records.length === 1 ? page.advice[records[0].status] : 'Nothing here can be decided');
    return 0;
  }
  const words = `${verb === 'accept' ? 'Accepted' : 'Rejected'} ${open.length === 1 ? open[0].name : plural(open.length, 'case')}`;
  const list = open.map((record) => said(record, verb));
  if (page.live && !(await sendDecisions(list))) return 0;
  if (!page.live) {
    list.forEach((one) => decisions.set(one.name, one));
    unsaved = true;
  }
  tell(words);
  tellDecisions();
  return open.length;
}

/** Takes a decision back; only where no server has written it down already. */
function undecide(record) {
  if (!decisionOf(record)) return;
  if (page.live) {
    tell('Written down already: accept or reject to change it');
    return;
  }
  decisions.delete(record.name);
  unsaved = true;
  tell(`Undecided ${record.name}`);
  tellDecisions();
}

/** The document that `stillframe accept --from` reads. */
function decisionsDocument() {
  const list = page.records.filter(decisionOf).map((record) => decisions.get(record.name));
  return JSON.stringify({ schema: 'decisions/1', run: page.header.id, decisions: list }, null, 2) + '\n';
}

function downloadDecisions() {
  const link = el('a', { download: 'decisions.json' });
  link.href = URL.createObjectURL(new Blob([decisionsDocument()], { type: 'application/json' }));
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  unsaved = false;
  tell('Downloaded decisions.json. Next: stillframe accept --from decisions.json');
}

addEventListener('beforeunload', (event) => {
  if (unsaved) event.preventDefault();
});
