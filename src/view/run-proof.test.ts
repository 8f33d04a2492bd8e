import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareProject, budgetOf, giveBudget, writeIn } from '../../test/support/bare-project.ts';
import { budgetPlace } from '../engine/budget/place.ts';
import { newSidecar, type ProofNotes } from '../store/records.ts';
import { userStateFolder } from '../store/user-state.ts';
import { budgetView } from './budget-view.ts';
import { docketOf } from './docket.ts';
import { describeRunProof, proofOfRun, type RunProof } from './run-proof.ts';
import type { KnownRun } from './runs.ts';

const notes = (more: object = {}): ProofNotes =>
  ({ asked: { checks: null, off: false }, refusals: 0, definitions: '', ...more }) as unknown as ProofNotes;
const run = (proof: ProofNotes | undefined, live = true): KnownRun =>
  ({ name: 'toy:a', run: 'a', live, sidecar: { ...newSidecar('toy:a'), proof } }) as KnownRun;
const line = (event: string, more: object = {}): string =>
  `${JSON.stringify({ schema: 2, time: '2026-11-17T09:00:00.000Z', session: null, event, workflow: 'toy', run: 'a', ...more })}\n`;

describe('the checks of a run', () => {
  const none: RunProof = { checks: [], untrusted: [], off: false, refusals: 0, ended: null };

  it('are none where nobody asked for any', () => {
    expect(proofOfRun(bareProject(), run(undefined))).toBe(null);
    expect(proofOfRun(bareProject(), run(notes()))).toEqual(none);
  });

  it('are those of its notes, each once, until they are pinned', () => {
    const asked = { checks: ['test', 'lint'], off: true };
    const proof = notes({ asked, refusals: 3, definitions: 'unit=abc test=def' });
    expect(proofOfRun(bareProject(), run(proof))).toEqual({
      ...none,
      ...{ checks: ['unit', 'test', 'lint'], off: true, refusals: 3 },
    });
  });

  it.each<[string, string[], RunProof['ended']]>([
    [
      'proven',
      [line('start'), line('end', { outcome: 'completed', proof: 'proven' })],
      { worth: 'proven', why: [] },
    ],
    [
      'unproven, and why',
      [line('start'), line('end', { outcome: 'completed', proof: 'unproven', why: ['failed'] })],
      { worth: 'unproven', why: ['failed'] },
    ],
    [
      'before it was started again',
      [line('end', { outcome: 'completed', proof: 'proven' }), line('start')],
      null,
    ],
    ['without a word about proof', [line('start'), line('end', { outcome: 'completed' })], null],
    ['as another run did', [line('end', { outcome: 'completed', proof: 'proven', run: 'b' })], null],
    ['in a journal that cannot be read', ['x\n'], null],
  ])('say that it ended %s', (_, lines, ended) => {
    const project = bareProject();
    writeIn(project, '.holdfast/journal.jsonl', lines.join(''));
    expect(proofOfRun(project, run(notes(), false))?.ended).toEqual(ended);
    expect(proofOfRun(project, run(notes(), true))?.ended).toBe(null);
  });

  it.each<[Partial<RunProof>, string]>([
    [{}, 'no checks'],
    [{ checks: ['a', 'b'], untrusted: ['b'] }, 'checks a, b (not trusted)'],
    [{ checks: ['a'], refusals: 1 }, 'checks a; claim refused once'],
    [{ refusals: 2 }, 'no checks; claim refused 2 times in a row'],
    [{ checks: ['a'], off: true, refusals: 2 }, 'checks switched off'],
    [{ off: true, ended: { worth: 'proven', why: [] } }, 'proven'],
    [{ ended: { worth: 'unproven', why: ['cannot-run'] } }, 'unproven (could not run)'],
  ])('in words: %j', (more, words) => {
    expect(describeRunProof({ ...none, ...more })).toBe(words);
  });
});

describe('the budget of a run', () => {
  it('is what is left of each limit, and never less than nothing', () => {
    const project = bareProject();
    expect(budgetView(project, 'toy:a', [])).toBe(null);
    const limits = { tokens: 100, reviews: 2 };
    giveBudget(project, budgetOf(project, 'toy:a', { limits, spent: { tokens: 40, reviews: 3 }, holds: 4 }));
    const burn = [{ at: 1, tokens: 2 }] as never;
    const shown = budgetView(project, 'toy:a', burn);
    expect(shown?.view).toMatchObject({
      limits: { tokens: 100, timeMs: null, reviews: 2, usd: null },
      left: { tokens: 60, timeMs: null, reviews: 0, usd: null },
      iterations: 4,
      burn,
    });
    expect(shown?.view.text).not.toBe('');
  });

  it('is none that cannot be read', () => {
    const project = bareProject();
    giveBudget(project, budgetOf(project, 'toy:a'));
    expect(budgetView(project, 'toy:a', [])?.view.left).toEqual({
      ...{ tokens: null, timeMs: null, reviews: null, usd: null },
    });
    fs.writeFileSync(path.join(userStateFolder(project.env), budgetPlace(project.root, 'toy:a')), 'broken');
    expect(budgetView(project, 'toy:a', [])).toBe(null);
  });
});

describe('the docket of a run', () => {
  const project = bareProject();
  const docket = (findings: readonly unknown[]) => ({ docket: { findings } });
  const of = (found?: () => unknown) =>
    docketOf(project, { run: 'a', cli: found === undefined ? {} : { docket: found } } as unknown as KnownRun);

  it('is there where something is in it', () => {
    const full = docket([{}]);
    expect(of(() => full)).toBe(full);
    expect([of(), of(() => null), of(() => docket([]))]).toEqual([null, null, null]);
  });

  it('that cannot be read is an error, which hides nothing else', () => {
    const broken = of(() => {
      throw new Error('broken');
    });
    expect(broken).toEqual(new Error('broken'));
  });
});
