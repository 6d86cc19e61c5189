// Case: one case's page: pictures, passes, facts, decision.

let current = null;
let viewer = null;
const parts = {};

const HISTOGRAM_MAX_ROWS = 12;

function toolButton(attributes, ...children) {
  return el('button', { type: 'button', ...attributes }, ...children);
}

/** The skeleton is built once: nothing jumps from case to case. */
function buildCase() {
  const modes = MODES.map(({ id, key, name }) => toolButton({ 'data-mode': id, 'aria-pressed': 'false', 'aria-keyshortcuts': key, onclick: () => chooseMode(id) }, el('kbd', { text: key }), ' ' + name));
  const options = (list, words = (value) => String(value)) => list.map((value) => el('option', { value, text: words(value) }));
  parts.modes = modes;
  parts.canvas = el('canvas', { id: 'canvas', tabindex: '0', role: 'img', 'aria-label': 'Picture', 'aria-describedby': 'readout' });
  parts.blink = toolButton({ 'aria-pressed': 'false', 'aria-keyshortcuts': 'Space', onclick: () => viewer.blink() }, el('kbd', { text: 'space' }), ' Blink ');
  parts.rate = el('span', { class: 'quiet' });
  parts.zoom = toolButton({ 'aria-keyshortcuts': 'z', onclick: () => viewer.cycleZoom() });
  parts.tilesToggle = toolButton({ 'aria-keyshortcuts': 'g', 'aria-pressed': 'true', onclick: toggleTiles }, el('kbd', { text: 'g' }), ' Tiles');
  parts.tile = el('span', { class: 'quiet' });
  parts.stops = el('output', { class: 'number', 'aria-label': 'Exposure in stops' });
  parts.channel = el('select', { 'aria-label': 'Channel', onchange: (event) => viewer.changeLook({ channel: event.target.value }) }, options(CHANNELS));
  parts.tone = el('select', { 'aria-label': 'Tone curve', onchange: (event) => viewer.changeLook({ tone: event.target.value }) }, options(TONES));
  parts.falseColor = toolButton({ 'aria-pressed': 'false', 'aria-keyshortcuts': 'f', onclick: () => viewer.changeLook({ falseColor: !viewer.look.falseColor }) }, el('kbd', { text: 'f' }), ' False colour');
  parts.multiplier = el('select', { 'aria-label': 'Times', onchange: (event) => viewer.changeDifference({ multiplier: event.target.value === 'steps' ? 'steps' : Number(event.target.value) }) }, options(MULTIPLIERS, (value) => (value === 'steps' ? 'by steps' : `×${value}`)));
  parts.signed = toolButton({ 'aria-pressed': 'false', 'aria-keyshortcuts': 'x', onclick: () => viewer.changeDifference({ signed: !viewer.difference.signed }) }, el('kbd', { text: 'x' }), ' Signed');
  parts.share = el('input', { type: 'range', min: '0', max: '100', value: '50', 'aria-label': 'Old to new', oninput: (event) => { viewer.share = event.target.value / 100; viewer.paint(); } });
  parts.readout = el('div', { id: 'readout', class: 'readout' });
  parts.name = el('h1', { id: 'case-name', tabindex: '-1' });
  parts.status = el('span', {});
  parts.place = el('span', { class: 'quiet' });
  parts.message = el('p', { class: 'message' });
  parts.accept = toolButton({ class: 'yes', 'aria-keyshortcuts': 'a', onclick: () => decideHere('accept') }, el('kbd', { text: 'a' }), ' Accept');
  parts.reject = toolButton({ class: 'no', 'aria-keyshortcuts': 'r', onclick: () => decideHere('reject') }, el('kbd', { text: 'r' }), ' Reject');
  parts.skip = toolButton({ class: 'plain', 'aria-keyshortcuts': 's', onclick: () => stepCase(1) }, el('kbd', { text: 's' }), ' Skip');
  parts.verdict = el('span', { class: 'decided' });
  parts.strip = el('ol', { class: 'strip' });
  parts.stripBox = el('section', { 'aria-labelledby': 'strip-title' }, el('h2', { id: 'strip-title', text: 'Passes' }), parts.strip);
  parts.facts = el('aside', { class: 'facts', 'aria-label': 'Facts' });
  parts.shownPass = el('p', { class: 'shown-pass' });
  const group = (label, ...children) => el('div', { class: 'tools', role: 'group', 'aria-label': label }, ...children);
  byId('case').append(
    el('div', { class: 'case-head' },
      el('a', { href: '#/', class: 'back', 'aria-keyshortcuts': 'Escape' }, '← All'),
      toolButton({ class: 'plain', 'aria-label': 'Previous case', 'aria-keyshortcuts': 'k', onclick: () => stepCase(-1) }, '‹'),
      toolButton({ class: 'plain', 'aria-label': 'Next case', 'aria-keyshortcuts': 'j', onclick: () => stepCase(1) }, '›'),
      parts.name, parts.status, parts.place,
      el('span', { class: 'buttons' }, parts.verdict, parts.accept, parts.reject, parts.skip)),
    parts.message,
    el('div', { class: 'case-body' },
      el('div', { class: 'case-main' },
        group('Show', ...modes),
        el('div', { class: 'view' }, parts.canvas, parts.shownPass),
        parts.readout,
        el('div', { class: 'tool-rows' },
          group('Look', parts.blink, parts.rate, parts.zoom, parts.tilesToggle, parts.tile),
          group('Difference', el('span', { class: 'quiet', text: 'Difference' }), parts.multiplier, parts.signed, el('label', { class: 'quiet' }, 'Old ', parts.share, ' New')),
          group('Light', el('span', { class: 'quiet', text: 'Exposure' }),
            toolButton({ 'aria-label': 'Darker', 'aria-keyshortcuts': 'Shift+E', onclick: () => changeStops(-0.5) }, '−'), parts.stops,
            toolButton({ 'aria-label': 'Brighter', 'aria-keyshortcuts': 'e', onclick: () => changeStops(0.5) }, '+'),
            parts.channel, parts.tone, parts.falseColor)),
        parts.stripBox),
      parts.facts));
  viewer = new Viewer(parts.canvas, paintTools);
  decisionListeners.push(() => { if (current) paintVerdict(); });
  // A press with the pointer leaves the keys to the picture; one with the keyboard stays where it is.
  byId('case').addEventListener('click', (event) => {
    if (event.detail > 0 && event.target.closest('.tools button')) parts.canvas.focus({ preventScroll: true });
  });
}

