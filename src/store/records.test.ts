import { expect, it } from 'vitest';
import { NEW_SESSION, NO_GUARD_MEMORY, NO_VERDICTS, NO_WAITS, newSidecar } from './records.ts';

it('a new sidecar is of schema 2, has the name of its run, and nothing has happened to it', () => {
  expect(newSidecar('toy:a')).toStrictEqual({
    schema: 2,
    run: 'toy:a',
    sessions: [],
    committed: null,
    guard: {},
    attempts: [],
    failures: { count: 0, state: '' },
  });
});

it('two new sidecars share nothing', () => {
  const [one, other] = [newSidecar('toy:a'), newSidecar('toy:a')];

  for (const part of ['sessions', 'guard', 'attempts', 'failures'] as const)
    expect(one[part]).not.toBe(other[part]);
});

it('a session that was never seen has no runs, was shown nothing and has looked nowhere', () => {
  expect(NEW_SESSION).toStrictEqual({ schema: 2, runs: [], notified: [], looked: {} });
});

it('the guard remembers nothing of a session before its first hold', () => {
  expect(NO_GUARD_MEMORY).toStrictEqual({
    held: false,
    noProgress: 0,
    noTools: 0,
    toolsUnknown: 0,
    released: false,
    artifacts: { stamp: '', content: '' },
    marker: null,
    notified: null,
  });
});

it('before the first wait nothing is counted about waits', () => {
  expect(NO_WAITS).toStrictEqual({ waited: 0, questions: 0, calls: 0, called: 0, callsAtHold: 0 });
});

it('the causes of a review without a verdict are ten words, which lie in files and so never change', () => {
  expect(NO_VERDICTS).toStrictEqual([
    'missing',
    'not-logged-in',
    'usage-limit',
    'api-error',
    'timed-out',
    'killed',
    'too-much-output',
    'no-file',
    'no-verdict',
    'exit-code',
  ]);
});
