import { expect, it } from 'vitest';
import { NO_UNTIL } from './asked.ts';
import type { Proof } from './types.ts';
import { untilText } from './until-text.ts';

const proof: Proof = {
  ...NO_UNTIL,
  checks: [{ name: 'unit', end: 'failed', code: 1, milliseconds: 3200, from: 'run' }],
};
const OPEN =
  'This loop is done when the check unit passes. At this stop it did not: unit failed (exit code 1, 3.2 s).';
const said = (tail: string) => ({ name: 'unit', tail, log: '.holdfast/checks/unit.log' });

it('says nothing of a check that the run does not have', () => {
  expect(untilText(NO_UNTIL, [said('x')])).toBeNull();
});

it('says what the check said, and nothing of what it did not print', () => {
  expect(untilText(proof, [])).toBe(OPEN);
  expect(untilText(proof, [said('')])).toBe(OPEN);
  expect(untilText(proof, [said(' \n')])).toBe(OPEN);
});

it('shows the end of what it printed', () => {
  expect(untilText(proof, [said('\n one\ntwo \n'), said('another')])).toBe(
    `${OPEN}\n\nThe end of what it printed (all of it is in .holdfast/checks/unit.log):\n\none\ntwo`,
  );
});
