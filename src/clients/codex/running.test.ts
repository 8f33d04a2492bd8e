import { expect, it } from 'vitest';
import { leavesRunning } from './running.ts';

const output = (value: unknown, type = 'function_call_output') => leavesRunning({ type, output: value });
const parts = (...texts: unknown[]) => texts.map((text) => ({ type: 'input_text', text }));

it.each<[string, boolean]>([
  ['Process running with session ID 7', true],
  ['Chunk ID: a\nWall time: 1.0 seconds\nProcess running with session ID 7', true],
  ['Wall time: 1 s\nScript running with cell ID 7', true],
  ['Chunk ID: a\nProcess exited with code 0', false],
  ['Script completed', false],
  ['Script failed', false],
  ['Script terminated', false],
  ['Process exited with code 0\nProcess running with session ID 7', false],
])('%j leaves something running: %s', (text, leaves) => {
  for (const type of ['function_call_output', 'custom_tool_call_output']) {
    expect(output(text, type)).toEqual({ leavesRunning: leaves });
    expect(output(parts(text), type)).toEqual({ leavesRunning: leaves });
  }
});

it.each([
  '',
  'x Process running with session ID 7',
  'x\nProcess running with session ID 7',
  'Process running without',
  'Wall time: 1 s\nChunk ID: a\nProcess running with session ID 7',
  'Script completedly',
  'Chunk ID: a',
])('%j does not say', (text) => {
  expect(output(text)).toEqual({});
});

it.each(['message', 'function_call', undefined])('what is no output does not say: %s', (type) => {
  expect(
    leavesRunning({ ...(type === undefined ? {} : { type }), output: 'Process running with x' }),
  ).toEqual({});
});

it.each<[string, boolean]>([
  ['{"wall_time_seconds": 10.5, "session_id": 7}', true],
  ['{"wall_time_seconds":1e-5,"session_id":71}', true],
  ['{"wall_time_seconds":1,"exit_code":0,"session_id":7}', false],
  ['{"wall_time_seconds":1,"session_id":null}', false],
  ['{"wall_time_seconds":"1","session_id":7}', false],
  ['{"session_id":7}', false],
])('a script that hands over %s leaves something running: %s', (handed, leaves) => {
  expect(output(parts('Script completed', 'x', handed))).toEqual({ leavesRunning: leaves });
  expect(output(parts('Script completed', handed, 'x'))).toEqual({ leavesRunning: leaves });
  expect(output(parts(handed))).toEqual({});
});

it('a part without a text is an empty one', () => {
  expect(output(parts(7, 'Process running with session ID 7'))).toEqual({});
  expect(output([])).toEqual({});
  expect(output(7)).toEqual({});
});
