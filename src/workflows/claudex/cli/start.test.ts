// A start of a loop, whatever its mode: what it refuses, says and writes.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, putLoop, writeAt } from '../../../../test/fixtures/claudex/project.ts';
import { emptyFolder, NOW, projectIn } from '../../../../test/support/bare-project.ts';
import { callIn } from '../../../../test/support/call.ts';
import type { Project } from '../../../engine/project.ts';
import { fingerprint } from '../../../store/fingerprint.ts';
import { bind, readSession, readSidecar } from '../../../store/sidecars.ts';
import { stateDirOf } from '../files.ts';
import { readLoops, readState } from '../loops.ts';
import { startLoop, type Wanted } from './start.ts';

const OTHER = '20260131-092900-bbbbbb';
const NONE = { tokens: null, timeMs: null, reviews: null, usd: null };
const wanted: Wanted = {
  ...{ mode: 'plan', topic: 'a cache', rounds: null, fromDraft: false, interviewed: false, budget: NONE },
};

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  writeAt(path.join(root, '../bin/codex'), '#!/bin/sh\n');
  fs.chmodSync(path.join(root, '../bin/codex'), 0o755);
  project = projectIn(root, {
    env: { CLAUDE_CODE_SESSION_ID: 'session-1', PATH: path.join(root, '../bin') },
  });
});

const start = async (over: Partial<Wanted> = {}, place: Project = project) => {
  const { call, printed } = callIn(root, { env: place.env, forNewRun: async () => place });
  return { ...(await startLoop(call, { ...wanted, ...over })), printed };
};
const withEnv = (env: Project['env']): Project => ({ ...project, env: { ...project.env, ...env } });
const refusal = (message: unknown, name = 'NotNow') => expect.objectContaining({ name, message });
const log = (): string => fs.readFileSync(path.join(stateDirOf(project).path, 'log'), 'utf8');

describe('a start', () => {
  it('answers with its loop and says nothing that need not be known', async () => {
    const { id, swept, project: _, ...rest } = { swept: undefined, ...(await start()) };
    expect(id).toMatch(/^20260131-093000-[0-9a-f]{6}$/);
    expect(rest).toEqual({
      ...{ max: 3, owner: 'this session', dir: stateDirOf(project) },
      ...{ budget: null, lines: [], printed: [] },
    });
    expect(swept).toEqual([]);
    expect(readState(stateDirOf(project), id)).toBe(
      [
        ...['mode: plan', 'phase: drafting', 'topic: "a cache"', 'round: 1', 'max_rounds: 3'],
        ...['from_draft: false', 'interview_used: false', `review_id: ${id}`, `repo_root: ${root}`],
        ...['session_id: session-1', 'started_at: 2026-01-31T09:30:00Z'],
        ...['last_updated_at: 2026-01-31T09:30:00Z', `started_at_epoch: ${NOW / 1000}`],
        'decision_signal: none\n',
      ].join('\n'),
    );
    expect(fs.readFileSync(path.join(stateDirOf(project).path, `${id}.lock`), 'utf8')).toBe(
      `${process.pid}\n`,
    );
    expect(log()).toBe(`[2026-01-31T09:30:00Z] start ${id}: plan, at most 3 rounds\n`);
    const { sessions, saved, budget } = readSidecar(root, `claudex:${id}`);
    expect({ sessions, saved, budget }).toEqual({
      ...{ sessions: ['session-1'], saved: { plan: null }, budget: undefined },
    });
  });

  it('goes by what is wanted', async () => {
    writeAt(path.join(root, 'PLAN.md'), '# Plan\n');
    const over = { rounds: 5, fromDraft: true, interviewed: true, budget: { ...NONE, reviews: 4 } };
    const { id, max, lines } = await start({ ...over, mode: 'review', topic: '' });
    expect({ max, lines }).toEqual({
      max: 5,
      lines: ['It may spend 4 reviews; then it is paused, and a person decides whether it goes on.'],
    });
    expect(readLoops(stateDirOf(project))[0]?.loop).toMatchObject({
      ...{
        mode: 'review',
        phase: 'reviewing',
        maxRounds: 5,
        fromDraft: true,
        interviewUsed: true,
        topic: '',
      },
    });
    expect(log()).toBe(`[2026-01-31T09:30:00Z] start ${id}: review, at most 5 rounds\n`);
    const { saved, budget } = readSidecar(root, `claudex:${id}`);
    expect(saved).toEqual({ plan: fingerprint('# Plan\n') });
    expect(budget).toEqual({ limits: { ...NONE, reviews: 4 }, startedAt: NOW });
  });

  it.each([
    ['plan', 7],
    ['review', 9],
  ] as const)('of a %s has as many rounds as its variable says', async (mode, rounds) => {
    const env = { CLAUDEX_MAX_PLAN_ROUNDS: '7', CLAUDEX_MAX_REVIEW_ROUNDS: '9' };
    expect((await start({ mode }, withEnv(env))).max).toBe(rounds);
  });

  it('in a terminal is for the next session here', async () => {
    const { id, owner } = await start({}, withEnv({ CLAUDE_CODE_SESSION_ID: undefined }));
    expect(owner).toBe('the next session here');
    expect(readState(stateDirOf(project), id)).toMatch(/^session_id: $/m);
  });

  it('says first of variables, then of a reviewer, then of what was swept', async () => {
    const { files } = putLoop(project, { phase: 'reviewing' });
    fs.utimesSync(files.state, 1, 1);
    const place = withEnv({ CLAUDEX_MAX_PLAN_ROUNDS: 'many', CLAUDEX_STALE_MINUTES: 'x', PATH: root });
    const { printed } = await start({}, place);
    expect(printed).toEqual([
      'Note: CLAUDEX_MAX_PLAN_ROUNDS is not a whole number above 0; 3 is used.',
      'Note: CLAUDEX_STALE_MINUTES is not a whole number above 0; 15 is used.',
      'Note: codex is not on the PATH of this shell, so no reviewer can be started from it, and every round would count as not reviewed. Tell the user now. To fix it: install the Codex CLI (npm install -g @openai/codex), or add its folder to the PATH with which the client is started; `holdfast claudex doctor` checks it. If only a login shell has it on its PATH, run the reviewer in one.',
      `Note: the abandoned loop ${ID} was moved to swept/.`,
    ]);
  });

  it('makes the folder that others share', async () => {
    const shared = path.join(root, '../shared/by/all');
    const { dir, id } = await start({}, withEnv({ CLAUDEX_STATE_DIR: shared }));
    expect(dir).toEqual({ root, path: path.resolve(shared), within: path.resolve(shared), shared: true });
    expect(fs.existsSync(path.join(shared, `${id}.state`))).toBe(true);
  });

  it('leaves the session its other runs, but no other loop', async () => {
    putLoop(project, { phase: 'done' });
    for (const run of [`claudex:${ID}`, 'taskie:claudex', 'idle:x']) bind(root, run, ['session-1']);
    const { id } = await start();
    expect(readSession(root, 'session-1')?.runs.toSorted()).toEqual([
      `claudex:${id}`,
      'idle:x',
      'taskie:claudex',
    ]);
    expect(
      readLoops(stateDirOf(project))
        .map(({ id: each }) => each)
        .toSorted(),
    ).toEqual([ID, id].toSorted());
  });
});

