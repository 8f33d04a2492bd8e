// The checks of a run at one claim: each is taken from its receipt, where there is one for this very content, or run.
// What runs is an attempt with a record, as a review is, and its receipt is written before the record goes: nothing that
// ended runs twice, and nothing that did not end counts.

import fs from 'node:fs';
import { clientNamed } from '../../clients/index.ts';
import type { SessionSandbox } from '../../clients/sandbox.ts';
import { withLock } from '../../store/lock.ts';
import type { StopContext } from '../context.ts';
import { activityOf, toolsAppear } from '../guard/progress.ts';
import { journalWork } from '../stop/journal.ts';
import { beginCheck, endCheck, markAttempt } from '../work/attempt.ts';
import { type CheckRun, type CheckWanted, runCheck } from '../work/check.ts';
import { timeForChecks } from '../work/time-left.ts';
import { type Content, contentOf } from './content.ts';
import { definitionOf } from './definition.ts';
import { isRed, isRefusing } from './judge.ts';
import { ownFiles } from './own-files.ts';
import { contentAtStart, type Pin, pinnedCheck } from './pin.ts';
import { findReceipt, keepReceipt, wasRedBy } from './receipts.ts';
import { isTrusted, trustOf } from './trust.ts';
import type { CannotRun, Check, CheckFact, Receipt } from './types.ts';

/** What a check said, and on what. */
export type Settled = {
  fact: CheckFact;
  /** Fingerprint of the content; null: no git tells it. VOID: it changed while the check ran. */
  content: string | null;
  tail: string;
  /** Why all that it printed could not be kept; left out: it is kept, or it did not run. */
  unkept?: string;
};

const VOID = '';

/** Another hook runs a check of this run. */
export class UnderWay extends Error {
  readonly attempt: string;

  constructor(attempt: string) {
    super('a check of this run is under way');
    this.attempt = attempt;
  }
}

export type CheckingOf = {
  run: string;
  pin: Pin;
  /** What ran at this stop already. */
  ran: readonly Settled[];
  /** What was red when the run began is not for this claim to make green. */
  inner?: boolean;
  /** Called once, before the first check runs. */
  beforeChecks(): Promise<void>;
};

export class Checking {
  readonly #of: CheckingOf;
  readonly #stopped: StopContext;
  readonly #trust: ReturnType<typeof trustOf>;
  #content: Content | null = null;
  #sandbox: SessionSandbox | null = null;
  #ran: readonly Settled[];
  readonly #notices: string[] = [];

  constructor(of: CheckingOf, stopped: StopContext) {
    this.#of = of;
    this.#stopped = stopped;
    this.#ran = of.ran;
    this.#trust = trustOf(stopped.project);
  }

  /** All that ran at this stop. */
  get ran(): readonly Settled[] {
    return this.#ran;
  }

  /** For the user: what a check took along. */
  get notices(): readonly string[] {
    return this.#notices;
  }

  async look(): Promise<void> {
    const { project, runtime } = this.#stopped;
    this.#content = await contentOf(project.root, project.env, { without: ownFiles(runtime.registry) });
  }

