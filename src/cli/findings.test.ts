import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callIn } from '../../test/support/call.ts';
import { startRun } from '../../test/support/cli-runs.ts';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { type Call, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { NEW_STATE, type StateFields } from '../workflows/taskie/state-format.ts';
import { findings } from './findings.ts';

let project: TempProject;

beforeEach(() => {
  project = tempProject();
});
afterEach(() => {
  vi.restoreAllMocks();
  project.remove();
});

async function shown(flags: Call['flags'] = {}): Promise<string[]> {
  const { call, printed } = callIn(project.root, { flags });
  expect(await findings.run(call)).toBe(0);
  return printed;
}

const ids = async (flags: Call['flags'] = {}): Promise<string[]> => {
  const [text = ''] = await shown({ ...flags, json: true });
  return JSON.parse(text).runs.flatMap(
    ({ run, findings: list }: { run: string; findings: { id: string }[] }) =>
      list.map(({ id }) => `${run} ${id}`),
  );
};

function plan(name: string, list: readonly object[]): void {
  project.write(`.taskie/plans/${name}/plan.md`, '# Plan\n');
  project.write(`.taskie/plans/${name}/docket.json`, JSON.stringify({ findings: list }));
}

const LIST = [
  { id: 'F1', review: 'r.md', severity: 'low', claim: 'one', mine: 'kept' },
  { id: 'F2', review: 'r.md', severity: 'high', claim: 'two', status: 'rejected', answer: 'no' },
  { id: 'F3', review: 's.md', severity: 'high', claim: 'three', earlier: ['F2'] },
  { id: 'F4', review: 's.md', severity: 'high', claim: 'four', status: 'rejected', answer: 'no' },
];

describe('which findings are shown', () => {
  it.each<[Call['flags'], string[]]>([
    [{}, ['F1', 'F2', 'F3', 'F4']],
    [{ open: true }, ['F1', 'F3']],
    [{ contested: true }, ['F2']],
  ])('is said by the flags: %j', async (flags, wanted) => {
    plan('p', LIST);
    expect(await ids(flags)).toEqual(wanted.map((id) => `taskie:p ${id}`));
  });

  it('is of the runs that go on, else of the first that has any', async () => {
    const state = (name: string, more: Partial<StateFields>): string =>
      project.write(`.taskie/plans/${name}/state.json`, JSON.stringify({ ...NEW_STATE, ...more }));
    for (const name of ['p', 'q', 'r']) {
      plan(name, [{ id: 'F1', claim: name }]);
      state(name, {});
    }
    const over = { phase: 'complete', next_phase: null } as const;
    state('q', over);
    expect((await ids()).toSorted()).toEqual(['taskie:p F1', 'taskie:r F1']);
    state('p', over);
    state('r', over);
    expect(await ids()).toHaveLength(1);
  });

  it('is said with --run, by the name or the id', async () => {
    plan('p', LIST);
    plan('q', [{ id: 'F1', claim: 'other' }]);
    for (const run of ['q', 'taskie:q']) expect(await ids({ run })).toEqual(['taskie:q F1']);
    expect(await ids({ run: 'p', open: true })).toEqual(['taskie:p F1', 'taskie:p F3']);
  });

  it('as data has the counts of all, and fields that are not ours', async () => {
    plan('p', LIST);
    const [text = ''] = await shown({ json: true, open: true });
    const { runs } = JSON.parse(text);
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({
      ...{ run: 'taskie:p', file: '.taskie/plans/p/docket.json' },
      ...{ found: 4, fixed: 0, rejected: 2, open: 2, contested: ['F2'] },
    });
    expect(runs[0].findings[0]).toMatchObject({ id: 'F1', claim: 'one', mine: 'kept', status: 'open' });
    expect(runs[0].findings[0]).not.toHaveProperty('others');
  });

  it('is on a screen or as markdown', async () => {
    plan('p', LIST);
    expect((await shown())[0]).toMatch(
      /^taskie:p {2}4 found: 0 fixed, 2 rejected, 2 open \(1 high\), 1 contested {2}/,
    );
    expect((await shown({ markdown: true }))[0]).toMatch(/^### Findings of taskie:p\n/);
  });
});

describe('findings are not shown', () => {
  it.each<[Call['flags'], string]>([
    [{ open: true, contested: true }, 'findings: either --open or --contested, not both.'],
    [{ json: true, markdown: true }, 'findings: either --json or --markdown, not both.'],
  ])('where two things are asked for: %j', async (flags, text) => {
    plan('p', LIST);
    await expect(shown(flags)).rejects.toThrow(new WrongUsage(text));
  });

  it('where the docket cannot be read, and the run is named', async () => {
    plan('p', LIST);
    const { lstatSync } = fs;
    vi.spyOn(fs, 'lstatSync').mockImplementation(((file: string, ...rest: []) => {
      if (file.endsWith('docket.json')) throw new Error('EIO: the disk');
      return lstatSync(file, ...rest);
    }) as typeof fs.lstatSync);
    await expect(shown({ run: 'p' })).rejects.toThrow(
      new NotNow('the findings of taskie:p cannot be read: EIO: the disk'),
    );
    expect(await shown()).toEqual([
      'No findings yet. They come with the first review whose reviewer lists what it found; `holdfast status` shows where each run stands.',
    ]);
    expect(await shown({ json: true })).toEqual(['{\n  "runs": []\n}']);
  });

  it('where there are none', async () => {
    expect(await shown()).toEqual([
      'No findings: there are no runs here. `holdfast help` lists the workflows that review.',
    ]);
    const name = await startRun(project.root, ['idle', 'loop', 'a task'], null);
    expect(await shown({ run: name })).toEqual([
      `No findings of ${name} yet. They come with the first review whose reviewer lists what it found; \`holdfast status\` shows where each run stands.`,
    ]);
    await expect(shown({ run: 'nobody' })).rejects.toThrow(
      new NotNow('there is no run "nobody" in this project. `holdfast status --all` lists them.'),
    );
  });
});
