import { describe, expect, it } from 'vitest';
import { type Attempt, newSidecar, type Sidecar, type Waiting } from '../store/records.ts';
import { isBusy, isTakenOver, standOfWait } from './standing.ts';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;

const withReview = (status: Attempt['status'], deadline: number): Sidecar => ({
  ...newSidecar('taskie:a'),
  attempts: [
    {
      ...{ id: 'r1', work: 'review', reviewer: 'codex', kind: 'plan', number: 1, file: 'r.md', model: 'm' },
      ...{ owner: null, deadline, status, verdict: null, before: '' },
    },
  ],
});

const waitingFor = (what: Waiting['for']): Sidecar => ({
  ...newSidecar('taskie:a'),
  waiting: { for: what, what: 'it', since: NOW - HOUR, until: NOW + HOUR },
});

describe('silence means nothing', () => {
  it('while a review runs, up to its deadline', () => {
    expect(isBusy(withReview('running', NOW + 1), NOW)).toBe(true);
    expect(isBusy(withReview('running', NOW), NOW)).toBe(false);
    expect(isBusy(withReview('done', NOW + 1), NOW)).toBe(false);
  });

  it('while the run waits for its work or a limit, but not for a person', () => {
    expect(isBusy(waitingFor('work'), NOW)).toBe(true);
    expect(isBusy(waitingFor('limit'), NOW)).toBe(true);
    expect(isBusy(waitingFor('person'), NOW)).toBe(false);
    expect(isBusy(waitingFor('work'), NOW + 2 * HOUR)).toBe(false);
  });
});

describe('a wait on record', () => {
  const wait = { what: 'it', since: NOW, until: NOW + HOUR } as const;

  it('for a person is a question, but a client’s cap is a prompt that is due', () => {
    expect(standOfWait({ ...wait, for: 'person' })).toEqual({ kind: 'question', what: 'it' });
    expect(standOfWait({ ...wait, for: 'person', pause: true })).toMatchObject({ kind: 'question' });
    expect(standOfWait({ ...wait, for: 'person', pause: true, capped: true })).toEqual({
      ...{ kind: 'waits', for: 'prompt', until: null },
    });
  });

  it('for work or a limit is just that', () => {
    for (const awaited of ['work', 'limit'] as const)
      expect(standOfWait({ ...wait, for: awaited })).toEqual({
        ...{ kind: 'waits', for: awaited, until: NOW + HOUR },
      });
  });
});

describe('a run is taken over', () => {
  it('where it belongs to a session that is not ours', () => {
    expect(isTakenOver({ sessions: ['other'] }, ['mine'])).toBe(true);
    expect(isTakenOver({ sessions: ['mine', 'other'] }, ['mine'])).toBe(false);
  });

  it('not where it belongs to none yet, or ours is not known yet', () => {
    expect(isTakenOver({ sessions: [] }, ['mine'])).toBe(false);
    expect(isTakenOver({ sessions: ['other'] }, [])).toBe(false);
  });
});
