// Each of these is the decision with one defect planted. The explorer has to name the invariant it breaks.

import { describe, expect, it } from 'vitest';
import { waitAt } from '../../../src/engine/waiting/wait.ts';
import { only } from '../../../src/explorer/invariant.ts';
import { foundBy } from '../defect.ts';
import { invariants } from './invariants.ts';
import { type WaitAt, waitingModel } from './model.ts';

const defects: Readonly<Record<string, [WaitAt, string]>> = {
  'each stop begins the wait for work again': [
    (question) => {
      const known = question.waiting?.for === 'work' ? null : question.waiting;
      return waitAt({ ...question, waiting: known });
    },
    'every wait for work ends',
  ],
  'work that was waited for too long is waited for again': [
    (question) => {
      const answer = waitAt(question);
      return answer.kind === 'goes-on' && answer.waiting?.for === 'work'
        ? { ...answer, waiting: null }
        : answer;
    },
    'every wait for work ends',
  ],
  'work is waited for after it ended': [
    (question) => waitAt(question.waiting?.for === 'work' ? { ...question, work: 'still' } : question),
    'a run waits for something that is there',
  ],
  'work is never waited for': [
    (question) => waitAt({ ...question, work: null }),
    'work that wakes the agent is waited for',
  ],
  'a question is waited for until somebody answers': [
    (question) => {
      const { waiting, answered } = question;
      const isOpen = waiting?.for === 'person' && answered === 'no';
      return isOpen ? { kind: 'waits', waiting, news: false, ended: null } : waitAt(question);
    },
    'every other wait ends',
  ],
  'an answer is not noticed': [
    (question) => waitAt({ ...question, answered: question.answered === null ? null : 'no' }),
    'a person who answered is not waited for',
  ],
  'a question is shown at every stop': [
    (question) => {
      const answer = waitAt(question);
      return answer.kind === 'waits' && answer.waiting.for === 'person' ? { ...answer, news: true } : answer;
    },
    'an open question is waited for, and shown once',
  ],
  'a question is not waited for while work runs': [
    (question) => waitAt(question.work === null ? question : { ...question, waiting: null }),
    'an open question is waited for, and shown once',
  ],
  'a hold waits for the reviewer': [
    (question) => waitAt({ ...question, step: 'review' }),
    'only a review waits for a reviewer',
  ],
  'a reviewer at its limit is asked again': [
    (question) => waitAt({ ...question, step: 'hold' }),
    'a review waits for its reviewer',
  ],
  'a session that is back still waits for its limit': [
    (question) => {
      const { waiting } = question;
      const isOwn = waiting?.for === 'limit' && waiting.reviewer === undefined;
      return isOwn ? { kind: 'goes-on', waiting, ended: null } : waitAt(question);
    },
    'a session that stops is at no limit',
  ],
  'work that was waited for is counted at each stop after it': [
    (question) => {
      const answer = waitAt(question);
      const isSpent = answer.kind === 'goes-on' && answer.waiting?.for === 'work';
      return isSpent ? { ...answer, waiting: question.waiting } : answer;
    },
    'no time is counted twice',
  ],
  'a limit beside which the run went on is counted from its beginning again': [
    (question) => {
      const answer = waitAt(question);
      const isBeside = answer.kind === 'goes-on' && answer.waiting?.reviewer !== undefined;
      return isBeside ? { ...answer, waiting: question.waiting } : answer;
    },
    'no time is counted twice',
  ],
  'the time at a limit is not counted': [
    (question) => ({ ...waitAt(question), ended: null }),
    'the time of a wait that ended is counted',
  ],
  'a question that nobody answered makes the run younger': [
    (question) => {
      const answer = waitAt(question);
      const { waiting } = question;
      const isUnanswered = waiting?.for === 'person' && answer.kind === 'goes-on' && answer.ended === null;
      // Counted as if it had been a limit of the session.
      return isUnanswered ? { ...answer, ended: { ...waiting, for: 'limit' } } : answer;
    },
    'a question that nobody answered takes nothing off the age',
  ],
};

describe('a planted defect of the waiting', () => {
  it.each(Object.entries(defects))('is found by the explorer: %s', (_, [defective, invariant]) => {
    expect(foundBy(waitingModel(defective, only(invariants, invariant)))).toBe(invariant);
  });

  it('has every invariant to be found by', () => {
    const found = new Set(Object.values(defects).map(([, invariant]) => invariant));
    expect(Object.keys(invariants).filter((name) => !found.has(name))).toEqual([]);
  });
});
