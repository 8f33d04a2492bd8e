// Every file of ours and every workflow's state, in every state it can be in: `status`, `doctor`, `why` and `log` say
// what is so, name the place and what to do, and never wait. Run as a user whom rights bind, also where root tests.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Ran, run } from '../../support/hook.ts';
import { LOOP_ID, SESSION } from '../corpus.ts';
import { stages } from '../stage.ts';
import { type Hostile, hostileProject } from './hostile.ts';

const STATES = {
  claudex: `.claude/claudex/${LOOP_ID}.state`,
  taskie: '.taskie/plans/p/state.json',
  idle: '.jwz/messages.jsonl',
};
const FILES = {
  ...STATES,
  fallback: '.claude/idle-loop.local.md',
  sidecar: '.holdfast/runs/idle-loop-1.json',
  session: `.holdfast/sessions/${SESSION}.json`,
  journal: '.holdfast/journal.jsonl',
  lock: '.holdfast/lock',
} as const;
const FOLDERS = {
  home: '.holdfast',
  runs: '.holdfast/runs',
  sessions: '.holdfast/sessions',
  attempts: '.holdfast/attempts',
  loops: '.claude/claudex',
  plans: '.taskie/plans',
  plan: '.taskie/plans/p',
  topics: '.jwz',
} as const;
type Name = keyof typeof FILES | keyof typeof FOLDERS;

/** Nobody in particular: root as such would be bound by no rights. */
const USER = 64_711;
const isRoot = process.geteuid?.() === 0;

function prepared(): Hostile {
  const project = hostileProject();
  for (const stage of stages) project.put(stage, SESSION);
  project.write('.holdfast/.gitignore', '*\n');
  project.write('.holdfast/lock', '');
  fs.mkdirSync(path.join(project.root, '.holdfast/attempts'), { recursive: true });
  const entry = { answer: 'allow', session: SESSION, workflow: null, run: null, error: null, step: null };
  const line = { time: '2026-01-01T00:00:00.000Z', client: 'claude-code', ...entry, milliseconds: 1 };
  project.write('.holdfast/journal.jsonl', `${JSON.stringify(line)}\n`);
  return project;
}

async function told(project: Hostile, args: readonly string[]): Promise<Ran> {
  const folder = path.dirname(project.root);
  if (isRoot) {
    fs.chmodSync(folder, 0o755);
    execFileSync('chown', ['-Rh', String(USER), project.root, project.home]);
  }
  const plugin =
    process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../../dist/holdfast');
  const as = isRoot ? ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'] : ['env'];
  const command = [...as, path.join(plugin, 'bin/holdfast'), ...args];
  return run(command[0] ?? '', command.slice(1), project.root, {
    timeoutMs: 240_000,
    env: { PATH: process.env.PATH ?? '', HOME: project.home, CLAUDE_CODE_SESSION_ID: SESSION },
  });
}

const KINDS: Readonly<
  Record<string, { make(file: string, project: Hostile): void; says: RegExp; fix: RegExp }>
