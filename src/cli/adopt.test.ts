import { beforeEach, describe, expect, it } from 'vitest';
import {
  budgetOf,
  emptyFolder,
  giveBudget,
  NOW,
  projectIn,
  writeIn,
} from '../../test/support/bare-project.ts';
import { called } from '../../test/support/call.ts';
import type { Project } from '../engine/project.ts';
import { journalFromEnd } from '../store/journal.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
import { waitingRuns } from '../store/tickets.ts';
import { loop } from '../workflows/idle/cli/loop.ts';
import { adopt } from './adopt.ts';
import { ask } from './ask.ts';
import { cancel } from './cancel.ts';

const RUN = `idle:loop-${NOW / 1000}-${process.pid}`;
const GOES_ON = 'It goes on at the next stop.';

let project: Project;
beforeEach(async () => {
  project = projectIn(emptyFolder(), { env: { CLAUDE_CODE_SESSION_ID: 's1' } });
  await called(loop, project, { words: ['a task'] });
});

const as = (session: string | null): Project => ({
  ...project,
  env: { ...project.env, CLAUDE_CODE_SESSION_ID: session ?? undefined },
});
const adopted = (session: string | null, name = RUN): Promise<string[]> =>
  called(adopt, as(session), { words: [name] });
const sessions = (): readonly string[] => readSidecar(project.root, RUN).sessions;

describe('a run that is adopted', () => {
  it('is this session’s, with a line in the journal', async () => {
    expect(await adopted('s2')).toEqual(['0', `${RUN} now belongs to this session. ${GOES_ON}`]);
    expect(sessions()).toEqual(['s2']);
    expect([...journalFromEnd(project.root)][0]).toMatchObject({ event: 'adopt', session: 's2' });
  });

  it('in a plain terminal is the next session’s', async () => {
    expect(await adopted(null)).toEqual(['0', `${RUN} now belongs to the next session here. ${GOES_ON}`]);
    expect(sessions()).toEqual([]);
    expect(waitingRuns(project.root, NOW, project.env)).toEqual([RUN]);
  });

  it('shows its question to the user there', async () => {
    await called(ask, project, { words: ['Which one?'] });
    expect(await adopted('s2')).toEqual([
      '0',
      `${RUN} now belongs to this session. The next stop shows the user its question, and it goes on when they have answered: Which one?`,
    ]);
    const sidecar = readSidecar(project.root, RUN);
    const { waiting } = sidecar;
    if (waiting === undefined) throw new Error('it does not wait');
    for (const [length, shown] of [
      [2000, 'x'.repeat(2000)],
      [2001, `${'x'.repeat(1999)}…`],
    ] as const) {
      writeSidecar(project.root, { ...sidecar, waiting: { ...waiting, what: 'x'.repeat(length) } });
      expect((await adopted('s2'))[1]).toContain(`answered: ${shown}`);
    }
    writeSidecar(project.root, { ...sidecar, waiting: { ...waiting, until: NOW } });
    expect((await adopted('s2'))[1]).toBe(`${RUN} now belongs to this session. ${GOES_ON}`);
  });

  it('says so where it is over, or paused', async () => {
    giveBudget(project, budgetOf(project, RUN, { stage: 'paused', limits: { tokens: 1000 } }));
    const [, paused = ''] = await adopted('s2');
    expect(paused).toMatch(
      new RegExp(
        `^${RUN} now belongs to this session\\. ${RUN} is paused: its budget is spent\\. A person grants more in a terminal: \`holdfast resume .+\`$`,
      ),
    );
    await called(cancel, as('s2'));
    const [, over = ''] = await adopted('s2');
    expect(over).toMatch(
      new RegExp(`^${RUN} now belongs to this session\\. It is .+, so no stop will be held by it\\.$`),
    );
  });
});

describe('adopting is refused', () => {
  it('for what is no run, or is there and is not used', async () => {
    expect(await adopted('s2', 'x')).toEqual([
      'NotNow',
      'there is no run "x" in this project. `holdfast status --all` lists them.',
    ]);
    writeIn(project, '.taskie/plans/.not a plan/plan.md', '# Plan\n');
    expect((await adopted('s2', '.not a plan'))[1]).toMatch(
      /^taskie:.not a plan is there, but is not used: .+\. To use it, .+\.$/,
    );
  });

  it('without a project', async () => {
    expect(await called(adopt, null, { words: ['x'] })).toEqual([
      'NotNow',
      'there are no runs here, so there is nothing to adopt.',
    ]);
  });
});
