import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newRecord } from '../../test/driver/records.ts';
import { bareProject, budgetOf, giveBudget, NOW, writeIn } from '../../test/support/bare-project.ts';
import type { Project } from '../engine/project.ts';
import { ensureHome } from '../store/home.ts';
import { appendToJournal } from '../store/journal.ts';
import type { EndEntry, JournalEntry, StopEntry } from '../store/journal-lines.ts';
import { type DriverRecord, NOTHING_SPENT } from './record.ts';
import { type Summary, summarise } from './summary.ts';

const RUN = 'idle:a';
const at = (ms: number): string => new Date(NOW + ms).toISOString();

const stopLine = (more: Partial<StopEntry> = {}): StopEntry => ({
  ...{ schema: 2, event: 'stop', time: at(0), client: 'claude-code', session: 's1', turn: null },
  ...{ workflow: 'idle', run: 'a', state: null, facts: null, guard: null, step: null, answer: 'allow' },
  ...{ notice: false, error: null, milliseconds: 1 },
  ...more,
});
const endLine = (more: Partial<EndEntry> = {}): EndEntry => ({
  ...{
    schema: 2,
    event: 'end',
    time: at(0),
    client: 'claude-code',
    session: 's1',
    workflow: 'idle',
    run: 'a',
  },
  ...{ outcome: 'completed' },
  ...more,
});

function projectWith(...lines: readonly JournalEntry[]): Project {
  const project = bareProject(NOW + 10_000);
  ensureHome(project.root);
  for (const line of lines) appendToJournal(project.root, line);
  return project;
}

const summed = (project: Project, given: Partial<DriverRecord> = {}): Promise<Summary> =>
  summarise(newRecord({ root: project.root, run: RUN, startedAt: NOW, ...given }), 'completed', project);

describe('the summary of a drive', () => {
  it('has what was asked for, how it ended, and what the driver counted', async () => {
    const spent = { ...NOTHING_SPENT, workedMs: 5, waitedMs: 6, sessions: 2, turns: 3, tools: 4 };
    expect(await summed(projectWith(), { spent })).toEqual({
      ...{ asked: 'idle loop Do it all', run: RUN, outcome: 'completed', proof: null },
      ...{ iterations: 0, reviews: 0, findings: 0, tokens: null, usd: null, elapsedMs: 10_000 },
      ...{ workedMs: 5, waitedMs: 6, sessions: 2, turns: 3, tools: 4, files: null, commits: null },
    });
  });

  it('has no time below zero where the clock was set back', async () => {
    expect((await summed(projectWith(), { startedAt: NOW + 20_000 })).elapsedMs).toBe(0);
  });

  it.each([
    [0, null, null],
    [0, 0, 0],
    [2, null, 2],
    [2, 0.5, 2.5],
    [0, 0.5, 0.5],
  ])(
    'adds up the money of sessions that are over (%j) and of this one (%j): %j',
    async (usdBefore, usdHere, usd) => {
      expect((await summed(projectWith(), { spent: { ...NOTHING_SPENT, usdBefore, usdHere } })).usd).toBe(
        usd,
      );
    },
  );

  it('has the tokens that the run’s budget counted', async () => {
    const project = projectWith();
    giveBudget(project, budgetOf(project, RUN, { limits: { tokens: 10 }, spent: { tokens: 7 } }));
    expect((await summed(project)).tokens).toBe(7);
    expect((await summed(project, { run: null })).tokens).toBeNull();
  });
});

describe('of the journal, the summary', () => {
  const counted = async (...lines: readonly JournalEntry[]) => {
    const { proof, iterations, reviews, findings } = await summed(projectWith(...lines));
    return { proof, iterations, reviews, findings };
  };
  const NOTHING = { proof: null, iterations: 0, reviews: 0, findings: 0 };

  it('counts holds, reviews, and those with findings', async () => {
    expect(
      await counted(
        stopLine({ answer: 'hold', facts: { verdict: 'findings' } }),
        stopLine({ answer: 'hold', facts: { verdict: 'clean' } }),
        stopLine({ answer: 'hold', facts: { verdict: 'findings' } }),
        stopLine({ answer: 'hold', facts: { verdict: 'failed' } }),
        stopLine({ answer: 'allow', facts: { verdict: null } }),
        stopLine({ answer: 'allow', facts: 'verdict' }),
      ),
    ).toEqual({ ...NOTHING, iterations: 4, reviews: 3, findings: 2 });
  });

  it('counts this run’s stops since the drive began, and no others', async () => {
    expect(
      await counted(
        stopLine({ time: at(-1), answer: 'hold' }),
        stopLine({ answer: 'hold', run: 'b' }),
        stopLine({ answer: 'hold', workflow: 'flow' }),
        stopLine({ answer: 'hold', workflow: null, run: null }),
        stopLine({ time: at(0), answer: 'hold' }),
        stopLine({ time: at(1), answer: 'hold' }),
      ),
    ).toEqual({ ...NOTHING, iterations: 2 });
  });

  it('looks no further back than to the first line from before the drive', async () => {
    expect(
      await counted(stopLine({ answer: 'hold' }), stopLine({ time: at(-1) }), stopLine({ answer: 'hold' })),
    ).toEqual({ ...NOTHING, iterations: 1 });
  });

  it('has what the stop that ended the run has put down of its proof, and of the journal no more than why there is none', async () => {
    const lines = [endLine({ proof: 'unproven', why: ['no receipt'] }), endLine({ proof: 'proven' })];
    const stopped = { at: NOW, outcome: 'completed', proof: 'proven', why: ['passed tests'] } as const;
    expect((await summed(projectWith(...lines), { stopped })).proof).toBe('proven (passed tests)');
    expect((await counted(...lines.slice(0, 1))).proof).toBe('unproven (no receipt)');
    expect((await counted(...lines)).proof).toBe('unproven (no receipt)');
    expect((await counted(...lines.slice(1))).proof).toBeNull();
  });

  it('is nothing where there is no run', async () => {
    const project = projectWith(stopLine({ answer: 'hold' }), endLine({ proof: 'proven' }));
    expect(await summed(project, { run: null })).toMatchObject(NOTHING);
  });
});

describe('of git, the summary', () => {
  const git = (root: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      ...{ cwd: root, encoding: 'utf8' },
    }).trim();

  it('counts what was changed, added and committed since the drive began', async () => {
    const project = bareProject(NOW);
    const { root } = project;
    git(root, 'init', '-q');
    writeIn(project, 'a', 'one');
    writeIn(project, 'b', 'one');
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'first');
    const commit = git(root, 'rev-parse', 'HEAD');
    const now = async () => {
      const { files, commits } = await summed(project, { commit });
      return { files, commits };
    };
    expect(await now()).toEqual({ files: 0, commits: 0 });
    writeIn(project, 'new', 'one');
    expect(await now()).toEqual({ files: 1, commits: 0 });
    writeIn(project, 'a', 'two');
    git(root, 'commit', '-qam', 'second');
    fs.rmSync(path.join(root, 'b'));
    expect(await now()).toEqual({ files: 3, commits: 1 });
    expect(await summed(project, { commit: 'f'.repeat(40) })).toMatchObject({ files: null, commits: null });
  });
});
