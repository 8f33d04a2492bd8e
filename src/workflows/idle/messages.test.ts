import { describe, expect, it } from 'vitest';
import { contextIn, projectIn } from '../../../test/support/bare-project.ts';
import { workflow } from './index.ts';
import { describeTask, endings, say } from './messages.ts';
import type { World } from './observe.ts';
import { NOTHING_SAVED } from './saved.ts';
import { type RawFrame, readFrame } from './state-format.ts';

const context = contextIn(projectIn('/nowhere'), 'r1');
const world = (stack: readonly RawFrame[], source: 'topic' | 'file' = 'topic'): World => ({
  found: {
    state: { kind: 'loop', event: 'STATE', updatedAt: 0, stack: stack.map(readFrame) },
    run: 'r1',
    raw: { fields: {}, stack },
    source,
    text: '',
    log: null,
  },
  saved: NOTHING_SAVED,
});
const spoken = (name: string, slots: Record<string, string | number> = {}, of = world([])): string =>
  say({ name, slots }, of, context);

const CONTINUE =
  'Continue working on the task. Check your progress and either complete the task or keep iterating.';
const UNKNOWN =
  "The task's text was not kept with the loop: it is the one you were given in this conversation.";

describe('what an agent in a loop is given', () => {
  const grind = { mode: 'grind', filter: 'bugs' };
  const issue = { mode: 'issue', issue_id: 'A-1' };

  it('is the iteration, the task, and how the loop of its mode ends', () => {
    expect(spoken('continue', { iteration: 2, max: 10, position: 1 }, world([grind, issue]))).toBe(
      `[ITERATION 2/10] ${CONTINUE}\n\nThe task:\n\nA-1\n\n${endings.issue}`,
    );
    expect(spoken('continue', { iteration: 2, max: 10, position: 0 }, world([grind, issue]))).toBe(
      `[ITERATION 2/10] ${CONTINUE}\n\nThe task:\n\nbugs\n\n${endings.grind}`,
    );
  });

  it('is as a loop ends where the mode is not known', () => {
    for (const of of [world([{ mode: 'other' }]), world([])])
      expect(spoken('continue', { iteration: 2, max: 10, position: 0 }, of)).toBe(
        `[ITERATION 2/10] ${CONTINUE}\n\n${UNKNOWN}\n\n${endings.loop}`,
      );
    const lost: World = { ...world([]), found: { ...world([]).found, state: { kind: 'lost' }, raw: null } };
    expect(spoken('continue', { iteration: 2, max: 10, position: 0 }, lost)).toContain(endings.loop);
  });

  it.each([
    [
      'place',
      'A signal was seen in your last message, but not on a line of its own, so it did not count. If',
    ],
    ['code', 'A signal was seen in your last message, but as code or in a comment, so it did not count. If'],
    ['spelling', 'Something like a signal was seen in your last message, but not spelled exactly so, and it'],
  ])('has a hint before its end where a signal did not count: %s', (nearMiss, words) => {
    const text = spoken('continue', { iteration: 2, max: 10, position: 0, nearMiss }, world([issue]));
    expect(text).toContain(`A-1\n\n${words}`);
    expect(text).toMatch(/\n\nWhen the issue is resolved/);
  });

  it('has no word of what was claimed, or which check ends it', () => {
    const slots = { iteration: 2, max: 10, position: 0 };
    expect(spoken('continue', { ...slots, claim: 'refused', until: 'test' }, world([issue]))).toBe(
      spoken('continue', slots, world([issue])),
    );
  });

  it('is a task that is whole, cut, or not known', () => {
    expect(describeTask({ text: 'Fix it.', cutFrom: null })).toBe('The task:\n\nFix it.');
    expect(describeTask({ text: 'Fix', cutFrom: 'a.md' })).toBe(
      'The task, as far as it fits here; all of it is in a.md:\n\nFix',
    );
    expect(describeTask(null)).toBe(UNKNOWN);
  });
});

