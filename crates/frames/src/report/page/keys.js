// Keys: one table, of which the help is made as well.

let keysOn = true;
try { keysOn = localStorage.getItem('stillframe-keys') !== 'off'; } catch { /* Some browsers keep nothing for files. */ }

const mode = (id) => () => chooseMode(id);

const KEYS = [
  { on: 'case', keys: ['1'], words: 'old picture', run: mode('old') },
  { on: 'case', keys: ['2'], words: 'new picture', run: mode('new') },
  { on: 'case', keys: ['3'], words: 'difference', run: mode('diff') },
  { on: 'case', keys: ['4'], words: 'heat: FLIP, as people see it', run: mode('heat') },
  { on: 'case', keys: ['5'], words: 'what changed, by object', run: mode('mask') },
  { on: 'case', keys: ['6'], words: 'swipe', run: mode('swipe') },
  { on: 'case', keys: ['7'], words: 'onion: one through the other', run: mode('onion') },
  { on: 'case', keys: ['8'], words: 'side by side', run: mode('side') },
  { on: 'case', keys: ['0'], words: 'from a pass back to the picture', run: () => closePass() },
  { on: 'case', keys: [' '], shown: 'space', words: 'blink old and new', run: () => viewer.blink() },
  { on: 'case', keys: ['+', '='], shown: '+', words: 'blink faster', run: () => viewer.changeRate(1) },
  { on: 'case', keys: ['-'], words: 'blink slower', run: () => viewer.changeRate(-1) },
  { on: 'case', keys: ['['], words: 'swipe and onion towards old', run: () => changeShare(-0.05) },
  { on: 'case', keys: [']'], words: 'swipe and onion towards new', run: () => changeShare(0.05) },
  { on: 'case', keys: ['z'], words: 'zoom: fit, 1:1, 8× with the pixel grid', run: () => viewer.cycleZoom() },
  { on: 'case', keys: ['Z'], words: 'twice as large, as by the wheel; from 48× on pixels show their values', run: () => viewer.zoomAround(2, viewer.panes()[0].width / 2, viewer.canvas.height / 2) },
  { on: 'case', keys: ['ArrowRight', 'ArrowDown'], shown: '→', words: 'next differing tile', run: () => tellTile(viewer.stepTile(1)) },
  { on: 'case', keys: ['ArrowLeft', 'ArrowUp'], shown: '←', words: 'previous differing tile', run: () => tellTile(viewer.stepTile(-1)) },
  { on: 'case', shift: true, keys: ['ArrowRight'], shown: 'shift →', words: 'pan; pixel by pixel from 8× on', run: () => pan(1, 0) },
  { on: 'case', shift: true, keys: ['ArrowLeft'], run: () => pan(-1, 0) },
  { on: 'case', shift: true, keys: ['ArrowDown'], run: () => pan(0, 1) },
  { on: 'case', shift: true, keys: ['ArrowUp'], run: () => pan(0, -1) },
  { on: 'case', keys: ['g'], words: 'frames of differing tiles', run: () => toggleTiles() },
  { on: 'case', keys: ['m'], words: 'stronger difference: ×1 to ×128', run: () => multiply(1) },
  { on: 'case', keys: ['M'], words: 'weaker difference', run: () => multiply(-1) },
  { on: 'case', keys: ['x'], words: 'signed difference: orange brighter, blue darker', run: () => viewer.changeDifference({ signed: !viewer.difference.signed }) },
  { on: 'case', keys: ['e'], words: 'brighter by half a stop', run: () => changeStops(0.5) },
  { on: 'case', keys: ['E'], words: 'darker by half a stop', run: () => changeStops(-0.5) },
  { on: 'case', keys: ['c'], words: 'channel', run: () => { viewer.changeLook({ channel: nextOf(CHANNELS, viewer.look.channel) }); say(`Channel ${viewer.look.channel}`); } },
  { on: 'case', keys: ['t'], words: 'tone curve', run: () => { viewer.changeLook({ tone: nextOf(TONES, viewer.look.tone) }); say(`Tone curve ${viewer.look.tone}`); } },
  { on: 'case', keys: ['f'], words: 'false colour: one colour a stop', run: () => viewer.changeLook({ falseColor: !viewer.look.falseColor }) },
  { on: 'case', keys: ['j', 'n'], shown: 'j', words: 'next case', run: () => stepCase(1) },
  { on: 'case', keys: ['k', 'p'], shown: 'k', words: 'previous case', run: () => stepCase(-1) },
  { on: 'case', keys: ['a'], words: 'accept, and on to the next', run: () => decideHere('accept') },
  { on: 'case', keys: ['r'], words: 'reject, and on to the next', run: () => decideHere('reject') },
  { on: 'case', keys: ['s'], words: 'skip', run: () => stepCase(1) },
  { on: 'case', keys: ['u'], words: 'take the decision back', run: () => undecide(current) },
  { on: 'case', keys: ['A'], words: 'accept all cases of this cause', run: () => decide(sameCause(current), 'accept') },
  { on: 'case', keys: ['R'], words: 'reject all cases of this cause', run: () => decide(sameCause(current), 'reject') },
  { on: 'case', keys: ['Escape'], words: 'all cases', run: () => { location.hash = '#/'; } },
  { on: 'front', keys: ['j'], words: 'next card', run: () => stepCard(1) },
  { on: 'front', keys: ['k'], words: 'previous card', run: () => stepCard(-1) },
  { on: 'front', keys: ['a'], words: 'accept this card', run: () => decideFocused('accept') },
  { on: 'front', keys: ['r'], words: 'reject this card', run: () => decideFocused('reject') },
  { on: 'front', keys: ['/'], words: 'filter by name', run: () => byId('filter-name').focus() },
  { on: 'any', keys: ['d'], words: 'download the decisions', run: () => { if (!byId('download').disabled) downloadDecisions(); } },
  { on: 'any', keys: ['?'], words: 'this list', run: () => showKeys() },
];

