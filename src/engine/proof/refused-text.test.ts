import { expect, it } from 'vitest';
import { UNASKED } from './asked.ts';
import { refusedText } from './refused-text.ts';

it('says what the checks said', () => {
  expect(
    refusedText({
      ...{ ...UNASKED, claim: 'refused', worth: 'unproven', why: ['failed'] },
      checks: [{ name: 'unit', end: 'failed', code: 1, milliseconds: 3200, from: 'run' }],
    }),
  ).toBe('Holdfast: the claim to be done was refused. unit failed (exit code 1, 3.2 s).');
});