  /** Every required check; with `bail`, up to the first that refuses the claim. */
  async all(): Promise<readonly Settled[]> {
    const first = await this.#each();
    if (this.#fits(first)) return first;
    // A check that changes files has made the others' receipts worthless, and its own: once more, on what it left.
    const second = await this.#each();
    if (this.#fits(second)) return second;
    return second.map((settled) =>
      this.#isOfNow(settled) ? settled : cannotRun(settled.fact.name, 'changes-files'),
    );
  }

  /** Null: the run has no such check. `takesRed`: a condition of a state takes any receipt for this content. */
  async one(name: string, takesRed = false): Promise<Settled | null> {
    const check = pinnedCheck(this.#of.pin, name);
    if (check !== null) return this.#settle(this.#mayRun(check) ? check : name, takesRed);
    return this.#of.pin.untrusted.includes(name) ? notTrusted(name) : null;
  }

  /** Those that have a receipt for the content as it is. Nothing is run. */
  receipts(): readonly Settled[] {
    return this.#required().flatMap((check) => {
      if (typeof check === 'string') return notTrusted(check);
      const found = this.#fromReceipt(check, this.#contentFor(check));
      return found === null ? [] : this.#withAccepted(found);
    });
  }

  async #each(): Promise<readonly Settled[]> {
    const settled: Settled[] = [];
    for (const check of this.#required()) {
      const last = this.#withAccepted(await this.#settle(check));
      settled.push(last);
      if (this.#of.pin.bail && isRefusing(last.fact)) break;
    }
    return settled;
  }

  /** A check that may not run is only a name. Trust that was taken back since the run began counts no more. */
  #required(): readonly (Check | string)[] {
    const { checks, untrusted } = this.#of.pin;
    const gone = untrusted.filter((name) => !checks.some((check) => check.name === name));
    return [...checks.map((check) => (this.#mayRun(check) ? check : check.name)), ...gone];
  }

  #mayRun(check: Check): boolean {
    const { untrusted, startedAt } = this.#of.pin;
    return !untrusted.includes(check.name) && isTrusted(check, this.#trust, startedAt);
  }

  async #settle(check: Check | string, takesRed = false): Promise<Settled> {
    if (typeof check === 'string') return notTrusted(check);
    const content = this.#contentFor(check);
    const known = this.#ran.findLast((each) => each.fact.name === check.name && each.content === content);
    if (known !== undefined) return known;
    const kept = this.#fromReceipt(check, content);
    if (kept !== null && (takesRed || kept.fact.end === 'passed' || (await this.#isSameStill(kept.by))))
      return kept;
    return this.#run(check, content);
  }

  #fromReceipt(check: Check, content: string | null): (Settled & Pick<Receipt, 'by'>) | null {
    if (content === null) return null;
    const receipt = findReceipt(this.#stopped.project, definitionOf(check), content);
    return receipt && { ...this.#settled(check, receipt, content, 'receipt'), by: receipt.by };
  }

  /**
   * What is red depends on more than the content: on what is installed, a database, a file that git ignores. So it is
   * taken only where a claim of this very run made it, and its agent has called no tool since.
   */
  async #isSameStill(by: Receipt['by']): Promise<boolean> {
    const { stop, project } = this.#stopped;
    if (by === undefined || by.run !== this.#of.run || by.root !== project.root || by.marker === null)
      return false;
    await toolsAppear(stop, by.marker);
    return activityOf(stop, by.marker).tools === 'no';
  }

  async #run(check: Check, content: string | null): Promise<Settled> {
    const { project, runtime, stop } = this.#stopped;
    const deadline = timeForChecks(stop, project);
    if (deadline === null) return cannotRun(check.name, 'no-time');
    this.#sandbox ??= await this.#findSandbox();
    if (this.#ran.length === 0) await this.#of.beforeChecks();
    const { run } = this.#of;
    const locked = <T>(work: () => T, patienceMs = runtime.lockPatienceMs): Promise<T> =>
      withLock(project.home, patienceMs, work);
    // Listened for before the attempt is on record: from then on a signal must find somebody who notes it.
    runtime.whenAskedToEnd(() => {});
    const definition = definitionOf(check);
    const owner = stop.session;
    const begun = await locked(() =>
      beginCheck(project, run, { check: check.name, definition, owner, deadline }),
    );
    if ('busy' in begun) throw new UnderWay(begun.busy);
    const { attempt, held } = begun;
    const about = { work: 'check', attempt: attempt.id, name: check.name } as const;
    const until = new Date(deadline).toISOString();
    journalWork(this.#stopped, run, { ...about, what: 'began', deadline: until });
    try {
      const said = await this.#keepingRuns(check, attempt.id, {
        project,
        attempt: attempt.id,
        sandbox: this.#sandbox,
        deadline,
        whenAskedToEnd: runtime.whenAskedToEnd,
        // Claude Code gives the hook 1.5 s after SIGTERM (2.1.197), and the check must be ended in them too.
        // Where the check took it along, the note is put back as it was: that of work which did not end.
        interrupted: async () => {
          if (!fs.existsSync(project.home)) return;
          await locked(() => markAttempt(project, run, attempt.id, { status: 'interrupted' }), 300);
        },
      });
      await this.look();
      // Git told it before the check: an error that passes must not look like a change of the files.
      if (this.#content === null && content !== null) await this.look();
      const isSame = this.#contentFor(check) === content;
      const settled = this.#settled(check, said, isSame ? content : VOID, 'run');
      if (isSame && content !== null) this.#keep(check, said, content);
      const { end, code, milliseconds } = said;
      journalWork(this.#stopped, run, { ...about, what: 'ended', end, code, milliseconds });
      await locked(() => endCheck(project, run, attempt));
      this.#ran = [...this.#ran, settled];
      return settled;
    } finally {
      held.release();
    }
  }

  /** Whatever its end is, what it took along is there again before anything else is looked at. */
  async #keepingRuns(check: Check, id: string, wanted: CheckWanted): Promise<CheckRun> {
    const { project, runtime } = this.#stopped;
    const { registry, lockPatienceMs } = runtime;
    const { keepRuns } = await import('./keep-runs.ts');
    const kept = await keepRuns({
      project,
      registry,
      lockPatienceMs,
      check: check.name,
      id,
      run: this.#of.run,
    });
    try {
      return await runCheck(check, wanted);
    } finally {
      const notice = await kept.putBack();
      if (notice !== null) this.#notices.push(notice);
    }
  }

  /** Without it the check is right all the same: it runs again at the next claim. */
  #keep(check: Check, { end, code, milliseconds, flaky, tail }: CheckRun, content: string): void {
    if (end === 'cannot-run') return;
    const definition = definitionOf(check);
    const at = Date.now();
    try {
      const { project, stop } = this.#stopped;
      keepReceipt(project, {
        check: check.name,
        definition,
        content,
        end,
        code,
        milliseconds,
        flaky,
        tail,
        at,
        by: { run: this.#of.run, root: project.root, marker: activityOf(stop, null).marker },
      });
    } catch {
      // As said above.
    }
  }

  #settled(check: Check, said: CheckRun | Receipt, content: string | null, from: 'run' | 'receipt'): Settled {
    const { end, code, milliseconds, flaky, tail } = said;
    const fact: CheckFact = {
      name: check.name,
      end,
      code,
      milliseconds,
      from,
      ...(flaky ? { flaky } : {}),
      ...('why' in said ? { why: said.why } : {}),
      ...(isRed(end) && this.#wasRedAtStart(check) ? this.#redBefore() : {}),
    };
    const unkept = 'unkept' in said && said.unkept !== undefined ? { unkept: said.unkept } : {};
    return { fact, content, tail, ...unkept };
  }

  /** A run that was pinned by an earlier version keeps the rule that it began with. */
  #redBefore(): Pick<CheckFact, 'redBefore' | 'failedBefore'> {
    return this.#of.pin.redIsGoal ? { redBefore: true } : { failedBefore: true };
  }

  #withAccepted(settled: Settled): Settled {
    const { fact } = settled;
    if (!isRed(fact.end)) return settled;
    const { accepted = {} } = this.#of.pin;
    const by = Object.hasOwn(accepted, fact.name) ? accepted[fact.name]?.by : undefined;
    const outer = this.#of.inner && fact.redBefore === true ? 'outer' : undefined;
    const accepting = by ?? outer;
    return accepting === undefined ? settled : { ...settled, fact: { ...fact, accepted: accepting } };
  }

  /** On the content that the run began with, and before it began. */
  #wasRedAtStart(check: Check): boolean {
    const { pin } = this.#of;
    const content = contentAtStart(pin, check);
    if (content === null) return false;
    return wasRedBy(this.#stopped.project, definitionOf(check), content, pin.startedAt);
  }

  #contentFor({ paths }: Check): string | null {
    return this.#content?.of(paths) ?? null;
  }

  /** Nothing is left to be run again: what passed passed on the content as it is now, or the claim is refused anyway. */
  #fits(settled: readonly Settled[]): boolean {
    return settled.some(({ fact }) => isRefusing(fact)) || settled.every((each) => this.#isOfNow(each));
  }

  #isOfNow({ fact, content }: Settled): boolean {
    const check = this.#of.pin.checks.find(({ name }) => name === fact.name);
    return check === undefined || fact.end !== 'passed' || this.#contentFor(check) === content;
  }

  async #findSandbox(): Promise<SessionSandbox> {
    const { sandbox } = this.#of.pin;
    const { stop, project } = this.#stopped;
    if (sandbox === 'never') return { kind: 'none' };
    const found = (await clientNamed(stop.client).sandbox?.(stop, project.env, project.root)) ?? {
      kind: 'none' as const,
    };
    if (sandbox === 'auto' || found.kind !== 'none') return found;
    const { bubblewrap } = await import('../../clients/bubblewrap.ts');
    return bubblewrap(project.root, project.env);
  }
}

function notTrusted(name: string): Settled {
  return { fact: nothingOf(name, 'untrusted'), content: null, tail: '' };
}

function cannotRun(name: string, why: CannotRun): Settled {
  return { fact: { ...nothingOf(name, 'cannot-run'), why }, content: null, tail: '' };
}

function nothingOf(name: string, end: 'untrusted' | 'cannot-run'): CheckFact {
  return { name, end, code: null, milliseconds: null, from: null };
}
