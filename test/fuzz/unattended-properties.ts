// What must hold of budgets, of what transcripts say of tokens, and of a driver's records, whatever their text. Each
// throws where it does not.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { UsageReader } from '../../src/clients/usage.ts';
import type { DriverRecord } from '../../src/driver/record.ts';
import type { Next, Stand } from '../../src/driver/types.ts';
import type { Budget, Meter } from '../../src/engine/budget/types.ts';
import { isObject, parseJson } from '../../src/store/json.ts';
import { brokenText, SEED } from './broken.ts';
import { NOW } from './corpus.ts';
import { budgets, driverRecords, journalLines, usageLines } from './unattended-corpus.ts';
import type { UnattendedRules } from './unattended-rules.ts';

export type Property = { name: string; check(rules: UnattendedRules, runs: number): void };

const DAY = 24 * 3_600_000;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const CLIENTS = {
  'claude-code': 'claudeUsage',
  codex: 'codexUsage',
  copilot: 'copilotUsage',
  qwen: 'qwenUsage',
} as const;
type ClientName = keyof typeof CLIENTS;
const NAMES: readonly ClientName[] = ['claude-code', 'codex', 'copilot', 'qwen'];

const each =
  <T>(input: fc.Arbitrary<T>, check: (value: T, rules: UnattendedRules) => void): Property['check'] =>
  (rules, runs) =>
    fc.assert(
      fc.property(input, (value) => check(value, rules)),
      { seed: SEED, numRuns: runs },
    );

const NUMBERS = [
  '0',
  '-1',
  '1.5',
  '1e999',
  '-1e999',
  '1e308',
  '8.6e15',
  '8.7e15',
  '9007199254740991',
  '9007199254740993',
];

/** Broken, or with numbers in it that are no counts and no times: JSON knows no bounds. */
function broken(sound: readonly string[]): fc.Arbitrary<string> {
  const odd = fc
    .tuple(
      fc.constantFrom(...sound),
      fc.array(fc.tuple(fc.nat(99), fc.constantFrom(...NUMBERS)), { maxLength: 4 }),
    )
    .map(([text, changes]) => changes.reduce(withNumber, text));
  return fc.oneof(brokenText(sound), odd);
}

function withNumber(text: string, [position, number]: [number, string]): string {
  const all = [...text.matchAll(/(?<=[:,[])-?\d+(?:\.\d+)?(?=[,\]}])/g)];
  const found = all[position % Math.max(1, all.length)];
  return found === undefined
    ? text
    : text.slice(0, found.index) + number + text.slice(found.index + found[0].length);
}

const lineOf: fc.Arbitrary<[ClientName, string]> = fc
  .constantFrom(...NAMES)
  .chain((client) => broken(usageLines[client]).map((text): [ClientName, string] => [client, text]));

const linesOf: fc.Arbitrary<[ClientName, string[]]> = fc
  .constantFrom(...NAMES)
  .chain((client) =>
    fc
      .array(broken(usageLines[client]), { minLength: 1, maxLength: 8 })
      .map((lines): [ClientName, string[]] => [client, lines.map((line) => line.replaceAll(/[\r\n]/g, ' '))]),
  );