async function openCase(record) {
  current = record;
  parts.name.textContent = record.name;
  parts.status.replaceChildren(pill(record.status));
  document.title = `${record.name} · ${record.status}`;
  const list = neighbours();
  parts.place.textContent = `${list.indexOf(record) + 1} of ${list.length}`;
  parts.message.replaceChildren(...[record.message, page.advice[record.status]].filter(Boolean).map((text) => el('span', { text })));
  // Where there is no picture there is nothing to look at it with.
  const bare = !record.old_picture && !record.new_picture;
  byId('case').classList.toggle('bare', bare);
  if (bare && document.activeElement.closest('.tools')) parts.name.focus({ preventScroll: true });
  paintVerdict();
  paintStrip(record);
  paintFacts(record, undefined);
  viewer.show({ old: null, new: null, objects: null });
  parts.shownPass.textContent = 'Opening …';
  await showPictures(record, { old: record.old_picture, new: record.new_picture, objects: record.object_picture }, '');
  if (current === record) paintFacts(record, viewer.found);
}

/** Loads and shows two pictures, of the case or of one of its passes. */
async function showPictures(record, names, title) {
  const load = async (name) => (name ? picture(name).catch((error) => ({ error })) : null);
  const [before, after, objects] = await Promise.all([load(names.old), load(names.new), load(names.objects)]);
  if (current !== record) return;
  const errors = [before, after, objects].filter((one) => one?.error).map(({ error }) => error.message);
  const sound = (one) => (one?.error ? null : one);
  viewer.show({ old: sound(before), new: sound(after), objects: sound(objects) });
  const nothing = !sound(before) && !sound(after) && errors.length === 0 ? 'No picture' : '';
  parts.shownPass.textContent = [title, nothing, ...errors].filter(Boolean).join('. ');
  parts.canvas.hidden = false;
}

