// The table of docs/contracts/unattended.md, row by row, and every way through it.

import { describe, expect, it } from 'vitest';
import type { Trouble } from '../clients/headless.ts';
import { longestHold } from '../explorer/bound.ts';
import { judge, MANY_DENIED, MOST, type Most } from './judge.ts';
import {
  type ClientEnd,
  type Counts,
  NO_COUNTS,
  type Progress,
  type Situation,
  type Stand,
} from './types.ts';

const NOW = 1_800_000_000_000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

const trouble = (what: Trouble['what'], resetsAt: number | null = null): Trouble => ({
  what,
  resetsAt,
  said: what,
});
const ended = (by: Trouble | null = null): ClientEnd => ({ how: 'ended', trouble: by });
const turn = (by: Trouble | null = null): ClientEnd => ({ how: 'turn', trouble: by });
const ACTIVE: Stand = { kind: 'active' };

const at = (stand: Stand, end: ClientEnd, more: Partial<Situation> = {}) =>
  judge({
    ...{ stand, end, progress: 'none', counts: NO_COUNTS, denied: 0, now: NOW, persist: 1, stopAt: null },
    ...more,
  });

describe('a run that is over', () => {
  it.each([
    ['completed', null, 0, 'completed'],
    ['completed', 'proven', 0, 'completed'],
    ['completed', 'unproven', 4, 'unproven'],
    ['stuck', null, 5, 'stuck'],
    ['limit', null, 5, 'limit'],
    ['cancelled', null, 5, 'cancelled'],
    [null, null, 5, 'unknown-end'],
  ] as const)('%s, %s: exit code %i', (outcome, worth, code, why) => {
    expect(at({ kind: 'over', outcome, worth }, turn())).toEqual({ kind: 'finish', code, why });
  });
});

describe('an active run whose client ended', () => {
  it('by a limit that says until when: goes on in the same session after it', () => {
    const resets = NOW + 90 * MINUTE;
    expect(at(ACTIVE, turn(trouble('limit', resets)))).toMatchObject({
      ...{ kind: 'go', session: 'same', say: 'after-limit', at: resets + 5 * SECOND },
    });
  });

  it('by a limit that does not: after 5, 10, 20, 40, 60, 60 minutes', () => {
    const waits = [0, 1, 2, 3, 4, 5].map((limits) => {
      const next = at(ACTIVE, ended(trouble('limit')), { counts: { ...NO_COUNTS, limits } });
      return next.kind === 'go' && next.at !== null ? (next.at - NOW) / MINUTE : null;
    });
    expect(waits).toEqual([5, 10, 20, 40, 60, 60]);
  });

  it('by a limit that should be over already: waits as for one nobody knows', () => {
    expect(at(ACTIVE, ended(trouble('limit', NOW - 1)))).toMatchObject({ at: NOW + 5 * MINUTE });
  });

  it('by a limit in the year 3000: no longer than a week and a day', () => {
    const next = at(ACTIVE, ended(trouble('limit', NOW * 100)));
    expect(next).toMatchObject({ at: NOW + 8 * 24 * 60 * MINUTE });
  });

  it.each(['network', 'server'] as const)('by the %s: after 15 s, 30 s … 10 min, ten times', (what) => {
    const waits = [0, 1, 2, 5, 6, 9].map((errors) => {
      const next = at(ACTIVE, turn(trouble(what)), { counts: { ...NO_COUNTS, errors } });
      return next.kind === 'go' && next.at !== null ? (next.at - NOW) / SECOND : null;
    });
    expect(waits).toEqual([15, 30, 60, 480, 600, 600]);
    const last = at(ACTIVE, turn(trouble(what)), { counts: { ...NO_COUNTS, errors: 10 } });
    expect(last).toEqual({ kind: 'finish', code: 5, why: 'errors' });
  });

  it.each(['ended', 'silent'] as const)(
    'by a crash (%s): at once, and the third in a row is the last',
    (how) => {
      const first = at(ACTIVE, { how, trouble: null });
      expect(first).toMatchObject({ kind: 'go', session: 'same', at: null, say: 'after-crash' });
      const third = at(ACTIVE, { how, trouble: null }, { counts: { ...NO_COUNTS, crashes: 2 } });
      expect(third).toEqual({ kind: 'finish', code: 5, why: 'crashes' });
    },
  );

  it.each([null, 'unknown', 'refused'] as const)(
    'before it began, three times: it could not start (%s)',
    (what) => {
      const never = (crashes: number) =>
        at(ACTIVE, { how: 'never', trouble: what && trouble(what) }, { counts: { ...NO_COUNTS, crashes } });
      expect(never(1)).toMatchObject({ kind: 'go' });
      expect(never(2)).toEqual({ kind: 'finish', code: 1, why: 'never-began' });
    },
  );

  it('by a context that is too long: compacts, then begins a new session, then gives up', () => {
    const next = (overflows: number) =>
      at(ACTIVE, turn(trouble('context')), { counts: { ...NO_COUNTS, overflows } });
    expect(next(0)).toMatchObject({ session: 'same', say: 'compact' });
    expect(next(1)).toMatchObject({ session: 'new', say: 'new-session' });
    expect(next(2)).toEqual({ kind: 'finish', code: 5, why: 'overflows' });
  });

  it.each(['login', 'billing'] as const)('by %s: needs a person', (what) => {
    expect(at(ACTIVE, turn(trouble(what)))).toEqual({ kind: 'finish', code: 6, why: what });
  });

  it('by nothing at all (a client’s cap): is prompted again, three times', () => {
    expect(at(ACTIVE, turn())).toMatchObject({ kind: 'go', session: 'same', at: null, say: 'go-on' });
    expect(at(ACTIVE, turn(), { counts: { ...NO_COUNTS, prompts: 3 } })).toEqual({
      ...{ kind: 'finish', code: 5, why: 'prompts' },
    });
  });

  it('with permissions in the way: needs a person', () => {
    const denied = { denied: MANY_DENIED };
    expect(at(ACTIVE, turn(), denied)).toEqual({ kind: 'finish', code: 6, why: 'denied' });
    expect(at({ kind: 'released' }, turn(), denied)).toEqual({ kind: 'finish', code: 6, why: 'denied' });
    expect(at(ACTIVE, turn(), { ...denied, progress: 'state' })).toMatchObject({ kind: 'go' });
  });
});

