import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeRepository, type Repository } from '../../test/proof/repository.ts';
import { callIn } from '../../test/support/call.ts';
import { type Call, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { check } from './check.ts';

let repository: Repository;

beforeEach(() => {
  repository = makeRepository();
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  repository.end();
});

const own = (checks: object): void =>
  repository.write('../home/.config/holdfast/holdfast.config.json', JSON.stringify({ checks }));
const projects = (checks: object): void =>
  repository.write('holdfast.config.json', JSON.stringify({ checks }));

async function checked(words: readonly string[], flags: Call['flags'] = {}) {
  const { call, printed } = callIn(repository.root, { words, flags, env: repository.env });
  return { code: await check.run(call), printed };
}

describe('which checks run', () => {
  it.each([
    [['nothing'], 'check: there is no check "nothing". There are: mine, broken.'],
    [['mine', 'nothing', 'other'], 'check: there is no check "nothing". There are: mine, broken.'],
    [['mine', '--json'], 'check: --json must stand before the names.'],
  ])('is refused where there is no such one: %j', async (words, text) => {
    own({ mine: { run: 'true' } });
    projects({ broken: { run: '' } });
    await expect(checked(words)).rejects.toThrow(new WrongUsage(text));
  });

  it('is refused where there is none at all, or none of the project’s', async () => {
    await expect(checked(['a'])).rejects.toThrow(
      new WrongUsage('check: there is no check "a". No check is defined.'),
    );
    await expect(checked([])).rejects.toThrow(
      new NotNow('this project has no checks; they are named under "checks" in holdfast.config.json.'),
    );
    own({ mine: { run: 'true' }, more: { run: 'true' } });
    await expect(checked([])).rejects.toThrow(
      new NotNow('this project has no checks of its own; name one of yours: mine, more.'),
    );
  });

  it('is shown of one that cannot be used as it stands, or is not trusted', async () => {
    projects({ untrusted: { run: 'touch ran' }, broken: { run: '' } });
    const { code, printed } = await checked([]);
    expect(code).toBe(1);
    expect(printed).toEqual([
      '! untrusted  not run: `holdfast trust` asks you whether it may',
      '! broken     not run: its definition in holdfast.config.json cannot be used',
      'Nothing was run.',
    ]);
    const data = await checked(['broken'], { json: true });
    expect(data.code).toBe(1);
    expect(data.printed.map((line) => JSON.parse(line))).toEqual([
      {
        ...{ root: repository.root, passed: false },
        checks: [{ name: 'broken', command: null, end: 'broken' }],
      },
    ]);
    expect((await checked(['untrusted'], { json: true })).printed.join('\n')).toContain(
      '"command": "touch ran"',
    );
  });

  it('is those that are named, in the order of the config, each once', async () => {
    own({ a: { run: 'true' }, b: { run: 'echo said; false' }, c: { run: 'true' } });
    repository.git('add', '-A');
    const { code, printed } = await checked(['b', 'a', 'b'], { json: true });
    expect(code).toBe(1);
    const { passed, checks } = JSON.parse(printed[0] ?? '');
    expect(passed).toBe(false);
    expect(checks).toMatchObject([
      { name: 'a', command: 'true', end: 'passed', code: 0, kept: true, log: '.holdfast/checks/a.log' },
      { name: 'b', command: 'echo said; false', end: 'failed', code: 1, tail: 'said', kept: true },
    ]);
    const good = await checked(['a', 'c']);
    expect(good.code).toBe(0);
    expect(good.printed).toHaveLength(3);
  });
});

describe('what a check that ran leaves behind', () => {
  const ran = async (run: string, env = {}) => {
    own({ a: { run } });
    const { call, printed } = callIn(repository.root, {
      ...{ words: ['a'], flags: { json: true }, env: { ...repository.env, ...env } },
    });
    const code = await check.run(call);
    const [row] = JSON.parse(printed[0] ?? '').checks;
    return { code, row };
  };

  it.each<[string, string, object, object]>([
    ['that passed', 'true', {}, { end: 'passed', kept: true, changedFiles: false }],
    ['that failed', 'exit 3', {}, { end: 'failed', code: 3, kept: true, changedFiles: false }],
    ['that wrote a file', 'echo x >>new.txt', {}, { end: 'passed', kept: false, changedFiles: true }],
    ['that is not there', 'no-such-program-at-all', {}, { kept: false, changedFiles: false }],
    [
      'that an agent ran',
      'true',
      { CLAUDE_CODE_SESSION_ID: 's1' },
      { end: 'passed', kept: false, changedFiles: false },
    ],
  ])('%s', async (_, run, env, row) => {
    const said = await ran(run, env);
    expect(said.row).toMatchObject({ name: 'a', command: run, ...row });
    expect(said.row).not.toHaveProperty('unkept');
    expect(said.code).toBe('end' in row && row.end === 'passed' ? 0 : 1);
    expect(fs.readdirSync(path.join(repository.root, '.holdfast/attempts'))).toEqual([]);
  });

  it('is what is said while it runs, but not beside data', async () => {
    own({ a: { run: 'true' } });
    await checked(['a']);
    expect(vi.mocked(process.stderr.write).mock.calls).toEqual([['running a: true\n']]);
    await checked(['a'], { json: true });
    expect(process.stderr.write).toHaveBeenCalledTimes(1);
  });
});
