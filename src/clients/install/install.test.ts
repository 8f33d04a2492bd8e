// What the installers stand on: the marketplace's folder, and programs that are run step by step.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { programs } from '../../../test/support/programs.ts';
import { readMarketplace } from './marketplace.ts';
import { ClientFailed, carryOutSteps, isClientFailed, runProgram } from './program.ts';

describe('a marketplace folder', () => {
  const read = (names: readonly unknown[], core: string, name = 'holdfast') => {
    const { home, write } = programs({});
    const plugins = names.map((each) => ({ name: each, source: './x' }));
    write('.claude-plugin/marketplace.json', JSON.stringify({ name, plugins }));
    write('holdfast/.claude-plugin/plugin.json', core);
    const found = readMarketplace(home);
    return found && { ...found, folder: path.relative(home, found.folder) };
  };

  it('names its version and its workflows', () => {
    const found = { folder: '', version: '1.2.3', workflows: ['idle', 'task-2'] };
    expect(read(['idle', 'holdfast', 'task-2'], '{"version":"1.2.3"}')).toEqual(found);
  });

  it('is none by another name, with a plugin of an odd name, or where the core does not tell', () => {
    expect(read([], '{"version":"1"}', 'other')).toBeNull();
    const odd = ['', 'Idle', '2idle', '-idle', 'id_le', 'idle ', '../idle', 7];
    expect(odd.map((name) => read(['idle', name], '{"version":"1"}'))).toEqual(odd.map(() => null));
    expect(['{}', '{"version":1}', '{'].map((core) => read([], core))).toEqual([null, null, null]);
    expect(readMarketplace('/nonexistent')).toBeNull();
  });
});

describe('a program', () => {
  const sh = (script: string, cwd: string, mayFail = false) => ({
    program: 'sh',
    args: ['-c', script],
    cwd,
    mayFail,
  });

  it('is run in its folder, with nothing on standard input, and fails with what it says, or with the command', async () => {
    const { project: cwd } = programs({});
    const run = (script: string) => runProgram('sh', ['-c', script], cwd);
    expect(await run('cat; pwd; echo late >&2')).toEqual({ ok: true, stdout: `${cwd}\n`, stderr: 'late\n' });
    expect(await run('echo no >&2; exit 3')).toEqual({ ok: false, stdout: '', stderr: 'no\n' });
    expect((await run('exit 3'))?.stderr).toContain('Command failed: sh -c exit 3');
    expect(await runProgram('holdfast-no-such-program', [], cwd)).toBeNull();
  });

  it('is a step: they are carried out in order until one fails that may not', async () => {
    const { project: cwd } = programs({});
    const missing = { program: 'holdfast-no-such-program', args: ['a'], cwd };
    const may = [sh('exit 1', cwd, true), { ...missing, mayFail: true }];
    await carryOutSteps([sh('echo 1 >> done', cwd), ...may, sh('echo 2 >> done', cwd)]);
    const failing = carryOutSteps([
      sh('echo 3 >> done; echo why >&2; exit 1', cwd),
      sh('echo 4 >> done', cwd),
    ]);
    await expect(failing).rejects.toThrow(
      new ClientFailed("`sh -c 'echo 3 >> done; echo why >&2; exit 1'` failed: why"),
    );
    expect(fs.readFileSync(path.join(cwd, 'done'), 'utf8')).toBe('1\n2\n3\n');
    await expect(carryOutSteps([missing])).rejects.toThrow('`holdfast-no-such-program a` failed: not found');
  });

  it('that failed is known by the name of its error', () => {
    const errors = [new ClientFailed('x'), new Error('x'), { name: 'ClientFailed' }];
    expect(errors.map(isClientFailed)).toEqual([true, false, false]);
  });
});