> = {
  'of mode 0000': {
    make: (file) => fs.chmodSync(file, 0),
    says: /cannot be (read|entered): its mode is 0000/,
    fix: /`chmod u\+rwx? /,
  },
  'a FIFO': {
    make: (file) => replaced(file, () => execFileSync('mkfifo', [file])),
    says: /is a FIFO where a (file|folder) belongs/,
    fix: /`rm /,
  },
  'a link to nowhere': {
    make: (file) => replaced(file, () => fs.symlinkSync('nothing-there', file)),
    says: /is a link(?: to nowhere|, and the journal is no link)/,
    fix: /`rm /,
  },
  'a link that goes in circles': {
    make: (file) => replaced(file, () => fs.symlinkSync(path.basename(file), file)),
    says: /is a link(?: that goes in circles|, and the journal is no link)/,
    fix: /`rm /,
  },
  'a link out of the project': {
    make(file, project) {
      const outside = path.join(project.outside, 'there');
      fs.cpSync(file, outside, { recursive: true });
      replaced(file, () => fs.symlinkSync(outside, file));
    },
    says: /is a link(?: out of .* no such link is followed|, and the journal is no link)/,
    fix: /`rm /,
  },
};

function replaced(file: string, make: () => void): void {
  fs.rmSync(file, { recursive: true, force: true });
  make();
}

const inPlace = Object.entries({ ...FILES, ...FOLDERS });

function pathTo(project: Hostile, name: Name): string {
  const file = path.join(project.root, { ...FILES, ...FOLDERS }[name]);
  if (name === 'fallback') project.write(FILES.fallback, '---\nactive: true\nmode: loop\n---\nx\n');
  return file;
}

/** The line that names the place; in doctor the one below it says what to do. */
function lineAbout(ran: Ran, file: string): string {
  const lines = ran.stdout.split('\n');
  const at = lines.findIndex((line) => line.includes(file) && !line.startsWith('ok'));
  return at < 0 ? '' : `${lines[at]}\n${lines[at + 1] ?? ''}`;
}

describe.concurrent('in the place of one of our files or folders', () => {
  // A plan that is a link is named as a plan that is not used (test/conformance/taskie.unused.test.ts).
  const cases = inPlace
    .flatMap(([name]) => Object.keys(KINDS).map((kind) => [name as Name, kind] as const))
    .filter(([name, kind]) => name !== 'plan' || !kind.includes('link'));

  test.each(cases)('%s, %s is told by status and doctor with what to do', async (name, kind) => {
    const project = prepared();
    const file = pathTo(project, name);
    const { make, says, fix } = KINDS[kind] ?? { make: () => {}, says: /^$/, fix: /^$/ };
    make(file, project);
    const examined = await told(project, ['doctor']);
    expect(examined.exitCode).toBe(1);
    expect(lineAbout(examined, file)).toMatch(says);
    expect(lineAbout(examined, file)).toMatch(fix);
    expect(examined.stdout).not.toContain('are readable');
    const listed = await told(project, ['status']);
    expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(listed.stdout).not.toMatch(/\d finished|No runs here/);
    // Of the journal status needs nothing.
    if (name === 'journal') return;
    expect(lineAbout(listed, file)).toMatch(says);
    expect(lineAbout(listed, file)).toMatch(fix);
  });

  test.each(Object.keys(FILES).map((name) => [name as Name]))(
    '%s, a folder is told by doctor and moved aside',
    async (name) => {
      const project = prepared();
      const file = pathTo(project, name);
      replaced(file, () => fs.mkdirSync(file));
      const line = lineAbout(await told(project, ['doctor']), file);
      expect(line).toContain(`${file} is a folder where a file belongs`);
      expect(line).toContain(`run \`mv ${file} ${file}.aside\``);
    },
  );

  test.each(Object.keys(FOLDERS).map((name) => [name as Name]))(
    '%s, a file is told by doctor and moved aside',
    async (name) => {
      const project = prepared();
      const file = pathTo(project, name);
      replaced(file, () => fs.writeFileSync(file, 'x'));
      const ran = await told(project, ['doctor']);
      expect(ran.exitCode).toBe(1);
      expect(lineAbout(ran, file)).toContain(`${file} is a file where a folder belongs`);
    },
  );

  test.each([['home'], ['runs'], ['sessions'], ['attempts']] as const)(
    '%s, a folder that may not be written is told by status and doctor',
    async (name) => {
      const project = prepared();
      const file = pathTo(project, name);
      fs.chmodSync(file, 0o555);
      for (const command of ['status', 'doctor']) {
        const line = lineAbout(await told(project, [command]), file);
        expect(line).toContain(`${file} cannot be written: its mode is 0555`);
        expect(line).toContain(`run \`chmod u+rwx ${file}\``);
      }
      fs.chmodSync(file, 0o755);
    },
  );
});

