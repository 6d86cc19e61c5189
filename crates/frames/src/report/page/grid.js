// Grid: the front page: counts by status, causes, and a card for every case that changed.

const cards = new Map();
const shownStatuses = new Set();
let shownRecords = [];

/** Small pictures are opened when they come near. */
const near = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    near.unobserve(entry.target);
    openThumb(entry.target);
  }
}, { rootMargin: '400px' });

/** A small picture, `label` for those who do not see it. It has its size before it has its pixels. */
function thumb(name, label) {
  if (!name) return el('span', { class: 'thumb none', text: 'no picture' });
  const node = name.endsWith('.exr') ? el('canvas', { class: 'thumb', ...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': 'true' }) }) : el('img', { class: 'thumb', alt: label, decoding: 'async' });
  node.dataset.picture = name;
  near.observe(node);
  return node;
}

async function openThumb(node) {
  const name = node.dataset.picture;
  try {
    if (node.tagName === 'IMG') {
      const inside = byId('t:' + name) ?? byId('p:' + name);
      if (inside) node.src = 'data:image/png;base64,' + inside.textContent.trim();
      else if (page.live) node.src = page.pictures_at + name;
      else node.src = URL.createObjectURL(new Blob([await fileOf(name)], { type: 'image/png' }));
      return;
    }
    const shown = await picture(name);
    const look = { stops: fittingStops(shown), channel: 'all', tone: 'clamp', falseColor: false };
    node.width = shown.width;
    node.height = shown.height;
    node.getContext('2d').putImageData(new ImageData(shownBytes(shown, look), shown.width, shown.height), 0, 0);
  } catch (error) {
    node.replaceWith(el('span', { class: 'thumb none', text: error.message }));
  }
}

/** What a card shows: the new picture, with a frame around what changed. */
function shot(record) {
  const [width, height] = record.size_px;
  const frame = el('span', { class: 'shot' }, thumb(record.new_picture ?? record.old_picture, ''));
  if (width && height) frame.style.setProperty('--ratio', width / height);
  const box = record.box;
  if (box && record.pixels && width && height) {
    const mark = el('span', { class: 'mark' });
    mark.style.left = `${box[0] / width * 100}%`;
    mark.style.top = `${box[1] / height * 100}%`;
    mark.style.width = `${(box[2] - box[0] + 1) / width * 100}%`;
    mark.style.height = `${(box[3] - box[1] + 1) / height * 100}%`;
    frame.append(mark);
  }
  return el('span', { class: 'stage' }, frame);
}

const caseLink = (name) => '#/case/' + encodeURIComponent(name);

const pill = (status) => el('span', { class: `pill ${page.tones[status]}`, text: status });

function figures(record) {
  if (record.moved_from) return `from ${record.moved_from}`;
  if (!record.pixels) return record.message ?? page.advice[record.status];
  return `${count(record.pixels)} px (${percent(record.share)}), max ${delta(record)}`;
}

function card(record) {
  const mark = el('span', { class: 'decided' });
  const buttons = canDecide(record) ? el('span', { class: 'buttons small' },
    el('button', { type: 'button', class: 'yes', 'aria-label': `Accept ${record.name}`, text: '✓', onclick: () => decide([record], 'accept') }),
    el('button', { type: 'button', class: 'no', 'aria-label': `Reject ${record.name}`, text: '✗', onclick: () => decide([record], 'reject') })) : null;
  const node = el('li', { class: 'card' },
    el('a', { href: caseLink(record.name), class: 'open' }, shot(record), el('span', { class: 'name', text: record.name })),
    el('span', { class: 'row' }, pill(record.status), record.cluster ? el('span', { class: 'quiet', text: record.cluster }) : null, mark, buttons),
    el('span', { class: 'figures', title: figures(record), text: figures(record) }));
  return { node, mark, record };
}

function clusterRow(cluster) {
  const members = cluster.cases.map((name) => recordOf.get(name)).filter(Boolean);
  const open = members.filter(canDecide);
  const first = members[0];
  const tally = el('span', { class: 'quiet tally' });
  const node = el('li', { class: 'cluster' },
    first ? el('a', { href: caseLink(first.name), class: 'open', 'aria-label': `${cluster.id}: ${first.name}` }, shot(first)) : null,
    el('div', {},
      el('h3', {}, el('span', { class: 'id', text: cluster.id }), ' ', plural(cluster.cases.length, 'case'), ' ', tally),
      el('p', { text: cluster.words }),
      el('p', { class: 'quiet names', text: cluster.cases.slice(0, 3).join(', ') + (cluster.cases.length > 3 ? ` and ${cluster.cases.length - 3} more` : '') }),
      el('p', { class: 'buttons' },
        el('button', { type: 'button', class: 'yes', text: `Accept ${open.length === 1 ? 'it' : 'all ' + open.length}`, 'aria-label': `Accept ${open.length === 1 ? 'it' : 'all ' + open.length} of cause ${cluster.id}`, onclick: () => decide(open, 'accept') }),
        el('button', { type: 'button', class: 'no', text: 'Reject', 'aria-label': `Reject all of cause ${cluster.id}`, onclick: () => decide(open, 'reject') }),
        el('button', { type: 'button', class: 'plain', text: 'Show', 'aria-label': `Show the cases of cause ${cluster.id}`, onclick: () => { byId('filter-cluster').value = cluster.id; filterChanged(); byId('cases-title').scrollIntoView(); } }))));
  return { node, tally, members };
}

const clusterRows = [];

function buildFront() {
  const counts = new Map();
  for (const { status } of [...page.records, ...page.passed]) counts.set(status, (counts.get(status) ?? 0) + 1);
  for (const status of page.statuses.filter((status) => counts.has(status))) {
    const changed = page.records.some((record) => record.status === status);
    byId('counts').append(changed
      ? el('button', { type: 'button', class: `chip ${page.tones[status]}`, 'aria-pressed': 'false', 'data-status': status, onclick: () => toggleStatus(status) }, el('b', { text: count(counts.get(status)) }), ' ' + status)
      : el('span', { class: `chip ${page.tones[status]}` }, el('b', { text: count(counts.get(status)) }), ' ' + status));
  }
  for (const cluster of page.clusters) {
    const row = clusterRow(cluster);
    clusterRows.push(row);
    byId('cluster-list').append(row.node);
  }
  byId('clusters').hidden = page.clusters.length === 0;
  for (const record of page.records) cards.set(record.name, card(record));
  byId('grid').append(...[...cards.values()].map(({ node }) => node));
  fill('filter-tag', new Set(page.records.flatMap((record) => record.tags ?? [])));
  fill('filter-pass', new Set(page.records.map((record) => record.first_pass?.name).filter(Boolean)));
  fill('filter-cluster', new Set(page.clusters.map(({ id }) => id)));
  byId('passed').hidden = page.passed.length === 0;
  byId('passed-title').textContent = `${plural(page.passed.length, 'case')} without a change`;
  // Thousands of names cost time that most readers do not spend: they are written when asked for.
  byId('passed').firstElementChild.addEventListener('toggle', () => {
    if (byId('passed-list').childElementCount > 0) return;
    byId('passed-list').append(...page.passed.map((row) => el('li', {}, row.name, row.status === 'pass' ? null : el('span', { class: 'quiet', text: ' ' + row.status }))));
  }, { once: true });
  byId('filter').addEventListener('input', filterChanged);
  byId('filter').addEventListener('submit', (event) => event.preventDefault());
  decisionListeners.push(paintDecisions);
  paintDecisions();
}

function fill(id, values) {
  byId(id).append(...[...values].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).map((value) => el('option', { value, text: value })));
  byId(id).hidden = values.size === 0;
}

function toggleStatus(status) {
  if (!shownStatuses.delete(status)) shownStatuses.add(status);
  filterChanged();
}

/** A glob as an expression: `*`, `?` and `{a,b}`; everything else means itself. */
function globPattern(glob) {
  let depth = 0;
  return '^(?:' + glob.replace(/\*+|[?{},.+^$()|[\]\\]/g, (sign) => {
    if (sign.startsWith('*')) return '.*';
    if (sign === '?') return '.';
    if (sign === '{') { depth++; return '(?:'; }
    // A brace that closes nothing leaves an expression that is none.
    if (sign === '}') { depth--; return ')'; }
    if (sign === ',') return depth > 0 ? '|' : ',';
    return '\\' + sign;
  }) + ')$';
}

/** Names as the command line takes them: a part, a glob, `=NAME`, `re:`, `tag:`; null for what is no filter. */
function nameTest(text) {
  const wanted = text.trim();
  if (!wanted) return () => true;
  if (wanted.startsWith('tag:')) return (record) => (record.tags ?? []).includes(wanted.slice(4));
  if (wanted.startsWith('=')) return (record) => record.name === wanted.slice(1);
  const expression = wanted.startsWith('re:') ? wanted.slice(3) : /[*?{]/.test(wanted) ? globPattern(wanted) : null;
  if (expression === null) return (record) => record.name.includes(wanted);
  try {
    const pattern = new RegExp(expression, 'u');
    return (record) => pattern.test(record.name);
  } catch {
    return null;
  }
}

/** The largest difference as a share of its scale; what is not told is infinite (JSON has no word for it). */
const sharpest = (record) => (record.pixels === undefined ? -1 : Math.min(Number.MAX_VALUE, (record.max ?? Infinity) / record.full_scale));

const ORDERS = {
  name: () => 0,
  area: (a, b) => (b.pixels ?? -1) - (a.pixels ?? -1),
  max: (a, b) => sharpest(b) - sharpest(a),
  flip: (a, b) => (b.flip_mean ?? -1) - (a.flip_mean ?? -1),
  time: (a, b) => b.render_ms - a.render_ms,
};

/** Shows what passes the filter, and writes it into the address, so that it can be sent on. */
function filterChanged() {
  const value = (id) => byId(id).value;
  const query = new URLSearchParams();
  for (const [key, id, plain] of FILTERS) if (value(id) !== plain) query.set(key, value(id));
  if (shownStatuses.size > 0) query.set('status', [...shownStatuses].join(','));
  history.replaceState(null, '', '#/' + (query.size > 0 ? '?' + query : ''));
  applyFilter();
}

const FILTERS = [['name', 'filter-name', ''], ['tag', 'filter-tag', ''], ['pass', 'filter-pass', ''], ['cause', 'filter-cluster', ''], ['decided', 'filter-decided', ''], ['sort', 'sort', 'name']];

function readFilter(query) {
  for (const [key, id, plain] of FILTERS) byId(id).value = query.get(key) ?? plain;
  shownStatuses.clear();
  (query.get('status') ?? '').split(',').filter(Boolean).forEach((status) => shownStatuses.add(status));
  applyFilter();
}

function applyFilter() {
  const value = (id) => byId(id).value;
  const test = nameTest(value('filter-name'));
  const named = test ?? (() => false);
  byId('filter-name').setAttribute('aria-invalid', String(!test));
  const passes = (record) => named(record)
    && (shownStatuses.size === 0 || shownStatuses.has(record.status))
    && (!value('filter-tag') || (record.tags ?? []).includes(value('filter-tag')))
    && (!value('filter-pass') || record.first_pass?.name === value('filter-pass'))
    && (!value('filter-cluster') || record.cluster === value('filter-cluster'))
    && (!value('filter-decided') || (decisionOf(record) ?? 'open') === value('filter-decided'));
  const order = ORDERS[value('sort')] ?? ORDERS.name;
  shownRecords = page.records.filter(passes).sort((a, b) => order(a, b) || (a.name < b.name ? -1 : 1));
  const shown = new Set(shownRecords);
  for (const { node, record } of cards.values()) node.hidden = !shown.has(record);
  const grid = byId('grid');
  shownRecords.forEach((record, index) => {
    const { node } = cards.get(record.name);
    if (grid.children[index] !== node) grid.insertBefore(node, grid.children[index] ?? null);
  });
  for (const chip of byId('counts').querySelectorAll('[data-status]')) chip.setAttribute('aria-pressed', String(shownStatuses.has(chip.dataset.status)));
  byId('shown').textContent = shownRecords.length === page.records.length ? plural(shownRecords.length, 'case') : `${count(shownRecords.length)} of ${plural(page.records.length, 'case')}`;
  byId('none').textContent = test ? 'No changed case passes the filter.' : 'This is no filter: a glob or an expression does not end.';
  byId('none').hidden = shownRecords.length > 0 || page.records.length === 0;
}

function paintDecisions() {
  const words = { accept: 'accepted', reject: 'rejected' };
  let [accepted, rejected, open] = [0, 0, 0];
  for (const { node, mark, record } of cards.values()) {
    const verb = decisionOf(record);
    node.dataset.decision = verb ?? '';
    mark.textContent = verb ? words[verb] : '';
    if (verb === 'accept') accepted++;
    else if (verb === 'reject') rejected++;
    else if (canDecide(record)) open++;
  }
  for (const { tally, members } of clusterRows) {
    const done = members.filter(decisionOf).length;
    tally.textContent = done > 0 ? `${done} decided` : '';
  }
  const parts = [accepted && `${count(accepted)} accepted`, rejected && `${count(rejected)} rejected`, open && `${count(open)} to decide`].filter(Boolean);
  byId('tally').textContent = [byId('tally').dataset.alone, parts.join(' · ')].filter(Boolean).join(': ');
  byId('download').disabled = accepted + rejected === 0;
  byId('download').hidden = accepted + rejected + open === 0;
}

/** Puts the focus on a card `step` further. */
function stepCard(step) {
  if (shownRecords.length === 0) return;
  const at = shownRecords.findIndex((record) => cards.get(record.name).node.contains(document.activeElement));
  const next = Math.min(shownRecords.length - 1, Math.max(0, at + step));
  cards.get(shownRecords[next].name).node.querySelector('.open').focus();
}

const focusedRecord = () => shownRecords.find((record) => cards.get(record.name).node.contains(document.activeElement));
