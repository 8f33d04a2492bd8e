// Budgets, transcripts that say how many tokens were used, and a driver's records, with broken text in them.

import { afterAll, describe, test } from 'vitest';
import { RUNS } from './broken.ts';
import { properties, removeFiles } from './unattended-properties.ts';
import { rules } from './unattended-rules.ts';

afterAll(removeFiles);

describe('unattended', () => {
  test.each(properties.map((property) => [property.name, property] as const))(
    '%s',
    { timeout: 300_000 },
    (_, { check }) => check(rules, Math.ceil(RUNS / 5)),
  );
});
