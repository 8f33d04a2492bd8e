// Any other host that runs a command when its agent stops and understands exit codes: 2 goes on, 0 ends.
// Only ever chosen by name (`--client generic`): exit 2 would trap the user of a client we know.

import type { ClientEntry } from './client.ts';
import { decodeCommon } from './decode.ts';
import { encodeAnswer, wellFormed } from './encode.ts';
import { passedLimit } from './hook-limit.ts';

/** The session of a host that knows none. */
export const NO_SESSION = 'generic';

export const generic: ClientEntry = {
  name: 'generic',
  title: 'this host',
  // Nor is any mark of its shell known: in the shell of another client, that one's session is taken for its own.
  sessionVariables: [],
  recognises: () => false,
  decode(payload) {
    const stop = decodeCommon(payload, 'generic');
    // Such hosts may know no sessions, but their holds must be counted somewhere, or nothing bounds them.
    return { ...stop, session: stop.session ?? NO_SESSION };
  },
  encode(answer) {
    const encoded = encodeAnswer(answer);
    if (answer.kind === 'allow') return encoded;
    return { ...encoded, stderr: `${wellFormed(answer.reason)}\n`, exitCode: 2 };
  },
  hookLimit: passedLimit,
};
