import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/workflows/taskie/decide.ts';
import { explore, report } from '../explorer/explorer.ts';
import { taskieEdits, taskieRuns } from './model.ts';

describe('every taskie plan there can be', () => {
  it('keeps every invariant at every stop', () => {
    const t = Date.now();
    const explored = explore(taskieRuns(decide));
    console.log('taskie', explored, Date.now() - t, report(explored));
    expect(explored.violation, report(explored)).toBeNull();
  });

  it('edits', () => {
    const t = Date.now();
    const explored = explore(taskieEdits(decide));
    console.log('taskie', explored, Date.now() - t, report(explored));
    expect(explored.violation, report(explored)).toBeNull();
  });
});
