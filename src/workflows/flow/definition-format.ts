// The compiled definition as a run's folder holds it. It lies in the project, so it is parsed, not believed.

import { parseJson } from '../../store/json.ts';
import {
  type Check,
  hasShape,
  isCount,
  isListOf,
  isOneOf,
  isTableOf,
  isText,
  orNull,
} from '../../store/shape.ts';
import type { Condition, Definition, Line, ReviewDefinition, StateDefinition } from './types.ts';

export function writeDefinition(definition: Definition): string {
  return `${JSON.stringify(definition)}\n`;
}

/** Null: it is none. */
export function readDefinition(text: string): Definition | null {
  const value = parseJson(text);
  return isDefinition(value) ? value : null;
}

const isAnyOf =
  <T>(...checks: readonly Check<T>[]): Check<T> =>
  (value): value is T =>
    checks.some((check) => check(value));

const isCondition: Check<Condition> = isAnyOf<Condition>(
  hasShape<Extract<Condition, { kind: 'visits' }>>({ kind: isOneOf('visits'), least: isCount }),
  hasShape<Extract<Condition, { kind: 'signal' }>>({ kind: isOneOf('signal'), name: isText }),
  hasShape<Extract<Condition, { kind: 'file' }>>({
    kind: isOneOf('file'),
    glob: isText,
    is: isOneOf('exists', 'missing', 'changed'),
  }),
  hasShape<Extract<Condition, { kind: 'check' }>>({
    kind: isOneOf('check'),
    name: isText,
    is: isOneOf('passed', 'failed'),
  }),
  hasShape<Extract<Condition, { kind: 'review' }>>({
    kind: isOneOf('review'),
    name: isText,
    is: isOneOf('clean', 'findings'),
  }),
);

const isLines = isListOf(hasShape<Line>({ when: isListOf(isCondition), to: isText }));

const isState: Check<StateDefinition> = isAnyOf<StateDefinition>(
  hasShape<Extract<StateDefinition, { kind: 'work' }>>({
    kind: isOneOf('work'),
    say: isText,
    leave: isLines,
    holds: orNull(isCount),
    otherwise: orNull(isText),
  }),
  hasShape<Extract<StateDefinition, { kind: 'pause' }>>({
    kind: isOneOf('pause'),
    say: orNull(isText),
    leave: isLines,
  }),
  hasShape<Extract<StateDefinition, { kind: 'end' }>>({
    kind: isOneOf('end'),
    end: isOneOf('completed', 'let-go'),
    say: orNull(isText),
  }),
);

const isDefinition = hasShape<Definition>({
  schema: isOneOf(1),
  flow: isText,
  about: orNull(isText),
  holds: isCount,
  start: isText,
  states: isTableOf(isState),
  reviews: isTableOf(hasShape<ReviewDefinition>({ prompt: isText, files: isListOf(isText) })),
});
