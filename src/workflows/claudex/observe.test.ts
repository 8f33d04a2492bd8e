import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ID,
  NOW,
  projectAt,
  putLoop,
  sceneAt,
  tempFolder,
  writeAt,
} from '../../../test/fixtures/claudex/project.ts';
import type { Stop } from '../../clients/stop.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import type { Json } from '../../store/json.ts';
import { commit } from './commit.ts';
import { observe } from './observe.ts';

let root: string;
beforeEach(() => {
  root = tempFolder();
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

function look(stop: Partial<Stop> = {}, own?: Json) {
  const seen = observe(sceneAt(projectAt(root), stop, own));
  if (seen === null) throw new Error('the loop is gone');
  return seen;
}

const putPlan = (text: string) => fs.writeFileSync(path.join(root, 'PLAN.md'), text);

describe('what a stop sees of PLAN.md', () => {
  it('missing, empty or only white space', () => {
    putLoop(projectAt(root));
    expect(look().facts.plan).toBe('missing');
    putPlan('');
    expect(look().facts.plan).toBe('empty');
    putPlan(' \n\t\n');
    expect(look().facts.plan).toBe('empty');
  });

  it('an old PLAN.md is not taken for the new draft', () => {
    putLoop(projectAt(root));
    putPlan('# Last month\n');
    const own = { plan: fingerprint('# Last month\n') };
    expect(look({}, own).facts.plan).toBe('unchanged');
    putPlan('# Now\n');
    expect(look({}, own).facts.plan).toBe('drafted');
  });

  it('with --from-draft, or where nobody knows what it was, any non-empty one counts', () => {
    putLoop(projectAt(root));
    putPlan('# Plan\n');
    expect(look().facts.plan).toBe('drafted');
    putLoop(projectAt(root), { from_draft: 'true' });
    expect(look({}, { plan: fingerprint('# Plan\n') }).facts.plan).toBe('drafted');
  });

  it('a folder or a pipe of that name counts as missing', () => {
    putLoop(projectAt(root));
    fs.mkdirSync(path.join(root, 'PLAN.md'));
    expect(look().facts.plan).toBe('missing');
  });
});

describe('what a stop sees of the runner', () => {
  it('runs while its heartbeat is younger than ten seconds', () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing' });
    writeAt(files.heartbeat, '1\n', NOW - 9000);
    expect(look().facts.runner).toBe('running');
    writeAt(files.heartbeat, '1\n', NOW - 11_000);
    expect(look().facts.runner).toBe('idle');
  });

  it('does not take a heartbeat from the future for a living runner', () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing' });
    writeAt(files.heartbeat, '1\n', NOW + 3_600_000);
    expect(look().facts.runner).toBe('idle');
  });

  it("does not take an older round's straggler for this round's runner", () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing', round: '2' });
    writeAt(files.heartbeat, '1\n', NOW - 1000);
    expect(look().facts.runner).toBe('idle');
    writeAt(files.heartbeat, '2\n', NOW - 1000);
    expect(look().facts.runner).toBe('running');
  });

  it("is found among the client's background tasks by its file's name", () => {
    const shell = (command: string) => ({ id: 'b1', type: 'shell', command });
    putLoop(projectAt(root), { phase: 'reviewing' });
    expect(look({ backgroundTasks: [shell('npm run dev')] }).facts.runner).toBe('idle');
    expect(look({ backgroundTasks: [shell(`cd x && sh '/p/${ID}-runner.sh'`)] }).facts.runner).toBe(
      'in-background',
    );
  });

  it('remembers per round what was said about it', () => {
    putLoop(projectAt(root), { phase: 'reviewing', round: '2' });
    expect(look({}, { waitHeld: 1, waitNotified: 1 }).facts.waited).toBe('no');
    expect(look({}, { waitHeld: 2 }).facts.waited).toBe('held');
    expect(look({}, { waitHeld: 2, waitNotified: 2 }).facts.waited).toBe('notified');
  });
});

