import { expect, it } from 'vitest';
import type { ClientEntry } from './client.ts';
import { encodeAnswer } from './encode.ts';
import { generic, NO_SESSION } from './generic.ts';
import { noLimitKnown, passedLimit } from './hook-limit.ts';
import type { Answer, Stop } from './stop.ts';
import { unknownClient } from './unknown.ts';

const bare: Stop = {
  ...{ client: 'generic', session: 'generic', turn: null, cwd: null, transcriptPath: null },
  ...{ lastMessage: null, planMode: false, backgroundTasks: [] },
};
const known = ({ recognises, decode, encode, ...rest }: ClientEntry): object => rest;

it('a host that knows no sessions has one', () => {
  expect(known(generic)).toEqual({
    ...{ name: 'generic', title: 'this host', sessionVariables: [], hookLimit: passedLimit },
  });
  expect(generic.recognises({ session_id: 's' })).toBe(false);
  expect(NO_SESSION).toBe('generic');
  expect(generic.decode({})).toEqual(bare);
  expect(generic.decode({ session_id: 's' })).toEqual({ ...bare, session: 's' });
});

it.each<[Answer, object]>([
  [
    { kind: 'allow', notice: 'n', suppressOutput: false },
    { stdout: '{"systemMessage":"n"}\n', stderr: '', exitCode: 0 },
  ],
  [
    { kind: 'hold', reason: 'r\ud800', notice: null },
    { stdout: '{"decision":"block","reason":"r\ufffd"}\n', stderr: 'r\ufffd\n', exitCode: 2 },
  ],
])('such a host is answered by the exit code too: %j', (answer, encoded) => {
  expect(generic.encode(answer, bare, {})).toEqual(encoded);
});

it('a client that fits no mark has only what it sends', () => {
  expect(known(unknownClient)).toEqual({
    ...{ name: 'unknown', title: 'this client', sessionVariables: [] },
    ...{ mustBeHeard: { lags: true }, hookLimit: noLimitKnown },
  });
  expect(unknownClient.encode).toBe(encodeAnswer);
  expect(unknownClient.recognises({ session_id: 's' })).toBe(false);
  expect(unknownClient.decode({})).toEqual({ ...bare, client: 'unknown', session: null });
});
