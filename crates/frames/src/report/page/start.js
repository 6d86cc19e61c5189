// Start: the address says which page is shown; all else hangs on that.

let leftFrom = null;

function route() {
  const address = location.hash.slice(1);
  const named = address.startsWith('/case/') ? recordOf.get(decodeURIComponent(address.slice(6))) : null;
  const before = current;
  byId('front').hidden = Boolean(named);
  byId('case').hidden = !named;
  if (named) {
    leftFrom = named;
    openCase(named);
    // From case to case the focus stays on the picture, else the page's name is where to begin.
    if (!before) {
      scrollTo(0, 0);
      parts.name.focus({ preventScroll: true });
    }
    return;
  }
  current = null;
  viewer.stopBlinking();
  document.title = page.title;
  readFilter(new URLSearchParams(address.split('?')[1] ?? ''));
  if (before && leftFrom) cards.get(leftFrom.name)?.node.querySelector('.open').focus();
}

const THEMES = ['system', 'light', 'dark'];

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const words = theme === 'system' ? 'Colours: as the system' : `Colours: ${theme}`;
  byId('theme').setAttribute('aria-label', words);
  byId('theme').title = words;
  byId('theme').textContent = { system: '◐', light: '○', dark: '●' }[theme];
  try { localStorage.setItem('stillframe-theme', theme); } catch { /* Some browsers keep nothing for files. */ }
}

function start() {
  let theme = 'system';
  try { theme = localStorage.getItem('stillframe-theme') ?? theme; } catch { /* As above. */ }
  setTheme(THEMES.includes(theme) ? theme : 'system');
  byId('theme').addEventListener('click', () => setTheme(nextOf(THEMES, document.documentElement.dataset.theme)));
  byId('help').addEventListener('click', showKeys);
  byId('download').addEventListener('click', downloadDecisions);
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();
    byId(current ? 'case-name' : 'main').focus();
  });
  buildFront();
  buildCase();
  addEventListener('hashchange', route);
  route();
  if (page.live) startLive();
}

start();
