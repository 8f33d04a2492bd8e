import { describe, expect, it } from 'vitest';
import { readFindings } from './review-file.ts';

const read = (text: string) =>
  readFindings(`# Round 1 findings\n\n${text}\n`)?.map(({ severity, claim }) => [severity, claim]);

describe('reading the findings of a review', () => {
  it('takes each bullet with its section’s severity, in the order of the text', () => {
    expect(
      read(
        '## Low\n- a name (rename it)\n\n## High\n* the lock\n  - why: races\n  more of it\n* two writers\n',
      ),
    ).toEqual([
      ['low', 'a name (rename it)'],
      ['high', 'the lock'],
      ['high', 'two writers'],
    ]);
  });

  it('keeps what stands below a finding as its evidence', () => {
    const [found] = readFindings('## High\n- the lock\n  - seen in `a.ts`\n  and in b.ts\n') ?? [];
    expect(found?.evidence).toBe('- seen in `a.ts` and in b.ts');
  });

  it.each([
    ['- src/a.ts:12: the lock is never released', 'src/a.ts', 12],
    ['- `src/a.ts:12`: the lock is never released', 'src/a.ts', 12],
    ['- **src/a.ts:12-19** — the lock is never released', 'src/a.ts', 12],
    ['- PLAN.md: the lock is never released', 'PLAN.md', null],
    ['- the lock is never released', null, null],
  ])('finds the place in %j', (bullet, file, line) => {
    expect(readFindings(`## High\n${bullet}\n`)).toEqual([
      { severity: 'high', file, line, claim: 'the lock is never released', evidence: null },
    ]);
  });

  it.each([
    '### [High] SQL injection',
    '### 1. **High** - SQL injection',
    '- **High:** SQL injection',
    '- (high severity) SQL injection',
    '| High | SQL injection |',
    '**High**: SQL injection',
  ])('leaves the label out of the claim in %j', (text) => {
    expect(read(text)).toEqual([['high', 'SQL injection']]);
  });

  it.each([
    '### SQL injection\n\n**Severity:** High\n\nThe query is joined.\n',
    '### 1. SQL injection\n**Severity: High**\n- Where: a.ts\n- Fix: bind it\n',
    '### SQL injection\n- Where: a.ts\n- **Severity**: Critical\n- Fix: bind it\n',
    '- SQL injection\n  - Severity: High\n  - Fix: bind it\n',
    '1. **SQL injection**\n   Severity: high\n   Fix: bind it\n',
    '- SQL injection\n  Priority: High (it is open to all)\n',
  ])('takes the severity from a line below, as in %j', (text) => {
    expect(read(text)).toEqual([['high', 'SQL injection']]);
  });

  it('tells findings apart that each have their severity below', () => {
    const text = [
      ...['## Storage', '- SQL injection', '  - Severity: High', '- a name', '  - Severity: Low', ''],
      ...[
        '## The queue grows',
        '**Severity:** Medium',
        'It is never emptied.',
        '',
        '## What was looked at',
        '- all of it',
      ],
    ].join('\n');
    expect(read(text)).toEqual([
      ['high', 'SQL injection'],
      ['low', 'a name'],
      ['medium', 'The queue grows'],
    ]);
  });

  it.each(['## Findings\n**Severity: High**\n- one\n- two', '**Severity: High**\n- one\n- two'])(
    'takes a severity below no finding for a section’s title: %j',
    (text) => {
      expect(read(text)).toEqual([
        ['high', 'one'],
        ['high', 'two'],
      ]);
    },
  );

  it.each(['## Notes\n- nothing\n- Severity: unknown', '## Scale\nSeverity is high, medium or low.'])(
    'finds nothing in %j',
    (text) => {
      expect(read(text)).toEqual([]);
    },
  );
});

/** `high src/a.ts:12: the claim (evidence)`. */
const shown = (text: string): string[] | undefined =>
  readFindings(text)?.map(({ severity, file, line, claim, evidence }) => {
    const place = file === null ? '' : ` ${file}${line === null ? '' : `:${line}`}`;
    return `${severity}${place}: ${claim}${evidence === null ? '' : ` (${evidence})`}`;
  });

