import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRepository, type Repository } from '../../test/proof/repository.ts';
import { callIn } from '../../test/support/call.ts';
import { loadConfig } from '../config/config.ts';
import { giveTrust, trustOf } from '../engine/proof/trust.ts';
import { type Call, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { homeOf } from '../store/home.ts';
import { trust } from './trust.ts';

let repository: Repository;
let other: Repository;

beforeEach(() => {
  repository = makeRepository();
  other = makeRepository();
});
afterEach(() => {
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

  it('is refused to agents', async () => {
    checks({ one: { run: 'true' } });
    await trustAll();
    await expect(typed({ revoke: true }, { CLAUDE_CODE_SESSION_ID: 's1' })).rejects.toThrow(ONLY_A_PERSON);
    expect(trustOf(repository)?.checks).toHaveLength(1);
  });
});

describe('trust is refused', () => {
  it.each<[Call['flags'], string]>([
    [{ list: true, revoke: true }, 'trust: --list and --revoke exclude each other.'],
    [{ json: true }, 'trust: --json goes with --list or --revoke.'],
  ])('where two things are asked for: %j', async (flags, text) => {
    await expect(typed(flags)).rejects.toThrow(new WrongUsage(text));
  });

  it('without a terminal, and to agents', async () => {
    checks({ one: { run: 'true' } });
    await expect(typed({})).rejects.toThrow(ONLY_A_PERSON);
    await expect(typed({}, { CODEX_THREAD_ID: 's1' })).rejects.toThrow(ONLY_A_PERSON);
  });
});
