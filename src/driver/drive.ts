// The outer loop of `holdfast run`: start the client, follow it, judge, wait, go on, until the run is over or nothing
// more can be done without a person. Every step is on record before it is taken.

import { hasOutputs } from '../store/outputs.ts';
import { giveBudget, noteClient } from './budget.ts';
import { anyOf, leftUntil, timeToGoOn } from './clock.ts';
import { EndedBy } from './ended-by.ts';
import { follow, type Heard, NOTHING_HEARD } from './follow.ts';
import { journalDrive } from './journal.ts';
import { judge } from './judge.ts';
import type { Kept } from './kept.ts';
import { News } from './news.ts';
import type { DriverRecord } from './record.ts';
import { look, runBegunIn, type Seen } from './standing.ts';
import { nextPrompt, type Opened, startClient } from './start-client.ts';
import type { Tools } from './tools.ts';
import type { ClientEnd, EndCode, Next, Progress, Stand, Why } from './types.ts';
import { noteWait } from './wait-note.ts';

export type Driven =
  | { kind: 'finished'; code: EndCode; why: Why; stand: Stand; denied: string | null }
  /** Somebody asked us to end: everything is on record. */
  | { kind: 'left' };

type Go = Extract<Next, { kind: 'go' }>;
type Finish = Extract<Next, { kind: 'finish' }>;

/** `given`: a person's answer, which is the next prompt. */
export async function drive(kept: Kept, tools: Tools, given: string | null = null): Promise<Driven> {
  return new Drive(kept, tools, given).run();
}

class Drive {
  readonly #kept: Kept;
  readonly #tools: Tools;
  readonly #news: News;
  readonly #endedBy: EndedBy;
  #given: string | null;
  #open: Opened | null = null;
  #isUnsavedReported = false;
  #heard: Heard = { ...NOTHING_HEARD };

