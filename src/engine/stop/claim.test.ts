import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectAt, tempFolder } from '../../../test/fixtures/claudex/project.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { newSidecar, type Sidecar } from '../../store/records.ts';
import type { Project } from '../project.ts';
import { isAsked, mayBePinned, NO_NOTES, NO_UNTIL, UNASKED } from '../proof/asked.ts';
import type { Proved } from '../proof/prove.ts';
import type { CheckFact, Proof } from '../proof/types.ts';
import type { Step } from '../step.ts';
import type { AnyWorkflow } from '../workflow.ts';
import {
  decideClaim,
  factsOfProof,
  factsToRecord,
  isRefusedTooOften,
  withNotes,
  withWhatChanged,
} from './claim.ts';
import { type Fetched, NOTHING_FETCHED } from './turn.ts';

let folder: string;
let project: Project;
beforeEach(() => {
  folder = tempFolder();
  project = projectAt(folder, { env: { HOME: folder } });
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const fact: CheckFact = { name: 'test', end: 'passed', code: 0, milliseconds: 1, from: 'run' };
const proof: Proof = { ...UNASKED, worth: 'proven', checks: [fact] };
const proved = (more: Partial<Proof> = {}, notes = NO_NOTES): Proved =>
  ({
    proof: { ...proof, ...more },
    notes,
    said: { hold: null, closing: null, reviewer: null, aside: null, printed: [] },
  }) as unknown as Proved;
const fetched = (more: Partial<Fetched>): Fetched => ({ ...NOTHING_FETCHED, ...more });
const claiming = { claims: true } as unknown as AnyWorkflow;
const quiet = {} as AnyWorkflow;

describe('the facts about proof', () => {
  it('of a workflow that claims nothing are that nothing is asked', () => {
    expect(factsOfProof(quiet, fetched({ claim: proved() }), 's')).toEqual({
      proof: UNASKED,
      until: NO_UNTIL,
    });
  });

  it('are open until they were fetched', () => {
    expect(factsOfProof(claiming, NOTHING_FETCHED, 's')).toEqual({ proof: null, until: null });
  });

  it('have the claim, and the one check in the state in which it was asked', () => {
    const known = fetched({ claim: proved(), until: { proved: proved(), state: 's' } });
    expect(factsOfProof(claiming, known, 's')).toEqual({ proof, until: proof });
    expect(factsOfProof(claiming, known, 'other')).toEqual({ proof, until: null });
  });

  it('have each check by its name; one that the run does not have nobody trusts', () => {
    const checks = [
      { name: 'test', proved: proved() },
      { name: 'gone', proved: proved({ checks: [] }) },
    ];
    expect(factsOfProof(claiming, fetched({ checks }), 's').checks).toEqual({
      test: fact,
      gone: { name: 'gone', end: 'untrusted', code: null, milliseconds: null, from: null },
    });
  });

  it('are left out of the journal where they say nothing', () => {
    const hold = { kind: 'hold' } as unknown as Step<string>;
    expect(factsToRecord({ a: 1, proof: UNASKED, until: NO_UNTIL } as never, hold)).toEqual({ a: 1 });
    expect(factsToRecord({ a: 1, proof: null, until: null } as never, hold)).toEqual({ a: 1 });
    expect(factsToRecord({ proof, until: proof } as never, hold)).toEqual({ proof, until: proof });
    const waits = { proof: null, until: null } as never;
    expect(factsToRecord(waits, { kind: 'prove' })).toBe(waits);
  });
});

describe('the notes on proof', () => {
  const sidecar = newSidecar('toy:a');
  const notes = (refusals: number) => ({ ...NO_NOTES, refusals });

  it('are the sidecar’s own where nothing was fetched', () => {
    expect(withNotes(sidecar, NOTHING_FETCHED)).toBe(sidecar);
  });

  it('are those of the claim, else of the one check, else of the last by name, else of the pin', () => {
    const all = fetched({
      claim: proved({}, notes(1)),
      until: { proved: proved({}, notes(2)), state: 's' },
      checks: [
        { name: 'a', proved: proved({}, notes(3)) },
        { name: 'b', proved: proved({}, notes(4)) },
      ],
      pinned: { notes: notes(5) } as never,
    });
    const of = (more: Partial<Fetched>): number | undefined =>
      withNotes(sidecar, { ...all, ...more }).proof?.refusals;
    expect(of({})).toBe(1);
    expect(of({ claim: null })).toBe(2);
    expect(of({ claim: null, until: null })).toBe(4);
    expect(of({ claim: null, until: null, checks: [] })).toBe(5);
  });
});

describe('a claim', () => {
  const prove = { kind: 'prove' } as const;
  const done = { kind: 'allow', change: null, notice: null } as const;
  const facts = { proof: null, until: null, verdict: null, failedReviews: 0 } as never;
  const decide = (step: Step<string>, sidecar: Sidecar = newSidecar('toy:a')) => {
    const workflow = {
      decide: (_: unknown, { proof: known }: { proof: Proof | null }) => (known === null ? step : done),
    } as unknown as AnyWorkflow;
    return decideClaim(workflow, null, facts, sidecar, project, 'toy:a');
  };

  it('of a run without checks stands at once', () => {
    expect(decide(prove)).toEqual({
      step: done,
      facts: { ...(facts as object), proof: UNASKED, until: NO_UNTIL },
    });
  });

  it('waits for its proof where checks are asked for, and where one is asked by its name', () => {
    const asked = { ...newSidecar('toy:a'), proof: NO_NOTES };
    expect(decide(prove, asked)).toEqual({ step: prove, facts });
    expect(decide({ ...prove, check: 'test' })).toEqual({ step: { ...prove, check: 'test' }, facts });
    const hold = { kind: 'hold' } as never;
    expect(decide(hold)).toEqual({ step: hold, facts });
  });

  it('is asked for by notes, a pin, or somebody who trusts checks at all', () => {
    expect(isAsked(newSidecar('toy:a'), project, 'toy:a')).toBe(false);
    expect(isAsked({ ...newSidecar('toy:a'), proof: NO_NOTES }, project, 'toy:a')).toBe(true);
    fs.mkdirSync(path.join(folder, '.local/state/holdfast/trust'), { recursive: true });
    expect(isAsked(newSidecar('toy:a'), project, 'toy:a')).toBe(true);
  });

  it('may be pinned at a first stop that has something to pin', () => {
    const fresh = newSidecar('toy:a');
    const committed = { ...fresh, committed: { before: 'a', after: 'b' } };
    const withConfig = (over: object): Project => ({ ...project, config: { ...DEFAULT_CONFIG, ...over } });
    const checked = withConfig({ checks: [{ name: 'test' }] });
    const guarded = withConfig({ protect: { ...DEFAULT_CONFIG.protect, paths: ['test'] } });
    expect(mayBePinned(fresh, project)).toBe(false);
    expect([checked, guarded].map((each) => mayBePinned(fresh, each))).toEqual([true, true]);
    expect([checked, guarded].map((each) => mayBePinned(committed, each))).toEqual([false, false]);
    expect(mayBePinned({ ...committed, proof: NO_NOTES }, project)).toBe(true);
    expect(mayBePinned({ ...fresh, proof: { ...NO_NOTES, pinned: true } }, checked)).toBe(false);
    fs.mkdirSync(path.join(folder, '.local/state/holdfast/trust'), { recursive: true });
    expect([mayBePinned(fresh, project), mayBePinned(committed, project)]).toEqual([true, false]);
  });

  it('that was refused too often says so', () => {
    expect([null, undefined, proof].map(isRefusedTooOften)).toEqual([false, false, false]);
    expect(isRefusedTooOften({ ...proof, why: ['failed', 'refused-too-often'] })).toBe(true);
  });

  it('has a reviewer look at protected files that changed', () => {
    const call = { prompt: 'Review.', file: 'r', log: 'l' };
    expect(withWhatChanged(call, NOTHING_FETCHED)).toBe(call);
    expect(withWhatChanged(call, fetched({ claim: proved() }))).toBe(call);
    const claim = { ...proved(), said: { ...proved().said, reviewer: 'Look at test/a.' } };
    expect(withWhatChanged(call, fetched({ claim }))).toEqual({
      ...call,
      prompt: 'Review.\n\nLook at test/a.',
    });
  });
});
