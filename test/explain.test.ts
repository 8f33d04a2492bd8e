// `why` has words of its own for whatever a workflow can answer.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RecordedStep } from '../src/engine/recorded-step.ts';
import { readRecordedStep } from '../src/engine/recorded-step.ts';
import { explain as claudex } from '../src/workflows/claudex/cli/explain.ts';
import { explain as flow } from '../src/workflows/flow/cli/explain.ts';
import { explain as idle } from '../src/workflows/idle/cli/explain.ts';
import { explain as taskie } from '../src/workflows/taskie/cli/explain.ts';

const said = (kind: string, name: string, slots: Record<string, string | number> = {}): RecordedStep => ({
  kind,
  said: { name, slots },
  change: {},
});

const messagesOf = (workflow: string): string[] =>
  fs
    .readdirSync(path.resolve(import.meta.dirname, `../src/workflows/${workflow}/messages`))
    .map((name) => name.replace(/\.md$/, ''));

describe('why, in idle’s words', () => {
  it('names the iteration of a hold', () => {
    expect(idle(said('hold', 'continue', { iteration: 2, max: 10 }))).toContain('iteration 2 of 10');
  });

  it('names the signal that ended the loop', () => {
    const step = { kind: 'allow', said: null, change: { event: 'DONE', reason: 'COMPLETE' } };
    expect(idle(step)).toBe('The agent gave the signal COMPLETE, so the loop is done.');
  });

  it('has words for every notice of a decision', () => {
    const notices = ['maximum', 'maximum-inner', 'stale', 'corrupt', 'lost', 'unreadable', 'unknown-mode'];
    expect(messagesOf('idle')).toEqual(expect.arrayContaining(notices));
    for (const name of notices) expect(idle(said('allow', name, { max: 3 }))).toMatch(/\.$/);
  });
});

describe('why, in claudex’s words', () => {
  it('has words for every hold', () => {
    const holds = ['draft', 'round', 'wait', 'complete', 'stopped', 'review'];
    expect(messagesOf('claudex')).toEqual(expect.arrayContaining(holds));
    for (const name of holds)
      expect(claudex(said('hold', name, { round: 1, max: 3, plan: 'missing' }))).toMatch(/\.$/);
  });

  it('names the rounds before it that nobody reviewed', () => {
    const step = (round: number, owedFrom: number): RecordedStep => ({
      ...said('hold', 'round', { round, max: 4 }),
      change: { round, runner: { round, owedFrom } },
    });
    expect(claudex(step(2, 2))).toBe('Round 2 of 4 is to be reviewed.');
    expect(claudex(step(2, 1))).toBe(
      'Round 2 of 4 is to be reviewed. Round 1 was not: `holdfast claudex status` says how its runner ended.',
    );
    expect(claudex(step(4, 2))).toContain('Rounds 2 to 3 were not: `holdfast claudex status` says how');
  });

  it('tells from the change why a stop was allowed', () => {
    const step = {
      kind: 'allow',
      said: null,
      change: { log: { answer: 'allow', why: 'runner-in-background' } },
    };
    expect(claudex(step)).toContain('runs in the background');
    expect(claudex({ ...step, change: { log: { why: 'toString' } } })).toBeNull();
  });
});

describe('why, in taskie’s words', () => {
  it('names the review that is to be answered', () => {
    const slots = { iteration: 2, max: 8, review: 'plan-review-2.md' };
    expect(taskie(said('hold', 'hold-plan-review', slots))).toBe(
      'Review 2 of at most 8 is in plan-review-2.md, and the agent owes it an answer.',
    );
  });

  // A review that nobody began is recorded as one that failed; only its words differ.
  it('has words for every other message but the guard’s own and the tables’', () => {
    // Some are said within others.
    const apart = /^hold-|^released$|^table-|^below-floor$|^stand-in$|^steps-before$|^unread$/;
    const others = messagesOf('taskie').filter((name) => !apart.test(name));
    for (const name of others)
      expect([name, taskie(said('allow', name))]).toEqual([name, expect.stringMatching(/\.$/)]);
  });
});

describe('why, in a flow’s words', () => {
  const hold = (slots: object, change: object): RecordedStep => ({
    kind: 'hold',
    said: { name: 'say', slots: { state: 'green', visits: 1, hold: 2, most: 60, ...slots } },
    change: { ...change },
  });

  it('names the line that was taken, and the hold', () => {
    expect(flow(hold({}, { to: 'green', by: 1 }))).toBe(
      'Line 2 of its state held, so the flow went on to green and the agent was held there (hold 2 of at most 60).',
    );
    expect(flow(hold({}, { to: 'ask', by: 'otherwise' }))).toContain('the holds of the visit were used up');
    expect(flow(hold({}, { to: null, by: null }))).toContain('No line of green held');
    expect(flow(hold({ nearMiss: 'code' }, { to: null, by: null }))).toContain('it was code');
  });

  it('has words for every notice of a decision', () => {
    const others = /^hold$|^near-|^released$|^started$|^task-(before|cut)$|^findings$/;
    for (const name of messagesOf('flow').filter((each) => !others.test(each)))
      expect([name, flow(said('allow', name))]).toEqual([name, expect.stringMatching(/\.$/)]);
    expect(flow({ kind: 'allow', said: null, change: {} })).toMatch(/\.$/);
  });
});

describe('a recorded step', () => {
  it('is read whatever the journal holds', () => {
    for (const garbage of [null, 1, 'x', [], {}, { kind: 1 }]) expect(readRecordedStep(garbage)).toBeNull();
    expect(readRecordedStep({ kind: 'hold', message: { name: 'a', slots: { n: 1, bad: {} } } })).toEqual({
      kind: 'hold',
      said: { name: 'a', slots: { n: 1 } },
      change: {},
    });
  });
});