  constructor(kept: Kept, tools: Tools, given: string | null) {
    this.#kept = kept;
    this.#tools = tools;
    this.#given = given;
    const now = tools.clock.now();
    this.#news = new News(tools.report, kept.record.root, now);
    const before = kept.stopped?.at;
    const { root } = kept.record;
    this.#endedBy = new EndedBy({
      isPersons: () => kept.isCancelledSince(now),
      byStop: () => (kept.stopped?.at === before ? undefined : kept.stopped),
      isUnderWay: (attempt) => hasOutputs({ root, env: tools.env }, attempt),
    });
  }

  async run(): Promise<Driven> {
    try {
      const left = this.#kept.record.client;
      if (left !== null) await this.#tools.endLeftOver(left);
      // What it looks like before anything is done: only what moves from here on is progress.
      const mark = this.#kept.record.mark || this.#look().mark;
      this.#kept.save({ client: null, ended: null, mark });
      journalDrive(this.#kept.record, this.#tools.clock.now(), 'began', {
        why: this.#kept.record.options.client,
      });
      return await this.#loop();
    } finally {
      await this.#endClient('done');
    }
  }

  async #loop(): Promise<Driven> {
    for (;;) {
      await this.#waitForItsTime();
      if (this.#tools.asked.rung) return this.#leave();
      await this.#nameRun();
      const before = this.#finished(this.#look());
      if (before !== null) return this.#finish(before);
      const isAwake = this.#isAwake();
      if (!isAwake && !(await this.#speak())) await this.#start();
      const next = await this.#followUntilJudged();
      if (next === null) return this.#leave();
      if (next.kind === 'finish') return this.#finish(next);
      this.#reportUnsaved();
      this.#kept.save({
        counts: next.counts,
        next: { ...when(next, this.#tools.clock.now()), session: next.session, say: next.say },
      });
      if (next.session === 'new') await this.#endClient('a new session follows');
    }
  }

  /** Null: we are asked to end. */
  async #followUntilJudged(): Promise<Go | Finish | null> {
    for (;;) {
      if (this.#open === null) throw new Error('there is no client to follow');
      const { listener } = this.#open;
      // What it may spend counts from the moment that there is a run, not from the end of its first turn.
      const named = (): Promise<void> => this.#nameRun();
      const about = { news: this.#news, endedBy: this.#endedBy, eachBeat: named };
      const followed = await follow(listener, this.#heard, this.#kept, this.#tools, about);
      if (followed.kind === 'asked') return null;
      const { end } = followed;
      if (end.how === 'turn') this.#note('ends');
      else await this.#endClient(end.how);
      await this.#nameRun();
      const next = this.#judge(end);
      if (next.kind !== 'listen') return next;
    }
  }

  #judge(end: ClientEnd): Next {
    const { record } = this.#kept;
    const seen = this.#look();
    const { options, counts } = this.#kept.record;
    const moved = seen.mark !== record.mark;
    const progress: Progress = moved ? 'state' : this.#heard.tools > 0 ? 'tools' : 'none';
    if (moved) this.#heard.denied = 0;
    this.#heard.tools = 0;
    const { stopAt, persist } = options;
    const { denied } = this.#heard;
    const now = this.#tools.clock.now();
    const next = judge({ stand: seen.stand, end, progress, counts, denied, now, persist, stopAt });
    this.#kept.save({ mark: seen.mark, ...(next.kind === 'go' ? { counts: next.counts } : {}) });
    return next;
  }

  #look(): Seen {
    const { run, session, former } = this.#kept.record;
    const ours = session === null ? [] : [session, ...(former ?? [])];
    const seen = look(this.#tools.project(), this.#tools.cli, run, ours);
    const isBound = session !== null && seen.sidecar.sessions.includes(session);
    if (isBound && former !== undefined) this.#kept.save({ former: undefined });
    return this.#endedBy.see(seen, this.#tools.clock.now());
  }

  /** Has the agent begun its run? From then on the record is the run's, and so is what it may spend. */
  async #nameRun(): Promise<void> {
    const { run, session, workflow, options, startedAt } = this.#kept.record;
    if (run !== null || session === null) return;
    const project = this.#tools.project();
    const begun = runBegunIn(project, workflow, session);
    if (begun === null) return;
    // First: a crash in between then repeats it, and nothing is driven without what was asked for.
    await giveBudget(project, begun, options.budget, startedAt);
    this.#kept.named(begun);
    this.#open?.named(begun);
    this.#tools.report.say({ event: 'run', run: begun });
  }

  /** Whatever is over, or waits for a person, is not started again. */
  #finished({ stand }: Seen): Finish | null {
    const isStill = ['over', 'shed', 'paused', 'person', 'taken-over'].includes(stand.kind);
    const isAsked = stand.kind === 'question' && this.#given === null;
    if (!isStill && !isAsked) return null;
    const { counts, options } = this.#kept.record;
    const { persist, stopAt } = options;
    const end = { how: 'turn', trouble: null } as const;
    const now = this.#tools.clock.now();
    const next = judge({ stand, end, progress: 'none', counts, denied: 0, now, persist, stopAt });
    return next.kind === 'finish' ? next : null;
  }

  async #waitForItsTime(): Promise<void> {
    const { clock, report, asked } = this.#tools;
    const { say } = this.#kept.record.next;
    const began = clock.now();
    const at = timeToGoOn(this.#kept.record.next, began);
    if (at === null || at <= began) return;
    const until = new Date(at).toISOString();
    report.say({ event: 'waits', why: say, until: at });
    journalDrive(this.#kept.record, began, 'waits', { until, why: say });
    await noteWait(this.#tools.project(), this.#kept.record.run, say, at);
    const left = leftUntil(at, clock);
    while (left() > 0 && !asked.rung && !this.#isAwake()) {
      report.now({ ...this.#status(), waitsUntil: clock.now() + left() });
      const open = this.#open;
      await clock.wait(left, open === null ? asked.ended : anyOf(asked.ended, open.listener.spoken));
      await this.#dropEnded();
    }
    const waited = at - began - Math.max(0, left());
    this.#kept.spend({ waitedMs: this.#kept.record.spent.waitedMs + Math.max(0, Math.round(waited)) });
  }

  #status() {
    const { turns, tools, usdBefore, usdHere } = this.#kept.record.spent;
    const usd = usdHere === null ? null : usdBefore + usdHere;
    return { stage: this.#look().stage, tools, turns, usd };
  }

  /** Has the client gone on by itself while we waited? */
  #isAwake(): boolean {
    return this.#open?.listener.hasWork ?? false;
  }

  async #dropEnded(): Promise<void> {
    if (this.#open?.listener.isOver) await this.#endClient('ended');
  }

  /** In the process that is there. False: there is none that takes a prompt. */
  async #speak(): Promise<boolean> {
    await this.#dropEnded();
    const { next } = this.#kept.record;
    if (this.#open === null || next.session === 'new') return false;
    const prompt = nextPrompt(this.#kept, this.#tools, this.#look(), true, this.#given);
    this.#note('begins');
    if (!this.#open.listener.client.send(prompt)) {
      await this.#endClient('it takes no further prompt');
      return false;
    }
    this.#given = null;
    return true;
  }

  async #start(): Promise<void> {
    await this.#endClient('a new one follows');
    this.#note('begins');
    this.#open = await startClient(this.#kept, this.#tools, this.#look(), this.#given);
    const { denied, deniedLast } = this.#heard;
    this.#heard = { ...NOTHING_HEARD, denied, deniedLast };
    this.#given = null;
  }

  async #endClient(why: string): Promise<void> {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    await open.listener.client.end();
    open.close();
    this.#note('ends');
    journalDrive(this.#kept.record, this.#tools.clock.now(), 'client-ended', { why });
    this.#kept.save({ client: null });
  }

  #note(kind: 'begins' | 'ends'): void {
    noteClient(this.#tools.project(), this.#kept.record, kind, this.#tools.clock.now());
  }

  /** Once each time that it begins. */
  #reportUnsaved(): void {
    const { unsaved } = this.#kept;
    if (unsaved !== null && !this.#isUnsavedReported)
      this.#tools.report.say({ event: 'trouble', what: 'its record', said: unsaved });
    this.#isUnsavedReported = unsaved !== null;
  }

  async #leave(): Promise<Driven> {
    await this.#endClient('asked to end');
    journalDrive(this.#kept.record, this.#tools.clock.now(), 'left');
    this.#kept.save({});
    return { kind: 'left' };
  }

  async #finish({ code, why }: Finish): Promise<Driven> {
    await this.#endClient('finished');
    const { stand } = this.#look();
    const at = this.#tools.clock.now();
    journalDrive(this.#kept.record, at, 'finished', { why: `${why}, exit code ${code}` });
    this.#kept.save({ ended: { code, why, at } });
    this.#reportUnsaved();
    const denied = this.#heard.denied > 0 ? this.#heard.deniedLast : null;
    return { kind: 'finished', code, why, stand, denied };
  }
}

function when({ at }: Go, now: number): Pick<DriverRecord['next'], 'at' | 'since'> {
  return at === null ? { at } : { at, since: now };
}
