// Tokens of `holdfast run`, forged, used twice, late, elsewhere and all at once; holds that are handed over.

import { expect, test } from 'vitest';
import * as scenes from './driver-scenes.ts';

test.each(Object.entries(scenes))('%s', async (_, scene) => {
  expect(await scene()).toEqual([]);
});