describe('what a stop sees of the rest', () => {
  it('reads mode, phase, round, max_rounds and the signal', { tags: ['C3.5'] }, () => {
    putLoop(projectAt(root), {
      phase: 'reviewing',
      round: '2',
      max_rounds: '5',
      decision_signal: 'no-material-findings',
    });
    expect(look().state).toEqual({
      mode: 'plan',
      phase: 'reviewing',
      round: 2,
      maxRounds: 5,
      signal: 'no-material-findings',
    });
    expect(look().world.loop).toMatchObject({ topic: 'a cache', repoRoot: root, startedAtMs: NOW });
  });

  it('garbage in round counts as 1, in max_rounds as the default of the environment', () => {
    putLoop(projectAt(root), { round: 'x', max_rounds: 'y' });
    expect(look().state).toMatchObject({ round: 1, maxRounds: 3 });
    const project = projectAt(root, { env: { CLAUDEX_MAX_PLAN_ROUNDS: '7' } });
    expect(observe(sceneAt(project))?.state.maxRounds).toBe(7);
  });

  it('the last reviewed round, not counting an empty findings file', () => {
    const { files } = putLoop(projectAt(root), { phase: 'reviewing', round: '3' });
    writeAt(files.findings(1), '## High\n- x\n');
    writeAt(files.findings(2), ' \n');
    writeAt(files.findings(9), '## High\n- from the future\n');
    expect(look().facts.lastReviewed).toBe(1);
  });

  it('a folder inside repo_root counts as repo_root, through links too; any other does not', () => {
    putLoop(projectAt(root));
    fs.mkdirSync(path.join(root, 'src'));
    fs.symlinkSync(root, path.join(root, 'link'));
    expect(look({ cwd: path.join(root, 'src') }).facts.cwd).toBe('inside');
    expect(look({ cwd: path.join(root, 'link/src') }).facts.cwd).toBe('inside');
    expect(look({ cwd: path.dirname(root) }).facts.cwd).toBe('elsewhere');
    putLoop(projectAt(root), { repo_root: '/nowhere/at/all' });
    expect(look().facts.cwd).toBe('elsewhere');
  });

  it('a symlinked repo_root is the folder it leads to', () => {
    const link = `${root}-link`;
    fs.symlinkSync(root, link);
    putLoop(projectAt(root), { repo_root: link });
    expect(look().facts.cwd).toBe('inside');
    fs.rmSync(link);
  });

  it('whether both review files were written', () => {
    const { files } = putLoop(projectAt(root), { mode: 'review', phase: 'done' });
    writeAt(files.runner, '#!/bin/sh\n');
    expect(look().facts.reviewFiles).toBe('missing');
    writeAt(files.review, '# Review\n');
    expect(look().facts.reviewFiles).toBe('missing');
    writeAt(files.proposedFixes, 'nothing to fix\n');
    expect(look().facts.reviewFiles).toBe('written');
  });

  it('that the end of a review was answered once its runner is gone', () => {
    putLoop(projectAt(root), { mode: 'review', phase: 'done' });
    expect(look().facts.reviewFiles).toBe('unread');
  });

  it('what it need not read it leaves unread', () => {
    putPlan('# Plan\n');
    putLoop(projectAt(root), { phase: 'reviewing' });
    expect(look().facts).toEqual({
      ...{ id: 'valid', cwd: 'inside', plan: 'unread', runner: 'idle', waited: 'no' },
      ...{ lastReviewed: 0, reviewFiles: 'unread', unwarned: [] },
    });
    putLoop(projectAt(root), { mode: 'review', phase: 'drafting' });
    expect(look().facts.plan).toBe('unread');
  });

  it('a review has the default of its own variable', () => {
    const env = { CLAUDEX_MAX_PLAN_ROUNDS: '7', CLAUDEX_MAX_REVIEW_ROUNDS: '5' };
    const project = projectAt(root, { env });
    putLoop(project, { mode: 'review', max_rounds: 'y' });
    expect(observe(sceneAt(project))?.state.maxRounds).toBe(5);
  });

  it('the variables with garbage that were not reported yet', () => {
    const project = projectAt(root, {
      env: { CLAUDEX_MAX_PLAN_ROUNDS: 'x', CLAUDEX_STALE_MINUTES: 'y' },
    });
    putLoop(project);
    const unwarned = (own?: Json) => observe(sceneAt(project, {}, own))?.facts.unwarned.toSorted();
    expect(unwarned()).toEqual(['CLAUDEX_MAX_PLAN_ROUNDS', 'CLAUDEX_STALE_MINUTES']);
    expect(unwarned({ warned: ['CLAUDEX_STALE_MINUTES'] })).toEqual(['CLAUDEX_MAX_PLAN_ROUNDS']);
  });

  it('nothing of a file whose name is no id', () => {
    const project = projectAt(root, { env: { CLAUDEX_STALE_MINUTES: 'y' } });
    writeAt(path.join(root, '.claude/claudex/bad name.state'), 'mode: plan\nphase: drafting\nround: 4\n');
    const seen = observe(sceneAt(project, { cwd: '/' }, undefined, 'bad name'));
    expect(seen?.facts).toEqual({
      ...{ id: 'malformed', cwd: 'inside', plan: 'unread', runner: 'idle', waited: 'no' },
      ...{ lastReviewed: 0, reviewFiles: 'unread', unwarned: [] },
    });
    expect(seen?.state).toEqual({
      ...{ mode: 'unknown', phase: 'unknown', round: 1, maxRounds: 1, signal: 'none' },
    });
    expect(seen?.stateHash).toBe(fingerprint('bad name'));
    expect(seen?.world).toMatchObject({ id: 'bad name', text: '' });
  });

  it('the fingerprint of the state as it stands there', () => {
    const { text } = putLoop(projectAt(root));
    expect(look().stateHash).toBe(fingerprint(text));
  });

  it('no loop where its file is gone, or where the name is no id and no file', () => {
    expect(observe(sceneAt(projectAt(root)))).toBeNull();
    expect(observe(sceneAt(projectAt(root), {}, undefined, '../../../etc/passwd'))).toBeNull();
  });
});

describe('committing', () => {
  it('throws, and writes nothing, when someone else changed the state after it was read', () => {
    const { files } = putLoop(projectAt(root), { phase: 'summarizing' });
    const { world } = look();
    fs.appendFileSync(files.state, 'note: mine\n');
    const change = {
      log: { answer: 'allow', why: 'summary-given' },
      swap: { from: 'summarizing', to: 'done' },
    } as const;
    expect(() => commit(change, world, sceneAt(projectAt(root)))).toThrow('changed by someone else');
  });

  it('puts the state last and promises the fingerprint that it will have', () => {
    putLoop(projectAt(root), { phase: 'drafting' });
    const { world } = look();
    const done = commit(
      {
        log: { answer: 'hold', message: { name: 'round', slots: { round: 1, max: 3 } } },
        swap: { from: 'drafting', to: 'reviewing' },
        runner: { round: 1, owedFrom: 1 },
      },
      world,
      sceneAt(projectAt(root)),
    );
    const kinds = done.writes.map(
      (write) => `${write.kind} ${path.basename('path' in write ? write.path : '')}`,
    );
    expect(kinds).toEqual([`replace ${ID}-runner.sh`, 'append log', `replace ${ID}.state`]);
    const state = done.writes.at(-1);
    expect(state?.kind === 'replace' && fingerprint(state.content)).toBe(done.stateHash);
  });
});
