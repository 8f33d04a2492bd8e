import { describe, expect, it } from 'vitest';
import { weigh } from '../../../src/engine/guard/guard.ts';
import { explore, report } from '../../../src/explorer/explorer.ts';
import { printFigures } from '../figures.ts';
import { guardModel } from './model.ts';

const UNKNOWN = 12;

describe('every way a guarded run can go', () => {
  it.each([
    ['claudex and taskie', { unmoved: 3, tools: 12, unknown: UNKNOWN }],
    ['idle', { unmoved: 6, tools: null, unknown: UNKNOWN }],
    ['limits as low as they go', { unmoved: 1, tools: 1, unknown: UNKNOWN }],
    ['limits that never hold', { unmoved: 0, tools: 0, unknown: UNKNOWN }],
    ['more tool calls than an unknown row', { unmoved: 2, tools: 20, unknown: UNKNOWN }],
  ])('keeps every invariant with the limits of %s', (name, limits) => {
    const explored = explore(guardModel(weigh, limits));
    printFigures(`guard, ${name}`, explored);
    expect(explored.violation, report(explored)).toBeNull();
  });
});
