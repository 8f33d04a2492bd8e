// What a client without a terminal prints, recorded and broken: the driver is never misled by it, and never dies of it.

import { test } from 'vitest';
import { parts } from './stream-parts.ts';
import { properties } from './stream-properties.ts';

test.each(Object.entries(properties))('%s', async (_, property) => {
  await property(parts);
});
