// Any other host that runs a command when its agent stops and understands exit codes: 2 goes on, 0 ends.
// Only ever chosen by name (`--client generic`): exit 2 would trap the user of a client we know.

import type { Client } from './client.ts';
import { decodeCommon } from './decode.ts';
import { encodeAnswer, wellFormed } from './encode.ts';

export const generic: Client = {
  name: 'generic',
  sessionVariables: [],
  recognises: () => false,
  decode(payload) {
    const stop = decodeCommon(payload, 'generic');
    // Such hosts may know no sessions, but their holds must be counted somewhere, or nothing bounds them.
    return { ...stop, session: stop.session ?? 'generic' };
  },
  encode(answer) {
    const encoded = encodeAnswer(answer);
    if (answer.kind === 'allow') return encoded;
    return { ...encoded, stderr: `${wellFormed(answer.reason)}\n`, exitCode: 2 };
  },
  readTranscriptLine: () => null,
};
