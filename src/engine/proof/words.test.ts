import { describe, expect, it } from 'vitest';
import { UNASKED } from './asked.ts';
import { describeProof, describeWorth, WHY } from './describe.ts';
import { duration, inWords, listOf, shown } from './in-words.ts';
import type { ProtectedChange } from './protect.ts';
import { cleaningWithoutOurs, cleansTree, putBackText } from './put-back-text.ts';
import { quote } from './quote.ts';
import { refusedText } from './refused-text.ts';
import type { CannotRun, CheckFact, Proof, Unproven } from './types.ts';
import { untilText } from './until-text.ts';
import {
  acceptedText,
  closingText,
  refusalText,
  releasedText,
  reviewerText,
  trustAheadText,
  trustGivenText,
  unkeptText,
} from './words.ts';

const fact = (name: string, more: Partial<CheckFact> = {}): CheckFact => ({
  ...{ end: 'passed', code: 0, milliseconds: 12_345, from: 'run' },
  ...{ name, ...more },
});
const failed = (name: string, more: Partial<CheckFact> = {}) =>
  fact(name, { end: 'failed', code: 1, ...more });
const nothing = { code: null, milliseconds: null, from: null };
const missing = (name: string, why?: CannotRun) =>
  fact(name, { end: 'cannot-run', ...nothing, ...(why && { why }) });
const untrusted = fact('build', { end: 'untrusted', ...nothing });
const proofOf = (checks: readonly CheckFact[], more: Partial<Proof> = {}): Proof => ({
  ...UNASKED,
  checks,
  ...more,
});
const refused = (checks: readonly CheckFact[], more: Partial<Proof> = {}) =>
  proofOf(checks, { claim: 'refused', worth: 'unproven', ...more });
const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `check-${at + 1}`);
const printed = (name: string, tail: string) => ({ name, tail, log: `.holdfast/checks/${name}.log` });
const changes: ProtectedChange[] = [
  { file: 'test/a.test.ts', how: 'changed', skips: 2 },
  { file: 'b\u001b[2J\n', how: 'removed', skips: 0 },
  { file: 'c', how: 'added', skips: 1 },
];
const many = (count: number) =>
  numbered(count).map((file): ProtectedChange => ({ file, how: 'added', skips: 0 }));
const before = failed('lint', { failedBefore: true });
const accepted = failed('links', { accepted: 'config' });
const flaky = fact('e2e', { flaky: true, milliseconds: 200_000 });
const kept = fact('types', { from: 'receipt', milliseconds: 3000 });
const late = failed('slow', { end: 'timed-out', code: null, milliseconds: 600_000 });
const WHYS: CannotRun[] = [
  'not-found',
  'not-executable',
  'no-sandbox',
  'no-time',
  'changes-files',
  'too-much-output',
  'no-folder',
];
const all = [
  fact('test'),
  failed('unit'),
  before,
  accepted,
  missing('e2e', 'no-sandbox'),
  untrusted,
  kept,
  flaky,
];

it('what agents and people read about proof is in golden/said.txt', async () => {
  const refusal = (
    proof: Proof,
    tails: Record<string, string> = {},
    changed: readonly ProtectedChange[] = [],
  ) =>
    refusalText(
      proof,
      Object.entries(tails).map(([name, tail]) => printed(name, tail)),
      { cli: 'hf' },
      changed,
    );
  const own = ['.holdfast', '.claude/claudex', '.claude/idle-loop.local.md', '.jwz'];
  const gone = ['.holdfast/a', '.holdfast/b', '.holdfast/c', '.taskie/plans/p/plan.md', '.taskie/x', '.z'];
  const lost = {
    check: 'te\u202est',
    back: ['idle:one', 'taskie:p'],
    failed: [{ run: 'flow:f', why: 'no room' }],
    gone,
    own,
  };
  const plain = numbered(11).map((name) => fact(name, { milliseconds: 1000 }));
  const sums = [
    failed('x'),
    ...plain.slice(0, 9),
    { ...kept, milliseconds: 1000 },
    { ...flaky, milliseconds: null },
  ];
  const said: Record<string, string | null> = {
    'a check of two failed': refusal(refused([failed('test'), fact('types')]), { test: 'a\nnot ok 3\n' }),
    'the only check failed before': refusal(
      refused([failed('test', { from: 'receipt' })], { unchanged: true }),
      { test: 'no' },
    ),
    'ends of checks': refusal(
      refused([late, failed('a', { code: null }), failed('b', { milliseconds: null })]),
    ),
    'others beside it': refusal(
      refused([
        failed("it's", { redBefore: true }),
        before,
        accepted,
        missing('e2e', 'not-found'),
        missing('x'),
      ]),
      { lint: 'old' },
    ),
    'none can run': refusal(refused([...WHYS.map((why) => missing(why, why)), missing('x')])),
    'protected files are held': refusal(refused([], { heldForProtected: true }), {}, changes),
    both: refusal(refused([failed('test')], { heldForProtected: true }), {}, many(21)),
    'twelve failed': refusal(refused(numbered(12).map((name) => failed(name)))),
    proven: closingText(
      proofOf([fact('test'), kept, flaky, { ...kept, milliseconds: null }], { worth: 'proven' }),
    ),
    'proven, many': closingText(proofOf(sums.slice(1), { worth: 'proven' })),
    'proven, eleven': closingText(proofOf(plain, { worth: 'proven' })),
    'proven, ten': closingText(proofOf(plain.slice(1), { worth: 'proven' })),
    'nothing to say': closingText(proofOf([], { worth: 'proven' })),
    'protected files': closingText(proofOf([]), changes, 'hf'),
    'eleven protected files': closingText(proofOf([fact('test')], { worth: 'proven' }), many(11)),
    'let go': releasedText(proofOf([failed('test'), before, fact('types')]), 12, 'hf'),
    'let go once': releasedText(proofOf([missing('e2e', 'no-time')]), 1),
    'for a reviewer': reviewerText(proofOf([failed('test')]), [printed('test', 'not ok 3')], changes),
    'for a reviewer, none': reviewerText(refused([failed('test')]), [], []),
    'accepted red': acceptedText(
      [
        { name: 'test', by: 'person' },
        { name: 'lint', by: 'start' },
      ],
      'idle:a b',
      'hf',
    ),
    'trust given': trustGivenText(['test', 'lint']),
    'trust ahead': trustAheadText([{ name: 'test' }], 'hf'),
    'logs not kept': unkeptText([
      { fact: fact('a'), unkept: 'a link' },
      { fact: fact('b') },
      { fact: fact('a'), unkept: 'a link' },
    ]),
    'logs kept': unkeptText([{ fact: fact('b') }]),
    'in a sentence': describeProof(
      refused(all, { why: ['failed', 'changed-since'], heldForProtected: true, protectedChanged: 1 }),
    ),
    unchanged: describeProof(
      refused([late], { unchanged: true, protectedChanged: 2, heldForProtected: true }),
    ),
    'refused for the user': refusedText(refused([failed('unit')])),
    until: untilText(refused([failed('unit')]), [printed('unit', '\n one\ntwo \n'), printed('x', 'no')]),
    'until, without output': untilText(refused([failed('unit')]), [printed('unit', ' \n')]),
    'until, without a check': untilText(UNASKED, [printed('x', 'no')]),
    'put back': putBackText(lost),
    'put back, one': putBackText({ ...lost, back: ['idle:one'], failed: [], gone: [] }),
    'not put back': putBackText({ ...lost, back: [] }),
  };
  for (const why of Object.keys(WHY) as Unproven[]) {
    said[`unproven: ${why}`] = closingText(proofOf(all, { worth: 'unproven', why: [why] }), [], 'hf');
    said[`in a word: ${why}`] =
      `${describeWorth('unproven', [why, 'constructor'])}. ${describeProof(proofOf([], { why: [why] }))}`;
  }
  const text = Object.entries(said)
    .map(([title, each]) => `## ${title}\n${each}\n`)
    .join('\n');
  await expect(text).toMatchFileSnapshot('./golden/said.txt');
});

