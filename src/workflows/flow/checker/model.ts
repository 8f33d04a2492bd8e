// A flow as a model for the explorer: every state with every combination of the facts that its decision reads, through
// the very function that decides at a stop. Holds of the whole run are left out here; the limit cuts whatever is found.

import { UNASKED } from '../../../engine/proof/asked.ts';
import type { CheckFact } from '../../../engine/proof/types.ts';
import { LazyFacts } from '../../../explorer/choices.ts';
import type { Edge, Model } from '../../../explorer/explorer.ts';
import { Space, type Value } from '../../../explorer/space.ts';
import { decide, type Known } from '../decide.ts';
import { type Counts, conditionsIn, fileKey, own, signalsIn, standing } from '../stand.ts';
import { type At, type Change, type Condition, type Definition, NO_SIGNAL } from '../types.ts';

/** `state`, `stay` where the state has a bound, and `visits NAME` where a line asks for them. */
export type Node = Readonly<Record<string, Value>>;

/** A fact by its name: `signal`, `check test`, `file exists a/*`, `verdict`. */
type Flat = Readonly<Record<string, string>>;

/** What one stop did: which line it took, and which checks and reviews it asked for. */
export type Taken = { by: Change['by']; hold: boolean; asks: readonly string[]; facts: Flat };

export type FlowEdge = Edge<Node> & { taken: Taken };

/** Where a run goes that was let go for a check that cannot run, or a review without a verdict. */
export const RELEASED = '(released)';

export type FlowModel = Model<Node> & {
  /** Every stop in this node, each combination of facts once. */
  stops(node: Node, each: (edge: FlowEdge) => void): void;
  /** The same, where a line's own conditions are looked at first: `holds` says whether they hold. */
  stopsWith(node: Node, line: readonly Condition[], each: (holds: boolean, taken: Taken) => void): void;
};

/** Null: there are more combinations than can be counted. */
export function modelOf(definition: Definition): FlowModel | null {
  const bounds = boundsOf(definition);
  const fields = {
    state: [...Object.keys(definition.states), RELEASED],
    stay: upTo(bounds.stay),
    ...Object.fromEntries([...bounds.visits].map(([name, most]) => [`visits ${name}`, upTo(most)])),
  };
  const size = Object.values(fields).reduce((product, values) => product * values.length, 1);
  if (!Number.isSafeInteger(size)) return null;
  const lazy = new LazyFacts<Node, Flat>(domainsOf(definition));
  let isReviewAsked = false;
  const facts = factsFrom(lazy.facts, () => {
    isReviewAsked = true;
  });
  const begin = nodeOf({ at: definition.start, visits: { [definition.start]: 1 }, stay: 0, held: 0 }, bounds);

  const stopAt = (node: Node, at: At): FlowEdge => {
    isReviewAsked = false;
    const step = decide(at, facts);
    if (step.kind !== 'allow' && step.kind !== 'hold')
      throw new Error(`asks for ${step.kind} with all facts`);
    const { change } = step;
    const read = isReviewAsked ? (lazy.read() as Flat) : withoutVerdict(lazy.read() as Flat);
    const isReleased = step.kind === 'allow' && step.over === 'released';
    const taken: Taken = {
      by: change?.by ?? null,
      hold: step.kind === 'hold',
      asks: asksIn(read, at),
      facts: read,
    };
    return {
      by: 'stop',
      what: () => `in ${at.at}: ${inWords(read)}${whereTo(change, isReleased)}`,
      to: isReleased ? { ...node, state: RELEASED, stay: 0 } : after(node, change, bounds),
      answer: step.kind,
      about: '',
      combinations: lazy.combinations(),
      broken: null,
      taken,
    };
  };
  const stops: FlowModel['stops'] = (node, each) => {
    const at = placeAt(definition, node);
    if (at !== null) lazy.each(node, () => each(stopAt(node, at)));
  };
  return {
    name: definition.flow,
    space: new Space<Node>(fields),
    starts: [{ label: `${definition.start}`, node: begin }],
    editable: () => [],
    expand: stops,
    stops,
    stopsWith: (node, line, each) => {
      const at = placeAt(definition, node);
      if (at === null) return;
      lazy.each(node, () => {
        const holds = line.every((condition) => isHolding(condition, at, facts));
        each(holds, stopAt(node, at).taken);
      });
    },
  };
}