const sameCause = (record) => (record.cluster ? page.records.filter((other) => other.cluster === record.cluster) : [record]);

function changeShare(step) {
  viewer.share = Math.min(1, Math.max(0, viewer.share + step));
  viewer.paint();
}

function multiply(step) {
  const at = MULTIPLIERS.indexOf(viewer.difference.multiplier) + step;
  viewer.changeDifference({ multiplier: MULTIPLIERS[Math.min(MULTIPLIERS.length - 1, Math.max(0, at))] });
  say(viewer.difference.multiplier === 'steps' ? 'Difference by steps' : `Difference times ${viewer.difference.multiplier}`);
}

function pan(x, y) {
  viewer.panStep(x, y);
  if (viewer.cursor && viewer.scale >= 8) setTimeout(() => say(parts.readout.textContent), 50);
}

function tellTile(tile) {
  if (!tile) tell('No tile differs');
  else setTimeout(() => say(`Tile ${tile.number} of ${tile.of}. Pixel ${parts.readout.textContent}`), 50);
}

function decideFocused(verb) {
  const record = focusedRecord();
  if (record) decide([record], verb);
  else tell('Go to a card first: j and k');
}

function showKeys() {
  const dialog = byId('keys');
  const rows = (on) => KEYS.filter((key) => key.on === on && key.words).map((key) => el('li', {}, el('span', {}, el('kbd', { text: key.shown ?? key.keys[0] })), ' ', el('span', { text: key.words })));
  const toggle = el('input', { type: 'checkbox', id: 'keys-on' });
  toggle.checked = keysOn;
  toggle.addEventListener('change', () => {
    keysOn = toggle.checked;
    try { localStorage.setItem('stillframe-keys', keysOn ? 'on' : 'off'); } catch { /* As above. */ }
  });
  dialog.replaceChildren(
    el('h2', { id: 'keys-title', text: 'Keys' }),
    el('p', {}, el('label', {}, toggle, ' Keys without Ctrl or Alt do this')),
    el('h3', { text: 'A case' }), el('ul', { class: 'keys' }, rows('case')),
    el('h3', { text: 'All cases' }), el('ul', { class: 'keys' }, rows('front')),
    el('h3', { text: 'Everywhere' }), el('ul', { class: 'keys' }, rows('any')),
    el('p', { class: 'buttons' }, el('button', { type: 'button', text: 'Close', onclick: () => dialog.close() })));
  dialog.showModal();
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector('dialog[open]')) return;
  const target = event.target;
  if (target.closest('input:not([type=range]), textarea, select')) {
    if (event.key === 'Escape') target.blur();
    return;
  }
  // These belong to what has the focus.
  if ((event.key === ' ' || event.key === 'Enter') && target.closest('button, a, summary')) return;
  if (target.matches('input[type=range]') && event.key.startsWith('Arrow')) return;
  const on = current ? 'case' : 'front';
  const found = KEYS.find((key) => (key.on === on || key.on === 'any') && key.keys.includes(event.key) && (!event.key.startsWith('Arrow') || Boolean(key.shift) === event.shiftKey));
  if (!found || (!keysOn && event.key.length === 1 && event.key !== '?')) return;
  event.preventDefault();
  found.run();
});
