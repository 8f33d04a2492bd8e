// A run of a flow without a hook: stop by stop through the very decision, with facts that somebody chooses.

import { UNASKED } from '../../src/engine/proof/asked.ts';
import type { CheckFact } from '../../src/engine/proof/types.ts';
import type { Step } from '../../src/engine/step.ts';
import { decide, type Known } from '../../src/workflows/flow/decide.ts';
import { beginning, conditionsIn, fileKey, type Run, standing } from '../../src/workflows/flow/stand.ts';
import { afterChange, type RunState } from '../../src/workflows/flow/state-format.ts';
import { type Change, type Definition, NO_SIGNAL } from '../../src/workflows/flow/types.ts';

/** What is so at one stop; what a state does not ask for is not looked at. */
export type World = {
  signal: string;
  checks: Record<string, boolean>;
  files: Record<string, boolean>;
  clean: boolean;
};

export const STILL: World = { signal: NO_SIGNAL, checks: {}, files: {}, clean: true };

export type Answered = Extract<Step<Change>, { kind: 'allow' | 'hold' }>;

export class Walk {
  readonly definition: Definition;
  run: RunState;
  holds = 0;
  stops = 0;
  readonly asked = new Map<string, number>();

  constructor(definition: Definition) {
    this.definition = definition;
    const run: Run = beginning(definition, {});
    this.run = { ...run, schema: 1, flow: definition.flow, started: '', from: '', source: '', ended: null };
  }

  get over(): boolean {
    return this.run.ended !== null;
  }

  /** One stop, as the engine has it: decide is asked again with each fact it wants. */
  stop(world: World): Answered {
    const state = standing(this.definition, this.run);
    if (state === null) throw new Error(`there is no such state: ${this.run.at}`);
    const state_ = this.definition.states[this.run.at];
    let facts: Known = {
      ...{ run: 'walk-1', pinned: 'same', signal: world.signal, nearMiss: 'none', seen: null },
      ...{ files: null, content: null, reviewed: null, reviews: this.run.reviews, marks: null },
      ...{ verdict: null, failedReviews: 0, proof: null, until: null },
    };
    this.stops++;
    for (let turns = 0; turns < 40; turns++) {
      const step = decide(state, facts);
      switch (step.kind) {
        case 'allow':
        case 'hold':
          this.#take(step);
          return step;
        case 'look':
          facts = { ...facts, ...this.#look(step.at, world, state_) };
          break;
        case 'prove':
          if (step.check === undefined) facts = { ...facts, proof: UNASKED };
          else {
            this.#count(`check ${step.check}`);
            facts = { ...facts, checks: { ...facts.checks, [step.check]: fact(step.check, world) } };
          }
          break;
        case 'review':
          this.#count(`review ${step.review.kind}`);
          facts = {
            ...{ ...facts, verdict: world.clean ? 'clean' : 'findings', reviewNumber: step.review.number },
            ...(step.review.content === undefined ? {} : { reviewContent: step.review.content }),
          };
          break;
      }
    }
    throw new Error('it asks in circles');
  }

  #take(step: Answered): void {
    if (step.kind === 'hold') this.holds++;
    if (step.change !== null) this.run = afterChange(this.run, step.change);
  }

  #count(what: string): void {
    this.asked.set(what, (this.asked.get(what) ?? 0) + 1);
  }

  #look(at: string, { files }: World, state: Definition['states'][string] | undefined): Partial<Known> {
    if (at.startsWith('marks ')) return { marks: { of: at.slice('marks '.length), marks: {} } };
    // Each look at other content: a review is due again.
    if (at === 'content') return { content: `content ${this.stops}` };
    const conditions = conditionsIn(state).flatMap((each) => (each.kind === 'file' ? each : []));
    return {
      files: Object.fromEntries(
        conditions.map((each) => [
          fileKey(each),
          each.is === 'missing'
            ? !isThere(each.glob, files)
            : each.is === 'exists'
              ? isThere(each.glob, files)
              : (files[fileKey(each)] ?? false),
        ]),
      ),
    };
  }
}

const isThere = (glob: string, files: World['files']): boolean => files[`exists ${glob}`] ?? false;

function fact(name: string, { checks }: World): CheckFact {
  const end = checks[name] ? 'passed' : 'failed';
  return { name, end, code: null, milliseconds: null, from: 'run' };
}