type Bounds = { stay: number; ofState: ReadonlyMap<string, number>; visits: ReadonlyMap<string, number> };

function boundsOf({ states }: Definition): Bounds {
  const ofState = new Map<string, number>();
  const visits = new Map<string, number>();
  for (const [name, state] of Object.entries(states)) {
    if (state.kind === 'work' && state.holds !== null) ofState.set(name, state.holds);
    const asked = conditionsIn(state).flatMap((each) => (each.kind === 'visits' ? each.least : []));
    // Once is always so.
    if (asked.some((least) => least > 1)) visits.set(name, Math.max(...asked));
  }
  return { stay: Math.max(0, ...ofState.values()), ofState, visits };
}

const upTo = (most: number): number[] => Array.from({ length: most + 1 }, (_, index) => index);

function nodeOf({ at, visits, stay }: Counts, bounds: Bounds): Node {
  const counted = [...bounds.visits].map(
    ([name, most]) => [`visits ${name}`, Math.min(most, own(visits, name) ?? 0)] as const,
  );
  return { state: at, stay: Math.min(stay, bounds.ofState.get(at) ?? 0), ...Object.fromEntries(counted) };
}

function countsOf(node: Node): Counts {
  const visits = Object.entries(node).flatMap(([key, value]) =>
    key.startsWith('visits ') ? [[key.slice('visits '.length), Number(value)] as const] : [],
  );
  return { at: String(node.state), visits: Object.fromEntries(visits), stay: Number(node.stay), held: 0 };
}

/** Without the run's own limit, and without a look at files as a state is entered. Null: it is an end. */
function placeAt(definition: Definition, node: Node): At | null {
  const at = standing({ ...definition, holds: Number.POSITIVE_INFINITY }, countsOf(node));
  if (at === null) return null;
  const plain = <T extends At['lines'][number]['target']>(target: T): T => ({ ...target, watches: false });
  return {
    ...at,
    lines: at.lines.map((line) => ({ ...line, target: plain(line.target) })),
    limit: at.limit && { ...at.limit, otherwise: plain(at.limit.otherwise) },
  };
}

function after(node: Node, change: Change | null, bounds: Bounds): Node {
  if (change === null) return node;
  const { at, visits, stay, held } = countsOf(node);
  if (change.to === null) return nodeOf({ at, visits, stay: stay + Number(change.held), held }, bounds);
  const entered = { ...visits, [change.to]: (own(visits, change.to) ?? 0) + 1 };
  return nodeOf({ at: change.to, visits: entered, stay: Number(change.held), held }, bounds);
}

const NO_TIME = 'no-time';
const CHECK_SAYS = ['passed', 'failed', 'cannot-run', NO_TIME] as const;

function domainsOf({ states }: Definition) {
  const all = Object.values(states).flatMap(conditionsIn);
  const named = all.flatMap((each): [string, () => readonly string[]][] => {
    if (each.kind === 'check') return [[`check ${each.name}`, () => CHECK_SAYS]];
    return each.kind === 'file' ? [[`file ${fileKey(each)}`, () => ['yes', 'no']]] : [];
  });
  const signalsOf = new Map(
    Object.entries(states).map(([name, state]) => [
      name,
      [...signalsIn(state.kind === 'end' ? [] : state.leave), NO_SIGNAL],
    ]),
  );
  return {
    ...Object.fromEntries(named),
    verdict: () => ['clean', 'findings', 'none'],
    signal: ({ state }: Node) => signalsOf.get(String(state)) ?? [NO_SIGNAL],
  };
}

