// What a schema of settings is made of: each part has what it was given, and nothing where it was given nothing.

import * as v from 'valibot';
import { expect, it } from 'vitest';
import { key, named, ownKey, section } from './parts.ts';

const schema = v.string();

it('a key has its schema and what is allowed in words', () => {
  expect(key(schema, 'a text')).toStrictEqual({ kind: 'key', schema, allowed: 'a text' });
});

it('a key says what counts instead of what cannot be understood', () => {
  const instead = { value: 'x', says: 'x counts' };
  expect(key(schema, 'a text', instead)).toStrictEqual({ kind: 'key', schema, allowed: 'a text', instead });
});

it('a key of the user’s own is marked as such', () => {
  expect(ownKey(schema, 'a text')).toStrictEqual({ kind: 'key', schema, allowed: 'a text', own: true });
});

it('a section has its keys, and a stand-in and a needed key where it is given them', () => {
  const keys = { name: key(schema, 'a text') };
  const instead = { value: { name: 'x' }, says: 'x counts' };
  expect(section(keys)).toStrictEqual({ kind: 'section', keys });
  expect(section(keys, instead)).toStrictEqual({ kind: 'section', keys, instead });
  expect(section(keys, instead, 'name')).toStrictEqual({ kind: 'section', keys, instead, needs: 'name' });
  expect(section(keys, undefined, 'name')).toStrictEqual({ kind: 'section', keys, needs: 'name' });
});

it('a named part is the same under each name, of any or of those that are allowed', () => {
  const each = key(schema, 'a text');
  const names = { fits: (name: string) => name !== '', allowed: 'a name', most: 2 };
  expect(named(each)).toStrictEqual({ kind: 'named', each });
  expect(named(each, names)).toStrictEqual({ kind: 'named', each, names });
});