describe('what checks printed', () => {
  it.each([
    ['', ''],
    ['one\r\ntwo\r\r\n', '    one\n    two'],
    ['10%\r50%\r100%\ndone\r', '    100%\n    done'],
    ['one  \t\n  two', '    one\n      two'],
    ['\n\n\none\n\n\n\ntwo\n\n', '    one\n\n    two'],
    ['\u001b[31mred\u001b[0m\u0007\u202e', '    red'],
  ])('is quoted as a terminal shows it in the end: %j', (output, quoted) => {
    expect(quote([output])[0]?.trimEnd()).toBe(quoted);
  });

  it('is within 2,000 characters, and what a short one leaves goes to the others', () => {
    expect(quote(['x'.repeat(2000)])).toEqual([`    ${'x'.repeat(2000)}`]);
    const long = (first: string) => `not ok 1 - ${first}\n${'it goes on\n'.repeat(300)}`;
    const shares = quote([long('a'), 'short', long('b')]);
    expect(shares[1]).toBe('    short');
    for (const share of [shares[0], shares[2]]) {
      expect(share).toMatch(/^ {4}not ok 1 - [ab]\n/);
      expect(share?.length).toBeGreaterThan(800);
    }
    expect(shares.join('').replaceAll(/^ {4}/gm, '').length).toBeLessThanOrEqual(2000);
  });
});

it('lists, names and times are bounded', () => {
  const parts = ['a', 'b', 'c', 'd'];
  expect([0, 1, 2, 3, 4].map((count) => inWords(parts.slice(0, count), 3))).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
    'a, b, c and 1 more',
  ]);
  expect([inWords(parts, 0), listOf([], 2), listOf(parts.slice(2), 2), listOf(parts, 3)]).toEqual([
    '4 more',
    '',
    '- c\n- d',
    '- a\n- b\n- c\n- and 1 more',
  ]);
  expect([shown('a\t b\n\nc'), shown('x'.repeat(60)), shown('x'.repeat(61))]).toEqual([
    'a b c',
    'x'.repeat(60),
    `${'x'.repeat(59)}…`,
  ]);
  // Only so much is looked at.
  expect([shown(`a${' '.repeat(9)}b`, 5), shown('abcdef', 5)]).toEqual(['a ', 'abcd…']);
  const times = [0, 149, 9949, 9950, 119_499, 119_500, 120_500, 3_600_000].map(duration);
  expect(times).toEqual(['0.1 s', '0.1 s', '9.9 s', '10 s', '119 s', '2 min', '2 min 1 s', '60 min']);
});

it('a command that cleans the tree is known by its words', () => {
  for (const run of [
    'git clean -xfdq && npm test',
    'npm ci; git -C . clean -q -f -d -x',
    'git clean -fX',
    ['git', 'clean', '-xfd'],
  ])
    expect([run, cleansTree({ run })]).toEqual([run, true]);
  for (const run of [
    'npm test',
    'git clean -n',
    'git status; npm run clean -- -x',
    'git clean -xfd -e .holdfast && npm test',
  ])
    expect([run, cleansTree({ run })]).toEqual([run, false]);
  expect(cleaningWithoutOurs(['.holdfast', '.a/b', '.a/c'])).toBe('`git clean -xfd -e .holdfast -e .a`');
});
