import { describe, expect, it } from 'vitest';
import { isPlainTitle, isTally, labelOf, saysNone, severityInDetail, severityOf } from './severity-words.ts';

describe('the severity that a title says', () => {
  it.each([
    ['High', 'high'],
    ['HIGH', 'high'],
    ['Critical', 'high'],
    ['high severity findings', 'high'],
    ['(2) High', 'high'],
    ['Medium', 'medium'],
    ['Moderate risk', 'medium'],
    ['Low', 'low'],
    ['minor issue', 'low'],
    ['priority: low', 'low'],
    ['impact low finding', 'low'],
    ['issues: low', 'low'],
    ['High-level', null],
    ['high low', null],
    ['', null],
    ['2', null],
    ['constructor', null],
    ['Severe', null],
  ])('%j: %s', (title, severity) => {
    expect(severityOf(title)).toBe(severity);
  });
});

describe('the label in front of a finding', () => {
  it.each([
    ['[High] text', 'high', ' text'],
    ['(low) text', 'low', ' text'],
    ['low ] text', 'low', ' text'],
    ['**High**: text', 'high', ': text'],
    ['**High:** text', 'high', '** text'],
    ['*low* text', 'low', ' text'],
    ['_low_ text', 'low', ' text'],
    ['High: text', 'high', ' text'],
    ['High\uff1a text', 'high', ' text'],
    ['High — text', 'high', ' text'],
    ['High – text', 'high', ' text'],
    ['1. High - text', 'high', 'text'],
    ['High -- text', 'high', 'text'],
    ['12) low: a', 'low', ' a'],
    ['123: low: a', 'low', ' a'],
    ['- low: text', 'low', ' text'],
    ['high severity: text', 'high', ' text'],
    ['high priority - text', 'high', 'text'],
    ['high risk) text', 'high', ' text'],
    ['Critical: a', 'high', ' a'],
    ['moderate: c', 'medium', ' c'],
    ['minor: b', 'low', ' b'],
  ])('%j: %s', (text, severity, rest) => {
    expect(labelOf(text)).toEqual({ severity, rest });
  });

  it.each([
    ...['1234. low: a', 'High- text', 'High-text', 'High latency', 'high_water: x', 'high impact: text'],
    ...['High: none', 'High: 2 findings', 'High:', 'Severe: text', 'constructor: text', ''],
  ])('is none in %j', (text) => {
    expect(labelOf(text)).toBeNull();
  });
});

describe('the severity in a line below a finding', () => {
  it.each([
    ['Severity: High', 'high'],
    ['severity: low', 'low'],
    ['Severity:high', 'high'],
    ['Severity : high', 'high'],
    ['Severity\uff1a high', 'high'],
    ['Priority: medium', 'medium'],
    ['- Severity: High', 'high'],
    ['* Severity: High', 'high'],
    ['+ Severity: High', 'high'],
    ['• Severity: High', 'high'],
    ['  - **Severity**: High', 'high'],
    ['**Severity:** High', 'high'],
    ['__Severity:__ minor', 'low'],
    ['Severity: [High]', 'high'],
    ['Severity: High (it is open to all)', 'high'],
    ['Severity: High-ish', null],
    ['Severity: Highest', null],
    ['Severity: High2', null],
    ['Severity: ((((( High', null],
    ['The severity: high', null],
    ['Severity high', null],
    ['Severities: high', null],
    ['Severity: severe', null],
    ['-Severity: high', null],
  ])('%j: %s', (line, severity) => {
    expect(severityInDetail(line)).toBe(severity);
  });
});

it.each([
  ['2 findings', true],
  ['High: 2 findings', true],
  ['2', true],
  ['2 high, 3 low issues', true],
  ['12 issues', true],
  ['findings', false],
  ['no findings', false],
  ['2 bugs', false],
  ['a1', false],
  ['1a findings', false],
  ['', false],
])('how many there are is said by %j: %s', (text, isSo) => {
  expect(isTally(text)).toBe(isSo);
});

describe('that there is nothing', () => {
  it.each([
    ...['', '—', 'None', 'none.', 'Nothing', 'nil', 'N/A', 'No findings', 'no finding', 'no issue'],
    ...['no findings found', 'No substantive findings were identified.', 'no high severity findings'],
    ...[
      'no medium priority issues',
      'There are no findings',
      'there were none',
      'there is nothing to report',
    ],
    ...['There is no issue here', 'none noted', 'nothing at this level'],
    'No material further other new low findings',
  ])('says %j', (text) => {
    expect(saysNone(text)).toBe(true);
  });

  it.each([...['no bugs', 'nothing is wrong', 'None of it works', 'no findings yet', 'well none', 'x']])(
    'says not %j',
    (text) => {
      expect(saysNone(text)).toBe(false);
    },
  );
});

it.each([
  ['Findings', true],
  ['Round 1 findings', true],
  ['Summary', true],
  ['The review of the code and plan', true],
  ['Overview of all open issues', true],
  ['A list for other new notes', true],
  ['current diff report details', true],
  ['', true],
  ['The lock', false],
  ['Findings: locks', false],
])('the title of a list is %j: %s', (text, isSo) => {
  expect(isPlainTitle(text)).toBe(isSo);
});
