// What must hold of a wait, whatever a record says of it. Each throws where it does not.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { WaitQuestion } from '../../src/engine/waiting/wait.ts';
import type { StopEntry } from '../../src/store/journal-lines.ts';
import type { Sidecar, Waiting } from '../../src/store/records.ts';
import { brokenText, SEED } from './broken.ts';
import { waiting as anyWaiting, DAY, NOW, notes, number, SESSION, sidecarWith } from './waiting.ts';
import type { Rules } from './waiting-rules.ts';

export type Property = { name: string; check(rules: Rules, runs: number): void };

const HOUR = DAY / 24;
const RUN = 'idle:loop-1';
/** A colour is none: the client draws its own, and takes it out (clients/encode.ts). */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]{0,8}m`, 'g');
const STEERING = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** As they were read from a file; what is not readable is refused by everybody. */
const sidecar = (rules: Rules): fc.Arbitrary<Sidecar> =>
  notes
    .map((each) => rules.parseSidecar(JSON.parse(sidecarWith(RUN, SESSION, each))))
    .filter((parsed) => parsed.kind === 'ok')
    .map((parsed) => (parsed as { record: Sidecar }).record);

const waitingIn = (rules: Rules): fc.Arbitrary<Waiting> =>
  sidecar(rules)
    .filter(({ waiting }) => waiting !== undefined)
    .map(({ waiting }) => waiting as Waiting);

const question: fc.Arbitrary<Omit<WaitQuestion, 'waiting'>> = fc.record({
  now: fc.integer({ min: -500, max: 500 }).map((hours) => NOW + hours * HOUR),
  step: fc.constantFrom('hold', 'review', 'prove'),
  work: fc.constantFrom(null, 'a subagent'),
  answered: fc.constantFrom(null, 'yes', 'no'),
  limits: fc.constantFrom(0, 2 * HOUR, DAY).map((work) => ({ work })),
});

const each =
  <T>(input: (rules: Rules) => fc.Arbitrary<T>, check: (value: T, rules: Rules) => void): Property['check'] =>
  (rules, runs) =>
    fc.assert(
      fc.property(input(rules), (value) => check(value, rules)),
      { seed: SEED, numRuns: runs },
    );

export const properties: readonly Property[] = [
  {
    name: 'a wait ends, whatever its record says',
    check: each(waitingIn, (waiting, rules) => {
      if (rules.isOver(waiting, NOW)) return;
      assert(rules.isOver(waiting, NOW + 368 * DAY), 'it never ends');
      if (waiting.for === 'limit') assert(rules.isOver(waiting, NOW + 10 * DAY), 'a limit without an end');
      if (waiting.for === 'work') assert(rules.isOver(waiting, NOW + 3 * DAY), 'work without an end');
    }),
  },
  {
    name: 'work that never ends is waited for once',
    check: each(waitingIn, (first, rules) => {
      if (first.for === 'person' || first.reviewer !== undefined) return;
      let waiting: Waiting | null = first;
      let wentOn = false;
      for (let hours = 0; hours < 10 * 24; hours += 5) {
        const now = NOW + hours * HOUR;
        const limits = { work: 2 * HOUR };
        const asked: WaitQuestion = { now, step: 'hold', waiting, work: 'it', answered: null, limits };
        const answer = rules.waitAt(asked);
        assert(!wentOn || answer.kind === 'goes-on', 'the same work is waited for again');
        wentOn ||= answer.kind === 'goes-on';
        waiting = answer.waiting;
      }
      assert(wentOn, 'it is waited for without an end');
    }),
  },
  {
    name: 'what a stop writes of it can be read again',
    check: each(
      (rules) => fc.tuple(sidecar(rules), question),
      ([known, asked], rules) => {
        const answer = rules.waitAt({ ...asked, waiting: known.waiting ?? null });
        assertReadable(rules.withWait(known, answer, asked.now), rules);
      },
    ),
  },
  {
    name: 'what a command or an event writes of it can be read again',
    check: each(
      (rules) => fc.tuple(sidecar(rules), question),
      ([known, { now }], rules) => {
        const begun: Waiting = { for: 'person', since: now, until: now + DAY, what: 'W', shown: null };
        assertReadable(rules.beginWait(known, begun, now), rules);
      },
    ),
  },
  {
    name: 'the clock of a run is a time that has been',
    check: each(sidecar, (known, rules) => {
      for (const clock of [rules.clockOf(known, NOW), rules.clockAtStop(known, NOW)])
        assert(Number.isFinite(clock) && clock <= NOW, `it is ${clock}`);
    }),
  },
  {
    name: 'a run waits for nothing that is over',
    check: each(sidecar, (known, rules) => {
      const now = rules.waitingNow(known, NOW);
      assert(now === null || (now.since <= NOW + DAY && (now.until ?? NOW + 1) > NOW));
    }),
  },
  {
    name: 'the words of it steer nothing, and have an end',
    check: each(waitingIn, (waiting, rules) => {
      const about = {
        tasks: [{ id: '', type: 'shell', command: waiting.what }],
        ask: 'wait',
        cli: 'h',
      } as const;
      const said = [
        rules.questionNotice(waiting),
        rules.answeredLine(waiting),
        rules.lastLines(about),
        ...(rules.isOver(waiting, NOW) ? [] : [rules.describeWaiting(waiting, RUN, NOW)]),
      ];
      for (const text of said) {
        // What a command prints is cleaned once more, where it is printed.
        assert(
          !STEERING.test(text.replace(COLOUR, '')) || text.includes(waiting.reviewer ?? '\0'),
          JSON.stringify(text.slice(0, 300)),
        );
        assert(text.length < 6000 + (waiting.reviewer?.length ?? 0), `${text.length} characters`);
      }
    }),
  },
  {
    name: 'a record of it in the journal is explained or passed over',
    check: each(
      () => fc.oneof(brokenText([RECORDED]), fc.tuple(anyWaiting, number).map(recordedOf)),
      (text, rules) => {
        const entry = { waiting: parsed(text) } as StopEntry;
        const said = [rules.whyItWaited(entry), rules.waitInShort(entry), ...rules.whatWasOver(entry)];
        for (const line of said) assert(line === null || (typeof line === 'string' && line.length < 1000));
      },
    ),
  },
];

function assertReadable(written: Sidecar, rules: Rules): void {
  const again = rules.parseSidecar(JSON.parse(JSON.stringify(written)));
  assert.equal(again.kind, 'ok', JSON.stringify(written).slice(0, 600));
}

const RECORDED = JSON.stringify({
  ...{ now: NOW, step: 'review', work: null, answered: null, limits: { work: 2 * HOUR }, result: 'waits' },
  waiting: { for: 'limit', since: NOW, until: NOW + HOUR, what: 'usage-limit', reviewer: 'claude' },
});

function recordedOf([waiting, now]: [Waiting, number]): string {
  const asked = { now, step: 'review', work: 'work', answered: null, limits: { work: 1e300 } };
  return JSON.stringify({ ...asked, waiting, result: now > NOW ? 'waits' : 'goes-on' });
}

function parsed(text: string): StopEntry['waiting'] {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
