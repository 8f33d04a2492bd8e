// From a flow's text to its compiled definition, or to what is wrong with it. What only shows when the flow is gone
// through (a state nobody reaches, a line nobody takes) is the checker's.

import { didYouMean } from '../../../text/nearest.ts';
import type { Condition, Definition, Line, StateDefinition } from '../types.ts';
import { type Known, readConditions, readName } from './conditions.ts';
import { isSlot, SLOTS, slotsIn } from './names.ts';
import { inOrder, type Place, type Problem } from './problems.ts';
import { readYaml, type Tree } from './read-yaml.ts';
import { Reader, shown, type Table } from './reader.ts';
import { readReviews } from './reviews.ts';

/** Where things stand in the text, for the checker. */
export type Places = {
  states: ReadonlyMap<string, Place>;
  /** By state, one for each line of `leave`. */
  lines: ReadonlyMap<string, readonly Place[]>;
  otherwise: ReadonlyMap<string, Place>;
};

export type Compiled =
  | { kind: 'compiled'; definition: Definition; places: Places }
  | { kind: 'refused'; problems: readonly Problem[] };

export const USUAL_HOLDS = 100;
export const MOST_HOLDS = 1000;
const MOST_STATES = 200;
const MOST_LINES = 50;

const KEYS = ['flow', 'about', 'holds', 'start', 'states', 'reviews'];
const STATE_KEYS = ['say', 'leave', 'holds', 'otherwise', 'pause', 'end'];

/** `checks`: names the config has; null: nobody knows them. */
export function compile(text: string, checks: readonly string[] | null): Compiled {
  const tree = readYaml(text);
  if (!('kind' in tree)) return { kind: 'refused', problems: [tree] };
  const reader = new Reader();
  const compiled = compileTree(tree, checks, reader);
  if (compiled === null || reader.problems.length > 0)
    return { kind: 'refused', problems: inOrder(reader.problems) };
  return { kind: 'compiled', ...compiled };
}

type Found = { definition: Definition; places: Places };

function compileTree(tree: Tree, checks: readonly string[] | null, reader: Reader): Found | null {
  const top = reader.table(tree, 'a flow', KEYS);
  if (top === null) return null;
  const flow = reader.required(top, 'flow', 'a flow', (value) => readName(value, 'a flow', reader));
  const about = reader.optional(top, 'about', (value) => reader.text(value, '`about`'));
  const holds =
    reader.optional(top, 'holds', (value) => reader.count(value, '`holds`', MOST_HOLDS)) ?? USUAL_HOLDS;
  const reviews = readReviews(top.keys.get('reviews'), reader);
  const known = { checks, reviews: Object.keys(reviews) };
  const entry = top.keys.get('states');
  const table = entry === undefined ? null : reader.table(entry.value, '`states`', null);
  if (entry === undefined) reader.refuse(top.place, 'a flow has no `states`');
  if (table === null) return null;
  if (table.keys.size > MOST_STATES)
    reader.refuse(table.place, `a flow has at most ${MOST_STATES} states, not ${table.keys.size}`);
  const states = readStates(table, known, holds, reader);
  const start = reader.required(top, 'start', 'a flow', (value) =>
    readTarget(value, '`start`', table, reader),
  );
  const startState = start === null ? undefined : states.definitions.get(start);
  if (startState !== undefined && startState.kind !== 'work')
    reader.refuse(
      top.keys.get('start')?.value.place ?? top.place,
      `a flow starts in a state with work to do, and ${shown(start ?? '')} is ${startState.kind === 'end' ? 'an end' : 'a pause'}`,
    );
  if (flow === null || start === null) return null;
  const definition: Definition = {
    ...{ schema: 1, flow, about, holds, start },
    states: Object.fromEntries(states.definitions),
    reviews,
  };
  return { definition, places: states.places };
}

type States = { definitions: Map<string, StateDefinition>; places: Places };

function readStates(table: Table, known: Known, most: number, reader: Reader): States {
  const definitions = new Map<string, StateDefinition>();
  const states = new Map<string, Place>();
  const lines = new Map<string, Place[]>();
  const otherwise = new Map<string, Place>();
  if (table.keys.size === 0) reader.refuse(table.place, '`states` is empty');
  for (const [name, { place, value }] of table.keys) {
    reader.name(name, place, 'a state');
    states.set(name, place);
    const state = reader.table(value, 'a state', STATE_KEYS);
    if (state === null) continue;
    const places: Place[] = [];
    lines.set(name, places);
    const other = state.keys.get('otherwise');
    if (other !== undefined) otherwise.set(name, other.value.place);
    const definition = readState(state, place, { all: table, known, most, places }, reader);
    if (definition !== null) definitions.set(name, definition);
  }
  return { definitions, places: { states, lines, otherwise } };
}

