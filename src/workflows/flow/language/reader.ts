// Reads a tree key by key and collects what is wrong with it. Whatever is wrong reads as null, and reading goes on: a
// person wants to see all mistakes at once.

import { didYouMean } from '../../../text/nearest.ts';
import { printable } from '../../../text/printable.ts';
import { isName } from './names.ts';
import type { Place, Problem } from './problems.ts';
import type { Entry, Tree } from './read-yaml.ts';

/** What a table says, by key, with where it says it. */
export type Table = { place: Place; keys: ReadonlyMap<string, Entry> };

export class Reader {
  readonly problems: Problem[] = [];

  refuse(place: Place, what: string, more: Pick<Problem, 'missingCheck'> = {}): null {
    this.problems.push({ place, what, ...more });
    return null;
  }

  /** `what` is how it is called in a sentence: `a state`. */
  table(tree: Tree, what: string, known: readonly string[] | null): Table | null {
    if (tree.kind !== 'table') return this.refuse(tree.place, `${what} is a table with keys`);
    const keys = new Map<string, Entry>();
    for (const entry of tree.entries) {
      if (known !== null && !known.includes(entry.key))
        this.refuse(
          entry.place,
          `${what} has no key ${shown(entry.key)}${didYouMean(entry.key, known)}; it has: ${known.join(', ')}`,
        );
      keys.set(entry.key, entry);
    }
    return { place: tree.place, keys };
  }

  list(tree: Tree, what: string): readonly Tree[] | null {
    return tree.kind === 'list' ? tree.items : this.refuse(tree.place, `${what} is a list`);
  }

  text(tree: Tree, what: string): string | null {
    if (tree.kind !== 'value' || typeof tree.value !== 'string')
      return this.refuse(tree.place, `${what} is a text`);
    return tree.value.trim() === '' ? this.refuse(tree.place, `${what} is empty`) : tree.value;
  }

  flag(tree: Tree, what: string): boolean | null {
    if (tree.kind === 'value' && typeof tree.value === 'boolean') return tree.value;
    return this.refuse(tree.place, `${what} is true or false`);
  }

  /** A bound of zero would hold nobody, or nobody could reach it. */
  count(tree: Tree, what: string, most: number): number | null {
    const value = tree.kind === 'value' ? tree.value : null;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1 || value > most)
      return this.refuse(tree.place, `${what} is a whole number from 1 to ${most}`);
    return value;
  }

  oneOf<Word extends string>(tree: Tree, what: string, words: readonly Word[]): Word | null {
    const found = words.find((word) => tree.kind === 'value' && tree.value === word);
    return found ?? this.refuse(tree.place, `${what} is ${words.join(' or ')}`);
  }

  /** Of a flow, a state, a signal, a review. */
  name(name: string, place: Place, what: string): string | null {
    if (isName(name)) return name;
    return this.refuse(
      place,
      `${what} is called by small letters, digits and "-", beginning with a letter, not ${shown(name)}`,
    );
  }

  required<T>(table: Table, key: string, what: string, read: (value: Tree) => T | null): T | null {
    const entry = table.keys.get(key);
    return entry === undefined ? this.refuse(table.place, `${what} has no \`${key}\``) : read(entry.value);
  }

  optional<T>(table: Table, key: string, read: (value: Tree) => T | null): T | null {
    const entry = table.keys.get(key);
    return entry === undefined ? null : read(entry.value);
  }
}

/** A word of the file in a sentence: it may have been written by anybody. */
export function shown(word: string): string {
  return `"${printable(word).replace(/\s+/g, ' ').slice(0, 40)}"`;
}
