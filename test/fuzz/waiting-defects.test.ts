// The proof that the suites on hostile waits can fail: defects planted into the source, one at a time.

import { afterAll, describe, expect, test } from 'vitest';
import type { Defect } from '../crash/plant.ts';
import { pluginWith, removePlanted, rulesWith } from './planting.ts';
import { FORGED, type Notes } from './waiting.ts';
import { properties } from './waiting-properties.ts';
import * as scenes from './waiting-scenes.ts';
import { stageOf, type WaitingScene } from './waiting-scenes.ts';

afterAll(removePlanted);

const CLOCK = 'engine/waiting/clock.ts';
const WAIT = 'engine/waiting/wait.ts';
const WORDS = 'engine/waiting/words.ts';

const inRules: readonly (Defect & { foundBy: string })[] = [
  {
    name: 'a record says itself how long it is',
    file: CLOCK,
    from: 'return Math.min(end, since + LONGEST[what]);',
    to: 'void LONGEST; void what; return end;',
    foundBy: 'a wait ends, whatever its record says',
  },
  {
    name: 'a wait of tomorrow counts',
    file: CLOCK,
    from: ' || isAhead(waiting, now)',
    to: '',
    foundBy: 'a run waits for nothing that is over',
  },
  {
    name: 'what was waited is counted past all numbers',
    file: CLOCK,
    from: 'return Math.min(Number.MAX_SAFE_INTEGER, waited + waitedAtStop(ended, now));',
    to: 'return waited + waitedAtStop(ended, now);',
    foundBy: 'what a stop writes of it can be read again',
  },
  {
    name: 'a wait is counted by fractions',
    file: CLOCK,
    from: 'return Math.max(0, Math.round(milliseconds));',
    to: 'return Math.max(0, milliseconds);',
    foundBy: 'what a command or an event writes of it can be read again',
  },
  {
    name: 'a wait that is still to come makes a run younger',
    file: CLOCK,
    from: 'return Math.max(0, Math.round(milliseconds));',
    to: 'return Math.round(milliseconds);',
    foundBy: 'the clock of a run is a time that has been',
  },
  {
    name: 'any number is a time',
    file: 'store/parse-records.ts',
    from: 'since: isTime,',
    to: "since: (value: unknown): value is number => typeof value === 'number',",
    foundBy: 'the clock of a run is a time that has been',
  },
  {
    name: 'work is waited for anew at every stop',
    file: WAIT,
    from: "...(known ?? { for: 'work', since: now, until: now + limits.work }),",
    to: "...{ for: 'work', since: now, until: now + limits.work },",
    foundBy: 'work that never ends is waited for once',
  },
  {
    name: 'work whose time is up is forgotten',
    file: WAIT,
    from: "return { kind: 'goes-on', waiting: { ...over, until: over.since }, ended: known ?? before };",
    to: "void over; return { kind: 'goes-on', waiting: null, ended: known ?? before };",
    foundBy: 'work that never ends is waited for once',
  },
  {
    name: 'a wait of another clock begins again',
    file: WAIT,
    from: 'waiting: { ...over, until: over.since }',
    to: 'waiting: over',
    foundBy: 'work that never ends is waited for once',
  },
  {
    name: 'a question has no end',
    file: WORDS,
    from: 'shortened(what, LONGEST_QUESTION)}',
    to: '(void LONGEST_QUESTION, printable(what))}',
    foundBy: 'the words of it steer nothing, and have an end',
  },
  {
    name: 'what was asked goes out as it is',
    file: WORDS,
    from: "const line = printable(text).replace(/\\s+/g, ' ').trim();",
    to: "const line = text.replace(/\\s+/g, ' ').trim();",
    foundBy: 'the words of it steer nothing, and have an end',
  },
  {
    name: 'what is listed has no end',
    file: 'view/describe-waiting.ts',
    from: 'what: inOneParagraph(waiting.what, 2_000),',
    to: 'what: waiting.what,',
    foundBy: 'the words of it steer nothing, and have an end',
  },
  {
    name: 'a journal may name an impossible time',
    file: 'engine/waiting/recorded.ts',
    from: 'v.pipe(v.number(), v.minValue(0), v.maxValue(8e15))',
    to: 'v.number()',
    foundBy: 'a record of it in the journal is explained or passed over',
  },
];

describe('a defect in the rules', () => {
  test.each(inRules.map((defect) => [defect.name, defect.file, defect] as const))(
    'is found: %s (%s)',
    async (_, __, defect) => {
      const property = properties.find(({ name }) => name === defect.foundBy);
      const rules = await rulesWith(defect);
      expect(() => property?.check(rules, 3000)).toThrow(/Property failed/);
    },
  );
});

function forged(wanted: string): Notes {
  const [, known] = FORGED.find(([name]) => name === wanted) ?? [];
  if (known === undefined) throw new Error(`nobody forges ${wanted}`);
  return known;
}