type Around = { all: Table; known: Known; most: number; places: Place[] };

function readState(state: Table, place: Place, around: Around, reader: Reader): StateDefinition | null {
  const say = reader.optional(state, 'say', (value) => readSay(value, reader));
  const end = state.keys.get('end');
  const pause = reader.optional(state, 'pause', (value) => reader.flag(value, '`pause`')) === true;
  if (end !== undefined) {
    refuseBeside(state, ['leave', 'holds', 'otherwise', 'pause'], 'an end', reader);
    const how = reader.oneOf(end.value, '`end`', ['completed', 'let-go'] as const);
    return how === null ? null : { kind: 'end', end: how, say };
  }
  const entry = state.keys.get('leave');
  if (entry === undefined) return reader.refuse(place, 'this state has no `leave`, and is no `end`');
  const leave = readLines(entry.value, around, reader);
  refuseSecondReview(leave, around, reader);
  if (pause) {
    refuseBeside(state, ['holds', 'otherwise'], 'a pause', reader);
    return { kind: 'pause', say, leave };
  }
  if (!state.keys.has('say'))
    return reader.refuse(place, 'this state has no `say`: the agent would be held and not know why');
  const bound = readBound(state, around, reader);
  return say === null ? null : { kind: 'work', say, leave, ...bound };
}

function readBound(state: Table, { all, most }: Around, reader: Reader) {
  const [limit, other] = [state.keys.get('holds'), state.keys.get('otherwise')];
  if (limit !== undefined && other === undefined)
    reader.refuse(limit.place, '`holds` of a state needs `otherwise`: where does it go then?');
  if (other !== undefined && limit === undefined)
    reader.refuse(other.place, '`otherwise` needs `holds`: after how many is it taken?');
  const holds = reader.optional(state, 'holds', (value) => reader.count(value, '`holds`', MOST_HOLDS));
  if (limit !== undefined && holds !== null && holds > most)
    reader.refuse(limit.value.place, `the whole run has ${most} holds, so these ${holds} are never reached`);
  const otherwise = reader.optional(state, 'otherwise', (value) =>
    readTarget(value, '`otherwise`', all, reader),
  );
  return { holds, otherwise };
}

function readLines(tree: Tree, { all, known, places }: Around, reader: Reader): Line[] {
  const items = reader.list(tree, '`leave`') ?? [];
  if (tree.kind === 'list' && items.length === 0)
    reader.refuse(tree.place, '`leave` is empty: nothing would ever leave this state');
  if (items.length > MOST_LINES) reader.refuse(tree.place, `a state has at most ${MOST_LINES} lines`);
  return items.flatMap((item): Line[] => {
    const line = reader.table(item, 'a line of `leave`', ['when', 'to']);
    if (line === null) return [];
    const when = reader.required(line, 'when', 'a line of `leave`', (value) =>
      readConditions(value, known, reader),
    );
    const to = reader.required(line, 'to', 'a line of `leave`', (value) =>
      readTarget(value, '`to`', all, reader),
    );
    if (when === null || to === null) return [];
    places.push(item.place);
    return [{ when, to }];
  });
}

/** A stop has time for one review, and its verdict is about the state that asked for it. */
function refuseSecondReview(leave: readonly Line[], { places }: Around, reader: Reader): void {
  const reviewIn = ({ when }: Line): string | null => nameOf(when.find(({ kind }) => kind === 'review'));
  const first = leave.map(reviewIn).find((name) => name !== null) ?? null;
  leave.forEach((line, index) => {
    const name = reviewIn(line);
    const place = places[index];
    if (name !== null && name !== first && place !== undefined)
      reader.refuse(place, `a state asks for one review, and this one asks for ${first} already`);
  });
}

const nameOf = (condition: Condition | undefined): string | null =>
  condition?.kind === 'review' ? condition.name : null;

function readTarget(tree: Tree, what: string, all: Table, reader: Reader): string | null {
  const name = reader.text(tree, what);
  if (name === null || all.keys.has(name)) return name;
  return reader.refuse(
    tree.place,
    `there is no state ${shown(name)}${didYouMean(name, [...all.keys.keys()])}`,
  );
}

function readSay(tree: Tree, reader: Reader): string | null {
  const text = reader.text(tree, '`say`');
  for (const slot of text === null ? [] : slotsIn(text))
    if (!isSlot(slot))
      reader.refuse(
        tree.place,
        `there is no slot ${shown(`{{${slot}}}`)}${didYouMean(slot, SLOTS)}; there are: ${SLOTS.join(', ')}`,
      );
  return text;
}

function refuseBeside(state: Table, keys: readonly string[], what: string, reader: Reader): void {
  for (const key of keys) {
    const entry = state.keys.get(key);
    if (entry !== undefined) reader.refuse(entry.place, `${what} has no \`${key}\``);
  }
}
