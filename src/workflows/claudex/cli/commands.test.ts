// The commands about loops, as their source has them: what each prints, refuses and writes.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, putLoop, writeAt } from '../../../../test/fixtures/claudex/project.ts';
import { emptyFolder, NOW, projectIn } from '../../../../test/support/bare-project.ts';
import { called } from '../../../../test/support/call.ts';
import type { Project } from '../../../engine/project.ts';
import { bind } from '../../../store/sidecars.ts';
import { filesOf, stateDirOf } from '../files.ts';
import { readState } from '../loops.ts';
import { liveRuns } from '../short.ts';
import { readField } from '../state-format.ts';
import { cancel } from './cancel.ts';
import { done } from './done.ts';
import { cli } from './index.ts';
import { lastSeen } from './last-seen.ts';
import { plan } from './plan.ts';
import { review } from './review.ts';
import { rollback } from './rollback.ts';
import { stateOf } from './shown.ts';
import { status } from './status.ts';

const OTHER = '20260131-092900-bbbbbb';
const MINUTE = 60_000;

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root, { env: { CLAUDE_CODE_SESSION_ID: 'session-1' } });
});

const phaseOf = (id = ID): string | null => readField(readState(stateDirOf(project), id) ?? '', 'phase');
const logText = (): string => fs.readFileSync(path.join(stateDirOf(project).path, 'log'), 'utf8');
const noLoop = (command: string): string[] => [
  'NotNow',
  `claudex ${command}: there is no loop ${ID} here. \`holdfast claudex status\` shows those there are.`,
];
const noId = (command: string, id: string): string[] => [
  'NotNow',
  `claudex ${command}: "${id}" is no loop's id; ids look like 20260131-093000-1a2b3c. \`holdfast claudex status\` shows them.`,
];
/** Puts something in the place of a state that nobody can read. */
const closeState = (id = ID): void => {
  const { state } = filesOf(stateDirOf(project), id);
  fs.rmSync(state);
  fs.mkdirSync(state);
};

describe('claudex cancel', () => {
  const nothing = ['0', 'There is no loop here, so nothing to cancel.'];

  it('says that there is nothing to cancel, with and without a project', async () => {
    expect(await called(cancel, null)).toEqual(nothing);
    expect(await called(cancel, project)).toEqual(nothing);
  });

  it('is refused for a loop that is not there, or an id that is none', async () => {
    expect(await called(cancel, null, { words: [ID] })).toEqual(noLoop('cancel'));
    expect(await called(cancel, project, { words: [ID] })).toEqual(noLoop('cancel'));
    expect(await called(cancel, project, { words: ['../x'] })).toEqual(noId('cancel', '../x'));
    expect(await called(cancel, project, { words: ['x'.repeat(81)] })).toEqual(
      noId('cancel', 'x'.repeat(80)),
    );
  });

  it('ends the loop that goes on, takes its runner away, and keeps the rest', async () => {
    const { files } = putLoop(project, { phase: 'reviewing' });
    for (const file of [files.lock, files.runner, files.prompt, files.findings(1)]) writeAt(file, 'x');
    putLoop(project, { phase: 'done' }, { id: OTHER });
    expect(await called(cancel, project)).toEqual([
      '0',
      `The loop ${ID} is cancelled; the agent is let go at its next stop. Its state and findings are kept.`,
    ]);
    expect([phaseOf(), phaseOf(OTHER)]).toEqual(['cancelled', 'done']);
    expect(
      [files.lock, files.runner, files.prompt, files.findings(1)].map((file) => fs.existsSync(file)),
    ).toEqual([false, false, false, true]);
    expect(logText()).toBe(`[2026-01-31T09:30:00Z] cancel ${ID}\n`);
    expect(JSON.parse(fs.readFileSync(path.join(root, '.holdfast/journal.jsonl'), 'utf8'))).toMatchObject({
      event: 'cancel',
      workflow: 'claudex',
      run: ID,
    });
  });

  it.each(['done', 'cancelled', 'errored'])('leaves one that is %s as it is', async (phase) => {
    putLoop(project, { phase });
    expect(await called(cancel, project, { words: [ID] })).toEqual([
      '0',
      `The loop ${ID} is ${phase} already and stays so.`,
    ]);
    expect(await called(cancel, project)).toEqual(['0', `The loop ${ID} is ${phase} already and stays so.`]);
    expect(phaseOf()).toBe(phase);
    expect(fs.existsSync(path.join(root, '.holdfast/journal.jsonl'))).toBe(false);
  });

  it('moves one whose state cannot be read to swept/', async () => {
    const { dir } = putLoop(project);
    closeState();
    const [code, words] = await called(cancel, project, { words: [ID] });
    expect([code, words]).toEqual([
      '0',
      expect.stringMatching(
        new RegExp(
          `^The loop ${ID} is cancelled\\. Its state could not be read \\(.+\\), so all of it was moved to .+/swept/\\.$`,
        ),
      ),
    ]);
    expect(fs.existsSync(path.join(dir.path, 'swept', ID, `${ID}.state`))).toBe(true);
    expect(logText()).toContain(`cancel ${ID}: its state could not be read and was moved to swept/`);
  });
});