describe('a run that stopped for a reason of its own', () => {
  it('released: once more in a new session, or as often as asked for', () => {
    const released: Stand = { kind: 'released' };
    expect(at(released, turn())).toMatchObject({ kind: 'go', session: 'new', say: 'new-session' });
    const spent = { counts: { ...NO_COUNTS, persisted: 1 } };
    expect(at(released, turn(), spent)).toEqual({ kind: 'finish', code: 5, why: 'released' });
    expect(at(released, turn(), { ...spent, persist: 2 })).toMatchObject({ kind: 'go' });
    expect(at(released, turn(), { persist: 0 })).toMatchObject({ kind: 'finish', code: 5 });
  });

  it('with a question, at a hard stop, with its budget spent: a person’s turn', () => {
    expect(at({ kind: 'question', what: 'which?' }, turn())).toMatchObject({ code: 6, why: 'question' });
    expect(at({ kind: 'person', why: 'limit' }, turn())).toMatchObject({ code: 6, why: 'person' });
    expect(at({ kind: 'paused', why: 'tokens', flags: '' }, turn())).toMatchObject({
      code: 7,
      why: 'paused',
    });
  });

  it('taken over by another session: a person’s turn, whatever ended the client', () => {
    for (const end of [turn(), ended(), ended(trouble('limit'))])
      expect(at({ kind: 'taken-over' }, end)).toEqual({ kind: 'finish', code: 6, why: 'taken-over' });
  });

  it('at a user’s stop: goes on as the user would, up to where they asked for', () => {
    const stand: Stand = { kind: 'goes-on', reached: 'plan' };
    expect(at(stand, turn())).toMatchObject({ kind: 'go', session: 'same', say: 'continue' });
    expect(at(stand, turn(), { stopAt: 'tasks' })).toMatchObject({ kind: 'go' });
    expect(at(stand, turn(), { stopAt: 'plan' })).toEqual({ kind: 'finish', code: 0, why: 'stop-at' });
  });

  it('waiting for its own work: nothing is said while its client lives, which wakes it', () => {
    const stand: Stand = { kind: 'waits', for: 'work', until: null };
    expect(at(stand, turn())).toEqual({ kind: 'listen' });
    expect(at(stand, ended())).toMatchObject({ kind: 'go', session: 'same', say: 'after-crash' });
  });

  it('waiting for a prompt after a client’s cap: is given one, three times without progress, never a person’s turn', () => {
    const stand: Stand = { kind: 'waits', for: 'prompt', until: null };
    for (const end of [turn(), ended()])
      expect(at(stand, end)).toMatchObject({ kind: 'go', session: 'same', at: null });
    expect(at(stand, turn())).toMatchObject({ say: 'go-on', counts: { prompts: 1 } });
    const often = { counts: { ...NO_COUNTS, prompts: MOST.prompts } };
    expect(at(stand, turn(), often)).toEqual({ kind: 'finish', code: 5, why: 'prompts' });
    expect(at(stand, turn(), { ...often, progress: 'state' })).toMatchObject({
      ...{ kind: 'go', counts: { prompts: 1 } },
    });
    expect(at(stand, turn(trouble('server')))).toMatchObject({ at: NOW + 15 * SECOND });
  });

  it('with a limit on record: waits for that one', () => {
    const stand: Stand = { kind: 'waits', for: 'limit', until: NOW + MINUTE };
    expect(at(stand, ended())).toMatchObject({ kind: 'go', at: NOW + MINUTE + 5 * SECOND });
  });

  it('with a hold for the next session: gives it to a new one', () => {
    const stand: Stand = { kind: 'handed-over' };
    expect(at(stand, turn())).toMatchObject({ kind: 'go', session: 'new', say: 'handed-over' });
    expect(at(stand, ended(trouble('server')))).toMatchObject({ session: 'new', at: NOW + 15 * SECOND });
  });
});

