import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import tty from 'node:tty';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeRepository, type Repository } from '../../test/proof/repository.ts';
import { callIn } from '../../test/support/call.ts';
import { loadConfig } from '../config/config.ts';
import { giveTrust, trustOf } from '../engine/proof/trust.ts';
import { type Call, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { homeOf } from '../store/home.ts';
import { trust } from './trust.ts';

/** Whether a descriptor is a terminal: tests have none. */
const terminal = { is: (_: number): boolean => false };

let repository: Repository;
let other: Repository;

beforeEach(() => {
  vi.spyOn(tty, 'isatty').mockImplementation((descriptor) => terminal.is(descriptor));
  syncBuiltinESMExports();
  repository = makeRepository();
  other = makeRepository();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  repository.end();
  other.end();
});

async function typed(flags: Call['flags'], env = {}): Promise<string[]> {
  const { call, printed } = callIn(repository.root, { flags, env: { ...repository.env, ...env } });
  expect(await trust.run(call)).toBe(0);
  return printed;
}

const checks = (list: object, where = repository): void =>
  where.write('holdfast.config.json', JSON.stringify({ checks: list }));

async function trustAll({ root }: Repository = repository): Promise<void> {
  const { env } = repository;
  const config = await loadConfig(root, env);
  giveTrust({ root, env, config, home: homeOf(root), now: 1000, cli: '' }, config.checks);
}

const ONLY_A_PERSON = new NotNow(
  'only a person can say what is trusted: run `holdfast trust` yourself, in a terminal outside of any coding agent.',
);

describe('trust --list', () => {
  it('says what stands in the config, and what became of each', async () => {
    checks({ same: { run: 'npm test' }, changed: { run: 'npm run a' }, gone: { run: 'x' } });
    await trustAll();
    checks({ same: { run: 'npm test' }, changed: { run: 'npm run b', cwd: 'web' }, fresh: { run: ['a b'] } });
    expect(await typed({ list: true })).toEqual([
      repository.root,
      '  same (trusted)  npm test',
      '  changed (changed since it was trusted, so not trusted)  cd web && npm run b',
      "  fresh (not trusted)  'a b'",
      '  gone (trusted, but gone from the config)',
    ]);
    const [text = ''] = await typed({ list: true, json: true });
    expect(JSON.parse(text)).toEqual({
      ...{ root: repository.root, repository: `${repository.root}/.git`, elsewhere: [] },
      checks: [
        { name: 'same', state: 'trusted', command: 'npm test' },
        { name: 'changed', state: 'changed', command: 'cd web && npm run b' },
        { name: 'fresh', state: 'new', command: "'a b'" },
        { name: 'gone', state: 'gone', command: null },
      ],
    });
  });

  it('says where else something is trusted, and is for agents too', async () => {
    checks({ one: { run: 'true' }, two: { run: 'true' } }, other);
    await trustAll(other);
    expect(await typed({ list: true }, { CLAUDE_CODE_SESSION_ID: 's1' })).toEqual([
      `${repository.root} has no checks of its own`,
      'Trusted elsewhere:',
      `${other.root}\n  one, two`,
    ]);
  });
});

describe('trust --revoke', () => {
  it('takes it back, here alone', async () => {
    checks({ one: { run: 'true' }, two: { run: 'true' } });
    checks({ one: { run: 'true' } }, other);
    await trustAll();
    await trustAll(other);
    expect(await typed({ revoke: true })).toEqual([
      'Not trusted any more: one, two. A run that has begun still requires them, and ends unproven.',
    ]);
    expect(trustOf(repository)).toBeNull();
    expect(trustOf({ root: other.root, env: repository.env })?.checks).toHaveLength(1);
    expect(await typed({ revoke: true })).toEqual([`Nothing was trusted in ${repository.root}.`]);
    expect(await typed({ revoke: true, json: true })).toEqual(['{\n  "revoked": []\n}']);
    await trustAll();
    expect(await typed({ revoke: true, json: true })).toEqual([
      '{\n  "revoked": [\n    "one",\n    "two"\n  ]\n}',
    ]);
  });
});

describe('trust is refused', () => {
  it.each<[Call['flags'], string]>([
    [{ list: true, revoke: true }, 'trust: --list and --revoke exclude each other.'],
    [{ json: true }, 'trust: --json goes with --list or --revoke.'],
  ])('where two things are asked for: %j', async (flags, text) => {
    await expect(typed(flags)).rejects.toThrow(new WrongUsage(text));
  });

  it('without a terminal', async () => {
    checks({ one: { run: 'true' } });
    await expect(typed({})).rejects.toThrow(ONLY_A_PERSON);
  });
});

describe('a person at a terminal', () => {
  let stdin: PropertyDescriptor | undefined;
  beforeEach(() => {
    terminal.is = () => true;
    stdin = Object.getOwnPropertyDescriptor(process, 'stdin');
  });
  afterEach(() => {
    terminal.is = () => false;
    if (stdin !== undefined) Object.defineProperty(process, 'stdin', stdin);
    vi.restoreAllMocks();
  });

  /** `answer` null: the input ends without one. */
  async function asked(answer: string | null, env = {}): Promise<[number, string, ...string[]]> {
    const input = new PassThrough();
    input.end(answer === null ? '' : `${answer}\n`);
    Object.defineProperty(process, 'stdin', { value: input, configurable: true });
    let question = '';
    const writing = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      question += text;
      return true;
    });
    const { call, printed } = callIn(repository.root, { flags: {}, env: { ...repository.env, ...env } });
    try {
      return [await trust.run(call), question, ...printed];
    } finally {
      writing.mockRestore();
    }
  }
  const trusted = (): string[] => trustOf(repository)?.checks.map(({ name }) => name) ?? [];

  const WARNING =
    '\nWhenever an agent says that it is done here, Holdfast will run these commands, with your rights and without asking again. They run what the agent wrote: its tests, its scripts, its code.';
  const ASKED = '\nTrust them? [y/N] ';

  it('is shown which command would clean the tree, and how it leaves our files alone', async () => {
    checks({ test: { run: 'git clean -xfdq && npm test' } });
    const lines = (await asked('no')).join('\n');
    expect(lines).toContain(
      'it cleans the tree, and takes files of ours along; have it leave them: `git clean -xfd -e .holdfast',
    );
  });

  it('is shown each command with its terms, and trusts them by a yes', async () => {
    checks({
      plain: { run: 'npm test' },
      more: { run: 'npm run a', timeout: 60, retries: 2, paths: ['src/**', 'a'] },
    });
    const shown = [
      `${repository.root} wants these commands to be run:`,
      '\n  plain (new)\n      npm test\n      at most 600 s',
      '\n  more (new)\n      npm run a\n      at most 60 s, run again up to 2 times when it fails; a pass holds until something changes in ["src/**","a"]',
    ];
    expect(await asked('no')).toEqual([1, ASKED, ...shown, WARNING, 'Nothing was changed.']);
    expect(trusted()).toEqual([]);
    expect(await asked('yes')).toEqual([
      ...[0, ASKED, ...shown, WARNING],
      'Trusted: plain, more. It counts for runs that start from now on.',
    ]);
    expect(trusted()).toEqual(['plain', 'more']);
    expect(await asked('yes')).toEqual([
      ...[0, '', ...shown.map((line) => line.replace('(new)', '(trusted)'))],
      '\nAll of them are trusted already.',
    ]);
  });

  it('is asked again for what was trusted at a time that is still to come', async () => {
    checks({ one: { run: 'true' } });
    const config = await loadConfig(repository.root, repository.env);
    const { root, env } = repository;
    giveTrust({ root, env, config, home: homeOf(root), now: Date.now() + 1e9, cli: '' }, config.checks);
    const state =
      'trusted at a time that is still to come, so not trusted: the clock was ahead then, or is behind now';
    expect(await typed({ list: true })).toEqual([root, `  one (${state})  true`]);
    expect(await asked('yes')).toContain(`\n  one (${state})\n      true\n      at most 600 s`);
    expect(await asked('yes')).toContain('\nAll of them are trusted already.');
  });

  it.each(['yes', 'y', 'Y', ' YES ', '\tYes'])('says yes by %j', async (answer) => {
    checks({ one: { run: 'true' } });
    expect((await asked(answer))[0]).toBe(0);
    expect(trusted()).toEqual(['one']);
  });

  it.each(['', 'no', 'n', 'yess', 'ye', 'oh yes', 'yes please', null])('says no by %j', async (answer) => {
    checks({ one: { run: 'true' } });
    expect((await asked(answer))[0]).toBe(1);
    expect(trusted()).toEqual([]);
  });

  it('is told what has changed, what is gone and what is broken', async () => {
    checks({ same: { run: 'a' }, changed: { run: 'b' }, gone: { run: 'c' } });
    await trustAll();
    checks({ same: { run: 'a' }, changed: { run: 'd' }, broken: { run: 7 } });
    const [code, question, ...lines] = await asked('y');
    expect([code, question]).toEqual([0, ASKED]);
    expect(lines).toEqual([
      `${repository.root} wants these commands to be run:`,
      '\n  same (trusted)\n      a\n      at most 600 s',
      '\n  changed (changed)\n      d\n      at most 600 s',
      '\n  gone (gone from the config)',
      '\n  broken (cannot be used as it stands; `holdfast doctor` says why)',
      WARNING,
      'Trusted: same, changed. It counts for runs that start from now on.',
    ]);
    expect(trusted()).toEqual(['same', 'changed']);
  });

  it('forgets what is gone', async () => {
    checks({ gone: { run: 'c' } });
    await trustAll();
    checks({});
    const shown = [`${repository.root} has these checks no more:`, '\n  gone (gone from the config)'];
    const question = '\nForget what is gone? [y/N] ';
    expect(await asked('no')).toEqual([1, question, ...shown, 'Nothing was changed.']);
    expect(trusted()).toEqual(['gone']);
    expect(await asked('yes')).toEqual([0, question, ...shown, 'Forgotten.']);
    expect(trusted()).toEqual([]);
  });

  it('has nothing to trust where the project has no checks of its own', async () => {
    const none = `The project ${repository.root} has no checks of its own, so there is nothing to trust.`;
    expect(await asked('yes')).toEqual([0, '', none]);
    const config = path.join(repository.home, '.config/holdfast/holdfast.config.json');
    fs.mkdirSync(path.dirname(config), { recursive: true });
    fs.writeFileSync(config, JSON.stringify({ checks: { mine: { run: 'true' } } }));
    expect(await asked('yes')).toEqual([0, '', none]);
  });

  it('forgets nothing while the config cannot be read', async () => {
    checks({ one: { run: 'true' } });
    await trustAll();
    repository.write('holdfast.config.json', '{ torn');
    await expect(asked('yes')).rejects.toThrow(
      new NotNow(
        'holdfast.config.json cannot be used as it stands, so nobody knows which checks it means: correct it first, `holdfast doctor` says what is wrong.',
      ),
    );
    expect(trusted()).toEqual(['one']);
    // A key that nobody knows says nothing about the checks.
    repository.write('holdfast.config.json', '{ "nothing": 1 }');
    expect((await asked('no')).slice(2, 4)).toEqual([
      `${repository.root} has these checks no more:`,
      '\n  one (gone from the config)',
    ]);
  });

  it('is refused where an agent could write the trust', async () => {
    checks({ one: { run: 'true' } });
    await expect(asked('yes', { XDG_STATE_HOME: `${repository.root}/state` })).rejects.toThrow(
      new NotNow(
        `your own Holdfast folders lie inside ${repository.root}, where an agent can write, so trust would be worth nothing. Set XDG_STATE_HOME and XDG_CONFIG_HOME to folders outside of it.`,
      ),
    );
  });

  it('needs both, input and output', async () => {
    checks({ one: { run: 'true' } });
    for (const only of [0, 1]) {
      terminal.is = (descriptor) => descriptor === only;
      await expect(asked('yes')).rejects.toThrow(ONLY_A_PERSON);
    }
    expect(trusted()).toEqual([]);
  });
});
