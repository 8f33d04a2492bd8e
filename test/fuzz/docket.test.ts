// Dockets, answers and findings files with hostile or broken text in every field.

import { describe, test } from 'vitest';
import { RUNS } from './broken.ts';
import { properties } from './docket-properties.ts';
import { rules } from './docket-rules.ts';

describe('a docket', () => {
  test.each(properties.map((property) => [property.name, property] as const))(
    '%s',
    { timeout: 300_000 },
    (_, { check }) => check(rules, Math.ceil(RUNS / 9)),
  );
});