describe.concurrent('a content that says nothing', () => {
  const newer = (text: string): string => text.replace('"schema":2', '"schema":3');
  test.each<[Name, string, (text: string) => string, RegExp]>([
    ['claudex', 'empty', () => '', /cannot be read: .*\.state: the file is empty/],
    ['claudex', 'garbage', () => '\0\u0001x', /cannot be read: .*\.state: it has neither/],
    ['taskie', 'empty', () => '', /cannot be read: .*state\.json: state\.json is not a JSON object/],
    ['taskie', 'garbage', () => '{]', /cannot be read: .*state\.json: state\.json is not a JSON object/],
    [
      'idle',
      'garbage',
      (text) => text.replace('"body":"{', '"body":"{{'),
      /cannot be read: .*messages\.jsonl: the last message/,
    ],
    ['idle', 'no JSON at all', () => 'x\ny\n', /cannot be read: .*messages\.jsonl: it holds no line/],
    ['fallback', 'garbage', () => 'x', /cannot be read: .*local\.md: it does not begin/],
    ['sidecar', 'empty', () => '', /is not readable as Holdfast's notes on idle:loop-1/],
    ['sidecar', 'garbage', () => '{]', /is not readable as Holdfast's notes on idle:loop-1/],
    ['sidecar', 'newer', newer, /was written by a newer Holdfast; upgrade this one/],
    ['session', 'empty', () => '', /is not readable as Holdfast's notes on a session/],
    ['session', 'garbage', () => '[]', /is not readable as Holdfast's notes on a session/],
    ['session', 'newer', newer, /was written by a newer Holdfast/],
    ['journal', 'garbage', () => 'x\n{}\n', /holds no line that can be read as a stop/],
  ])(
    'in %s, %s, is told by doctor, and status does not call a run finished',
    async (name, _, change, says) => {
      const project = prepared();
      const file = pathTo(project, name);
      if (name === 'fallback') fs.rmSync(path.join(project.root, '.jwz'), { recursive: true });
      fs.writeFileSync(file, change(fs.readFileSync(file, 'utf8')));
      const examined = await told(project, ['doctor']);
      expect(examined.exitCode).toBe(1);
      expect(lineAbout(examined, file)).toMatch(says);
      expect(lineAbout(examined, file)).toMatch(/to fix it: .+/);
      if (says.source.includes('newer')) expect(examined.stdout).not.toContain('holdfast adopt');
      const listed = await told(project, ['status']);
      expect(listed.exitCode).toBe(0);
      expect(listed.stdout).not.toMatch(/\d finished|No runs here/);
      if (name !== 'journal') expect(lineAbout(listed, file)).toMatch(says);
      if (name === 'sidecar') expect(listed.stdout).not.toMatch(/idle:loop-1.*nobody's/);
    },
  );
});

describe.concurrent('a journal that cannot be read', () => {
  const kinds = [...Object.keys(KINDS), 'a folder', 'garbage'];
  test.each(kinds.flatMap((kind) => ['log', 'why'].map((command) => [kind, command] as const)))(
    '(%s) is said to be so by %s, not to be empty',
    async (kind, command) => {
      const project = prepared();
      const file = pathTo(project, 'journal');
      if (kind === 'garbage') fs.writeFileSync(file, 'nothing of ours\n');
      else if (kind === 'a folder') replaced(file, () => fs.mkdirSync(file));
      else KINDS[kind]?.make(file, project);
      const ran = await told(project, [command]);
      expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
      expect(ran.stderr).toMatch(new RegExp(`^holdfast: ${file} .+; to fix it, .*run \`.+\`\\n$`));
    },
  );

  test.each(['log', 'why'])('with its whole folder is said to be so by %s', async (command) => {
    const project = prepared();
    fs.chmodSync(path.join(project.root, '.holdfast'), 0);
    const ran = await told(project, [command]);
    fs.chmodSync(path.join(project.root, '.holdfast'), 0o755);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(
      /\.holdfast cannot be entered: its mode is 0000; to fix it, run `chmod u\+rwx /,
    );
  });

  test('but may be, is shown although it cannot be written', async () => {
    const project = prepared();
    fs.chmodSync(pathTo(project, 'journal'), 0o444);
    expect(await told(project, ['log'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('allow'),
    });
    expect((await told(project, ['doctor'])).stdout).toContain(
      'journal.jsonl cannot be written: its mode is 0444',
    );
  });
});

test('where a closed folder may hide all runs, status and doctor do not say that there are none', async () => {
  const project = hostileProject();
  const [claudex] = stages;
  if (claudex === undefined) throw new Error('there is no stage for claudex');
  project.put(claudex, SESSION);
  fs.rmSync(path.join(project.root, '.holdfast'), { recursive: true });
  fs.chmodSync(path.join(project.root, '.claude'), 0);
  for (const command of ['status', 'doctor']) {
    const { stdout } = await told(project, [command]);
    expect(stdout).toContain('.claude cannot be entered: its mode is 0000');
    expect(stdout).not.toMatch(/no runs here/i);
  }
});