export const properties: readonly Property[] = [
  {
    name: 'a line of a transcript is worth whole tokens, and no more than its numbers',
    check: each(lineOf, ([client, text], rules) => {
      const read = rules[CLIENTS[client]].read(text);
      if (read === null) return;
      const parts = read.kind === 'total' ? [read, read.last] : [read];
      for (const { tokens, cacheRead } of parts) {
        assert(isCount(tokens) && isCount(cacheRead), `${tokens} ${cacheRead}`);
        assert(tokens + cacheRead <= numbersIn(parseJson(text)), `${tokens} + ${cacheRead} of ${text}`);
      }
      assert(read.at === null || Number.isFinite(read.at));
      assert(read.kind === 'total' || read.id !== '');
    }),
  },
  {
    name: 'what transcripts say is counted once, however they grow, and never breaks the record',
    check: each(
      fc.tuple(linesOf, fc.array(fc.nat(1000), { maxLength: 4 })),
      ([[client, lines], cuts], rules) => {
        const reader = rules[CLIENTS[client]];
        // A line from before 1970 is from before every run.
        const sound = lines.filter((line) => (reader.timeOf(line) ?? 1) > 0);
        const text = sound.map((line) => `${line}\n`).join('');
        // A client writes a line for each part of a message, and a total more than once.
        const often = sound.map((line) => `${line}\n${line}\n`).join('');
        const whole = countIn(rules, reader, text, []);
        const grown = countIn(rules, reader, often, cuts);
        assert.deepEqual(grown.spent, whole.spent);
        assertBudget(rules, whole);
        assertBudget(rules, grown);
      },
    ),
  },
  {
    name: 'a budget is read as it is or not at all, and stays one that can be read',
    check: each(broken(budgets), (text, rules) => {
      const budget = parseJson(text);
      if (!rules.isBudget(budget)) return;
      const next = [
        budget,
        ...(['hold', 'review'] as const).map((due) => {
          const answer = rules.budgetAt({ ...budget, due });
          const open = budget.stage === 'open';
          assert(open || answer !== 'goes-on', 'one that is spent goes on');
          return answer === 'last-hold' ? rules.answered(budget, { kind: 'last-hold', due }) : budget;
        }),
        rules.answered(budget, { kind: 'held', review: null }),
        rules.answered(budget, { kind: 'paused', now: NOW }),
        rules.metered(budget, { now: NOW, usage: null, review: null }),
        rules.metered(budget, { now: NOW, usage: null, review: REVIEW }),
        rules.raised(budget, { tokens: 1_000_000, timeMs: 1, reviews: 1, usd: 0.1 }, NOW),
        rules.withMoney(budget, 'a session', 3),
      ];
      for (const one of next) {
        assertBudget(rules, one);
        for (const kind of ['tokens', 'cacheRead', 'timeMs', 'reviews', 'usd'] as const)
          assert(one.spent[kind] >= budget.spent[kind], `${kind} goes back`);
        const words = [rules.limitsInWords(one.limits), rules.spentInWords('usd', one.limits, one.spent)];
        for (const said of words) assert(!/NaN|undefined|Infinity/.test(said), said);
      }
    }),
  },
  {
    name: 'a review is counted once',
    check: each(broken(budgets), (text, rules) => {
      const budget = parseJson(text);
      if (!rules.isBudget(budget)) return;
      const once = rules.metered(budget, { now: NOW, usage: null, review: REVIEW });
      const twice = rules.metered(once, { now: NOW, usage: null, review: REVIEW });
      assert.deepEqual(twice.spent, once.spent);
    }),
  },
  {
    name: 'a driver’s record is one or none, and stays one whatever is judged by it',
    check: each(broken(driverRecords), (text, rules) => {
      const record = parseJson(text);
      if (!rules.isDriverRecord(record)) return;
      assertRecord(rules, record);
      for (const stand of STANDS) {
        const next = nextOf(rules, record, stand);
        if (next.kind === 'go') {
          assertRecord(rules, { ...record, counts: next.counts, next: { ...next } });
          assert(next.at === null || next.at <= NOW + 9 * DAY, 'it waits for weeks');
        }
      }
    }),
  },
  {
    name: 'a driver’s record can be gone on with, and be said in words',
    check: each(broken(driverRecords), (text, rules) => {
      const record = parseJson(text);
      if (!rules.isDriverRecord(record)) return;
      assert(/^[\w-]+$/.test(rules.recordName(record)), 'its name leads elsewhere');
      const at = rules.timeToGoOn(record.next, NOW);
      assert(at === null || at <= NOW + 9 * DAY, 'it waits for weeks');
      if (at !== null) assert.equal(typeof new Date(at).toISOString(), 'string');
      assert.equal(typeof new Date(record.startedAt).toISOString(), 'string');
      assert.equal(typeof rules.driverOf(record), 'string');
      assert(rules.continueCommand(record, 'holdfast').includes('holdfast run --continue'));
      const client = rules.clientNamed('claude-code');
      const about = { ...record, first: record.prompt, stage: 's', cli: 'h', client, driven: undefined };
      for (const isResumed of [true, false]) {
        const prompt = rules.promptFor(record.next.say, isResumed, { ...about, given: null });
        assert(typeof prompt === 'string' && (prompt !== '' || record.prompt === ''));
      }
    }),
  },
  {
    name: 'a line of a driver or a budget in the journal is passed over, or one plain sentence',
    check: each(broken(journalLines), (text, rules) => {
      const entry = rules.parseJournalLine(text);
      if (entry === null || (entry.event !== 'drive' && entry.event !== 'budget')) return;
      assert(entry.run === null || typeof entry.run === 'string');
      const said = entry.event === 'drive' ? rules.describeDrive(entry) : rules.describeBudgetEvent(entry);
      assert(
        typeof said === 'string' && !/undefined|NaN|\[object|function |=>/.test(without(said, text)),
        said,
      );
      if (entry.event === 'budget')
        for (const limit of Object.values(entry.limits)) assert(limit === null || limit >= 0);
    }),
  },
];

const REVIEW = { key: 'review-9', counts: true, tokens: 5, cacheRead: 1, usd: 0.5 };

const STANDS: readonly Stand[] = [
  { kind: 'none' },
  { kind: 'active' },
  { kind: 'released' },
  { kind: 'waits', for: 'limit', until: Number.MAX_SAFE_INTEGER },
  { kind: 'waits', for: 'prompt', until: null },
  { kind: 'handed-over' },
  { kind: 'goes-on', reached: 'plan' },
];

function nextOf(rules: UnattendedRules, { counts, options }: DriverRecord, stand: Stand): Next {
  const end = { how: 'turn', trouble: null } as const;
  const { persist, stopAt } = options;
  return rules.judge({ stand, end, progress: 'none', counts, denied: 0, now: NOW, persist, stopAt });
}

function assertBudget(rules: UnattendedRules, budget: Budget): void {
  const text = JSON.stringify(budget);
  assert(rules.isBudget(parseJson(text)), text.slice(0, 900));
}

function assertRecord(rules: UnattendedRules, record: DriverRecord): void {
  const text = JSON.stringify(record);
  assert(rules.isDriverRecord(parseJson(text)), text.slice(0, 900));
}

/** All numbers in it, added up. */
function numbersIn(value: unknown): number {
  if (typeof value === 'number') return Math.abs(value);
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + numbersIn(one), 0);
  return isObject(value) ? numbersIn(Object.values(value)) : 0;
}

