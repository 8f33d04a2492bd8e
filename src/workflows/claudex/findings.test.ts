import { describe, expect, it } from 'vitest';
import { fc } from '../../../test/support/property.ts';
import { countFindings, describeCounts } from './findings.ts';

const asked = `# Round 1 findings

## High
- the lock is never released (release it in a finally)
- two writers (take the lock)

## Medium
- no timeout (add one)

## Low
- a name (rename it)
`;

describe('counting findings', () => {
  it('counts the bullets of each section', () => {
    expect(countFindings(asked)).toEqual({ high: 2, medium: 1, low: 1 });
  });

  it('reads CRLF and lone CR', () => {
    expect(countFindings(asked.replaceAll('\n', '\r\n'))).toEqual({ high: 2, medium: 1, low: 1 });
    expect(countFindings(asked.replaceAll('\n', '\r'))).toEqual({ high: 2, medium: 1, low: 1 });
  });

  it.each([
    '# HIGH',
    '### High',
    '###### high ######',
    '##High',
    '## 🔴 High',
    '## High severity',
    '## Severity: High',
    '## High (2 findings)',
    '## **High**',
    '## Critical',
    '**High**',
    '**High:**',
    'High:',
    'High',
    '- **High**',
    'High\n----',
  ])('takes "%s" for the title of a section', (title) => {
    expect(countFindings(`${title}\n\n- one\n- two\n`)).toEqual({ high: 2, medium: 0, low: 0 });
  });

  it.each([
    '## High-level overview',
    '## Highlights',
    '## High and Medium',
    '## How high is it?',
    '## Notes',
  ])('does not take "%s" for one', (title) => {
    expect(countFindings(`${title}\n\n- one\n`)).toEqual({ high: 0, medium: 0, low: 0 });
  });

  it.each(['*', '+', '-', '•', '1.', '2)'])('counts bullets written with %s', (mark) => {
    expect(countFindings(`## Low\n${mark} one\n${mark} two\n`)?.low).toBe(2);
  });

  it('does not count nested bullets, with spaces or tabs', () => {
    expect(countFindings('## High\n- one\n  - why\n  - how\n- two\n\t- why\n    1. deeper\n')?.high).toBe(2);
  });

  it('counts bullets that are all indented', () => {
    expect(countFindings('## High\n  * one\n    * why\n  * two\n')?.high).toBe(2);
  });

  it('counts the bullets under each nested title', () => {
    expect(countFindings('- High:\n  - one\n  - two\n- Low:\n  - three\n')).toEqual({
      high: 2,
      medium: 0,
      low: 1,
    });
  });

  it('reads sections in any order, and takes a missing one for empty', () => {
    expect(countFindings('## Low\n- a\n## High\n- b\n')).toEqual({ high: 1, medium: 0, low: 1 });
  });

  it('goes on through smaller headings and ends at one of the same size', () => {
    expect(countFindings('## High\n### Storage\n- a\n### Network\n- b\n## Summary\n- c\n')?.high).toBe(2);
  });

  it('counts findings that are headings of their own when there are no bullets', () => {
    expect(countFindings('## High\n### 1. The lock\ntext\n### 2. The queue\ntext\n')?.high).toBe(2);
  });

  it('does not count what is quoted in fenced code', () => {
    expect(countFindings('## High\n- one\n```\n## Low\n- no\n```\n- two\n~~~~\n- no\n~~~\n~~~~\n')).toEqual({
      high: 2,
      medium: 0,
      low: 0,
    });
  });

  it.each([
    'None',
    'None.',
    '_None_',
    'n/a',
    'No findings.',
    'No high severity issues found',
    'Nothing',
    '—',
  ])('does not count the bullet "%s"', (text) => {
    expect(countFindings(`## High\n- ${text}\n`)?.high).toBe(0);
  });

  it.each([
    'No validation of the id (check it)',
    'None of the steps can be undone',
    '锁没有释放',
    '`x` is null',
  ])('counts the bullet "%s"', (text) => {
    expect(countFindings(`## High\n- ${text}\n`)?.high).toBe(1);
  });

  it.each([
    '### [High] SQL injection',
    '### High: SQL injection\n- Where: a.ts\n- Fix: bind it',
    '### 1. **High** - SQL injection\n\nThe query is joined.\n\nBind it.',
    '## 🔴 Critical — SQL injection\n#### Impact: High\n**Severity: High**\n',
    '- High: SQL injection',
    '- **High**: SQL injection',
    '* **High:** SQL injection',
    '1. [High] SQL injection',
    '- (high severity) SQL injection',
    '- [High] SQL injection\n  - Medium: the same elsewhere',
    '**High**: SQL injection\n\nBind it.',
    '| Severity | Finding |\n|---|---|\n| High | SQL injection |',
    '| **High** | SQL injection | bind it |',
    '## High\n- **High**: SQL injection',
    '## High\n### [High] SQL injection\n- where\n- why\n',
    '## High\n\nThe query is joined\nfrom strings.\n\n## Medium\nNone.\n\n## Low\n\nNo low-severity issues were found.\n',
    '## High\n\n| # | Finding |\n|---|---|\n| 1 | SQL injection |\n',
  ])('counts one in %j', (text) => {
    expect(countFindings(`# Round 1 findings\n\n${text}\n`)).toEqual({ high: 1, medium: 0, low: 0 });
  });

  it.each([
    ['a number of two digits', 'High: 12 findings', 0],
    ['a number and nothing else', 'High: 12', 0],
    ['several severities', 'High: 1, medium 20, low 3', 0],
    ['no number', 'High: findings', 1],
    ['a number with a letter behind it', 'High: 2x findings', 1],
    ['a number with a letter before it', 'High: x2 findings', 1],
    ['a word beside the number', 'High: 2 findings in auth', 1],
    ['only signs', 'High: —', 0],
  ])('tells a tally from a finding: %s', (_, text, high) => {
    expect(countFindings(`# Round 1 findings\n\n- ${text}\n`)?.high).toBe(high);
  });

  it.each([
    ['a row in from the margin', '  | High | SQL injection |  ', 1],
    ['a row without a bar at its end', '| High | SQL injection', 1],
    ['a head', '| High | Finding |\n|---|---|', 0],
    ['a head in from the margin, with colons', '  | High | Finding |\n  | :--- | ---: |', 0],
    ['a row above an empty one', '| High | SQL injection |\n| | |', 1],
    ['a row above a list', '| High | SQL injection |\n- - -', 1],
    ['a row that counts', '| High | 12 |', 0],
    ['a row whose other cells are empty', '| High | | |', 0],
    ['a row of one cell', '| High |', 0],
    ['a row without its severity first', '| SQL injection | High |', 0],
  ])('reads a table row by row: %s', (_, text, high) => {
    expect(countFindings(`# Round 1 findings\n\n${text}\n`)?.high).toBe(high);
  });

  it('counts findings that bear their own severity, in whatever form and order', () => {
    const text =
      '## Findings\n### [High] a\ntext\n### [Low] b\n- detail\n## More\n- High: x\n- **Medium**: z\n- [Low] y\n- note\n';
    expect(countFindings(text)).toEqual({ high: 2, medium: 1, low: 2 });
    expect(countFindings('| Severity | What |\n|:--|---|\n| High | a |\n| Low | b |\n| Low | c |')).toEqual({
      high: 1,
      medium: 0,
      low: 2,
    });
  });

  it('counts each block of text in a section that has nothing else', () => {
    const text = '## Medium\n\nNo timeout\nanywhere.\n\nNo retry.\n\n---\n\n## Notes\n\nNothing else.\n';
    expect(countFindings(text)).toEqual({ high: 0, medium: 2, low: 0 });
  });

  it.each([
    '- High: 0\n- Medium: none\n- Low: no findings',
    '- **High**: 2 findings',
    '| Severity | Count |\n|---|---|\n| High | 2 |\n| Low | 0 |',
    '| High | Medium | Low |\n|---|---|---|\n| 2 | 0 | 1 |',
    '- High latency was looked at',
    '- `high_water` is right',
    '### High-risk areas: all looked at',
  ])('takes %j for no finding', (text) => {
    expect(countFindings(`## Summary\n\n${text}\n`)).toEqual({ high: 0, medium: 0, low: 0 });
  });

  it('leaves a bullet in its section that only sounds like another severity', () => {
    expect(countFindings('## Low\n- High latency\n- `high_water` is a bad name\n')).toEqual({
      high: 0,
      medium: 0,
      low: 2,
    });
  });

  it('counts nothing in a review without findings', () => {
    expect(countFindings('# Round 1 findings\n\nNo substantive findings.\n')).toEqual({
      high: 0,
      medium: 0,
      low: 0,
    });
  });

  it('takes an empty file for no review at all', () => {
    expect(countFindings('')).toBeNull();
    expect(countFindings(' \r\n\t\n')).toBeNull();
  });

  it('never fails, whatever a model writes', () => {
    const word = fc.constantFrom('#', '##', '- ', '* ', 'High', 'low', '\n', '\r\n', '```', '**', '  ', 'x');
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ unit: 'binary' }))), (words) => {
        const counts = countFindings(words.join(''));
        expect(counts === null || Object.values(counts).every((count) => count >= 0)).toBe(true);
      }),
    );
  });
});

it('describes counts the way holds and summaries do', () => {
  expect(describeCounts({ high: 1, medium: 0, low: 12 })).toBe('high=1 medium=0 low=12');
});