// ---- passes

const passState = (pass, first) => (first ? 'first' : pass.old === pass.new ? 'equal' : !pass.old ? 'added' : !pass.new ? 'gone' : 'differs');

function paintStrip(record) {
  const passes = record.passes ?? [];
  parts.stripBox.hidden = passes.length === 0;
  const named = record.first_pass?.name;
  const first = named ? passes.findIndex((pass) => pass.name === named) : passes.findIndex((pass) => pass.old !== pass.new);
  const words = { first: 'first that differs', equal: 'equal', differs: 'differs', added: 'not in the reference', gone: 'gone' };
  parts.strip.replaceChildren(...passes.map((pass, index) => {
    const state = passState(pass, index === first);
    const draw = state === 'first' && record.first_draw ? `draw ${record.first_draw.index + 1}/${record.first_draw.count} ${record.first_draw.name}` : null;
    const name = pass.new_picture ?? pass.old_picture;
    return el('li', { class: state },
      toolButton({ 'aria-pressed': 'false', 'aria-disabled': name ? null : 'true', title: [pass.name, draw].filter(Boolean).join(': '), onclick: (event) => openPass(record, pass, event.currentTarget) },
        name ? thumb(name, '') : el('span', { class: 'thumb none', 'aria-hidden': 'true', text: 'no picture' }),
        el('span', { class: 'pass-name', text: `${index + 1} ${pass.name}` }),
        draw ? el('span', { class: 'unseen', text: words[state] }) : null,
        el('span', { class: 'quiet', text: draw ?? words[state] })));
  }));
}

function openPass(record, pass, button) {
  const name = pass.new_picture ?? pass.old_picture;
  if (!name) {
    tell(`No picture of pass ${pass.name} was kept`);
    return;
  }
  const open = button.getAttribute('aria-pressed') !== 'true';
  for (const other of parts.strip.querySelectorAll('button')) other.setAttribute('aria-pressed', 'false');
  if (!open) {
    closePass(record);
    return;
  }
  button.setAttribute('aria-pressed', 'true');
  showPictures(record, { old: pass.old_picture, new: pass.new_picture, objects: null }, `Pass ${pass.name}: 0 goes back to the picture`);
  say(`Shown: pass ${pass.name}`);
}

function closePass(record = current) {
  for (const other of parts.strip.querySelectorAll('button')) other.setAttribute('aria-pressed', 'false');
  showPictures(record, { old: record.old_picture, new: record.new_picture, objects: record.object_picture }, '');
}

// ---- facts

