import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installBySteps, installerOf, namesOrMarketplace, uninstallBySteps } from './by-steps.ts';
import type { Step } from './program.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-steps-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const step = (program: string, ...args: string[]): Step => ({ program, args, cwd: folder });
const made = (): string[] => fs.readdirSync(folder);

const installation = (steps: readonly Step[], more: { dryRun?: boolean; problems?: string[] } = {}) => ({
  name: 'Client 1',
  steps,
  dryRun: more.dryRun ?? false,
  // What was made shows that the steps come first.
  problems: async () => (more.problems ?? []).map((problem) => `${problem}, ${made().length} made`),
  done: 'installed it.',
  already: 'installed already.',
});

const uninstallation = (steps: readonly Step[], dryRun = false) => ({
  name: 'Client 1',
  steps,
  dryRun,
  after: () => ({ what: made().join(', '), good: false }),
});

describe('installing by a client’s own commands', () => {
  it('carries the steps out, then looks for problems and says that it is done', async () => {
    const outcome = await installBySteps(installation([step('touch', 'one'), step('touch', 'two')]));
    expect(outcome).toEqual({ good: true, changed: true, lines: ['Client 1: installed it.'] });
    expect(made()).toEqual(['one', 'two']);
  });

  it('says each problem that is left after the steps', async () => {
    const outcome = await installBySteps(
      installation([step('touch', 'one')], { problems: ['no hooks', 'disabled'] }),
    );
    const lines = ['Client 1: no hooks, 1 made', 'Client 1: disabled, 1 made'];
    expect(outcome).toEqual({ good: false, changed: true, lines });
  });

  it('without a step says that it is there already, and changes nothing', async () => {
    expect(await installBySteps(installation([]))).toEqual({
      good: true,
      changed: false,
      lines: ['Client 1: installed already.'],
    });
  });

  it('without a step still says what is wrong with what is there', async () => {
    expect(await installBySteps(installation([], { problems: ['disabled'] }))).toEqual({
      good: false,
      changed: false,
      lines: ['Client 1: disabled, 0 made'],
    });
  });

  it('a dry run shows the commands and carries none out', async () => {
    const steps = [step('touch', 'one'), step('touch', 'with a blank')];
    expect(await installBySteps(installation(steps, { dryRun: true, problems: ['disabled'] }))).toEqual({
      good: true,
      changed: false,
      lines: ['Client 1 would be changed by:', '  touch one', "  touch 'with a blank'"],
    });
    expect(made()).toEqual([]);
  });

  it('a dry run says when there is nothing to do', async () => {
    const { lines } = await installBySteps(installation([], { dryRun: true }));
    expect(lines).toEqual(['Client 1: nothing to do.']);
  });

  it('a step that fails ends it', async () => {
    const steps = [step('touch', 'one'), step('false'), step('touch', 'two')];
    await expect(installBySteps(installation(steps))).rejects.toThrow('`false` failed');
    expect(made()).toEqual(['one']);
  });
});

describe('taking out by a client’s own commands', () => {
  it('carries the steps out, then says what went and whether all of it did', async () => {
    const outcome = await uninstallBySteps(uninstallation([step('touch', 'gone')]));
    expect(outcome).toEqual({ good: false, changed: true, lines: ['Client 1: removed gone.'] });
  });

  it('says that nothing is there', async () => {
    expect(await uninstallBySteps(uninstallation([]))).toEqual({
      good: true,
      changed: false,
      lines: ['Client 1: nothing of Holdfast is installed there.'],
    });
  });

  it('a dry run shows the commands and carries none out', async () => {
    const { lines, changed } = await uninstallBySteps(uninstallation([step('touch', 'gone')], true));
    expect(lines).toEqual(['Client 1 would be changed by:', '  touch gone']);
    expect(changed).toBe(false);
    expect(made()).toEqual([]);
  });

  it('names the marketplace where nothing else was there', () => {
    expect(namesOrMarketplace(['idle', 'holdfast'])).toBe('idle, holdfast');
    expect(namesOrMarketplace([])).toBe('the marketplace');
  });
});

it('a client that is not there is not looked at any further', async () => {
  const found = (): never => {
    throw new Error('there is none');
  };
  expect(await installerOf(async () => null, found).look(folder)).toBe(null);
});
