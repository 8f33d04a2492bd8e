import { describe, expect, it } from 'vitest';
import { contextIn, projectIn } from '../../../test/support/bare-project.ts';
import { workflow } from './index.ts';
import { say, sayStandIn, sayTableWarning } from './messages.ts';
import type { TaskTable } from './task-status.ts';
import type { KnownState } from './types.ts';
import { whyNoVerdict } from './why-no-verdict.ts';

const context = contextIn(projectIn('/nowhere/project'), 'my-plan');
const spoken = (name: string, slots: Record<string, string | number>): string =>
  say({ name, slots }, context);

const table = (leftOut: number): TaskTable => ({
  rows: [],
  leftOut: Array.from({ length: leftOut }, () => ({ id: 'later', status: 'pending' })),
  plain: false,
});

describe('what is said of a plan', () => {
  it('is never a message that taskie does not have', () => {
    expect(() => spoken('other', {})).toThrow('taskie has no message called other');
  });

  it('has the warning about its table after it, and what lies below the floor before that', () => {
    const plain = spoken('no-current-task', { plan: 'my-plan' });
    const floor = say({ name: 'no-current-task', slots: { plan: 'my-plan', floor: 'high' } }, context);
    expect(floor.startsWith(`${plain} `)).toBe(true);
    expect(floor).toContain('high');
    const warned = spoken('no-current-task', {
      ...{ plan: 'my-plan' },
      ...{ warning: 'table-rows-left-out', rows: 2, seal: 'x' },
    });
    expect(warned).toBe(`${plain} ${sayTableWarning('my-plan', table(2), [])}`);
  });

  it('names a program that stands in for a reviewer at its end', () => {
    const slots = { plan: 'my-plan' };
    expect(spoken('no-current-task', { ...slots, standIn: 'codex' })).toBe(
      `${spoken('no-current-task', slots)}\n\n${sayStandIn('codex')}`.trimEnd(),
    );
    expect(sayStandIn('codex')).toContain('codex');
  });

  it('warns of a table only where there is something to warn of', () => {
    expect(sayTableWarning('my-plan', table(0), [])).toBeNull();
    expect(sayTableWarning('my-plan', { ...table(0), plain: true }, [])).toContain('my-plan');
    expect(sayTableWarning('my-plan', table(3), [])).toContain('3');
  });

  it('names the words and the tasks that a warning of a table is about, one warning after the other', () => {
    const rows = [
      { id: '1', status: 'in progress' },
      { id: '2', status: '' },
      { id: '3', status: 'in progress' },
    ];
    const said = sayTableWarning('my-plan', { ...table(1), rows }, ['4', '5']);
    expect(said?.split('Warning: ')).toEqual([
      '',
      expect.stringMatching(/^1 row/),
      expect.stringContaining('"in progress" (1, 3), "" (2)'),
      expect.stringMatching(/ are still pending: 4, 5\.$/),
    ]);
  });

  it('says why a review had no verdict, by the reviewer’s name', () => {
    expect(whyNoVerdict({})).toBe('not written down');
    expect(whyNoVerdict({ cause: 'other' })).toBe('not written down');
    expect(whyNoVerdict({ cause: 'missing' })).toContain('claude');
    expect(whyNoVerdict({ cause: 'missing', reviewer: 'codex' })).toContain('codex');
  });
});

describe('a plan that the guard lets go', () => {
  const state: KnownState = {
    ...{ kind: 'known', maxReviews: 8, currentTask: null, phase: 'plan-review', iteration: 1 },
    ...{ next: 'post-plan-review', model: 'opus', clean: 0, tdd: false, unsound: [] },
  };
  const next = (given: Parameters<typeof workflow.released>[0]) =>
    workflow.released(given, context, '6 holds');

  it('is named with what is next', () => {
    expect(next(state)).toEqual({
      name: 'released',
      slots: { plan: 'my-plan', next: 'post-plan-review', holds: '6 holds' },
    });
  });

  it.each([
    { ...state, next: null },
    { ...state, next: 'other' as const },
    { kind: 'absent' as const },
    { kind: 'broken' as const },
  ])('has its folder to be fixed where nothing known is next: %j', (given) => {
    expect(next(given).slots.next).toBe('fixing the plan folder');
  });
});