/** `found`: what the page's own comparison says; undefined while pictures are opened, null where they cannot be compared. */
function paintFacts(record, found) {
  const rows = [];
  const add = (term, ...values) => { if (values.some((value) => value)) rows.push(el('dt', { text: term }), el('dd', {}, ...values.filter(Boolean))); };
  if (record.pixels !== undefined) {
    // None where a reference cannot be shown: only the passes are compared then.
    if (record.pixels > 0) {
      add('differs', `${count(record.pixels)} px (${percent(record.share)}), max ${delta(record)}`);
      add('box', `${record.box[0]},${record.box[1]} to ${record.box[2]},${record.box[3]}`);
      add('class', [record.class, record.sign].filter(Boolean).join(', '));
      add('FLIP', record.flip_mean !== undefined ? `mean ${shortFloat(record.flip_mean)}` : null);
      const parted = found ? regions(found, viewer.size[0], viewer.size[1]) : null;
      add('spread', `${plural(record.tiles.length, 'tile')} of ${TILE} px` + (parted ? `, ${plural(parted.number, 'region')}, largest ${count(parted.largest)} px` : ''));
    }
    const place = (at) => (at ? `${at.name} (${at.index + 1} of ${at.count})` : null);
    add('first pass', place(record.first_pass));
    add('first draw', place(record.first_draw), record.first_draw?.pipeline ? el('span', { class: 'quiet', text: ' ' + record.first_draw.pipeline }) : null);
    add('cause', record.cluster ? el('a', { href: '#/?cause=' + record.cluster, text: record.cluster }) : null);
  }
  const lists = rows.length > 0 ? [el('dl', {}, rows)] : [];
  // What changed comes before how it looks.
  if (record.inputs_words) lists.unshift(el('h2', { text: 'Inputs' }), el('ul', { class: 'inputs' }, record.inputs_words.map((text) => el('li', { text }))));
  if (record.objects?.length) {
    lists.push(el('h2', { text: 'Objects' }), el('ul', { class: 'objects' }, record.objects.map((object) => {
      const swatch = el('span', { class: 'swatch' });
      if (object.color) swatch.style.background = object.color;
      const words = [swatch, el('span', { text: object.node || 'nothing' }), object.material ? el('span', { class: 'quiet', text: ' ' + object.material }) : null, el('span', { class: 'number', text: percent(object.share) })];
      return el('li', {}, object.color ? toolButton({ class: 'plain', title: 'Show only this object', onclick: () => { chooseMode('mask'); viewer.showOnly(object.color); } }, words) : words);
    })));
  }
  // Its room is kept while the pictures are opened.
  if (record.pixels > 0 && found !== null) lists.push(el('h2', { text: 'Pixels by difference' }), found ? histogram(found, viewer.pair.new.kind) : el('p', { class: 'quiet', text: '…' }));
  if (record.other_hashes?.length) {
    lists.push(el('h2', { text: 'Other results' }), el('ul', { class: 'hashes' }, record.other_hashes.map(([name, hash]) => el('li', {}, name + ' ', el('code', { text: hash.slice(0, 19) })))));
  }
  lists.push(el('h2', { text: 'Commands' }), el('ul', { class: 'commands' }, commandsOf(record).map((command) => el('li', {}, commandLine(command), toolButton({ class: 'plain', 'aria-label': `Copy ${command}`, onclick: (event) => copyText(command, event.currentTarget) }, 'Copy')))));
  const about = [];
  const tell = (term, value) => { if (value) about.push(el('dt', { text: term }), el('dd', { text: value })); };
  tell('why', record.why);
  tell('scene', record.scene);
  tell('moved from', record.moved_from);
  tell('tags', (record.tags ?? []).join(' '));
  tell('size', record.size_px?.[0] ? `${record.size_px[0]} × ${record.size_px[1]} ${record.format}` : '');
  tell('adapter', record.adapter || page.header.adapter);
  tell('commit', page.header.commit);
  tell('old', record.want);
  tell('new', record.hash);
  tell('time', record.render_ms ? `${shortFloat(record.render_ms)} ms to render, ${shortFloat(record.overhead_ms)} ms beside it${record.slow ? ': slow' : ''}` : '');
  lists.push(el('h2', { text: 'About' }), el('dl', {}, about));
  parts.facts.replaceChildren(...lists);
}

