// The proof that the suite on dockets can fail: defects planted into the source, one at a time.

import { afterAll, describe, expect, test } from 'vitest';
import type { Defect } from '../crash/plant.ts';
import { properties } from './docket-properties.ts';
import { docketRulesWith, removePlanted } from './planting.ts';

afterAll(removePlanted);

const ADD = 'engine/docket/add.ts';
const ANSWERS = 'engine/docket/answers.ts';
const FORMAT = 'engine/docket/format.ts';
const WORDS = 'engine/docket/words.ts';

const defects: readonly (Defect & { foundBy: string })[] = [
  {
    name: 'ids are counted by what is there',
    file: ADD,
    from: 'const number = nextNumber(last, taken);',
    to: 'const number = nextNumber(docket.findings.length + added.length, new Set(last < 0 ? taken : []));',
    foundBy: 'no id is given twice, and none comes back',
  },
  {
    name: 'a claim is kept as it came',
    file: ADD,
    from: 'inOneParagraph(claim, LONGEST_TEXT) || proven',
    to: 'claim || proven',
    foundBy: 'what a reviewer wrote is kept in one line that steers nothing',
  },
  {
    name: 'a place is kept as it came',
    file: ADD,
    from: "inOneParagraph(file ?? '', LONGEST_PLACE)",
    to: "(file ?? '')",
    foundBy: 'what a reviewer wrote is kept in one line that steers nothing',
  },
  {
    name: 'a review is added again',
    file: ADD,
    from: 'if (known.has(contentOf(entry))) continue;',
    to: '',
    foundBy: 'a review that is added again changes nothing, and loses nothing',
  },
  {
    name: 'open findings are named as raised again',
    file: ADD,
    from: "filter(({ status }) => status !== 'open')",
    to: 'filter(({ status }) => status.length > 0)',
    foundBy: 'only answered findings are raised again',
  },
  {
    name: 'code is read for answers',
    file: ANSWERS,
    from: 'range.start <= at && at < range.end',
    to: 'range.start < 0',
    foundBy: 'answers are taken from lines outside of code alone',
  },
  {
    name: 'indented code is read for answers',
    file: ANSWERS,
    from: '(isIndented && !isInList)',
    to: '(isIndented && isInList && isHidden)',
    foundBy: 'answers are taken from lines outside of code alone',
  },
  {
    name: 'a rejection needs no reason',
    file: ANSWERS,
    from: "status === 'rejected' && !isReason(text)",
    to: "status === 'rejected' && !isReason('x')",
    foundBy: 'whatever an agent writes, its answers are those of its lines',
  },
  {
    name: 'a finding that was opened again is answered again',
    file: ANSWERS,
    from: 'answer === undefined || answer.text === entry.answer',
    to: 'answer === undefined',
    foundBy: 'answers change nothing but their findings, and reopen none',
  },
  {
    name: 'fields of others are dropped',
    file: FORMAT,
    from: '    ...entry.others,\n',
    to: '',
    foundBy: 'what a person put there stays',
  },
  {
    name: 'strays are dropped',
    file: FORMAT,
    from: '...findings.map(asWritten), ...strays',
    to: '...findings.map(asWritten), ...strays.slice(1)',
    foundBy: 'what a person put there stays',
  },
  {
    name: 'a copied id stays',
    file: FORMAT,
    from: "entry.id !== '' && !taken.has(entry.id)",
    to: "entry.id !== ''",
    foundBy: 'what a person put there stays',
  },
  {
    name: 'a torn docket begins to count again',
    file: FORMAT,
    from: '...numbered(entries, last, {})',
    to: '...numbered(entries, last * 0, {})',
    foundBy: 'a broken docket gives no id away again',
  },
  {
    name: 'a hold has no end',
    file: WORDS,
    from: 'if (bytes > MOST_BYTES && lines.length > 0) break;',
    to: '',
    foundBy: 'a hold lists ten at most, worst first, in few bytes',
  },
  {
    name: 'a hold lists all',
    file: WORDS,
    from: 'open.slice(0, MOST_LISTED)',
    to: 'open',
    foundBy: 'a hold lists ten at most, worst first, in few bytes',
  },
  {
    name: 'a hold lists them as they came',
    file: 'engine/docket/ids.ts',
    from: 'return weight === 0 ?',
    to: 'return weight !== 99 ?',
    foundBy: 'a hold lists ten at most, worst first, in few bytes',
  },
  {
    name: 'a claim is said as it stands in the file',
    file: WORDS,
    from: 'inOneParagraph(entry.claim, most)',
    to: 'entry.claim.slice(0, most)',
    foundBy: 'nothing that is shown steers a terminal, or calls somebody',
  },
  {
    name: 'what was fixed is contested',
    file: 'engine/docket/accounts.ts',
    from: "status === 'rejected' && again.has(id)",
    to: "status !== 'open' && again.has(id)",
    foundBy: 'what is contested was rejected, and raised by a later review',
  },
  {
    name: 'a comment calls people',
    file: 'text/escape.ts',
    from: "'$&<!-- -->'",
    to: "'$&'",
    foundBy: 'nothing that is shown steers a terminal, or calls somebody',
  },
  {
    name: 'what is quoted in code is a finding',
    file: 'engine/docket/review-lines.ts',
    from: 'if (fence === null) return true;',
    to: "if (fence !== '') return true;",
    foundBy: 'a review has no more findings than lines, and none from code',
  },
];

describe('the suite on dockets', () => {
  test.each(defects.map((defect) => [defect.name, defect] as const))('finds that %s', async (_, defect) => {
    const property = properties.find(({ name }) => name === defect.foundBy);
    const planted = await docketRulesWith(defect);
    expect(() => property?.check(planted, 500)).toThrow();
  });

  test('names a property for each', () => {
    const names = new Set(properties.map(({ name }) => name));
    expect(defects.filter(({ foundBy }) => !names.has(foundBy))).toEqual([]);
  });
});
