import { expect, it } from 'vitest';
import { ATTEMPT_VARIABLE, BY_NAME_VARIABLE, DRIVER_VARIABLE } from './environment.ts';

it('the variables have the names that other processes and scripts know', () => {
  expect([DRIVER_VARIABLE, ATTEMPT_VARIABLE, BY_NAME_VARIABLE]).toEqual([
    'HOLDFAST_DRIVER',
    'HOLDFAST_ATTEMPT',
    'HOLDFAST_BY_NAME',
  ]);
});
