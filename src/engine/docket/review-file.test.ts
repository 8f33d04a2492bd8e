import { describe, expect, it } from 'vitest';
import { readFindings } from './review-file.ts';
import { indentOf, labelOfRow, readLines, titleOf } from './review-lines.ts';
import { isPlainTitle, isTally, labelOf, saysNone, severityInDetail, severityOf } from './severity-words.ts';

/** `high src/a.ts:12: the claim (evidence)`. */
const shown = (text: string): string[] | undefined =>
  readFindings(text)?.map(({ severity, file, line, claim, evidence }) => {
    const place = file === null ? '' : ` ${file}${line === null ? '' : `:${line}`}`;
    return `${severity}${place}: ${claim}${evidence === null ? '' : ` (${evidence})`}`;
  });

describe('a review in any form', () => {
  it.each([
    '## Low\n- a name (rename it)\n\n## High\n* the lock\n  - why: races\n  more of it\n* two writers\n ⇒ low: a name (rename it) ⇒ high: the lock (- why: races more of it) ⇒ high: two writers',
    '## High\n- a\n# Notes\n- b ⇒ high: a',
    '## High\n- a\n## Notes\n- b ⇒ high: a',
    '## High\n- a\n### Notes\n- b ⇒ high: a ⇒ high: b',
    '### [High] x\nabout it\n\n#### Deeper\nmore\n### Next\n- **low**: y ⇒ high: x (about it #### Deeper more) ⇒ low: y',
    '### [High] x\n**Low**\n- y\n| Low | z | ⇒ high: x (**Low** - y | Low | z |)',
    '### [High] x\ntext\n#### [Low] y\n### [Low] z ⇒ high: x (text #### [Low] y) ⇒ low: z',
    '**High**\n- a\n**Low**\n- b ⇒ high: a ⇒ low: b',
    '- High\n  - a\n- Low\n  - b ⇒ high: a ⇒ low: b',
    'High:\n- a\n\nLow\n- b ⇒ high: a ⇒ low: b',
    '## High\n### one\ntext\n### two ⇒ high: one (text) ⇒ high: two',
    '## High\n### one\n- b\n- c ⇒ high: b ⇒ high: c',
    '## High\nfirst block\ngoes on\n\nsecond block ⇒ high: first block (goes on) ⇒ high: second block',
    '## High\nfirst\n### one\nmore ⇒ high: one (more)',
    '## High\nSome text.\n\n[Low] x ⇒ low: x',
    '## High\n### one\n\n[Low] x ⇒ high: one ⇒ low: x',
    '## High\n- one\n- [Low] two\n- three\n\n## Low\n- four ⇒ high: one ⇒ low: two ⇒ high: three ⇒ low: four',
    '- a\n  Severity: High ⇒ high: a',
    '  - a\n    Severity: High ⇒ high: a',
    '## High\ntext\n### one\nmore\n\nand more ⇒ high: one (more and more)',
    '- [High] a\n\n### U\n    - [Low] b ⇒ high: a ⇒ low: b',
    '- [High] a\n    - [Low] b ⇒ high: a (- [Low] b)',
    '## The lock\n**Severity:** High\ntext\n\nand more\n## Notes\nmore ⇒ high: The lock (text and more)',
    '- a\n## The queue grows\n  Severity: High ⇒ high: The queue grows',
    '- a\n  Severity: High\n  Severity: Low ⇒ high: a (Severity: Low)',
    '## The queue\n- where: a.ts\nSeverity: High\n- why: b ⇒ high: The queue (- where: a.ts - why: b)',
    '## The queue\n- where: a.ts\n  Severity: High ⇒ high: where: a.ts',
    '## Findings\n**Severity: High**\n- one\n- two ⇒ high: one ⇒ high: two',
    '| Severity | Finding |\n|---|---|\n| High | a | b |\n  | Low | c | ⇒ high: a | b ⇒ low: c',
    '| High | a |\n| : |\n| Low |  | b | ⇒ high: a (| : |) ⇒ low: b',
    'text\n\nHigh: x\nmore\n\nLow: y ⇒ high: x (more) ⇒ low: y',
    '## High\n1. a\n12) b\n123. c\n1234. d ⇒ high: a ⇒ high: b ⇒ high: c (1234. d)',
    '## High\n• a\n+ b\n* c\n-d ⇒ high: a ⇒ high: b ⇒ high: c (-d)',
    '## High\n- a\n\t- b\n- c ⇒ high: a (- b) ⇒ high: c',
    '## High\n- a\n - b\n  - c\n   - d ⇒ high: a ⇒ high: b (- c - d)',
    '## High\n   - a\n- b\n   - c ⇒ high: a ⇒ high: b (- c)',
    '## High\n- a\n- None\n  more\n- b ⇒ high: a ⇒ high: b',
    '## High\n- 2 findings\n  more\n- a\n  b ⇒ high: a (b)',
    '## High\n-   None\n-  \t[Low] a\n-   b ⇒ low: a ⇒ high: b',
    '- a\n  - b\n    Severity: High ⇒ high: a (- b)',
    '- a\n - b\n   Severity: High ⇒ high: b',
    '- a\n- b\n  Severity: High ⇒ high: b',
    '## High\nNone.\nBut this one ⇒ high: But this one',
    '## High\nfirst\nnone ⇒ high: first (none)',
    '## High\n2 findings\n\nfirst ⇒ high: first',
    '## High\n- a\n\ntext\n\nmore ⇒ high: a (text more)',
    '## High\r\n- a\r- b\n ⇒ high: a ⇒ high: b',
    '## High\n```\n- a\n```\n- b\n~~~~\n- c\n~~~\n- d\n~~~~\n- e ⇒ high: b ⇒ high: e',
    '##High\n- a ⇒ high: a',
    '####### High\n- a ⇒ high: a',
    '### High ###\n- a ⇒ high: a',
    '## High (2 findings)\n- a ⇒ high: a',
    'text',
    '# Title',
    '- a\n Severity: High',
    '  - a\n   Severity: High',
    '# The lock\n**Severity:** High\ntext',
    '## Findings\nSeverity: High\ntext',
    '| High | 2 findings |\n| Low | none |',
    'text\nHigh: x',
    '## High\nNone.\n\n## Low\nNo findings.',
    '    ## High\n- a',
    '## High-level overview\n- a',
    '## Scale\nSeverity is high, medium or low.',
  ])('is read: %j', (row) => {
    const [text = '', ...findings] = row.split(' ⇒ ');
    expect(shown(text)).toEqual(findings);
  });

  it.each(['', ' \n\t\n'])('is none in %j', (text) => {
    expect(readFindings(text)).toBeNull();
  });

  it.each([
    ['src/a.ts:12: x', 'src/a.ts:12: x'],
    ['**src/a.ts:12-14** — x', 'src/a.ts:12: x'],
    ['src/a.ts:12:4: x', 'src/a.ts:12: x'],
    ['a.ts:1234567: x', 'a.ts:1234567: x'],
    ['`src/a.ts:12–14`: x', 'src/a.ts:12: x'],
    ['[src/a.ts] : x', 'src/a.ts: x'],
    ['(a.ts) -   x', 'a.ts: x'],
    ['1. a.ts – x', 'a.ts: x'],
    ['@scope/a+b.test.ts: x', '@scope/a+b.test.ts: x'],
    ['../a.abcdefghij: x', '../a.abcdefghij: x'],
    ['12) x ##', ': x'],
    ['123: 2. — **bold** #  ', ': bold'],
    ['__a__#', ': a#'],
  ])('has a finding’s place and its claim without marks: %j', (text, expected) => {
    expect(shown(`## Low\n- ${text}`)?.[0]?.replace(/^low ?/, '')).toBe(expected);
  });

  it.each(
    'a.ts-x|a.ts:x|see a.ts: x|/src/a.ts: x|a.toolongextension: x|a.1: x|Makefile: x|a.ts:|a.ts x|a.ts:12345678: x|1234. x|x # y|-x'.split(
      '|',
    ),
  )('has no place in %j', (text) => {
    expect(shown(`## Low\n- ${text}`)).toEqual([`low: ${text}`]);
  });
});

