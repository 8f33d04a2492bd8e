import { expect, it } from 'vitest';
import { Interrupted } from './interrupted.ts';

it('is known by its name and says what happens next', () => {
  const error = new Interrupted();
  expect(error).toBeInstanceOf(Error);
  expect(`${error}`).toBe(
    'Interrupted: the client ended the hook during a review or a check; the next stop takes it up again',
  );
});