/** What the line itself says may say anything. */
function without(said: string, text: string): string {
  const value = parseJson(text);
  const own = isObject(value)
    ? Object.values(value).filter((one) => typeof one === 'string' && one !== '')
    : [];
  return own.reduce<string>((rest, one) => rest.replaceAll(String(one), ''), said);
}

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-fuzz-usage-')));
export const removeFiles = (): void => fs.rmSync(folder, { recursive: true, force: true });

/** A run's budget after a transcript has grown up to each of the cuts (parts of a thousand), and to its end. */
function countIn(rules: UnattendedRules, reader: UsageReader, text: string, cuts: readonly number[]): Budget {
  const file = path.join(folder, 'transcript.jsonl');
  fs.rmSync(file, { force: true });
  const bytes = Buffer.from(text);
  const limits = { tokens: 1000, timeMs: null, reviews: null, usd: null };
  let budget = rules.newBudget('/somewhere', 'idle:loop-1', limits, 0, 0);
  const ends = [...cuts]
    .sort((one, other) => one - other)
    .map((cut) => Math.floor((bytes.length * cut) / 1000));
  let written = 0;
  // At the last place twice: what was counted is not counted again.
  for (const end of [...ends, bytes.length, bytes.length]) {
    fs.appendFileSync(file, bytes.subarray(written, end));
    written = end;
    const before: Meter = budget.meter;
    const stop = { transcriptPath: file } as Parameters<UsageReader['files']>[0];
    const { after, used } = rules.readUsage(before, { stop, reader, now: 1 });
    assert(isCount(used.tokens) && isCount(used.cacheRead));
    budget = rules.metered(budget, { now: 0, usage: { before, after, used }, review: null });
  }
  return budget;
}
