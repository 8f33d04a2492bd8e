// The conditions of a line: `when: { signal: finished, check: test }`.

import { didYouMean } from '../../../text/nearest.ts';
import type { Condition } from '../types.ts';
import { whyNoPattern } from './names.ts';
import type { Place } from './problems.ts';
import type { Entry, Tree } from './read-yaml.ts';
import { type Reader, shown } from './reader.ts';

const KEYS = ['signal', 'check', 'review', 'file', 'visits', 'is'];

const IS = {
  check: ['passed', 'failed'],
  review: ['clean', 'findings'],
  file: ['exists', 'missing', 'changed'],
} as const;

type Kind = keyof typeof IS;

/** What may be named; `checks` is null where nobody knows the project's. */
export type Known = { checks: readonly string[] | null; reviews: readonly string[] };

/** The costly ones last: a check is run only when everything else holds, a review only when the checks do too. */
const COST: readonly Condition['kind'][] = ['visits', 'signal', 'file', 'check', 'review'];

export const MOST_VISITS = 100;

export function readConditions(tree: Tree, known: Known, reader: Reader): Condition[] | null {
  const table = reader.table(tree, 'a condition', KEYS);
  if (table === null) return null;
  const named = new Set(['check', 'review', 'file'].filter((kind) => table.keys.has(kind)));
  const is = table.keys.get('is');
  if (is !== undefined && named.size !== 1)
    reader.refuse(
      is.place,
      named.size === 0
        ? '`is` belongs to a check, a review or a file, and there is none here'
        : 'nobody can tell which condition this `is` belongs to: write `check: { name: test, is: failed }`',
    );
  const beside = named.size === 1 ? is : undefined;
  const found: Condition[] = [];
  for (const [key, entry] of table.keys)
    if (key !== 'is') found.push(...readOne(key, entry, beside, known, reader));
  if (table.keys.size === 0)
    reader.refuse(tree.place, 'this condition is empty; `visits: 1` always holds, if that is meant');
  return found.sort((one, other) => COST.indexOf(one.kind) - COST.indexOf(other.kind));
}

function readOne(
  key: string,
  { value }: Entry,
  is: Entry | undefined,
  known: Known,
  reader: Reader,
): Condition[] {
  switch (key) {
    case 'signal': {
      const name = readName(value, 'a signal', reader);
      return name === null ? [] : [{ kind: 'signal', name }];
    }
    case 'visits': {
      const least = reader.count(value, '`visits`', MOST_VISITS);
      return least === null ? [] : [{ kind: 'visits', least }];
    }
    case 'check':
      return readChecks(value, is, known, reader);
    case 'review': {
      const named = readNamed(value, 'review', 'name', is, reader);
      if (named === null) return [];
      if (!known.reviews.includes(named.name)) {
        const there = known.reviews.length === 0 ? 'there is none' : `there are: ${known.reviews.join(', ')}`;
        reader.refuse(
          named.place,
          `\`reviews\` has no ${shown(named.name)}${didYouMean(named.name, known.reviews)}; ${there}`,
        );
        return [];
      }
      return [{ kind: 'review', name: named.name, is: named.is as 'clean' }];
    }
    case 'file': {
      const named = readNamed(value, 'file', 'glob', is, reader);
      const why = named === null ? null : whyNoPattern(named.name);
      if (named !== null && why !== null) reader.refuse(named.place, why);
      return named === null || why !== null
        ? []
        : [{ kind: 'file', glob: named.name, is: named.is as 'exists' }];
    }
    default:
      return [];
  }
}

function readChecks(value: Tree, is: Entry | undefined, known: Known, reader: Reader): Condition[] {
  const items = value.kind === 'list' ? value.items : [value];
  if (items.length === 0) reader.refuse(value.place, 'this list of checks is empty');
  if (is !== undefined && items.length > 1) {
    reader.refuse(is.place, 'with several checks each has its own: write `{ name: test, is: failed }`');
    return [];
  }
  return items.flatMap((item): Condition[] => {
    const named = readNamed(item, 'check', 'name', is, reader);
    if (named === null) return [];
    if (known.checks !== null && !known.checks.includes(named.name)) {
      reader.refuse(named.place, noCheck(named.name, known.checks), { missingCheck: named.name });
      return [];
    }
    return [{ kind: 'check', name: named.name, is: named.is as 'passed' }];
  });
}

function noCheck(name: string, checks: readonly string[]): string {
  const there =
    checks.length === 0
      ? '`checks` in holdfast.config.json has none'
      : `the config has: ${checks.join(', ')}`;
  return `there is no check ${shown(name)}${didYouMean(name, checks)}; ${there}`;
}

type Named = { name: string; is: string; place: Place };

/** `test`, or `{ name: test, is: failed }`. */
function readNamed(
  value: Tree,
  kind: Kind,
  key: 'name' | 'glob',
  beside: Entry | undefined,
  reader: Reader,
): Named | null {
  const [usual] = IS[kind];
  const allowed: readonly string[] = IS[kind];
  const word = (tree: Tree | undefined): string | null =>
    tree === undefined ? usual : reader.oneOf(tree, `\`is\` of a ${kind}`, allowed);
  if (value.kind !== 'table') {
    const name = reader.text(value, `\`${kind}\``);
    const is = word(beside?.value);
    return name === null || is === null ? null : { name, is, place: value.place };
  }
  const table = reader.table(value, `\`${kind}\``, [key, 'is']);
  const named = table?.keys.get(key);
  if (table === null || table === undefined) return null;
  if (named === undefined) return reader.refuse(value.place, `\`${kind}\` has no \`${key}\``);
  if (beside !== undefined && table.keys.has('is'))
    return reader.refuse(beside.place, `\`is\` is there twice for this ${kind}`);
  const name = reader.text(named.value, `\`${key}\``);
  const is = word(table.keys.get('is')?.value ?? beside?.value);
  return name === null || is === null ? null : { name, is, place: named.value.place };
}

export function readName(tree: Tree, what: string, reader: Reader): string | null {
  const name = reader.text(tree, what);
  return name === null ? null : reader.name(name, tree.place, what);
}