describe('claudex done', () => {
  it('notes that nothing material is left', async () => {
    const { dir } = putLoop(project, { phase: 'reviewing' });
    expect(await called(done, project, { words: [ID] })).toEqual([
      '0',
      'Noted: no material findings. End your turn now; the summary closes the loop.',
    ]);
    expect(readField(readState(dir, ID) ?? '', 'decision_signal')).toBe('no-material-findings');
    expect(logText()).toBe(`[2026-01-31T09:30:00Z] done ${ID}: no material findings\n`);
  });

  it.each([
    [{ phase: 'drafting' }, 'plan, drafting, round 1 of 3'],
    [{ phase: 'done' }, 'plan, done, round 1 of 3'],
    [{ phase: 'dreaming' }, 'plan, unknown phase, round 1 of 3'],
    [{ mode: 'review', phase: 'reviewing' }, 'review, reviewing'],
  ])('is refused for a loop with %j', async (fields: Record<string, string>, stage) => {
    putLoop(project, fields);
    expect(await called(done, project, { words: [ID] })).toEqual([
      'NotNow',
      `claudex done: the loop ${ID} is not being reviewed (${stage}), so there is nothing to declare done.`,
    ]);
  });

  it('is refused without a loop, a project or an id', async () => {
    expect(await called(done, project, { words: [ID] })).toEqual(noLoop('done'));
    expect(await called(done, null, { words: [ID] })).toEqual(noLoop('done'));
    expect(await called(done, project)).toEqual(noId('done', ''));
  });
});

describe('claudex rollback', () => {
  const none = ['0', 'Removed 0 loops: there are none here.'];

  it('removes nothing where there is nothing', async () => {
    expect(await called(rollback, null)).toEqual(none);
    expect(await called(rollback, project)).toEqual(none);
  });

  it('removes all that is a loop’s by its name, and nothing else', async () => {
    const { dir, files } = putLoop(project);
    for (const file of [files.lock, files.runner, files.prompt, files.findings(1)]) writeAt(file, 'x');
    for (const name of ['notes.state', '.x.state', 'notes.txt', 'notes.lock'])
      writeAt(path.join(dir.path, name), 'x');
    expect(await called(rollback, project)).toEqual([
      '0',
      `Removed 2 loops. PLAN.md and reviews/ are untouched; ${dir.path}/log is kept.`,
    ]);
    expect(fs.readdirSync(dir.path).sort()).toEqual(['.x.state', 'log', 'notes.lock', 'notes.txt']);
    expect(logText()).toBe('[2026-01-31T09:30:00Z] rollback: 2 loops removed\n');
  });

  it('says one loop for one', async () => {
    putLoop(project);
    expect((await called(rollback, project))[1]).toMatch(/^Removed 1 loop\. PLAN/);
  });

  it('in a folder that others share removes this project’s alone', async () => {
    const shared = { ...project, env: { ...project.env, CLAUDEX_STATE_DIR: path.join(root, '../shared') } };
    fs.mkdirSync(path.join(root, '../shared'));
    const { dir } = putLoop(shared);
    putLoop(shared, {}, { id: OTHER, repoRoot: path.dirname(root) });
    writeAt(path.join(dir.path, 'notes.state'), 'x');
    expect((await called(rollback, shared))[1]).toMatch(/^Removed 1 loop\. /);
    expect(fs.readdirSync(dir.path).sort()).toEqual([`${OTHER}.state`, 'log', 'notes.state']);
  });
});