describe('a review in any form', () => {
  it.each([
    ['## High\n- a\n# Notes\n- b', ['high: a']],
    ['## High\n- a\n## Notes\n- b', ['high: a']],
    ['## High\n- a\n### Notes\n- b', ['high: a', 'high: b']],
    [
      '### [High] x\nabout it\n\n#### Deeper\nmore\n### Next\n- **low**: y',
      ['high: x (about it #### Deeper more)', 'low: y'],
    ],
    ['### [High] x\n**Low**\n- y\n| Low | z |', ['high: x (**Low** - y | Low | z |)']],
    ['### [High] x\ntext\n#### [Low] y\n### [Low] z', ['high: x (text #### [Low] y)', 'low: z']],
    ['**High**\n- a\n**Low**\n- b', ['high: a', 'low: b']],
    ['- High\n  - a\n- Low\n  - b', ['high: a', 'low: b']],
    ['High:\n- a\n\nLow\n- b', ['high: a', 'low: b']],
    ['__Medium__:\n- a', ['medium: a']],
    ['## High\n### one\ntext\n### two', ['high: one (text)', 'high: two']],
    ['## High\n### one\n- b\n- c', ['high: b', 'high: c']],
    ['## High\nfirst block\ngoes on\n\nsecond block', ['high: first block (goes on)', 'high: second block']],
    ['## High\nfirst\n### one\nmore', ['high: one (more)']],
    ['## High\nSome text.\n\n[Low] x', ['low: x']],
    ['## High\n### one\n\n[Low] x', ['high: one', 'low: x']],
    [
      '## High\n- one\n- [Low] two\n- three\n\n## Low\n- four',
      ['high: one', 'low: two', 'high: three', 'low: four'],
    ],
    ['- a\n  Severity: High', ['high: a']],
    ['  - a\n    Severity: High', ['high: a']],
    ['## High\ntext\n### one\nmore\n\nand more', ['high: one (more and more)']],
    ['- [High] a\n\n### U\n    - [Low] b', ['high: a', 'low: b']],
    ['- [High] a\n    - [Low] b', ['high: a (- [Low] b)']],
    ['## The lock\n**Severity:** High\ntext\n\nand more\n## Notes\nmore', ['high: The lock (text and more)']],
    ['- a\n## The queue grows\n  Severity: High', ['high: The queue grows']],
    ['- a\n  Severity: High\n  Severity: Low', ['high: a (Severity: Low)']],
    ['## The queue\n- where: a.ts\nSeverity: High\n- why: b', ['high: The queue (- where: a.ts - why: b)']],
    ['## The queue\n- where: a.ts\n  Severity: High', ['high: where: a.ts']],
    ['| Severity | Finding |\n|---|---|\n| High | a | b |\n  | Low | c |', ['high: a | b', 'low: c']],
    ['| High | a |\n| : |\n| Low |  | b |', ['high: a (| : |)', 'low: b']],
    ['text\n\nHigh: x\nmore\n\nLow: y', ['high: x (more)', 'low: y']],
    ['## High\n1. a\n12) b\n123. c\n1234. d', ['high: a', 'high: b', 'high: c (1234. d)']],
    ['## High\n• a\n+ b\n* c\n-d', ['high: a', 'high: b', 'high: c (-d)']],
    ['## High\n- a\n\t- b\n- c', ['high: a (- b)', 'high: c']],
    ['## High\n- a\n - b\n  - c\n   - d', ['high: a', 'high: b (- c - d)']],
    ['## High\n   - a\n- b\n   - c', ['high: a', 'high: b (- c)']],
    ['## High\n- None\n  more\n- a', ['high: a']],
    ['## High\n- 2 findings\n  more\n- a\n  b', ['high: a (b)']],
    ['## High\n- a\n- None\n  more\n- b', ['high: a', 'high: b']],
    ['## High\n-   None\n-  \t[Low] a\n-   b', ['low: a', 'high: b']],
    ['- a\n  - b\n    Severity: High', ['high: a (- b)']],
    ['- a\n - b\n   Severity: High', ['high: b']],
    ['- a\n- b\n  Severity: High', ['high: b']],
    ['## High\nNone.\nBut this one', ['high: But this one']],
    ['## High\nfirst\nnone', ['high: first (none)']],
    ['## High\n2 findings\n\nfirst', ['high: first']],
    ['## High\n- a\n\ntext\n\nmore', ['high: a (text more)']],
    ['## High\r\n- a\r- b\n', ['high: a', 'high: b']],
    ['## High\n```\n- a\n```\n- b\n~~~~\n- c\n~~~\n- d\n~~~~\n- e', ['high: b', 'high: e']],
    ['## High\n   ```js\n- a\n   ```\n- b', ['high: b']],
    ['## High\n    ```\n- a\n    ```', ['high: a (```)']],
    ['##High\n- a', ['high: a']],
    ['####### High\n- a', ['high: a']],
    ['### High ###\n- a', ['high: a']],
    ['## High (2 findings)\n- a', ['high: a']],
    ['## Critical issues\n- a\n## Moderate\n- b\n## Minor risk\n- c', ['high: a', 'medium: b', 'low: c']],
    ['### x ##\nSeverity: low', ['low: x']],
  ])('of %j tells %j', (text, findings) => {
    expect(shown(text)).toEqual(findings);
  });

  it.each([
    'text',
    '# Title',
    '- a\n Severity: High',
    '  - a\n   Severity: High',
    '# The lock\n**Severity:** High\ntext',
    '## Findings\nSeverity: High\ntext',
    '| High | Low |\n|:--|--:|\n| 1 | 2 |',
    '| High | 2 findings |\n| Low | none |',
    '| Severe | a |',
    '| High |',
    'text\nHigh: x',
    '## High\nNone.\n\n## Low\nNo findings.',
    '    ## High\n- a',
    '## High-level overview\n- a',
    '## High and low\n- a',
  ])('lists nothing in %j', (text) => {
    expect(readFindings(text)).toEqual([]);
  });

  it.each(['', ' \n\t\n'])('is none in %j', (text) => {
    expect(readFindings(text)).toBeNull();
  });
});
