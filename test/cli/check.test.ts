// `holdfast check` as built, in real repositories: what it runs, what it says, what it keeps.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { giveTrust } from '../../src/engine/proof/trust.ts';
import { homeOf } from '../../src/store/home.ts';
import { makeRepository, type Repository } from '../proof/repository.ts';
import { runCli } from '../support/hook.ts';

let repository: Repository;

beforeEach(() => {
  repository = makeRepository();
  repository.write('a.txt', 'one\n');
  repository.git('add', '-A');
});
afterEach(() => repository.end());

const own = (checks: object): void =>
  repository.write('../home/.config/holdfast/holdfast.config.json', JSON.stringify({ checks }));
const projects = (checks: object): void =>
  repository.write('holdfast.config.json', JSON.stringify({ checks }));

async function trust(): Promise<void> {
  const { root, env } = repository;
  const config = await loadConfig(root, env);
  giveTrust({ root, env, config, home: homeOf(root), now: Date.now() - 1000, cli: '' }, config.checks);
}

const check = (args: readonly string[] = [], env: Record<string, string> = {}) =>
  runCli(repository.root, ['check', ...args], { env: { HOME: repository.home, ...env } });

async function asJson(args: readonly string[] = [], env: Record<string, string> = {}) {
  const { stdout, exitCode } = await check(['--json', ...args], env);
  return { exitCode, ...JSON.parse(stdout) };
}

function receipts(): { check: string; end: string }[] {
  const folder = path.join(repository.home, '.local/state/holdfast/receipts');
  if (!fs.existsSync(folder)) return [];
  const [file = ''] = fs.readdirSync(folder);
  return JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')).receipts;
}

describe('holdfast check', () => {
  it('runs none of the project’s before they are trusted, nor after they were changed', async () => {
    projects({ test: { run: 'touch ran' } });
    const before = await check();
    expect(before.exitCode).toBe(1);
    expect(before.stdout).toContain('holdfast trust');
    expect(fs.existsSync(path.join(repository.root, 'ran'))).toBe(false);
    await trust();
    expect((await check()).exitCode).toBe(0);
    expect(fs.existsSync(path.join(repository.root, 'ran'))).toBe(true);
    fs.rmSync(path.join(repository.root, 'ran'));
    projects({ test: { run: 'touch ran # now with a comment' } });
    expect(await asJson()).toMatchObject({ exitCode: 1, checks: [{ name: 'test', end: 'untrusted' }] });
    expect(fs.existsSync(path.join(repository.root, 'ran'))).toBe(false);
  });

  it('says which one runs, shows a table, and ends with 0 or 1', async () => {
    projects({ good: { run: 'echo fine' }, bad: { run: 'echo "it is \u001b[31mred"; exit 3' } });
    await trust();
    const { stdout, stderr, exitCode } = await check();
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^running good: echo fine\nrunning bad: .*exit 3.*\n$/);
    expect(stderr).not.toContain('\u001b');
    expect(stdout).toMatch(/^✓ good {2}passed {15}\d+\.\d s$/m);
    expect(stdout).toMatch(/^✗ bad {3}failed, exit code 3 {2}\d+\.\d s$/m);
    expect(stdout).toContain('  it is red\n');
    expect(stdout).toContain('.holdfast/checks/bad.log');
    expect((await check(['good'])).exitCode).toBe(0);
  });

  it('runs the user’s own when they are named, and the user’s definition of a name in both files', async () => {
    own({ mine: { run: 'echo mine' }, both: { run: 'echo user' } });
    const none = await check();
    expect(none.exitCode).toBe(1);
    expect(none.stderr).toContain('mine, both');
    projects({ both: { run: 'echo project' } });
    expect((await asJson(['mine'])).checks).toMatchObject([{ name: 'mine', end: 'passed', tail: 'mine' }]);
    expect((await asJson()).checks).toMatchObject([{ name: 'both', end: 'passed', tail: 'user' }]);
  });

  it('keeps a receipt for these very files where a person asked', async () => {
    own({ good: { run: 'true' }, bad: { run: 'false' }, gone: { run: 'no-such-program' } });
    const { checks } = await asJson(['good', 'bad', 'gone']);
    expect(checks.map(({ kept }: { kept: boolean }) => kept)).toEqual([true, true, false]);
    expect(receipts()).toMatchObject([
      { check: 'good', end: 'passed' },
      { check: 'bad', end: 'failed' },
    ]);
    expect((await check(['good'])).stdout).toContain('Kept');
  });

  it.each([
    { CLAUDE_CODE_SESSION_ID: 's' },
    { CODEX_THREAD_ID: 's' },
    { QWEN_CODE_SESSION_ID: 's' },
    { GEMINI_CLI: '1' },
  ])('keeps nothing where an agent asked: %j', async (env) => {
    own({ good: { run: 'true' } });
    const { stdout, exitCode } = await check(['good'], env);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Shown only');
    expect(receipts()).toEqual([]);
  });

  it('keeps nothing of a check that changes files, but for those it does not look at', async () => {
    own({ writes: { run: 'date +%N > a.txt' }, elsewhere: { run: 'date +%N > a.txt', paths: ['src/**'] } });
    const { stdout } = await check(['writes']);
    expect(stdout).toContain('files changed while it ran');
    expect(receipts()).toEqual([]);
    await check(['elsewhere']);
    expect(receipts()).toMatchObject([{ check: 'elsewhere' }]);
  });

  it('runs without git and without a project, and then keeps nothing', async () => {
    own({ good: { run: 'true' } });
    fs.rmSync(path.join(repository.root, '.git'), { recursive: true });
    expect(await asJson(['good'])).toMatchObject({ exitCode: 0, checks: [{ end: 'passed', kept: false }] });
    expect(receipts()).toEqual([]);
  });

  it('says what is wrong with how it was called', async () => {
    const empty = await check();
    expect(empty.exitCode).toBe(1);
    expect(empty.stderr).toContain('no checks');
    own({ mine: { run: 'true' } });
    const unknown = await check(['other']);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain('mine');
    expect((await check(['mine'], { HOLDFAST_DISABLE: '1' })).exitCode).toBe(1);
  });
});

describe('what cannot be kept', () => {
  it('is shown all the same, with the reason', async () => {
    own({ test: { run: 'echo fine' } });
    const state = path.join(repository.home, '.local/state/holdfast');
    fs.mkdirSync(state, { recursive: true });
    fs.writeFileSync(path.join(state, 'receipts'), 'in the way');

    const { stdout, exitCode } = await check(['test']);

    expect(exitCode).toBe(0);
    expect(stdout).toContain('✓ test  passed');
    expect(stdout).toMatch(/Not kept, so a claim runs it again: E[A-Z]+/);
  });
});