describe('the severity', () => {
  it.each([
    ['high', 'High|HIGH|Critical|high severity findings|(2) High'],
    ['medium', 'Medium|Moderate risk'],
    ['low', 'Low|minor issue|priority: low|impact low finding|issues: low'],
    [null, 'High-level|high low||2|constructor|Severe'],
  ])('%s is said by a title', (severity, titles) => {
    for (const title of titles.split('|')) expect([title, severityOf(title)]).toEqual([title, severity]);
  });

  it.each([
    [
      'high',
      ' x',
      '[High] x|high risk) x|High: x|High\uff1a x|High — x|High – x|high severity: x|Critical: x|*high* x',
    ],
    ['high', 'x', '1. High - x|High -- x|high priority - x'],
    ['high', ': x', '**High**: x'],
    ['high', '** x', '**High:** x'],
    ['low', ' x', '(low) x|low ] x|_low_ x|12) low: x|123: low: x|- low: x|minor: x'],
    ['medium', ' x', 'moderate: x|[Medium] x'],
  ])('%s, with %j left, is the label of a finding', (severity, rest, texts) => {
    for (const text of texts.split('|')) expect([text, labelOf(text)]).toEqual([text, { severity, rest }]);
  });

  it('is no label in other texts', () => {
    const texts =
      '1234. low: a|High- x|High-x|High latency|high_water: x|high impact: x|High: none|High: 2 findings';
    for (const text of `${texts}|High:|Severe: x|constructor: x||x: High`.split('|'))
      expect([text, labelOf(text)]).toEqual([text, null]);
  });

  it.each([
    [
      'high',
      'Severity: High|Severity:high|Severity : high|Severity\uff1a high|- Severity: High|* Severity: High',
    ],
    ['high', '+ Severity: High|• Severity: High|  - **Severity**: High|**Severity:** High|Severity: [High]'],
    ['high', 'Severity: High (it is open to all)|priority: critical'],
    ['low', 'severity: low|__Severity:__ minor'],
    [null, 'Severity: High-ish|Severity: Highest|Severity: High2|Severity: ((((( High|The severity: high'],
    [null, 'Severity high|Severities: high|Severity: severe|-Severity: high'],
  ])('%s is said by a line below: %s', (severity, lines) => {
    for (const line of lines.split('|')) expect([line, severityInDetail(line)]).toEqual([line, severity]);
  });
});

