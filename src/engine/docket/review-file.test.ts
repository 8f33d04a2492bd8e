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
