// Starts the client for the run: in the session that goes on, or in a new one that the run is given to first.

import { randomUUID } from 'node:crypto';
import type { Environment } from '../store/environment.ts';
import { giveToSession } from './bind.ts';
import { journalDrive } from './journal.ts';
import type { Kept } from './kept.ts';
import { Listener } from './listener.ts';
import { processWith } from './process.ts';
import { promptFor } from './prompts.ts';
import type { Seen } from './standing.ts';
import type { Tools } from './tools.ts';

/** `given`: a person's answer, or a hold that was handed over. */
export async function startClient(
  kept: Kept,
  tools: Tools,
  seen: Seen,
  given: string | null,
): Promise<Listener> {
  const { headless, client, report, clock, allowed } = tools;
  const session = await sessionToUse(kept, tools);
  if (seen.stand.kind === 'stale') await tools.takeUp(session);
  const { root, options } = kept.record;
  const env = envForClient(tools.env, options.unattended);
  const resume = session !== null && headless.canResume(session, { root, env }) ? session : null;
  const { access, model, args } = options;
  const started = headless.start({
    ...{ root, env, resume, access, allowed, model, args },
    prompt: nextPrompt(kept, tools, seen, resume !== null, given),
    session: headless.choosesSession && resume === null ? session : null,
  });
  kept.save({ client: processWith(started.pid), session });
  journalDrive(kept.record, clock.now(), 'client-began', { why: client.name });
  const how = resume === null ? 'new' : 'resumed';
  report.say({ event: 'client-began', session, pid: started.pid, how });
  return new Listener(started);
}

export function nextPrompt(
  { record }: Kept,
  tools: Tools,
  { stage }: Seen,
  isResumed: boolean,
  given: string | null,
): string {
  const { run, prompt: first, next } = record;
  const { driven } = tools.cli;
  const { client } = tools;
  const { cli } = tools.project();
  return promptFor(next.say, isResumed, { run, stage, cli, first, client, driven, given });
}

async function sessionToUse(kept: Kept, tools: Tools): Promise<string | null> {
  const { headless, client } = tools;
  const { record } = kept;
  const { spent } = record;
  if (record.next.session === 'same' && record.session !== null) {
    if (spent.sessions === 0) kept.spend({ sessions: 1 });
    return record.session;
  }
  const session = headless.choosesSession ? randomUUID() : null;
  if (session !== null && record.run !== null)
    await giveToSession(tools.project(), record.run, client, session);
  const usdBefore = spent.usdBefore + (spent.usdHere ?? 0);
  kept.spend({ usdBefore, usdHere: null, sessions: spent.sessions + 1 });
  kept.save({ session, next: { ...record.next, session: 'same' } });
  return session;
}

function envForClient(env: Environment, unattended: boolean): Environment {
  return unattended ? { ...env, HOLDFAST_UNATTENDED: '1' } : env;
}
