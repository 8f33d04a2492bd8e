// In an `opencode run` that `holdfast run` has started: lines for it among those that opencode prints (1.18.33), about what
// it says nothing of: that it tries again after an error, for hours if need be, and what the session has cost so far.

import fs from 'node:fs';
import type { Event, SessionCost, SessionStatus } from './opencode.ts';

/** The variable in which the driver leaves its token for the client. */
export const isDriven = (): boolean => (process.env.HOLDFAST_DRIVER ?? '') !== '';

export class DriverLines {
  #cost = 0;

  take({ type, properties }: Event): void {
    if (typeof properties !== 'object' || properties === null) return;
    const { sessionID, status, info } = properties as {
      sessionID?: string;
      status?: SessionStatus;
      info?: SessionCost;
    };
    if (type === 'session.status' && status?.type === 'retry') {
      const { attempt, message, next } = status;
      print({ sessionID, retry: { attempt, message, next } });
    }
    const cost = type === 'session.updated' && info?.parentID === undefined ? info?.cost : undefined;
    if (cost === undefined || cost <= this.#cost) return;
    this.#cost = cost;
    print({ sessionID, cost });
  }
}

/** Nothing that opencode does may fail for it: its reader may be slow, or gone. */
function print(fields: object): void {
  try {
    fs.writeSync(1, `${JSON.stringify({ type: 'holdfast', ...fields })}\n`);
  } catch {
    // As said above.
  }
}
