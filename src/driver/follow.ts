// Follows one client until there is something to judge: its turn is over, it has ended, it hangs, or we are asked to end.

import type { HeadlessEvent } from '../clients/headless.ts';
import { noteMoney } from './budget.ts';
import { anyOf } from './clock.ts';
import type { EndedBy } from './ended-by.ts';
import type { Kept } from './kept.ts';
import type { Listener } from './listener.ts';
import type { News } from './news.ts';
import { look, type Seen } from './standing.ts';
import type { Tools } from './tools.ts';
import type { ClientEnd } from './types.ts';

/** What one client has shown of itself since it was started. */
export type Heard = {
  /** It has a session, or took a turn. */
  begun: boolean;
  /** Since it was last judged. */
  tools: number;
  denied: number;
  deniedLast: string;
};

export const NOTHING_HEARD: Heard = { begun: false, tools: 0, denied: 0, deniedLast: '' };

export type Followed = { kind: 'asked' } | { kind: 'end'; end: ClientEnd };

/** What is looked at beside what the client says. */
export type Beside = { news: News; endedBy: EndedBy; eachBeat(): Promise<void> };

/** One step of a machine that slept must not count as silence. */
const MOST_A_BEAT_MS = 60_000;

export async function follow(
  listener: Listener,
  heard: Heard,
  kept: Kept,
  tools: Tools,
  beside: Beside,
): Promise<Followed> {
  const { clock, report, asked } = tools;
  let last = clock.now();
  let silentMs = 0;
  for (;;) {
    for (let event = listener.next(); event !== null; event = listener.next()) {
      silentMs = 0;
      const end = hear(event, heard, kept, tools);
      if (end !== null) {
        lookAround(kept, beside, tools);
        return { kind: 'end', end };
      }
    }
    if (asked.rung) return { kind: 'asked' };
    await clock.beat(anyOf(listener.heard, asked.ended));
    await beside.eachBeat();
    const seen = lookAround(kept, beside, tools);
    const now = clock.now();
    const passed = Math.min(MOST_A_BEAT_MS, Math.max(0, now - last));
    last = now;
    kept.spend({ workedMs: kept.record.spent.workedMs + Math.round(passed) });
    silentMs = seen.busy ? 0 : silentMs + passed;
    const { turns, tools: used, usdBefore, usdHere } = kept.record.spent;
    const usd = usdHere === null ? null : usdBefore + usdHere;
    report.now({ stage: seen.stage, tools: used, turns, usd, waitsUntil: null });
    if (seen.stand.kind === 'shed' && beside.endedBy.isSettled(now)) {
      report.say({ event: 'client-ended', how: 'shed', code: null, signal: null });
      return { kind: 'end', end: { how: 'shed', trouble: null } };
    }
    if (silentMs > tools.silenceMs) {
      report.say({ event: 'client-ended', how: 'silent', code: null, signal: null });
      return { kind: 'end', end: { how: 'silent', trouble: null } };
    }
  }
}

function lookAround(kept: Kept, { news, endedBy }: Beside, tools: Tools): Seen {
  const { run } = kept.record;
  return news.look(run, () => endedBy.see(look(tools.project(), tools.cli, run), tools.clock.now()));
}

/** Null: it goes on. */
function hear(event: HeadlessEvent, heard: Heard, kept: Kept, tools: Tools): ClientEnd | null {
  const { report } = tools;
  const { spent } = kept.record;
  switch (event.kind) {
    case 'session':
      heard.begun = true;
      if (kept.record.session !== event.id) kept.save({ session: event.id });
      return null;
    case 'turn':
      heard.begun = true;
      kept.spend({ turns: spent.turns + 1 });
      report.say({ event: 'turn', number: spent.turns + 1 });
      return null;
    case 'tool':
      heard.tools++;
      kept.spend({ tools: spent.tools + 1 });
      return null;
    case 'alive':
      return null;
    case 'denied':
      heard.denied++;
      heard.deniedLast = event.what;
      report.say({ event: 'denied', what: event.what });
      return null;
    case 'result': {
      const usdHere = event.usd === null ? spent.usdHere : Math.max(event.usd, spent.usdHere ?? 0);
      kept.spend({ usdHere });
      kept.save({});
      const { run, session } = kept.record;
      if (run !== null && session !== null && event.usd !== null)
        noteMoney(tools.project(), run, session, event.usd);
      report.say({ event: 'turn-ended', tools: heard.tools, usd: usdHere });
      if (event.trouble !== null)
        report.say({ event: 'trouble', what: event.trouble.what, said: event.trouble.said });
      return { how: 'turn', trouble: event.trouble };
    }
    case 'ended':
      report.say({ event: 'client-ended', how: 'ended', code: event.code, signal: event.signal });
      if (event.trouble !== null)
        report.say({ event: 'trouble', what: event.trouble.what, said: event.trouble.said });
      return { how: heard.begun ? 'ended' : 'never', trouble: event.trouble };
  }
}
