// YAML as a plain tree of values with their places. Data only: no anchors, no tags, no second document; bounded in
// size and depth before anything is made of it.

import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLParseError,
} from 'yaml';
import { printable } from '../../../text/printable.ts';
import { LONGEST } from './names.ts';
import { NOWHERE, type Place, type Problem } from './problems.ts';

export type Tree = { place: Place } & (
  | { kind: 'value'; value: string | number | boolean | null }
  | { kind: 'list'; items: readonly Tree[] }
  | { kind: 'table'; entries: readonly Entry[] }
);

export type Entry = { key: string; place: Place; value: Tree };

const DEEPEST = 16;

/** A tree, or the first thing that is wrong with the text. */
export function readYaml(text: string): Tree | Problem {
  if (text.length > LONGEST)
    return problem(NOWHERE, `the file is longer than ${LONGEST / 1024} kB; a flow is some twenty lines`);
  const deep = depthOf(text);
  if (deep !== null) return problem(deep, `this is nested deeper than ${DEEPEST} levels`);
  const lines = new LineCounter();
  const placeAt = (offset: number | undefined): Place => {
    const { line, col } = lines.linePos(offset ?? 0);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: true, merge: false });
    const [error] = document.errors;
    if (error !== undefined) return problem(placeAt(error.pos[0]), wordsOf(error));
    if (document.contents === null) return problem(NOWHERE, 'the file is empty');
    return treeOf(document.contents, placeAt, 0);
  } catch (error) {
    if (error instanceof Refusal) return error.problem;
    return problem(NOWHERE, 'this cannot be read as YAML');
  }
}

class Refusal extends Error {
  readonly problem: Problem;

  constructor(place: Place, what: string) {
    super(what);
    this.problem = problem(place, what);
  }
}

const problem = (place: Place, what: string): Problem => ({ place, what });

function treeOf(node: unknown, placeAt: (offset: number | undefined) => Place, depth: number): Tree {
  const place = placeAt((node as Node).range?.[0]);
  if (depth > DEEPEST) throw new Refusal(place, `this is nested deeper than ${DEEPEST} levels`);
  refuseExtras(node, place);
  if (isScalar(node)) return { place, kind: 'value', value: plainValue(node.value, place) };
  if (isSeq(node))
    return { place, kind: 'list', items: node.items.map((item) => treeOf(item, placeAt, depth + 1)) };
  if (!isMap(node)) throw new Refusal(place, 'this is neither a value nor a list nor a table');
  const entries = node.items.map(({ key, value }): Entry => {
    const at = placeAt((key as Node | null)?.range?.[0]);
    if (key !== null) refuseExtras(key, at);
    if (!isScalar(key) || typeof key.value !== 'string') throw new Refusal(at, 'a key is a plain word');
    // `{ signal }`: a key without a value.
    const tree = value === null ? ({ place: at, kind: 'value', value: null } as const) : null;
    return { key: key.value, place: at, value: tree ?? treeOf(value, placeAt, depth + 1) };
  });
  return { place, kind: 'table', entries };
}

/** Of a key, too. A tag of YAML's own, such as `!!str`, makes another value of the same words. */
function refuseExtras(node: unknown, place: Place): void {
  const { anchor, tag } = node as Node & { anchor?: string };
  if (isAlias(node) || anchor !== undefined)
    throw new Refusal(place, 'a flow has no anchors and aliases: write it out');
  if (tag === undefined) return;
  const typed = printable(tag.replace(/^tag:yaml\.org,2002:/, '!!')).slice(0, 40);
  throw new Refusal(place, `a flow has no tags such as ${typed}`);
}

function plainValue(value: unknown, place: Place): string | number | boolean | null {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value))
    return value as string | number | boolean | null;
  throw new Refusal(place, 'a value is a text, a number, true or false');
}

/** Where brackets are nested too deep: asked before a parser that calls itself sees them. Quotes are not understood. */
function depthOf(text: string): Place | null {
  let [depth, line, start] = [0, 1, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\n') [line, start] = [line + 1, at + 1];
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth = Math.max(0, depth - 1);
    // Texts may hold brackets that nobody closes, but not hundreds.
    if (depth > 20 * DEEPEST) return { line, column: at - start + 1 };
  }
  return null;
}

function wordsOf({ code, message }: YAMLParseError): string {
  switch (code) {
    case 'DUPLICATE_KEY':
      return 'this key is there twice';
    case 'TAB_AS_INDENT':
      return 'a tab cannot indent in YAML: use blanks';
    case 'MULTIPLE_DOCS':
      return 'one file holds one flow: a second document begins here';
    case 'ALIAS_PROPS':
    case 'BAD_ALIAS':
      return 'a flow has no anchors and aliases: write it out';
    default: {
      const [first = ''] = message.split('\n');
      const words = first.replace(/ at line \d+, column \d+:?$/, '').replace(/[.:]$/, '');
      return `this is no YAML: ${printable(words).slice(0, 160)}`;
    }
  }
}
