// The published schema names the same keys as the compiler.

import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';

const schema = JSON.parse(
  fs.readFileSync(new URL('../../../../schema/holdfast.flow.schema.json', import.meta.url), 'utf8'),
);

/** What the compiler says that a table has, from the sentence about a key that it has not. */
function keysOf(text: string): string[] {
  const compiled = compile(text, null);
  const said = compiled.kind === 'refused' ? compiled.problems.map(({ what }) => what) : [];
  const [, list = ''] =
    /no key "unknown"[^;]*; it has: (.+)$/.exec(said.find((what) => what.includes('"unknown"')) ?? '') ?? [];
  return list.split(', ').sort();
}

const keys = (place: { properties: object }): string[] => Object.keys(place.properties).sort();

describe('the published schema of a flow', () => {
  it('has the keys of a flow', () => {
    expect(keys(schema)).toEqual(keysOf('unknown: 1\n'));
  });

  it('has the keys of a state', () => {
    const found = keysOf('flow: a\nstart: b\nstates: { b: { unknown: 1 } }\n');
    const all = schema.$defs.state.anyOf.flatMap((each: { properties: object }) =>
      Object.keys(each.properties),
    );
    expect([...new Set(all)].sort()).toEqual(found);
  });

  it('has the keys of a line and of a condition', () => {
    const line = 'flow: a\nstart: b\nstates: { b: { say: x, leave: [ LINE ] } }\n';
    expect(keys(schema.$defs.leave.items)).toEqual(keysOf(line.replace('LINE', '{ unknown: 1 }')));
    expect(keys(schema.$defs.when)).toEqual(keysOf(line.replace('LINE', '{ when: { unknown: 1 }, to: b }')));
  });

  it('has the keys of a review', () => {
    const found = keysOf('flow: a\nstart: b\nstates: {}\nreviews: { c: { unknown: 1 } }\n');
    expect(keys(schema.properties.reviews.additionalProperties)).toEqual(found);
  });
});