describe('progress', () => {
  const tired: Counts = { ...NO_COUNTS, crashes: 2, errors: 9, prompts: 3, overflows: 2, persisted: 1 };

  it('of the state ends every row, but not the count of new sessions', () => {
    const next = at(ACTIVE, ended(), { counts: tired, progress: 'state' });
    expect(next).toMatchObject({ kind: 'go', counts: { crashes: 1, errors: 0, persisted: 1 } });
  });

  it('of the state ends the count of tool calls alone too, also one that is full', () => {
    for (const toolsAlone of [3, MOST.toolsAlone])
      expect(at(ACTIVE, ended(), { counts: { ...tired, toolsAlone }, progress: 'state' })).toMatchObject({
        kind: 'go',
        counts: { crashes: 1, toolsAlone: 0 },
      });
  });

  it.each<[Partial<Counts>, Stand, ClientEnd]>([
    [{ crashes: 1 }, ACTIVE, ended()],
    [{ errors: 1 }, ACTIVE, ended(trouble('server'))],
    [{ limits: 1 }, ACTIVE, ended(trouble('limit'))],
    [{ prompts: 1 }, ACTIVE, turn()],
    [{ overflows: 1 }, ACTIVE, turn(trouble('context'))],
    [{ handed: 1 }, { kind: 'handed-over' }, turn()],
    [{ persisted: 1 }, { kind: 'released' }, turn()],
  ])('is counted one by one where there is none: %j', (counted, stand, end) => {
    expect(at(stand, end)).toMatchObject({ kind: 'go', counts: { ...NO_COUNTS, ...counted } });
  });

  it('by tool calls alone does so twelve times', () => {
    const once = at(ACTIVE, ended(), { counts: tired, progress: 'tools' });
    expect(once).toMatchObject({ kind: 'go', counts: { crashes: 1, toolsAlone: 1 } });
    const often = at(ACTIVE, ended(), {
      counts: { ...tired, toolsAlone: MOST.toolsAlone },
      progress: 'tools',
    });
    expect(often).toMatchObject({ kind: 'finish', why: 'crashes' });
  });
});

describe('every way through the table', () => {
  const stands: readonly Stand[] = [
    { kind: 'none' },
    ACTIVE,
    { kind: 'stale' },
    { kind: 'over', outcome: 'completed', worth: null },
    { kind: 'over', outcome: 'stuck', worth: null },
    { kind: 'waits', for: 'work', until: null },
    { kind: 'waits', for: 'limit', until: NOW + MINUTE },
    { kind: 'waits', for: 'prompt', until: null },
    { kind: 'question', what: 'which?' },
    { kind: 'released' },
    { kind: 'paused', why: '', flags: '' },
    { kind: 'person', why: '' },
    { kind: 'goes-on', reached: 'plan' },
    { kind: 'handed-over' },
    { kind: 'taken-over' },
  ];
  const whats = ['limit', 'network', 'server', 'context', 'login', 'billing', 'refused', 'unknown'] as const;
  const ends: readonly ClientEnd[] = (['turn', 'ended', 'silent', 'never'] as const).flatMap((how) =>
    [null, ...whats.map((what) => trouble(what))].map((by) => ({ how, trouble: by })),
  );
  const situations = (counts: Counts, progress: Progress): Situation[] =>
    stands.flatMap((stand) =>
      ends.map((end) => ({ stand, end, progress, counts, denied: 0, now: NOW, persist: 1, stopAt: null })),
    );
  const key = (counts: Counts): string => Object.values(counts).join();
  /** The rows add up, and each is bounded in the same way: a few of each show it. */
  const few: Most = { crashes: 1, errors: 1, limits: 1, prompts: 1, overflows: 2, handed: 1, toolsAlone: 1 };

  const arcs = (counts: Counts, progress: Progress) =>
    situations(counts, progress).flatMap((situation) => {
      const next = judge(situation, few);
      const what = `${situation.stand.kind} ${situation.end.how} ${situation.end.trouble?.what ?? ''}`;
      return next.kind === 'go' ? [{ to: next.counts, what, hold: true }] : [];
    });

  it.each(['none', 'tools'] as const)('ends: with progress "%s" no try is made for ever', (progress) => {
    expect(longestHold([NO_COUNTS], (counts) => arcs(counts, progress), key)).toMatchObject({
      kind: 'bounded',
    });
  });

  it('starts nothing that is over, paused, or a person’s turn', () => {
    const still = ['over', 'paused', 'question', 'person', 'taken-over'];
    for (const progress of ['none', 'state'] as const)
      for (const situation of situations(NO_COUNTS, progress))
        if (still.includes(situation.stand.kind)) expect(judge(situation).kind).toBe('finish');
  });

  it('takes no other try for a limit', () => {
    const counts = { ...NO_COUNTS, crashes: 1, errors: 3, prompts: 2, overflows: 1 };
    for (const situation of situations(counts, 'none')) {
      const next = judge(situation);
      const isLimit = situation.end.trouble?.what === 'limit' && situation.stand.kind === 'active';
      if (isLimit) expect(next).toMatchObject({ kind: 'go', counts: { ...counts, limits: 1 } });
    }
  });
});