/** Pixels by their largest difference, each step twice the one before, from the first that holds any to the last. */
function histogram({ steps }, kind) {
  const finite = [...steps.keys()].filter(Number.isFinite);
  const rows = [];
  if (finite.length > 0) {
    const [low, high] = [Math.min(...finite), Math.max(...finite)];
    // Floats can be far apart: then only the steps that hold something.
    for (let power = low; power <= high; power++) if (high - low <= HISTOGRAM_MAX_ROWS || steps.has(power)) rows.push([power, steps.get(power) ?? 0]);
  }
  if (steps.has(Infinity)) rows.push([Infinity, steps.get(Infinity)]);
  const most = Math.max(...steps.values());
  const label = (power) => {
    if (power === Infinity) return 'no number';
    if (kind === 'f32') return `≤ 2${String(power).replace('-', '⁻').replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit])}`;
    return power < 2 ? String(2 ** power) : `${2 ** (power - 1) + 1}–${Math.min(2 ** power, kind === 'u8' ? 255 : kind === 'u16' ? 65535 : Infinity)}`;
  };
  return el('ol', { class: 'histogram' }, rows.map(([power, number]) => {
    const bar = el('span', { class: 'bar-fill' });
    bar.style.width = `${Math.sqrt(number / most) * 100}%`;
    return el('li', {}, el('span', { class: 'label', text: label(power) }), el('span', { class: 'bar-room' }, bar), el('span', { class: 'number', text: count(number) }));
  }));
}

