import { describe, expect, it } from 'vitest';
import { LENIENT_SCHEMA, STRICT_SCHEMA } from './schema.ts';

type Schema = {
  type: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean;
  items?: Schema;
};

const strict: Schema = JSON.parse(STRICT_SCHEMA);
const lenient: Schema = JSON.parse(LENIENT_SCHEMA);

const objectsIn = (schema: Schema): Schema[] => [
  ...(schema.type === 'object' ? [schema] : []),
  ...[...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])].flatMap(objectsIn),
];

describe('what a reviewer is asked to answer', () => {
  it('is strict for Codex, whose API takes nothing else: every property required, no other allowed', () => {
    expect(objectsIn(strict)).toHaveLength(2);
    for (const { properties, required, additionalProperties } of objectsIn(strict)) {
      expect(required).toEqual(Object.keys(properties ?? {}));
      expect(additionalProperties).toBe(false);
    }
  });

  it('is the verdict alone for Claude Code, as specified; findings may come beside it', {
    tags: ['T4.14'],
  }, () => {
    expect(lenient).toEqual({
      type: 'object',
      properties: {
        verdict: { type: 'string', enum: ['PASS', 'FAIL'] },
        findings: {
          type: ['array', 'null'],
          items: {
            type: 'object',
            properties: {
              severity: { type: 'string', enum: ['high', 'medium', 'low'] },
              file: { type: ['string', 'null'] },
              line: { type: ['integer', 'null'] },
              claim: { type: 'string' },
              evidence: { type: ['string', 'null'] },
            },
            required: ['severity', 'claim'],
          },
        },
      },
      required: ['verdict'],
    });
  });

  it('has the same types for both, and what may be left out may be null', () => {
    const types = (schema: Schema): unknown =>
      objectsIn(schema).map(({ properties }) =>
        Object.entries(properties ?? {}).map(([name, { type }]) => [name, type]),
      );
    expect(types(strict)).toEqual(types(lenient));
    expect(strict.properties?.findings?.type).toEqual(['array', 'null']);
    expect(strict.properties?.findings?.items?.properties).toMatchObject({
      file: { type: ['string', 'null'] },
      line: { type: ['integer', 'null'] },
      evidence: { type: ['string', 'null'] },
    });
  });
});
