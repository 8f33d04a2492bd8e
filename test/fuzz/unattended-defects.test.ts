// The proof that the suite on budgets and drivers can fail: defects planted into the source, one at a time.

import { afterAll, expect, test } from 'vitest';
import type { Defect } from '../crash/plant.ts';
import { removePlanted, unattendedRulesWith } from './planting.ts';
import { properties, removeFiles } from './unattended-properties.ts';

afterAll(() => {
  removePlanted();
  removeFiles();
});

const LINE = 'a line of a transcript is worth whole tokens, and no more than its numbers';
const GROWS = 'what transcripts say is counted once, however they grow, and never breaks the record';
const BUDGET = 'a budget is read as it is or not at all, and stays one that can be read';
const RECORD = 'a driver’s record is one or none, and stays one whatever is judged by it';
const WORDS = 'a driver’s record can be gone on with, and be said in words';
const JOURNAL = 'a line of a driver or a budget in the journal is passed over, or one plain sentence';

const CHANGES = 'engine/budget/changes.ts';
const READ_USAGE = 'engine/budget/read-usage.ts';
const DRIVER_RECORD = 'driver/record.ts';
const LINES = 'store/journal-lines.ts';

const defects: readonly (Defect & { foundBy: string })[] = [
  {
    name: 'whatever a line says is a count',
    file: 'clients/usage.ts',
    from: "typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0",
    to: "typeof value === 'number' ? value : 0",
    foundBy: LINE,
  },
  {
    name: 'a sum is more than a record can hold',
    file: 'clients/usage.ts',
    from: 'Number.MAX_SAFE_INTEGER,\n    counts',
    to: 'Number.MAX_VALUE,\n    counts',
    foundBy: GROWS,
  },
  {
    name: 'a total that is no object ends us',
    file: 'clients/codex/usage.ts',
    from: 'const total = from && objectField(from, of);',
    to: 'const total = from && (Object.assign(from[of] as object, {}) as Payload);',
    foundBy: LINE,
  },
  {
    name: 'what was read from the cache is counted twice',
    file: 'clients/codex/usage.ts',
    from: "const input = Math.max(0, countIn(from, 'input_tokens') - cacheRead);",
    to: "const input = Math.max(0, countIn(from, 'input_tokens') - cacheRead) * 9;",
    foundBy: LINE,
  },
  {
    name: 'a message is counted for each of its lines',
    file: READ_USAGE,
    from: 'return this.seen.find((known) => known.id === id) ?? NONE;',
    to: "return this.seen.find((known) => known.id === id && id === '') ?? NONE;",
    foundBy: GROWS,
  },
  {
    name: 'what was counted is forgotten at the next stop',
    file: READ_USAGE,
    from: 'seen: count.seen.slice(-SEEN_KEPT)',
    to: 'seen: count.seen.slice(-SEEN_KEPT).slice(0, 0)',
    foundBy: GROWS,
  },
  {
    name: 'the last total is forgotten at the next stop',
    file: READ_USAGE,
    from: 'at: isAtEnd ? now : start.at, total }',
    to: 'at: isAtEnd ? now : start.at, total: total && null }',
    foundBy: GROWS,
  },
  {
    name: 'half a line is read',
    file: 'text/forward.ts',
    from: 'if (rest.length <= LONGEST) continue;',
    to: 'if (rest.length === 0) continue;\n    void LONGEST;',
    foundBy: GROWS,
  },
  {
    name: 'what is granted is more than a record can hold',
    file: CHANGES,
    from: 'return Math.min(Number.MAX_SAFE_INTEGER, one + Math.max(0, Math.round(other)));',
    to: 'return one + Math.max(0, Math.round(other));',
    foundBy: BUDGET,
  },
  {
    name: 'money without a bound',
    file: 'store/shape.ts',
    from: "typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;\n/** Milliseconds",
    to: "typeof value === 'number' && value >= 0;\n/** Milliseconds",
    foundBy: BUDGET,
  },
  {
    name: 'a place in no file',
    file: 'store/shape.ts',
    from: "typeof value === 'number' && Number.isFinite(value);",
    to: "typeof value === 'number';",
    foundBy: BUDGET,
  },
  {
    name: 'a budget that gave its last hold goes on',
    file: 'engine/budget/rule.ts',
    from: "return 'pause';",
    to: "return 'goes-on';",
    foundBy: BUDGET,
  },
  {
    name: 'a review is counted by every hook',
    file: CHANGES,
    from: 'if (budget.reviewed.includes(key)) return budget;',
    to: '',
    foundBy: 'a review is counted once',
  },
  {
    name: 'money of no amount in a driver’s record',
    file: DRIVER_RECORD,
    from: 'usdBefore: isAmount,',
    to: "usdBefore: (value): value is number => typeof value === 'number',",
    foundBy: RECORD,
  },
  {
    name: 'a limit that ends in a thousand years',
    file: 'driver/judge.ts',
    from: 'Math.min(resetsAt + AFTER_RESET, now + LONGEST_WAIT)',
    to: 'resetsAt + AFTER_RESET + 0 * LONGEST_WAIT',
    foundBy: RECORD,
  },
  {
    name: 'a wait on record that never ends',
    file: 'driver/clock.ts',
    from: 'Math.min(at, now + LONGEST_WAIT, now + at - (since ?? now))',
    to: 'Math.max(at, now - LONGEST_WAIT, now + at - (since ?? now))',
    foundBy: WORDS,
  },
  {
    name: 'a beginning that is no date',
    file: DRIVER_RECORD,
    from: 'startedAt: isDate,',
    to: "startedAt: (value): value is number => typeof value === 'number',",
    foundBy: WORDS,
  },
  {
    name: 'a record is named by its run',
    file: DRIVER_RECORD,
    from: 'return fingerprint(`',
    to: 'void fingerprint;\n  return String(`',
    foundBy: WORDS,
  },
  {
    name: 'what everything has is an event',
    file: 'view/describe-drive.ts',
    from: 'Object.hasOwn(EVENTS, what) ? EVENTS[what] : what',
    to: 'EVENTS[what] ?? what',
    foundBy: JOURNAL,
  },
  {
    name: 'a line about no run at all',
    file: LINES,
    from: "typeof workflow === 'string' &&\n    textOrNull(run) &&",
    to: "typeof workflow === 'string' &&",
    foundBy: JOURNAL,
  },
  {
    name: 'a limit below nothing in the journal',
    file: LINES,
    from: 'Number.isFinite(value) && value >= 0 ? value : null',
    to: 'Number.isFinite(value) ? value : null',
    foundBy: JOURNAL,
  },
];

test.each(defects)('finds: $name', async ({ foundBy, ...defect }) => {
  const broken = await unattendedRulesWith(defect);
  const property = properties.find(({ name }) => name === foundBy);
  if (property === undefined) throw new Error(`there is no property "${foundBy}"`);
  expect(() => property.check(broken, 1500)).toThrow();
});
