// Ways to plant a defect into taskie's decision: in what it sees, in what it hears, in what it answers.

import type { Step } from '../../../src/engine/step.ts';
import { decide } from '../../../src/workflows/taskie/decide.ts';
import type { Change, KnownState } from '../../../src/workflows/taskie/types.ts';
import type { Given } from './domains.ts';
import type { Decide } from './model.ts';

type Answer = Extract<Step<Change>, { kind: 'hold' | 'allow' }>;

/** Facts are chosen as they are read: only what the defect looks at is changed. */
export const hearing =
  (
    changes: { readonly [Name in keyof Given]?: (facts: Given, state: KnownState | null) => Given[Name] },
  ): Decide =>
  (state, facts) =>
    decide(
      state,
      new Proxy(facts, {
        get: (target, name) => {
          const change = Object.hasOwn(changes, name) ? changes[name as keyof Given] : undefined;
          if (change === undefined) return Reflect.get(target, name);
          return change(facts, state.kind === 'known' ? state : null);
        },
      }),
    );

export const seeing =
  (change: (state: KnownState, facts: Given) => Partial<KnownState>): Decide =>
  (state, facts) =>
    decide(state.kind === 'known' ? { ...state, ...change(state, facts) } : state, facts);

export const answering =
  (change: (step: Answer, state: KnownState, facts: Given) => Step<Change>): Decide =>
  (state, facts) => {
    const step = decide(state, facts);
    if (state.kind !== 'known' || (step.kind !== 'hold' && step.kind !== 'allow')) return step;
    return change(step, state, facts);
  };

export const writing = (
  change: (written: Change, state: KnownState, facts: Given) => Partial<Change>,
): Decide =>
  answering((step, state, facts) =>
    step.change === null
      ? step
      : { ...step, change: { ...step.change, ...change(step.change, state, facts) } },
  );
