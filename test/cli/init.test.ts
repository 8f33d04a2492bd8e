// `holdfast init` in small real projects, with a person whom `script` plays: what it writes, what it asks, and that what
// it found really runs.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ran, run, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

const PLUGIN = process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');
const CONFIG = 'holdfast.config.json';
const PACKAGE = '{ "scripts": { "test": "node --test" } }';

let project: TempProject;
beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

const read = (name: string): string | null => {
  const file = path.join(project.root, name);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null;
};

/** At a terminal, with these answers typed ahead. */
function atTerminal(command: string, ...answers: string[]): Promise<Ran> {
  return run(
    'script',
    ['-qec', `'${path.join(PLUGIN, 'bin/holdfast')}' ${command}`, '/dev/null'],
    project.root,
    {
      stdin: answers.map((answer) => `${answer}\n`).join('') || '\u0004',
      timeoutMs: 30_000,
    },
  );
}

const cli = (args: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  runCli(project.root, args, { env, timeoutMs: 60_000 });

describe('a person who says yes to everything', () => {
  it.each([
    [
      'node',
      { 'package.json': PACKAGE, 'a.test.mjs': "import test from 'node:test';\ntest('adds', () => {});\n" },
      'npm test',
    ],
    ['make', { Makefile: 'test:\n\t@echo ok\n' }, 'make test'],
    [
      'python',
      {
        'setup.py': '',
        'tests/__init__.py': '',
        'tests/test_a.py': 'import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n',
      },
      'python3 -m unittest discover',
    ],
  ])('has a %s project tested by what was found in it', async (_, files, command) => {
    for (const [name, text] of Object.entries(files)) project.write(name, text);
    const { stdout, exitCode } = await atTerminal('init', 'y', 'y', 'y');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(command);
    expect(stdout).toContain('Trusted: test.');
    expect(JSON.parse(read(CONFIG) ?? '')).toEqual({ checks: { test: { run: command } } });
    const checked = await cli(['check']);
    expect(checked.stdout).toContain('passed');
    expect(checked.exitCode).toBe(0);
  });
});

it('asks before each step, and trusts nothing by default', async () => {
  project.write('package.json', PACKAGE);
  const refused = await atTerminal('init', '');
  expect(refused.stdout).toContain('Nothing was written.');
  expect(read(CONFIG)).toBeNull();
  const { stdout } = await atTerminal('init', 'y', 'n', '');
  expect(stdout).toContain('Not trusted, so not run: test.');
  expect(read('.gitignore')).toBeNull();
  expect((await cli(['check'])).exitCode).toBe(1);
});

it('--yes writes without asking and trusts nothing, and a second time adds nothing', async () => {
  project.write('package.json', PACKAGE);
  project.write('.gitignore', 'dist');
  const first = await cli(['init', '--yes']);
  expect(first.exitCode).toBe(0);
  expect(first.stdout).toContain('Not trusted, so not run: test.');
  expect(read('.gitignore')).toMatch(/^dist\n\.claude\/claudex\/\n/);
  const written = [read(CONFIG), read('.gitignore')];
  expect((await cli(['init', '--yes'])).stdout).toContain('is there already');
  expect([read(CONFIG), read('.gitignore')]).toEqual(written);
});

it('leaves checks that are there to `trust`, and touches nothing else in the file', async () => {
  project.write('package.json', PACKAGE);
  project.write(CONFIG, '{\n  "guard": { "unmoved": 2 },\n  "checks": { "lint": { "run": "true" } }\n}\n');
  const { stdout } = await atTerminal('init', 'y', 'n', 'y');
  expect(read(CONFIG)).toBe(
    '{\n  "guard": { "unmoved": 2 },\n  "checks": { "lint": { "run": "true" }, "test": { "run": "npm test" } }\n}\n',
  );
  expect(stdout).toContain('Trusted: test.');
  expect(stdout).toContain('Not trusted, so not run: lint.');
});

it('writes nothing over a config that was edited while it asked', async () => {
  project.write('package.json', PACKAGE);
  project.write(CONFIG, '{}\n');
  const edited = '{ "guard": { "unmoved": 2 } }\n';
  const program = path.join(PLUGIN, 'bin/holdfast');
  // The answer comes once the question stands there and the file is another one.
  const typed = `(until grep -q 'Write it' out; do sleep 0.1; done; printf '%s' '${edited}' > ${CONFIG}; echo y) | script -qefc '${program} init' out`;
  const { stdout } = await run('timeout', ['20', 'sh', '-c', typed], project.root, { timeoutMs: 30_000 });
  expect(stdout).toContain('changed in the meantime');
  expect(read(CONFIG)).toBe(edited);
});

it.each([
  ['a script', { 'package.json': '{ "scripts": { "test": "git clean -xfdq && node --test" } }' }],
  ['a target', { Makefile: 'test: build\n\tgit clean -xfd\n\t./run\n' }],
])('warns of %s that cleans the tree', async (_, files) => {
  for (const [name, text] of Object.entries(files)) project.write(name, text);
  expect((await cli(['init', '--yes'])).stdout).toMatch(
    /test cleans the tree.*`git clean -xfd -e \.holdfast /,
  );
});

describe('is refused, and nothing is written,', () => {
  it.each([
    [
      'in a client’s shell',
      { 'package.json': PACKAGE },
      { CLAUDE_CODE_SESSION_ID: '5e551011-0000-4000-8000-000000000001' },
      'only a person',
    ],
    [
      'beside a config with a mistake',
      { 'package.json': PACKAGE, [CONFIG]: '{ "checks": ' },
      {},
      'Correct it first',
    ],
    ['without a terminal to ask in', { 'package.json': PACKAGE }, {}, 'holdfast init --yes'],
    [
      'where nothing says how it is tested',
      { 'README.md': '' },
      {},
      '{ "checks": { "test": { "run": "./run-tests" } } }',
    ],
  ])('%s', async (_, files: Record<string, string>, env: Record<string, string>, said) => {
    for (const [name, text] of Object.entries(files)) project.write(name, text);
    const before = read(CONFIG);
    const { stdout, stderr, exitCode } = await cli(['init'], env);
    expect(`${stdout}${stderr}`).toContain(said);
    expect(exitCode).toBe(1);
    expect([read(CONFIG), read('.gitignore')]).toEqual([before, null]);
  });
});

it('is what a flow that needs a check named test points to', async () => {
  const { stderr } = await cli(['flow', 'start', 'tdd', 'Add a button']);
  expect(stderr).toMatch(/tdd needs a check named test.* init` finds how this project is tested/);
  expect(stderr).toContain('{ "checks": { "test": { "run": "npm test" } } }');
});
