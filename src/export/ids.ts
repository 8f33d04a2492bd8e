// Who and what is meant, without a name: ids that are the same at every sending, and say nothing of where a project
// lies or what a run is called. Two sendings of one line have the same ids, so that whoever gets both knows.

import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { NotNow } from '../engine/workflow-cli.ts';
import type { Environment } from '../store/environment.ts';
import { hasShape, isText } from '../store/shape.ts';
import { changeUserRecord, readUserRecord } from '../store/user-state.ts';

/** Made once per user and machine. The secret is never sent: without it nobody can guess a path from its id. */
export type Sender = { instance: string; secret: string };

const isSender = hasShape<Sender>({ instance: isText, secret: isText });
const PLACE = 'export/sender.json';

export function readSender(env: Environment): Sender {
  changeUserRecord(
    env,
    PLACE,
    isSender,
    (known) => known ?? { instance: randomUUID(), secret: randomBytes(16).toString('hex') },
  );
  const sender = readUserRecord(env, PLACE, isSender);
  if (sender === null) throw new NotNow(`the record ${PLACE} in Holdfast’s state folder cannot be read.`);
  return sender;
}

export function projectId({ secret }: Sender, root: string): string {
  return keyed(secret, 'project', root).slice(0, 16);
}

export function runId({ secret }: Sender, project: string, run: string): string {
  return keyed(secret, 'run', project, run).slice(0, 16);
}

/** `began`: the key of the run's first line. A plan that is begun again under its old name is another trace. */
export function traceId({ secret }: Sender, project: string, run: string, began: string): string {
  return keyed(secret, 'trace', project, run, began).slice(0, 32);
}

/** `what` tells apart the spans that come of one line. */
export function spanId(trace: string, line: string, what: string): string {
  return hash('span', trace, line, what).slice(0, 16);
}

export function logId(project: string, line: string): string {
  return hash('log', project, line).slice(0, 32);
}

function keyed(secret: string, ...parts: readonly string[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex');
}

function hash(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