describe('what a user is shown of a loop', () => {
  it('names the maximum, and how many loops around it are kept', () => {
    expect(spoken('maximum', { iteration: 7, max: 7 })).toBe(
      'Holdfast: the loop went through all its 7 iterations without a completion signal and has ended. Look at what is there before you start another with `holdfast idle loop --max N`.',
    );
    expect(spoken('maximum')).toContain('all its 0 iterations');
    expect(spoken('maximum-inner', { iteration: 7, max: 7, kept: 1 })).toBe(
      'Holdfast: the inner loop went through all its 7 iterations without a completion signal and has ended. Around it another one is kept; `holdfast idle resume` goes on there.',
    );
    expect(spoken('maximum-inner', { kept: 2 })).toContain(
      'all its 0 iterations without a completion signal and has ended. Around it 2 others are kept;',
    );
  });

  it('names where the loop stands when it no longer holds', () => {
    expect(spoken('stale', { iteration: 3, max: 10 })).toBe(
      'Holdfast: the loop here stands at iteration 3/10, but its state is more than two hours old or has no timestamp, so it no longer holds. To go on with it: `holdfast idle resume`. To end it: `holdfast idle cancel`.',
    );
    expect(spoken('released', { iteration: 3, max: 10, holds: '6 holds' })).toBe(
      'Holdfast: the loop stands at iteration 3/10: no progress in 6 holds, so the agent may stop. It is not over: `holdfast idle resume` goes on with it, `holdfast idle cancel` ends it.',
    );
  });

  it('names the file of the state', () => {
    expect(spoken('corrupt')).toMatch(/read in \.jwz\/messages\.jsonl\.$/);
    expect(spoken('corrupt', {}, world([], 'file'))).toMatch(/read in \.holdfast\/idle\.$/);
    expect(spoken('unreadable')).toContain("the loop's state in .jwz/messages.jsonl cannot be read");
    expect(spoken('unreadable', {}, world([], 'file'))).toContain(
      "the loop's state in .claude/idle-loop.local.md cannot be read",
    );
    expect(spoken('unreadable')).toContain('end the loop with `holdfast idle cancel`.');
    expect(spoken('lost')).toBe(
      "Holdfast: .jwz/messages.jsonl is too long to find the loop's state in it during a stop, so this stop is allowed. If there is a loop, `holdfast idle resume` finds it.",
    );
  });

  it.each([
    ['pause', '"pause"'],
    ['y'.repeat(41), `"${'y'.repeat(40)}"`],
    [7, '7'],
    [undefined, 'null'],
    [['y'.repeat(80)], `["${'y'.repeat(58)}`],
  ])('quotes the mode %j that is not known, and not too much of it', (mode, shown) => {
    expect(spoken('unknown-mode', {}, world([{ mode: 'loop' }, { mode }]))).toBe(
      `Holdfast: the loop here has the mode ${shown}, which this version does not know, so it does not hold. \`holdfast idle cancel\` ends the loop.`,
    );
  });

  it('is never a message that idle does not have', () => {
    expect(() => spoken('other')).toThrow('idle has no message other');
  });
});

describe('a loop that the guard lets go', () => {
  const stack = [
    { mode: 'grind', iter: 1, max: 100, carryOn: true },
    { mode: 'issue', iter: 4, max: 10, carryOn: false },
  ] as const;

  it('is named by where its innermost frame stands', () => {
    const loop = { kind: 'loop', event: 'STATE', updatedAt: 0, stack } as const;
    expect(workflow.released(loop, context, '6 holds')).toEqual({
      name: 'released',
      slots: { iteration: 4, max: 10, holds: '6 holds' },
    });
    expect(workflow.released({ ...loop, stack: [] }, context, '6 holds')).toEqual({
      name: 'released',
      slots: { iteration: 0, max: 0, holds: '6 holds' },
    });
    expect(workflow.released({ kind: 'lost' }, context, '6 holds')).toMatchObject({
      slots: { iteration: 0, max: 0 },
    });
  });

  it('is let go by itself alone where the variable says so', () => {
    expect(workflow.disabled({ IDLE_LOOP_DISABLE: '1' })).toBe(true);
    expect(workflow.disabled({ IDLE_LOOP_DISABLE: '0' })).toBe(false);
    expect(workflow.disabled({})).toBe(false);
  });
});
