import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { asCommand, ClientFailed, carryOutSteps, isClientFailed, runProgram, saidBy } from './program.ts';

const { root: cwd } = bareProject();
const sh = (script: string, mayFail?: boolean) => ({
  ...{ program: 'sh', args: ['-c', script], cwd },
  ...(mayFail === undefined ? {} : { mayFail }),
});

describe('a program', () => {
  it('is run in its folder, with nothing on standard input', async () => {
    expect(await runProgram('sh', ['-c', 'cat; pwd; echo late >&2'], cwd)).toEqual({
      ok: true,
      stdout: `${cwd}\n`,
      stderr: 'late\n',
    });
  });

  it('fails with what it says, or with the command', async () => {
    expect(await runProgram('sh', ['-c', 'echo no >&2; exit 3'], cwd)).toEqual({
      ok: false,
      stdout: '',
      stderr: 'no\n',
    });
    expect(await runProgram('sh', ['-c', 'exit 3'], cwd)).toMatchObject({
      ok: false,
      stderr: expect.stringContaining('Command failed: sh -c exit 3'),
    });
  });

  it('is null where it is not on PATH', async () => {
    expect(await runProgram('holdfast-no-such-program', [], cwd)).toBe(null);
  });
});

describe('steps', () => {
  it('are carried out in order until one fails that may not', async () => {
    await carryOutSteps([sh('echo 1 >> done'), sh('exit 1', true), sh('echo 2 >> done')]);
    const failing = carryOutSteps([sh('echo 3 >> done; echo why >&2; exit 1'), sh('echo 4 >> done')]);
    await expect(failing).rejects.toThrow(
      new ClientFailed("`sh -c 'echo 3 >> done; echo why >&2; exit 1'` failed: why"),
    );
    expect(fs.readFileSync(path.join(cwd, 'done'), 'utf8')).toBe('1\n2\n3\n');
  });

  it('fail where their program is not there', async () => {
    const step = { program: 'holdfast-no-such-program', args: ['a'], cwd };
    await expect(carryOutSteps([step])).rejects.toThrow(
      new ClientFailed('`holdfast-no-such-program a` failed: not found'),
    );
    await carryOutSteps([{ ...step, mayFail: true }]);
  });
});

it.each([
  [[], 'p'],
  [['add', 'a@b', './c-d_e', 'x:y=1'], 'p add a@b ./c-d_e x:y=1'],
  [['a b', '', '$x', 'a;b'], "p 'a b' '' '$x' 'a;b'"],
])('%j is shown as %s', (args, shown) => {
  expect(asCommand({ program: 'p', args })).toBe(shown);
});

it.each([
  ['out\n', 'first\n last \n\n', 'last'],
  ['out\nend', '', 'end'],
  ['', '\u2718  Failed: x', 'Failed: x'],
  ['', 'a \u2718 b', 'a \u2718 b'],
  [' \n', '\n', 'it said nothing'],
])('of %j and %j, %j is what it said', (stdout, stderr, said) => {
  expect(saidBy({ ok: false, stdout, stderr })).toBe(said);
});

it('a client’s failure is known by its name', () => {
  expect(isClientFailed(new ClientFailed('x'))).toBe(true);
  expect(isClientFailed(new Error('x'))).toBe(false);
  expect(isClientFailed({ name: 'ClientFailed' })).toBe(false);
});
