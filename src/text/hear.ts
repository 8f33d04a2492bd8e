// Fetches the agent's last message for clients whose payload does not hold it, so that a workflow finds it where it
// always looks. Loaded only for them.

import type { Client } from '../clients/client.ts';
import type { Stop } from '../clients/stop.ts';
import { isBlank, readLastMessage } from './last-message.ts';

export type Hearing =
  /** `newest`: the transcript's newest line, as the guard knows it. */
  | { kind: 'heard'; stop: Stop; newest: string }
  /** The turn ended by an error of the client's: there is no message. */
  | { kind: 'failed' }
  /** Nobody can tell what the agent said. */
  | { kind: 'unheard' };

/** In steps of 25 ms. Copilot's transcript came within 69 ms (1.0.102); a busy machine may take longer. */
const WAITS_FOR_END = 40;
const WAITS_UNTOLD = 10;

export async function hear(
  stop: Stop,
  client: Pick<Client, 'readTranscriptLine'>,
  { lags }: { lags: boolean },
): Promise<Hearing> {
  const { transcriptPath: file, session, endMark } = stop;
  const asked = {
    file,
    session,
    lastBlock: null,
    since: null,
    ...(endMark === undefined ? {} : { endMark }),
  };
  const untold = lags ? WAITS_UNTOLD : 0;
  const { blocks, end, newest } = await readLastMessage(
    asked,
    client.readTranscriptLine,
    endMark === undefined ? untold : WAITS_FOR_END,
  );
  if (end === 'failed') return { kind: 'failed' };
  // The last block alone, as other clients send it: each is a text of its own, and a workflow reads the others itself.
  const lastMessage = blocks.findLast((block) => !isBlank(block));
  if (lastMessage !== undefined) return { kind: 'heard', stop: { ...stop, lastMessage }, newest };
  // A turn may end without a word; that it ended, the transcript tells.
  return end === 'seen' ? { kind: 'heard', stop, newest } : { kind: 'unheard' };
}
