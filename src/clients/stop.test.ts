import { expect, it } from 'vitest';
import { encodeAnswer } from './encode.ts';
import { allowSilently } from './stop.ts';

it('a stop that is allowed silently prints nothing', () => {
  expect(allowSilently).toEqual({ kind: 'allow', notice: null, suppressOutput: false });
  expect(encodeAnswer(allowSilently)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
});
