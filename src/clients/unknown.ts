// A client that sends a session's id and fits no mark we know: another one that loads Claude Code's plugins, or a
// version older or newer than any we have seen. It is served where its agent's last message can be read, and let go
// otherwise: a guess must never hold anybody.

import type { ClientEntry } from './client.ts';
import { decodeCommon } from './decode.ts';
import { encodeAnswer } from './encode.ts';
import { noLimitKnown } from './hook-limit.ts';

export const unknownClient: ClientEntry = {
  name: 'unknown',
  title: 'this client',
  // Nor is any mark of its shell known: in the shell of another client, that one's session is taken for its own.
  sessionVariables: [],
  recognises: () => false,
  decode: (payload) => decodeCommon(payload, 'unknown'),
  encode: encodeAnswer,
  mustBeHeard: { lags: true },
  hookLimit: noLimitKnown,
};