describe('a start is refused', () => {
  const nothingWritten = (): void => {
    expect(fs.existsSync(path.join(root, '.holdfast'))).toBe(false);
  };

  it('from a draft that is not there', async () => {
    await expect(start({ fromDraft: true })).rejects.toEqual(
      refusal(
        `claudex plan: --from-draft needs a draft, and there is no ${root}/PLAN.md. Write it first, or leave --from-draft out.`,
        'WrongUsage',
      ),
    );
    nothingWritten();
  });

  it('beside a loop that goes on', async () => {
    putLoop(project, { phase: 'done' });
    putLoop(project, { phase: 'reviewing', round: '2' }, { id: OTHER });
    await expect(start()).rejects.toEqual(
      refusal(
        `claudex: the loop ${OTHER} (plan, reviewing, round 2 of 3) is still going, and there is one at a time. Finish it, or end it with: holdfast claudex cancel ${OTHER}`,
      ),
    );
  });

  it('beside a loop of which nobody can tell where it stands', async () => {
    const { state } = putLoop(project).files;
    fs.rmSync(state);
    fs.mkdirSync(state);
    fs.utimesSync(state, NOW / 1000, NOW / 1000);
    await expect(start()).rejects.toEqual(
      refusal(
        `claudex: nobody can tell where the loop ${ID} stands, and there is one at a time: ${state} is a folder where a file belongs; to fix it, run \`mv ${state} ${state}.aside\`, or move the loop to swept/ with: holdfast claudex cancel ${ID}`,
      ),
    );
  });

  it('where no reviewer could write its findings', async () => {
    const review = { ...project.config.review, access: 'sandboxed', claudex: 'gemini/' } as const;
    await expect(start({}, { ...project, config: { ...project.config, review } })).rejects.toEqual(
      refusal(
        'claudex: no reviewer can be run: Gemini CLI cannot be sandboxed in claudex; set "review": {"access": "full"} or {"claudex": "codex/"} in your own holdfast.config.json.',
      ),
    );
    nothingWritten();
  });

  it('where the folder of the loops has a name that no runner keeps', async () => {
    await expect(start({}, withEnv({ CLAUDEX_STATE_DIR: 'a\nb' }))).rejects.toEqual(
      refusal(expect.stringMatching(/^claudex: the folder CLAUDEX_STATE_DIR, /)),
    );
    nothingWritten();
  });

  it('where that folder is none', async () => {
    writeAt(path.join(root, '.claude/claudex'), 'x');
    await expect(start()).rejects.toEqual(
      refusal(expect.stringContaining('is a file where a folder belongs')),
    );
    nothingWritten();
  });

  it('where a link is in the way of what it writes', async () => {
    fs.mkdirSync(path.join(root, 'kept'));
    fs.symlinkSync('kept', path.join(root, 'reviews'));
    await expect(start({ mode: 'review' })).rejects.toThrow(path.join(root, 'reviews'));
    nothingWritten();
    expect((await start()).max).toBe(3);
  });

  it('where the user’s budget cannot be read', async () => {
    const config = { ...project.config, brokenBudget: 'budget.tokens is no amount' };
    await expect(start({}, { ...project, config })).rejects.toThrow('budget.tokens is no amount');
    nothingWritten();
  });
});
