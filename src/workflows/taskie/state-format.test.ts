import { describe, expect, it } from 'vitest';
import { describeNext, describeStage } from './cli/describe.ts';
import { NEW_STATE, readState } from './state-format.ts';

const read = (fields: object) => readState(JSON.stringify({ ...NEW_STATE, ...fields }));

describe('state.json', () => {
  it('is read whole, unknown fields passed over', () => {
    expect(read({ current_task: '3', phase_iteration: 2, custom_field: 42 })).toEqual({
      kind: 'known',
      maxReviews: 8,
      currentTask: '3',
      phase: 'new-plan',
      iteration: 2,
      next: 'plan-review',
      model: 'opus',
      clean: 0,
      tdd: false,
      unsound: [],
    });
  });

  it('has a default for every field that is missing, and names those that every plan has', {
    tags: ['T-clarify-6', 'T-field-tdd', 'T-accept-3.1.1'],
  }, () => {
    expect(readState('{}')).toEqual({
      kind: 'known',
      maxReviews: 8,
      currentTask: null,
      phase: null,
      iteration: null,
      next: null,
      model: 'opus',
      clean: 0,
      tdd: false,
      unsound: ['max_reviews', 'phase', 'next_phase', 'review_model'],
    });
  });

  it.each(['', 'not valid json', '[]', '"text"', 'null', '{"phase": '])('is broken when it is %j', (text) => {
    expect(readState(text)).toEqual({ kind: 'broken' });
  });

  it('is absent when there is no file', () => {
    expect(readState(null)).toEqual({ kind: 'absent' });
  });

  it('takes a task written as a number, and a byte order mark', { tags: ['T-field-current_task'] }, () => {
    expect(readState(`\uFEFF{"current_task": 7}`)).toMatchObject({ currentTask: '7' });
  });

  it.each(['../../etc', '1/2', '1a', '', -1, 1.5, 1e30, true, {}])(
    'takes no task id that could leave the folder: %j',
    (current_task) => {
      expect(read({ current_task })).toMatchObject({ currentTask: null, unsound: ['current_task'] });
    },
  );

  it('understands what is in quotes, since a person’s 0 means 0', () => {
    expect(read({ max_reviews: '0', phase_iteration: '2' })).toMatchObject({ maxReviews: 0, iteration: 2 });
    expect(['true', 'false'].map((tdd) => read({ tdd }))).toMatchObject([{ tdd: true }, { tdd: false }]);
  });

  it.each([
    ['max_reviews', -1],
    ['max_reviews', 'many'],
    ['phase_iteration', -2],
    ['consecutive_clean', null],
    ['tdd', 'yes'],
    ['review_model', ''],
    ['review_model', 'two words'],
    ['review_model', 'nul\u0000'],
    ['phase', 'cod-review'],
    ['next_phase', 'cod-review'],
  ])('names %s as unusable when it is %j', (name, value) => {
    expect(read({ [name]: value })).toMatchObject({ kind: 'known', unsound: [name] });
  });

  it('keeps an unknown model as it is', () => {
    expect(read({ review_model: 'claude-opus-4-8[1m]' })).toMatchObject({ model: 'claude-opus-4-8[1m]' });
  });
});

describe('a state in a few words', () => {
  it.each([
    [{ phase: 'new-plan', next_phase: 'plan-review' }, 'new-plan, next plan-review'],
    [{ phase: 'new-plan', next_phase: null }, 'new-plan'],
    [
      { phase: 'code-review', current_task: '3', phase_iteration: 2, next_phase: 'post-code-review' },
      'code-review, task 3, review 2 of at most 8, next post-code-review',
    ],
    [
      { phase: 'complete-task', current_task: '3', phase_iteration: 2, next_phase: null },
      'complete-task, task 3',
    ],
  ])('%j', (fields, words) => {
    expect(describeStage(read(fields)).split(': ')[1]).toBe(words);
  });

  it('say what follows', () => {
    expect(describeNext(read({ next_phase: null }))).toMatch(/^Nothing follows by itself/);
    expect(describeNext(readState('{'))).toMatch(/^Nothing follows by itself/);
    expect(describeNext(read({ next_phase: 'plan-review' }))).toMatch(
      /^Stop now: the plan-review starts when you do/,
    );
    expect(describeNext(read({ next_phase: 'plan-review', max_reviews: 0 }))).toMatch(
      /plan-review is skipped/,
    );
    expect(describeNext(read({ next_phase: 'create-tasks' }))).toBe('Next: create-tasks.');
  });
});
