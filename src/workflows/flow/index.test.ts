import { describe, expect, it } from 'vitest';
import { bareProject, contextIn } from '../../../test/support/bare-project.ts';
import { RUN } from '../../../test/support/flow-run.ts';
import { GUARD } from './cli/examine.ts';
import { workflow } from './index.ts';

const context = contextIn(bareProject(), RUN);

describe('a flow to the engine', () => {
  it('claims, pauses, is never disabled, and has the guard that its proof counts with', () => {
    const { name, guard, claims, pauses } = workflow;
    expect({ name, guard, claims, pauses }).toEqual({
      ...{ name: 'flow', guard: { unmoved: 6, tools: null }, claims: true, pauses: true },
    });
    expect(guard).toEqual(GUARD);
    expect(workflow.disabled({ FLOW_DISABLED: '1' })).toBe(false);
    expect(workflow.artifacts(null, context)).toEqual([]);
  });

  it('says where it stands when the guard lets go', () => {
    const slots = { state: 'work', holds: '6 holds' };
    expect(workflow.released({ kind: 'at', at: 'work' }, context, '6 holds')).toEqual({
      name: 'released',
      slots,
    });
    expect(workflow.released({ kind: 'ended', outcome: 'limit' }, context, '6 holds')).toEqual({
      ...{ name: 'released', slots: { state: '', holds: '6 holds' } },
    });
  });
});
