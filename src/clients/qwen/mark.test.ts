import { expect, it } from 'vitest';
import { isFromQwen } from './mark.ts';

it.each<[object, boolean]>([
  [{}, false],
  [{ crons: [] }, true],
  [{ timestamp: 't' }, false],
  [{ permission_mode: 'm' }, false],
  [{ timestamp: 't', permission_mode: 'm' }, true],
  [{ crons: [], session_crons: [] }, false],
  [{ timestamp: 't', permission_mode: 'm', session_crons: [] }, false],
])('Qwen Code sends its crons, or a time with a permission mode: %j is %s', (payload, says) => {
  expect(isFromQwen({ ...payload })).toBe(says);
});
