// Starts the client for the run: in the session that goes on, or in a new one that the run is given to first.

import { randomUUID } from 'node:crypto';
import type { Access } from '../clients/headless.ts';
import { lastHandOver, pendingHandOver } from '../engine/driver/hand-over.ts';
import { dropDriverToken, leaveDriverToken } from '../engine/driver/token.ts';
import { processWith } from '../processes/known.ts';
import { nameRunOfToken } from '../store/driver-tokens.ts';
import type { Environment } from '../store/environment.ts';
import { giveToSession } from './bind.ts';
import { type Called, calledIn } from './by-name.ts';
import { carefulGit } from './careful-git.ts';
import { journalDrive } from './journal.ts';
import type { Kept } from './kept.ts';
import { Listener } from './listener.ts';
import { promptFor } from './prompts.ts';
import type { Seen } from './standing.ts';
import type { Tools } from './tools.ts';

/** A client that was started, and what ends together with it. */
export type Opened = {
  listener: Listener;
  /** Its agent has begun the run: what that may spend bounds the session from then on. */
  named(run: string): void;
  close(): void;
};

/** `given`: a person's answer. */
export async function startClient(
  kept: Kept,
  tools: Tools,
  seen: Seen,
  given: string | null,
): Promise<Opened> {
  const { headless, client, report, clock } = tools;
  const { run, options } = kept.record;
  const text = given ?? (options.fresh && run !== null ? handedOverTo(kept.record.root, run) : null);
  const session = await sessionToUse(kept, tools, seen);
  if (seen.stand.kind === 'stale') await tools.takeUp(session);
  const { root } = kept.record;
  const project = tools.project();
  const resume = session !== null && headless.canResume(session, { root, env: tools.env }) ? session : null;
  // One that is neither chosen nor gone on with is bound by its own start.
  const forks = headless.forks === true && resume !== null;
  const known = headless.choosesSession ? session : forks ? null : resume;
  const left = leaveDriverToken(project, run, { session: known, fresh: options.fresh, forks });
  const { access, model, args } = options;
  const called = calledBy(kept, tools);
  const env = { ...envForClient(called.env, options), ...left.env };
  const { commands } = tools;
  const allowed = [...called.ours, ...tools.allowed];
  const isResumed = resume !== null;
  const prompt = nextPrompt(kept, tools, seen, isResumed, isResumed ? given : text);
  const chosen = headless.choosesSession && !isResumed ? session : null;
  const started = headless.start({
    ...{ root, env, resume, access, allowed, commands, model, args, prompt, session: chosen },
  });
  // Until a fork is bound the run is still the session's that it was forked from.
  const former = forks ? { former: seen.sidecar.sessions } : {};
  kept.save({ client: processWith(started.pid), session: known, ...former });
  journalDrive(kept.record, clock.now(), 'client-began', { why: client.name });
  report.say({ event: 'client-began', session: known, pid: started.pid, how: isResumed ? 'resumed' : 'new' });
  return {
    listener: new Listener(started),
    named: (begun) => nameRunOfToken(left.token, begun, project.env),
    close: () => dropDriverToken(project, left.token),
  };
}

/** What waits for the next session, or what a session was given whose client died before it had heard it. */
function handedOverTo(root: string, run: string): string | null {
  return pendingHandOver(root, run)?.text ?? lastHandOver(root, run);
}

export function nextPrompt(
  { record }: Pick<Kept, 'record'>,
  tools: Tools,
  { stage }: Seen,
  isResumed: boolean,
  given: string | null,
): string {
  const { run, prompt: first, next } = record;
  const { driven } = tools.cli;
  const { client } = tools;
  const { cli } = calledBy({ record }, tools);
  return promptFor(next.say, isResumed, { run, stage, cli, first, client, driven, given });
}

function calledBy({ record }: Pick<Kept, 'record'>, tools: Tools): Called {
  const { headless, bin, env, commands } = tools;
  return calledIn(headless, record.options.access, { cli: tools.project().cli, bin, env, commands });
}

async function sessionToUse(kept: Kept, tools: Tools, { sidecar }: Seen): Promise<string | null> {
  const { headless, client } = tools;
  const { record } = kept;
  const { spent } = record;
  if (record.next.session === 'same' && record.session !== null) {
    if (spent.sessions === 0) kept.spend({ sessions: 1 });
    return record.session;
  }
  const session = headless.choosesSession ? randomUUID() : null;
  // Before it is given, so that a crash in between is not taken for somebody else's session.
  kept.save({ session, former: sidecar.sessions });
  if (record.run !== null) await giveToSession(tools.project(), record.run, client, session);
  const usdBefore = spent.usdBefore + (spent.usdHere ?? 0);
  kept.spend({ usdBefore, usdHere: null, sessions: spent.sessions + 1 });
  kept.save({ next: { ...record.next, session: 'same' } });
  return session;
}

function envForClient(
  env: Environment,
  { unattended, access }: { unattended: boolean; access: Access },
): Environment {
  return {
    ...env,
    ...(unattended ? { HOLDFAST_UNATTENDED: '1' } : {}),
    ...(access === 'edit' ? carefulGit(env) : {}),
  };
}