const inProcesses: readonly (Defect & { foundBy: WaitingScene; says: RegExp })[] = [
  {
    name: 'an adopted run waits for the limit that it came with',
    file: 'engine/waiting/on-record.ts',
    from: "if (waiting.for !== 'person' || waiting.capped)",
    to: "if (waiting.reviewer !== undefined) return sidecar;\n  if (waiting.for !== 'person' || waiting.capped)",
    foundBy: scenes.adoptedGoesOn(stageOf('taskie'), forged('a reviewer’s limit')),
    says: /parked/,
  },
  {
    name: 'a question that nobody can tell to be answered stays open',
    file: 'engine/waiting/at-stop.ts',
    from: "return stop.turn === null || stop.turn !== shown.turn ? 'yes' : 'no';",
    to: "return 'no';",
    foundBy: scenes.adoptedGoesOn(stageOf('idle'), forged('a question that was shown')),
    says: /parked/,
  },
  {
    name: 'a question is never on record as shown',
    file: 'engine/waiting/at-stop.ts',
    from: 'answer: asks === null ? answer : { ...answer, waiting: shownAt(asks, stop) },',
    to: 'answer,',
    foundBy: scenes.adoptedGoesOn(stageOf('idle'), forged('a question')),
    says: /parked/,
  },
  {
    name: 'a question of any run is shown',
    file: 'engine/context.ts',
    from: 'export function isServed(',
    to: 'export const isServed = (...all: unknown[]): boolean => all.length > 0;\nexport function isServedReally(',
    foundBy: scenes.clonedIsNotServed(stageOf('idle'), forged('a question')),
    says: /its question was shown/,
  },
  {
    name: 'questions are not counted',
    file: 'cli/ask.ts',
    from: 'if (inARow > MOST_IN_A_ROW) {',
    to: 'if (inARow > 1000) {',
    foundBy: scenes.asksForEver,
    says: /asked with 0,0,0,0/,
  },
  {
    name: 'every wording is a question',
    file: 'cli/ask.ts',
    from: 'isUnshown(sidecar.waiting) ? questions : questions + 1',
    to: 'isUnshown(sidecar.waiting) ? questions + 1 : questions + 1',
    foundBy: scenes.rewords,
    says: /asked with 0,0,0,1,1/,
  },
  {
    name: 'asking is progress',
    file: 'engine/waiting/on-record.ts',
    from: '...(held && isProgress && answered === null && !isRefused ? { questions: 0 } : {}),',
    to: '...(held ? { questions: 0 } : {}),\n    ...(isProgress && answered === null ? {} : {}),',
    foundBy: scenes.asksForEver,
    says: /asked with 0,0,0,0/,
  },
  {
    name: 'a question is in the journal',
    file: 'engine/waiting/at-stop.ts',
    from: "const what = waiting?.for === 'limit' ? waiting.what : '';",
    to: "const what = waiting?.what ?? '';",
    foundBy: scenes.hostileQuestion,
    says: /its words are in the journal/,
  },
  {
    name: 'calls that end at once count for nothing',
    file: 'engine/waiting/calls.ts',
    from: 'return Math.max(called, calls * LEAST_CALL_MS);',
    to: 'void calls; void LEAST_CALL_MS; return called;',
    foundBy: scenes.waitsForEver,
    says: /held 16 times/,
  },
  {
    name: 'a shell is waited for',
    file: 'clients/claude-code/index.ts',
    from: "backgroundTasks.filter(({ type }) => type === 'subagent')",
    to: 'backgroundTasks',
    foundBy: scenes.nothingToWaitFor,
    says: /not held beside a shell/,
  },
  {
    name: 'a subagent that has ended is waited for',
    file: 'clients/claude-code/index.ts',
    from: "    .filter((task) => task.status === 'running')\n",
    to: '',
    foundBy: scenes.nothingToWaitFor,
    says: /not held beside one that ended/,
  },
  {
    name: 'a timer that never ends is waited for',
    file: 'clients/claude-code/index.ts',
    from: '.filter((cron) => cron.recurring === false)',
    to: '',
    foundBy: scenes.nothingToWaitFor,
    says: /not held beside a recurring timer/,
  },
  {
    name: 'the reviewer that is listed has no end',
    file: 'view/describe-waiting.ts',
    from: 'reviewer: inOneParagraph(waiting.reviewer, 40)',
    to: 'reviewer: waiting.reviewer',
    foundBy: scenes.listed,
    says: /long and hostile words: \d+ characters/,
  },
];

describe('a defect in the hook or a command', () => {
  test.each(inProcesses.map((defect) => [defect.name, defect.file, defect] as const))(
    'is found: %s (%s)',
    async (_, __, defect) => {
      expect((await defect.foundBy(await pluginWith(defect))).join('\n')).toMatch(defect.says);
    },
  );
});
