// How a payload of Qwen Code is known: it took Claude Code's fields over, so that each of the two must ask for it.

import type { Payload } from '../client.ts';

/** Claude Code's own fields are no mark: Qwen sends them too. Claude Code sends `session_crons` and never a time. */
export function isFromQwen(payload: Payload): boolean {
  if ('session_crons' in payload) return false;
  return 'crons' in payload || ('timestamp' in payload && 'permission_mode' in payload);
}
