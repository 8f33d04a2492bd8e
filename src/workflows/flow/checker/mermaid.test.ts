// A flow as a diagram: each state, each way out of it and what it is called there.

import { describe, expect, it } from 'vitest';
import { definitionOf } from '../../../../test/support/flow-run.ts';
import type { Condition } from '../types.ts';
import { labelOf, mermaidOf, waysOut } from './mermaid.ts';

const FLOW = `flow: sample
start: first-work
states:
  first-work:
    say: A
    leave:
      - { when: { signal: done, check: test }, to: end }
      - { when: { visits: 3 }, to: state }
    holds: 2
    otherwise: rest
  end:
    say: B
    leave: [ { when: { visits: 1 }, to: z } ]
    holds: 1
    otherwise: first-work
  state: { say: C, leave: [ { when: { file: { glob: "a;b:c#d", is: changed } }, to: z } ] }
  rest: { pause: true, leave: [ { when: { review: critic, is: findings }, to: end } ] }
  z: { end: completed }
  gone-away: { end: let-go }
reviews: { critic: { prompt: Look } }
`;

describe('the diagram of a flow', () => {
  it('has every state and every way, with ids that Mermaid takes', () => {
    expect(mermaidOf(definitionOf(FLOW)).split('\n')).toEqual([
      'stateDiagram-v2',
      '  [*] --> first_work',
      '  state "first-work" as first_work',
      '  first_work --> end_: says done, test passed',
      '  first_work --> state_: visit 3 or later',
      '  first_work --> rest: after 2 holds',
      '  state "end" as end_',
      '  end_ --> z: always',
      '  end_ --> first_work: after 1 hold',
      '  state "state" as state_',
      '  state_ --> z: a b c d changed',
      "  note right of rest: a person's turn",
      '  rest --> end_: critic has findings',
      '  z --> [*]: completed',
      '  state "gone-away" as gone_away',
      '  gone_away --> [*]: let-go',
    ]);
  });
});

describe('the ways out of a state', () => {
  const leave = [{ when: [{ kind: 'visits', least: 1 }], to: 'z' }] as const;
  const ALWAYS = { label: 'always', to: 'z' };
  it('are its lines, and what it does otherwise', () => {
    const work = { kind: 'work', say: 'A', leave, holds: 4, otherwise: 'b' } as const;
    expect(waysOut(work)).toEqual([ALWAYS, { label: 'after 4 holds', to: 'b' }]);
    expect(waysOut({ ...work, holds: null, otherwise: null })).toEqual([ALWAYS]);
    expect(waysOut({ kind: 'pause', say: null, leave })).toEqual([ALWAYS]);
    expect(waysOut({ kind: 'end', end: 'completed', say: null })).toEqual([]);
  });
});

describe('the label of a line', () => {
  const cases: [Condition[], string][] = [
    [[], ''],
    [[{ kind: 'visits', least: 1 }], 'always'],
    [[{ kind: 'visits', least: 2 }], 'visit 2 or later'],
    [[{ kind: 'signal', name: 'done' }], 'says done'],
    [[{ kind: 'file', glob: 'a:b\n#c;/**', is: 'missing' }], 'a b  c /** missing'],
    [[{ kind: 'check', name: 'test', is: 'failed' }], 'test failed'],
    [[{ kind: 'review', name: 'critic', is: 'clean' }], 'critic clean'],
    [[{ kind: 'review', name: 'critic', is: 'findings' }], 'critic has findings'],
    [
      [
        { kind: 'signal', name: 'done' },
        { kind: 'check', name: 'test', is: 'passed' },
      ],
      'says done, test passed',
    ],
  ];
  it.each(cases)('of %j', (when, label) => {
    expect(labelOf(when)).toBe(label);
  });
});
