// Cursor, from its documents and its source; it was not run. It loads Claude Code's plugins too. The format of its
// transcript is not known, so it is served only where a line is like another client's.

import type { ClientEntry, Payload } from './client.ts';
import { decodeCommon } from './decode.ts';
import { encodeAnswer } from './encode.ts';
import { textField } from './fields.ts';
import { noLimitKnown } from './hook-limit.ts';

export const cursor: ClientEntry = {
  name: 'cursor',
  title: 'Cursor',
  // Nor is any mark of its shell known: in the shell of another client, that one's session is taken for its own.
  sessionVariables: [],
  recognises: (payload) =>
    'cursor_version' in payload || ('conversation_id' in payload && 'generation_id' in payload),
  decode(payload) {
    const stop = decodeCommon(payload, 'cursor');
    const status = textField(payload, 'status');
    return {
      ...stop,
      cwd: stop.cwd ?? firstRoot(payload),
      // `aborted` and `error` are the others.
      ...(status === null || status === 'completed' ? {} : { failed: true }),
    };
  },
  encode: encodeAnswer,
  mustBeHeard: { lags: true },
  hookLimit: noLimitKnown,
};

function firstRoot(payload: Payload): string | null {
  const roots: unknown = payload.workspace_roots;
  const [first]: unknown[] = Array.isArray(roots) ? roots : [];
  return typeof first === 'string' && first !== '' && !first.includes('\0') ? first : null;
}