/** A word as a shell reads it. Some shells take a word after `=` for the name of a program. */
const quoted = (word) => (/^(?!=)[\w/.+:,=@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** What to type. With `=` it is this case alone, not every one whose name holds it. */
function commandsOf(record) {
  if (!page.decides) return [record.command].filter(Boolean);
  const self = quoted('=' + record.name);
  const tests = record.owner === 'tests';
  const repeat = record.status === 'gone' ? null : record.command || (tests ? 'cargo test' : `stillframe test ${self}`);
  const update = tests && canDecide(record) ? `STILLFRAME_UPDATE=${record.status === 'new' ? 'missing' : 'failing'} ${repeat}` : null;
  return [repeat, update, canDecide(record) ? `stillframe accept ${self}` : null, 'stillframe review'].filter(Boolean);
}

/** A command whose lines end between its words. */
const commandLine = (command) => el('code', { tabindex: '0' }, command.split(' ').flatMap((word) => [' ', el('span', { text: word })]).slice(1));

// ---- tools

function chooseMode(mode) {
  if (!viewer.setMode(mode)) {
    tell(`${MODES.find(({ id }) => id === mode).name} needs two pictures of one size and format`);
    return;
  }
  say(MODES.find(({ id }) => id === mode).name);
}

function changeStops(step) {
  viewer.changeLook({ stops: Math.min(20, Math.max(-20, viewer.look.stops + step)) });
  say(`Exposure ${viewer.look.stops}`);
}

const nextOf = (list, value, step = 1) => list[(list.indexOf(value) + step + list.length) % list.length];

function toggleTiles() {
  viewer.tilesShown = !viewer.tilesShown;
  viewer.paint();
}

function paintTools() {
  for (const button of parts.modes) {
    button.setAttribute('aria-pressed', String(viewer.mode === button.dataset.mode));
    button.setAttribute('aria-disabled', String(!viewer.can(button.dataset.mode)));
  }
  parts.blink.setAttribute('aria-pressed', String(viewer.blinking));
  parts.rate.textContent = calm.matches ? 'by hand' : `${viewer.blinkHz} Hz`;
  const zoomWords = viewer.zoom === 'fit' ? `fit ${shortFloat(viewer.scale)}×` : viewer.zoom === 1 ? '1:1' : `${shortFloat(viewer.scale)}×`;
  parts.zoom.replaceChildren(el('kbd', { text: 'z' }), ` Zoom ${zoomWords}`);
  parts.tilesToggle.setAttribute('aria-pressed', String(viewer.tilesShown));
  const tiles = viewer.found?.tiles.length ?? 0;
  parts.tile.textContent = tiles === 0 ? '' : viewer.tile < 0 ? `← → ${plural(tiles, 'tile')}` : `tile ${viewer.tile + 1} of ${tiles}`;
  parts.stops.textContent = (viewer.look.stops > 0 ? '+' : '') + viewer.look.stops;
  parts.channel.value = viewer.look.channel;
  parts.tone.value = viewer.look.tone;
  parts.falseColor.setAttribute('aria-pressed', String(viewer.look.falseColor));
  parts.multiplier.value = String(viewer.difference.multiplier);
  parts.signed.setAttribute('aria-pressed', String(viewer.difference.signed));
  parts.share.value = String(Math.round(viewer.share * 100));
  parts.share.disabled = viewer.mode !== 'swipe' && viewer.mode !== 'onion';
  const name = MODES.find(({ id }) => id === viewer.mode).name;
  parts.canvas.setAttribute('aria-label', current ? `${name} of ${current.name}: ${figures(current)}` : 'Picture');
  paintReadout();
}

/** The values of one pixel: exact, and for floats with their bits. */
function paintReadout() {
  const { old: before, new: after } = viewer.pair;
  const at = viewer.cursor;
  if (!at) {
    const one = after ?? before;
    parts.readout.replaceChildren(el('span', { class: 'quiet', text: one ? `${one.width} × ${one.height}, ${plural(one.channels, 'channel')} ${one.kind}. Point at a pixel${viewer.found?.tiles.length ? ', or step through the tiles with ← →' : ''}` : '' }));
    return;
  }
  const cells = [el('span', { class: 'at', text: `${at[0]}, ${at[1]}` })];
  for (const [name, shown] of [['old', before], ['new', after]]) {
    if (!shown || at[0] >= shown.width || at[1] >= shown.height) continue;
    const from = (at[1] * shown.width + at[0]) * shown.channels;
    const values = [...shown.samples.subarray(from, from + shown.channels)];
    const other = name === 'new' && viewer.found ? [...before.samples.subarray(from, from + shown.channels)] : values;
    cells.push(el('span', { class: 'of' }, el('b', { text: name }), ...values.map((value, c) => {
      const changed = !sameSample(value, other[c]);
      const text = shown.kind === 'f32' ? exactFloat(value) : String(value);
      const bits = shown.kind === 'f32' ? hex(bitsOf(value)) : shown.kind === 'u32' ? hex(value) : null;
      const step = !changed ? null : shown.kind === 'f32' ? `${value > other[c] ? '+' : '−'}${count(ulps(value, other[c]))} ulp` : (value > other[c] ? '+' : '') + (value - other[c]);
      return el('span', { class: changed ? 'value changed' : 'value' }, text, bits ? el('small', { text: bits }) : null, step ? el('small', { class: 'step', text: step }) : null);
    })));
  }
  parts.readout.replaceChildren(...cells);
}

// ---- from case to case

/** Those that pass the filter; all when the filter does not show this one. */
const neighbours = () => (shownRecords.includes(current) ? shownRecords : page.records);

function stepCase(step) {
  const list = neighbours();
  const next = list[list.indexOf(current) + step];
  if (next) location.hash = caseLink(next.name);
  else tell(step > 0 ? 'The last case' : 'The first case');
}

async function decideHere(verb) {
  const record = current;
  // Where one is after this, before filters by decision drop it from the list.
  const list = neighbours();
  const at = list.indexOf(record);
  if (await decide([record], verb) === 0) return;
  const next = [...list.slice(at + 1), ...list.slice(0, at)].find((other) => canDecide(other) && !decisionOf(other));
  if (next) location.hash = caseLink(next.name);
  else tell('All cases are decided');
}

function paintVerdict() {
  const verb = decisionOf(current);
  parts.verdict.textContent = { accept: 'accepted', reject: 'rejected' }[verb] ?? '';
  byId('case').dataset.decision = verb ?? '';
  for (const button of [parts.accept, parts.reject, parts.skip]) button.hidden = !canDecide(current);
}
