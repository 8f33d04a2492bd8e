// What a schema of settings is made of: keys, sections of them, and sections whose names anybody may choose.

import type * as v from 'valibot';

/** What counts when it cannot be understood, where ignoring it would not be safe; `says` tells it. */
type Instead<T> = { value: T; says: string };
/** `own`: it counts in the user's own file alone. */
type Key<T> = {
  kind: 'key';
  schema: v.GenericSchema<unknown, T>;
  allowed: string;
  instead?: Instead<T>;
  own?: true;
};
/** `needs`: this key must be there, and a mistake in any of its keys is one in all of it. */
export type Section<T> = {
  kind: 'section';
  keys: Readonly<Record<string, Part<unknown>>>;
  instead?: Instead<T>;
  needs?: string;
};
export type Named<T> = { kind: 'named'; each: Part<unknown>; names?: Names; type?: T };
type Names = { fits: (name: string) => boolean; allowed: string; most: number };
export type Part<T> = Key<T> | Section<T> | Named<T>;
export type Holds<P> = P extends Part<infer T> ? T : never;

export const key = <T>(
  schema: v.GenericSchema<unknown, T>,
  allowed: string,
  instead?: Instead<NoInfer<T>>,
): Key<T> => ({
  kind: 'key',
  schema,
  allowed,
  ...(instead === undefined ? {} : { instead }),
});

/** What is the user's own affair: who is there to be asked, and how their client shows a hold. */
export const ownKey = <T>(schema: v.GenericSchema<unknown, T>, allowed: string): Key<T> => ({
  ...key(schema, allowed),
  own: true,
});

type Keys<K> = { [Name in keyof K]?: Holds<K[Name]> };

export const section = <K extends Readonly<Record<string, Part<never> | Part<unknown>>>>(
  keys: K,
  instead?: Instead<Keys<K>>,
  needs?: string,
): Section<Keys<K>> => ({
  kind: 'section',
  keys: keys as Readonly<Record<string, Part<unknown>>>,
  ...(needs === undefined ? {} : { needs }),
  ...(instead === undefined ? {} : { instead }),
});

/** Any names, or those that `names` allows; the same under each. */
export const named = <T>(each: Part<T>, names?: Names): Named<Readonly<Record<string, T>>> => ({
  kind: 'named',
  each: each as Part<unknown>,
  ...(names === undefined ? {} : { names }),
});