describe('claudex status', () => {
  it('says that there are no loops', async () => {
    expect(await called(status, null)).toEqual(['0', 'no loops']);
    expect(await called(status, project)).toEqual(['0', 'no loops']);
    expect(await called(status, null, { flags: { json: true } })).toEqual([
      '0',
      JSON.stringify({ loops: [], total: 0 }, null, 2),
    ]);
  });

  it('shows the loop that goes on, round by round, and counts the others', async () => {
    const { files } = putLoop(project, { phase: 'reviewing', round: '2', interview_used: 'true' });
    fs.utimesSync(files.state, (NOW - 5 * MINUTE) / 1000, (NOW - 5 * MINUTE) / 1000);
    writeAt(files.findings(1), '# Round 1\n\n## High\n- A (x)\n', NOW - 5 * MINUTE);
    writeAt(files.exit(2), '127\n', NOW - 5 * MINUTE);
    putLoop(project, { phase: 'done' }, { id: OTHER });
    const [code, text = '', more] = await called(status, project);
    expect([code, more]).toEqual(['0', '1 more; `holdfast claudex status --all` shows them too.']);
    const lines = text.split('\n');
    expect(lines.slice(0, 9)).toEqual([
      `id          ${ID}`,
      'mode        plan',
      'phase       reviewing',
      'round       2 of 3',
      'topic       a cache',
      'started     2026-01-31T09:30:00Z',
      'elapsed     less than a minute',
      'signal      none',
      'interview   used',
    ]);
    expect(lines.slice(9)).toEqual([
      'from_draft  false',
      'activity    last moved 5 min ago',
      'round 1 (Senior-engineer review): high=1 medium=0 low=0',
      expect.stringMatching(/^round 2 \(.+\): not reviewed \(exit code 127: codex was not found on PATH\)$/),
    ]);
  });

  it('shows the last one where none goes on, and all of them with --all', async () => {
    putLoop(project, { phase: 'done' });
    const { files } = putLoop(project, { phase: 'done', mode: 'review' }, { id: OTHER, topic: '' });
    fs.utimesSync(files.state, 1, 1);
    expect(await called(status, project)).toEqual([
      '0',
      expect.stringContaining(`id          ${ID}`),
      '1 more; `holdfast claudex status --all` shows them too.',
    ]);
    const all = await called(status, project, { flags: { all: true } });
    expect(all).toHaveLength(3);
    expect(all[2]).toContain('topic       (the current diff)');
    expect(all[2]).toContain('interview   not used');
    expect(all[2]).not.toContain('round 1 (');
    expect(all[1]).toContain('round 1 (');
    expect(all[1]).toMatch(/: not reviewed$/);
  });

  it('shows a running review, and no rounds of a draft', async () => {
    const { files } = putLoop(project, { phase: 'drafting' });
    writeAt(files.heartbeat, '1\n', NOW);
    const [, text = ''] = await called(status, project);
    expect(text).toMatch(/activity {4}the review of round 1 runs now$/);
  });

  it('cuts a long topic', async () => {
    putLoop(project, {}, { topic: 'y'.repeat(201) });
    expect((await called(status, project))[1]).toContain(`topic       ${'y'.repeat(200)} …\n`);
  });

  it('says of a state that cannot be read how to get rid of it', async () => {
    putLoop(project);
    closeState();
    const [code, text] = await called(status, project);
    expect([code, text]).toEqual([
      '0',
      expect.stringMatching(
        new RegExp(
          `^id {10}${ID}\nits state cannot be read: .+, or move it to swept/: \`holdfast claudex cancel ${ID}\`$`,
        ),
      ),
    ]);
    expect(JSON.parse((await called(status, project, { flags: { json: true } }))[1] ?? '')).toEqual({
      loops: [{ id: ID, unreadable: expect.any(String) }],
      total: 1,
    });
  });

  it('never fails, also where the folder is none', async () => {
    writeAt(path.join(root, '.claude/claudex'), 'x');
    expect(await called(status, project)).toEqual([
      '0',
      expect.stringMatching(/^The loops cannot be read: .*\.claude\/claudex/),
    ]);
  });
});