/** Everything is known: a decision never has to ask. What exists is not missing. */
function factsFrom(flat: Flat, onReview: () => void): Known {
  const end = (name: string): CheckFact => {
    const said = flat[`check ${name}`] as (typeof CHECK_SAYS)[number];
    const nothing = { name, code: null, milliseconds: null, from: null };
    return said === NO_TIME ? { ...nothing, end: 'cannot-run', why: NO_TIME } : { ...nothing, end: said };
  };
  const checks = Object.keys(flat).filter((key) => key.startsWith('check '));
  const files = Object.keys(flat).filter((key) => key.startsWith('file '));
  return {
    run: '',
    pinned: 'same',
    get signal() {
      return flat.signal ?? NO_SIGNAL;
    },
    nearMiss: 'none',
    seen: null,
    files: withGetters(
      files.map((key) => key.slice('file '.length)),
      (key) => isFileSo(key, flat),
    ),
    get content() {
      onReview();
      return '';
    },
    reviewContent: '',
    reviewed: null,
    reviews: 0,
    marks: null,
    get verdict() {
      return flat.verdict as 'clean' | 'findings' | 'none';
    },
    get failedReviews() {
      onReview();
      return 0;
    },
    proof: UNASKED,
    until: null,
    checks: withGetters(
      checks.map((key) => key.slice('check '.length)),
      end,
    ),
  };
}

/** `missing a/*` is what `exists a/*` is not; and what is missing may still have changed. */
function isFileSo(key: string, flat: Flat): boolean {
  const other = key.startsWith('missing ') ? `file exists ${key.slice('missing '.length)}` : null;
  if (other !== null && other in flat) return flat[other] === 'no';
  return flat[`file ${key}`] === 'yes';
}

function withGetters<T>(keys: readonly string[], get: (key: string) => T): Record<string, T> {
  const table = {};
  for (const key of keys) Object.defineProperty(table, key, { enumerable: true, get: () => get(key) });
  return table;
}

/** A decision looks for a verdict that an earlier stop left, also where no line comes to its review. */
function withoutVerdict({ verdict: _, ...read }: Flat): Flat {
  return read;
}

/** A line's own conditions, by a decision that has this line alone. */
function isHolding(condition: Condition, at: At, facts: Known): boolean {
  const target = { to: at.at, is: 'let-go', visits: 0, watches: false } as const;
  const step = decide({ ...at, pause: true, lines: [{ when: [condition], target }], limit: null }, facts);
  return step.kind === 'allow' && step.over === 'stuck';
}

/** A stop that had no time for a check is not counted: it is allowed as it is, and comes again. */
function asksIn(read: Flat, { lines }: At): string[] {
  const checks = Object.keys(read).filter((key) => key.startsWith('check '));
  if (checks.some((key) => read[key] === NO_TIME)) return [];
  const review = lines.flatMap(({ when }) => when).find(({ kind }) => kind === 'review');
  return 'verdict' in read && review?.kind === 'review' ? [...checks, `review ${review.name}`] : checks;
}

/** `signal finished, check test passed`. */
function inWords(read: Flat): string {
  const words = Object.entries(read).map(([key, value]) => {
    if (key === 'signal') return value === NO_SIGNAL ? 'no signal' : `signal ${value}`;
    if (key === 'verdict') return `review ${value === 'none' ? 'without a verdict' : value}`;
    return key.startsWith('file ') ? `${key.slice('file '.length)}: ${value}` : `${key} ${value}`;
  });
  return words.length === 0 ? 'whatever is so' : words.join(', ');
}

function whereTo(change: Change | null, isReleased: boolean): string {
  if (isReleased) return ', so the run is let go';
  if (change?.to) return `, so on to ${change.to}`;
  return ', so it stays';
}
