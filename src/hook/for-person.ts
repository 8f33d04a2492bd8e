// A notice as the person at this client reads it: skills with the client's own mark, and our command by its short name
// where theirs on PATH is ours. What an agent is given keeps the path, which its rules allow.

import type { Client } from '../clients/client.ts';
import { withMarkOf } from '../clients/skill-marks.ts';
import type { Runtime } from '../engine/context.ts';
import { isOursByName, OUR_NAME } from '../store/own-command.ts';

export function forPerson(
  notice: string | null,
  client: Client,
  { cli, env }: Pick<Runtime, 'cli' | 'env'>,
): string | null {
  if (notice === null || client.hidesNotices) return notice;
  const isShort = notice.includes(cli) && isOursByName(env);
  return withMarkOf(client, isShort ? notice.replaceAll(cli, OUR_NAME) : notice);
}