describe('a start', () => {
  it('from a draft needs one', async () => {
    expect(await called(plan, project, { words: ['x'], flags: { 'from-draft': true } })).toEqual([
      'WrongUsage',
      `claudex plan: --from-draft needs a draft, and there is no ${root}/PLAN.md. Write it first, or leave --from-draft out.`,
    ]);
    writeAt(path.join(root, 'PLAN.md'), '# Plan\n');
    expect((await called(plan, project, { words: ['x'], flags: { 'from-draft': true } }))[0]).toBe('0');
  });

  it('is refused beside a loop that goes on', async () => {
    putLoop(project, { phase: 'reviewing' });
    expect(await called(review, project)).toEqual([
      'NotNow',
      `claudex: the loop ${ID} (plan, reviewing, round 1 of 3) is still going, and there is one at a time. Finish it, or end it with: holdfast claudex cancel ${ID}`,
    ]);
  });

  it('is refused beside a loop of which nobody can tell where it stands', async () => {
    putLoop(project);
    closeState();
    fs.utimesSync(filesOf(stateDirOf(project), ID).state, NOW / 1000, NOW / 1000);
    const [kind, words] = await called(plan, project, { words: ['x'] });
    expect([kind, words]).toEqual([
      'NotNow',
      expect.stringMatching(
        new RegExp(
          `^claudex: nobody can tell where the loop ${ID} stands, and there is one at a time: .+, or move the loop to swept/ with: holdfast claudex cancel ${ID}$`,
        ),
      ),
    ]);
  });

  it('says of a variable with garbage in it, of a reviewer that is missing, and of a loop that was swept', async () => {
    const { files } = putLoop(project, { phase: 'reviewing' });
    fs.utimesSync(files.state, 1, 1);
    bind(root, `claudex:${ID}`, ['session-1']);
    const env = { ...project.env, PATH: root, CLAUDEX_MAX_PLAN_ROUNDS: 'many' };
    const [code, note, reviewer, swept, started] = await called(
      plan,
      { ...project, env },
      { words: ['a', 'cache'] },
    );
    expect([code, swept]).toEqual(['0', `Note: the abandoned loop ${ID} was moved to swept/.`]);
    expect(note).toMatch(/^Note: .*CLAUDEX_MAX_PLAN_ROUNDS/);
    expect(reviewer).toMatch(/codex/i);
    expect(started).toContain('a cache');
    expect(logText()).toMatch(/start \d{8}-\d{6}-[0-9a-f]{6}: plan, at most 3 rounds\n$/);
  });

  it('is refused where no reviewer could write its findings', async () => {
    const config = {
      ...project.config,
      review: { ...project.config.review, access: 'sandboxed', claudex: 'gemini/' },
    } as const;
    expect(await called(plan, { ...project, config }, { words: ['x'] })).toEqual([
      'NotNow',
      expect.stringMatching(/^claudex: no reviewer can be run: .+ cannot be sandboxed in claudex; set .+\.$/),
    ]);
  });
});