describe('the words of a review', () => {
  const NONE =
    '|—|None|none.|Nothing|nil|N/A|No findings|no issue|no findings found|No substantive findings were identified.|no high severity findings|no medium priority issues|There are no findings|there were none|there is nothing to report|There is no issue here|none noted|nothing at this level|No material further other new low findings';
  it.each<[string, (text: string) => boolean, string, string]>([
    [
      'count',
      isTally,
      '2 findings|High: 2 findings|2|2 high, 3 low issues|12 issues',
      'findings|no findings|2 bugs|a1|1a findings|',
    ],
    [
      'say that there is none',
      saysNone,
      NONE,
      'no bugs|nothing is wrong|None of it works|no findings yet|well none|x',
    ],
    [
      'title a list',
      isPlainTitle,
      'Findings|Round 1 findings|The review of the code and plan|',
      'The lock|Findings: locks',
    ],
  ])('%s', (_, says, these, others) => {
    for (const text of these.split('|')) expect([text, says(text)]).toEqual([text, true]);
    for (const text of others.split('|')) expect([text, says(text)]).toEqual([text, false]);
  });

  it.each([
    ['# a', ' a', 1],
    ['   ### a ##', ' a ##', 3],
    ['####### a', '# a', 6],
    ...['**a b**', '**a**:', '__a__', '__a__:', 'word', 'word:'].map((text): [string, string, number] => [
      text,
      text,
      7,
    ]),
    ['- word', 'word', 7],
    ['* **a b**', '**a b**', 7],
    ['  + word  ', 'word', 7],
  ])('%j may be a title', (line, text, level) => {
    expect(titleOf(line)).toEqual({ text, level, isHeading: level < 7 });
  });

  it('are no title where there are two, or bold ones among others', () => {
    for (const line of ['    # a', 'two words', '-word', '**a** b', 'a **b**', ''])
      expect(titleOf(line)).toBeNull();
    expect(['a', ' a', '\ta', ' \t a', 'a  b', ''].map(indentOf)).toEqual([0, 1, 4, 6, 0, 0]);
  });

  it.each<[string, string, string | null]>([
    ['| High | a |', '', 'a'],
    ['High | a', '', 'a'],
    [' | High |  a  | | b | ', '', 'a | b'],
    ['| High | 2 | a |', '', '2 | a'],
    // What stands below it is no line under a table's head.
    ['| High | a |', '| : | : |', 'a'],
    ['| High | a |', '|---|--- x', 'a'],
    ['| High | a |', 'x |---|', 'a'],
    ['| High | a |', '|---|---|', null],
    ['| High | a |', '  | :-: | - |', null],
    ['| High | none | 3 findings |', '', null],
    ['| High |', '', null],
    ['| a | High |', '', null],
  ])('in the row %j above %j are a finding: %j', (line, next, rest) => {
    expect(labelOfRow(line, next)).toEqual(rest === null ? null : { severity: 'high', rest });
  });

  it.each([
    ['a\r\nb\rc\nd', 'a b c d'],
    ['a\n```\nb\n```\nc', 'a c'],
    ['~~~~\na\n~~~\nb\n~~~~~\nc', 'c'],
    ['```\na\n~~~\nb\n```\nc', 'c'],
    ['   ```js\na\n   ```\nb', 'b'],
    ['    ```\na', '    ``` a'],
    ['``\na', '`` a'],
    ['x ```\na', 'x ``` a'],
    ['```\na', ''],
  ])('of %j are read outside of code', (text, lines) => {
    expect(readLines(text).join(' ')).toBe(lines);
  });
});
