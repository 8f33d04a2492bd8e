import { expect, it } from 'vitest';
import { NOTHING_FETCHED } from './turn.ts';

it('a stop begins with nothing fetched', () => {
  expect(NOTHING_FETCHED).toEqual({
    ...{ facts: {}, lookedIn: null, awaited: false, busy: [], ended: null, report: null, waited: null },
    ...{ pinned: null, budget: null, claim: null, until: null, checks: [] },
  });
});