describe('the loops of a project', () => {
  it('are listed with where they stand and what views show', () => {
    const { dir, files } = putLoop(project, { phase: 'reviewing', round: '2' });
    writeAt(files.findings(1), '# Round 1\n\n## High\n- A (x)\n', NOW);
    writeAt(files.heartbeat, '2\n', NOW);
    const [run, ...more] = cli.runs(project);
    expect(more).toEqual([]);
    expect(run).toMatchObject({
      run: ID,
      file: files.state,
      live: true,
      stage: 'plan, reviewing, round 2 of 3',
    });
    expect(run?.detail).toMatchObject({ mode: 'plan', phase: 'reviewing', round: 2, max_rounds: 3 });
    expect(run?.detail).not.toHaveProperty('id');
    expect(run?.detail).not.toHaveProperty('unreadable');
    expect(run?.shown?.()).toEqual({
      state: 'reviewing',
      progress: { unit: 'round', at: 2, of: 3 },
      asked: 'a cache',
      startedAt: NOW,
      files: [path.join(root, 'PLAN.md'), files.findings(1), files.findings(2), files.state],
      rounds: [
        { number: 1, found: { high: 1, medium: 0, low: 0 }, running: false, file: files.findings(1) },
        { number: 2, found: null, running: true, file: files.findings(2) },
      ],
    });
    expect(dir.shared).toBe(false);
    expect(liveRuns(project)).toEqual([{ run: ID, stands: 'reviewing 2/3' }]);
  });

  it('shows a review of a diff by its two files, without rounds', () => {
    const { files } = putLoop(project, { phase: 'reviewing', mode: 'review' }, { topic: '' });
    expect(cli.runs(project)[0]?.shown?.()).toEqual({
      state: 'reviewing',
      progress: null,
      asked: null,
      startedAt: NOW,
      files: [files.review, files.proposedFixes, files.state],
      rounds: [],
    });
    expect(liveRuns(project)).toEqual([{ run: ID, stands: 'reviewing' }]);
  });

  it('have no state by name where the phase is not known', () => {
    putLoop(project, { phase: 'dreaming' });
    expect(cli.runs(project)[0]).toMatchObject({ live: true, stage: 'plan, unknown phase, round 1 of 3' });
    expect(cli.runs(project)[0]?.shown?.().state).toBeNull();
  });

  it('never stand beyond their last round', () => {
    putLoop(project, { phase: 'reviewing', round: '7' });
    expect(liveRuns(project)).toEqual([{ run: ID, stands: 'reviewing 3/3' }]);
    expect(cli.runs(project)[0]?.stage).toBe('plan, reviewing, round 3 of 3');
    putLoop(project, { phase: 'reviewing', round: '7', max_rounds: 'x' });
    const env = { ...project.env, CLAUDEX_MAX_PLAN_ROUNDS: '5' };
    expect(liveRuns({ ...project, env })).toEqual([{ run: ID, stands: 'reviewing 5/5' }]);
  });

  it('are not alive once they are over', () => {
    putLoop(project, { phase: 'done' });
    expect(cli.runs(project)[0]).toMatchObject({ live: false, stage: 'plan, done, round 1 of 3' });
    expect(liveRuns(project)).toEqual([]);
  });

  it.each([
    ['', 'the file is empty', 'its state cannot be read'],
    [' \n', 'the file is empty', 'unknown, unknown phase'],
    ['note: x\n', 'it has neither a `mode:` nor a `phase:` that is known', 'unknown, unknown phase'],
  ])('say what is wrong with the state %j', (text, unreadable, stage) => {
    const { files } = putLoop(project);
    fs.writeFileSync(files.state, text);
    expect(cli.runs(project)[0]).toMatchObject({ stage, detail: { unreadable } });
  });

  it('are written to folders that can be asked for', () => {
    expect(cli.places?.(project)).toEqual([{ path: path.join(root, '.claude/claudex'), kind: 'folder' }]);
    const { dir, files } = putLoop(project);
    expect(cli.places?.(project)).toEqual([
      { path: dir.path, kind: 'folder' },
      { path: files.folder, kind: 'folder' },
    ]);
    expect(cli.unused?.(project)).toEqual([]);
  });

  it('say of a folder that is a link that nobody writes through it', () => {
    const { files } = putLoop(project);
    fs.mkdirSync(path.join(root, 'elsewhere'));
    fs.symlinkSync(path.join(root, 'elsewhere'), files.folder);
    expect(cli.unused?.(project)).toEqual([
      {
        run: ID,
        folder: files.folder,
        why: 'it is a link, and no reviewer is told to write through one',
        fix: `remove the link: \`rm ${files.folder}\``,
      },
    ]);
    putLoop(project, { phase: 'done' });
    expect(cli.unused?.(project)).toEqual([]);
  });

  it('have a docket where they are of a plan', () => {
    const { files } = putLoop(project, { phase: 'reviewing' });
    writeAt(files.findings(1), '# Round 1\n\n## High\n- A (x)\n', NOW);
    expect(cli.docket?.(project, ID)).toMatchObject({
      file: `.claude/claudex/${ID}/docket.json`,
      docket: { findings: [{ severity: 'high', round: 1 }] },
    });
    expect(cli.docket?.(project, OTHER)).toBeNull();
    putLoop(project, { mode: 'review' });
    expect(cli.docket?.(project, ID)).toBeNull();
  });
});

describe('the state of a recorded stop', () => {
  it.each([
    [{ phase: 'reviewing' }, 'reviewing'],
    [{ phase: 'unknown' }, null],
    [{ phase: 7 }, null],
    [{}, null],
    [null, null],
  ])('of %j is %s', (state, words) => {
    expect(stateOf(state)).toBe(words);
  });
});

describe('when a session was last seen', () => {
  it('is 0 without a trace, and else the newest of its traces', () => {
    expect(lastSeen(project, `claudex:${ID}`, ['s1'], null)).toBe(0);
    const transcript = path.join(root, 'transcript.jsonl');
    writeAt(transcript, 'x', NOW - MINUTE);
    expect(lastSeen(project, `claudex:${ID}`, ['s1'], transcript)).toBe(NOW - MINUTE);
    expect(lastSeen(project, `claudex:${ID}`, ['s1'], null)).toBe(0);
  });
});
