// `holdfast export`: sends what stands in the journals of all projects to a collector, up to the end or for as long as it
// is left to run.

import { type Call, type ExitCode, NotNow } from '../engine/workflow-cli.ts';
import { tryHold } from '../store/lock.ts';
import { below } from '../store/paths.ts';
import { makeUserFolder } from '../store/user-state.ts';
import { ENDLESS, PATIENCE } from './deliver.ts';
import type { Otlp } from './encoding.ts';
import { readSender } from './ids.ts';
import { Pauses } from './pauses.ts';
import { ExportSession, type Outcome } from './session.ts';
import { isOpenToOthers, readSettings, type Settings } from './settings.ts';
import { lockOf, readState } from './state.ts';

type Asked = Pick<Call, 'flags' | 'env' | 'now' | 'print'> & { warn(line: string): void };

export async function exportJournals(call: Asked, loadOtlp: () => Otlp): Promise<ExitCode> {
  const { env, warn } = call;
  const settings = readSettings(call);
  const otlp = loadOtlp();
  const { base, follow } = settings;
  const sender = readSender(env);
  const lock = tryHold(below(makeUserFolder(env), lockOf(base)));
  if (lock === null)
    throw new NotNow(
      `another \`holdfast export\` sends to ${base} already; end that one first, or leave it to it.`,
    );
  const pauses = new Pauses();
  try {
    if (isOpenToOthers(settings))
      warn(`the headers go to ${base} unencrypted; use https:// for a collector elsewhere`);
    const state = readState(base, env, call.now);
    const outside = { env, warn, clock: Date.now, pause: pauses.pause };
    const session = new ExportSession(
      state,
      sender,
      settings,
      otlp,
      follow ? ENDLESS : { ...PATIENCE, tries: settings.tries },
      outside,
    );
    const sent = follow ? await goOn(session, pauses) : await sendAll(session);
    return closing(sent, settings, pauses, call);
  } finally {
    pauses.end();
    lock.release();
  }
}

type Sent = {
  lines: number;
  spans: number;
  logs: number;
  failure: Extract<Outcome, { kind: 'failed' }> | null;
};

const NOTHING: Sent = { lines: 0, spans: 0, logs: 0, failure: null };

/** To the end of all journals as they are now; then the counts, also where nothing is new. */
async function sendAll(session: ExportSession): Promise<Sent> {
  let sent = NOTHING;
  for (;;) {
    const outcome = await session.sendNext();
    if (outcome.kind === 'failed') return { ...sent, failure: outcome };
    if (outcome.kind === 'none') break;
    sent = plus(sent, outcome);
    if (!outcome.batch.more) return sent;
  }
  const counts = await session.sendCounts();
  return counts.kind === 'failed' ? { ...sent, failure: counts } : sent;
}

const LOOK_EVERY_MS = 1000;
const COUNTS_EVERY_MS = 60_000;

/** Until somebody ends it. What is being sent then is brought to its end first. */
async function goOn(session: ExportSession, pauses: Pauses): Promise<Sent> {
  let sent = NOTHING;
  let countsAt = 0;
  while (!pauses.isOver) {
    const outcome = await session.sendNext();
    if (outcome.kind === 'failed') return { ...sent, failure: outcome };
    if (outcome.kind === 'sent') {
      sent = plus(sent, outcome);
      countsAt = Date.now();
      if (outcome.batch.more) continue;
    } else if (Date.now() - countsAt >= COUNTS_EVERY_MS) {
      const counts = await session.sendCounts();
      if (counts.kind === 'failed') return { ...sent, failure: counts };
      countsAt = Date.now();
    }
    await pauses.pause(LOOK_EVERY_MS);
  }
  return sent;
}

function plus(sent: Sent, { batch }: Extract<Outcome, { kind: 'sent' }>): Sent {
  return {
    ...sent,
    lines: sent.lines + batch.lines,
    spans: sent.spans + batch.spans.length,
    logs: sent.logs + batch.logs.length,
  };
}

function closing(
  { lines, spans, logs, failure }: Sent,
  { base }: Settings,
  pauses: Pauses,
  call: Asked,
): ExitCode {
  const what = `Sent ${lines} lines of the journals to ${base}: ${spans} spans, ${logs} log records.`;
  // Somebody ended a follower while the collector was away: that is no failure of the export.
  if (failure === null || (pauses.isOver && !failure.isFinal)) {
    call.print(what);
    return 0;
  }
  throw new NotNow(
    `${base}: ${failure.why}. ${lines === 0 ? 'Nothing was sent.' : what} The rest is kept: the same command goes on from there.`,
  );
}
