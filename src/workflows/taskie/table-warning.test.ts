import { expect, it } from 'vitest';
import { tableWarning } from './table-warning.ts';

it.each([
  [null, null],
  [{ leftOut: 0, plain: false }, null],
  [
    { leftOut: 1, plain: false },
    { name: 'table-rows-left-out', slots: { plan: 'p', rows: 1 } },
  ],
  [
    { leftOut: 0, plain: true },
    { name: 'table-plain', slots: { plan: 'p' } },
  ],
  [
    { leftOut: 3, plain: true },
    { name: 'table-plain', slots: { plan: 'p' } },
  ],
  [
    { leftOut: 2, plain: true, unclear: 1, unfinished: 3 },
    { name: 'table-plain', slots: { plan: 'p', warning: 'table-status-unclear table-subtasks-pending' } },
  ],
  [
    { leftOut: 2, plain: false, unfinished: 3 },
    { name: 'table-rows-left-out', slots: { plan: 'p', rows: 2, warning: 'table-subtasks-pending' } },
  ],
  [
    { leftOut: 0, plain: false, unclear: 1 },
    { name: 'table-status-unclear', slots: { plan: 'p' } },
  ],
])('of a table with %j a reader must know %j', (table, warning) => {
  expect(tableWarning('p', table)).toEqual(warning);
});
