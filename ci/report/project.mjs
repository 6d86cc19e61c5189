// Project: a small project of its own in a temporary folder, in which a run has found something of every kind, and the program run in it.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const scene = ({ paint = '#b03020', x = 0.8, size = '64, 48', lux = 3.0, test = '' } = {}) => `title = "A stage"
[output]
size_px = [${size}]
samples = 4
[camera.main]
position = [0.0, 1.2, 4.0]
look_at = [0.0, 0.3, 0.0]
[[light]]
name = "sun"
kind = "directional"
illuminance_lux = ${lux.toFixed(1)}
direction = [-0.5, -1.0, -0.3]
[material.paint]
base_color = "${paint}"
[material.stone]
base_color = "#808890"
[[node]]
name = "floor"
shape = "plane"
size_m = [6.0, 6.0]
material = "stone"
[[node]]
name = "left"
shape = "sphere"
radius_m = 0.5
position = [-0.8, 0.5, 0.0]
material = "stone"
[[node]]
name = "right"
shape = "sphere"
radius_m = 0.5
position = [${x.toFixed(2)}, 0.5, 0.0]
material = "paint"
${test}`;

const FLOATS = '[test]\naov = ["color", "depth"]\n';

/** What is accepted at first, and what each becomes. */
const SCENES = [
  ['paint/one', {}, { paint: '#30b020' }],
  ['paint/two', { size: '80, 48' }, { size: '80, 48', paint: '#30b020' }],
  ['paint/three', { size: '96, 48' }, { size: '96, 48', paint: '#30b020' }],
  ['stage/moved', {}, { x: 0.72 }],
  ['stage/floats', { test: FLOATS }, { x: 0.74, test: FLOATS }],
  ['stage/bright', { size: '320, 200' }, { size: '320, 200', lux: 3.2 }],
  ['stage/steady', {}, {}],
  ['size/grown', {}, { size: '72, 48' }],
  ['gone/old', {}, null],
  ['fresh/new', null, {}],
];

/** A project whose last run waits for decisions; `program` is the file of `stillframe`. */
export function project(program) {
  const root = mkdtempSync(join(tmpdir(), 'stillframe-review-'));
  const environment = { ...process.env, XDG_CACHE_HOME: join(root, '.cache') };
  for (const name of ['CI', 'GITHUB_ACTIONS', 'GITHUB_STEP_SUMMARY']) delete environment[name];
  const command = (file, words) => {
    const { status, stdout, stderr, error } = spawnSync(file, words, { cwd: root, env: environment, encoding: 'utf8' });
    if (error) throw error;
    return { status, out: stdout, err: stderr };
  };
  /** Runs the program; an exit status other than `wanted` ends all. */
  const still = (wanted, ...words) => {
    const ran = command(program, words);
    if (ran.status !== wanted) throw new Error(`stillframe ${words.join(' ')}: exit status ${ran.status} instead of ${wanted}\n${ran.out}${ran.err}`);
    return ran.out;
  };
  const git = (...words) => {
    const { status, out, err } = command('git', ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.org', '-c', 'commit.gpgsign=false', ...words]);
    if (status !== 0) throw new Error(`git ${words.join(' ')}: ${err}`);
    return out;
  };
  const write = (which) => SCENES.forEach((row) => {
    const file = join(root, 'scenes', row[0] + '.toml');
    mkdirSync(dirname(file), { recursive: true });
    if (row[which]) writeFileSync(file, scene(row[which]));
    else rmSync(file, { force: true });
  });
  still(0, 'init', '--ci', 'none');
  write(1);
  still(5, 'test');
  still(0, 'accept', '--all');
  writeFileSync(join(root, '.gitignore'), 'target\n.cache\n');
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'accepted at first');
  write(2);
  still(1, 'test');
  return {
    root,
    still,
    /** Cases whose reference is another than the accepted one, with how: ` M`, ` D`, `??`. */
    changed: () => {
      const rows = git('status', '--porcelain', '-uall', 'references').split('\n').filter((row) => row.endsWith('.png') || row.endsWith('.exr'));
      return rows.map((row) => `${row.slice(0, 2)} ${row.slice(3).replace(/^references\//, '').replace(/\.\w+$/, '')}`).sort();
    },
    /** The lock lines that are others than the accepted ones, by case. */
    locks: () => {
      const rows = git('diff', '-U0', 'HEAD', '--', 'references/**/frames.lock').split('\n');
      let family = '';
      const names = new Set();
      for (const row of rows) {
        family = row.match(/^diff --git a\/references\/(.*)\/frames\.lock /)?.[1] ?? family;
        if (/^[-+][^-+]/.test(row)) names.add(`${family}/${row.slice(1).split(' ')[0]}`);
      }
      return [...names].sort();
    },
    /** Of the last run. */
    records: () => {
      const runs = join(root, 'target/stillframe/runs');
      const rows = readFileSync(join(runs, readdirSync(runs).sort().at(-1), 'run.jsonl'), 'utf8').split('\n').filter(Boolean);
      return rows.map((row) => JSON.parse(row)).filter(({ schema }) => schema === 'case/1');
    },
    /** Makes the last run forget what references were before it was accepted. */
    forget: () => {
      const runs = join(root, 'target/stillframe/runs');
      rmSync(join(runs, readdirSync(runs).sort().at(-1), 'former.jsonl'), { force: true });
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
    review: () => review(program, root, environment),
  };
}

/** Starts `review --web` on a free port; `end` interrupts it as a terminal does, and tells its exit status. */
async function review(program, root, environment) {
  const child = spawn(program, ['review', '--web', '--port', '0'], { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let told = '';
  child.stderr.on('data', (words) => { told += words; });
  const ended = new Promise((resolve) => child.on('exit', (status, signal) => resolve(status ?? signal)));
  const base = await new Promise((resolve, reject) => {
    let words = '';
    child.stdout.on('data', (part) => {
      words += part;
      const address = words.match(/http:\S+/);
      if (address) resolve(address[0]);
    });
    ended.then((status) => reject(new Error(`review --web ended with ${status}: ${told}`)));
  });
  return {
    base,
    end: async () => {
      child.kill('SIGINT');
      const late = new Promise((resolve) => setTimeout(() => resolve('still there after 10 s'), 10_000).unref());
      const status = await Promise.race([ended, late]);
      child.kill('SIGKILL');
      return status;
    },
  };
}
