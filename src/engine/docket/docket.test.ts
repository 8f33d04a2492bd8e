import { describe, expect, it } from 'vitest';
import type { Finding } from '../../reviewers/findings.ts';
import { accountsOf, describeAccounts } from './accounts.ts';
import { addFindings } from './add.ts';
import { answersIn, withAnswers } from './answers.ts';
import { docketText, parseDocket } from './format.ts';
import { type Docket, EMPTY_DOCKET, type Entry } from './types.ts';

const WHERE = { severity: 'high', file: 'src/a.ts', line: 12, evidence: null } as const;
const finding = (claim: string, more: Partial<Finding> = {}): Finding => ({ ...WHERE, claim, ...more });
const first = { review: 'plan-review-1.md', round: 1, by: 'opus', root: '/project' };
const second = { ...first, review: 'plan-review-2.md', round: 2 };
const add = (list: Finding[], to = EMPTY_DOCKET, review = first): Docket => addFindings(to, { list }, review);
const ids = ({ findings }: Docket): string[] => findings.map(({ id }) => id);
const two = add([finding('one'), finding('two', { file: 'b.ts' })]);
/** As a person may write it. */
const read = (...findings: object[]): Docket => parseDocket(JSON.stringify({ findings })) ?? EMPTY_DOCKET;
const earlier = (docket: Docket, claim: string, file: string | null = null) =>
  add([finding(claim, { file })], docket, second).findings.at(-1)?.earlier;

describe('adding findings', () => {
  it('gives each the next id and says where it comes from', () => {
    const { root: _, ...from } = first;
    const fresh = { ...from, ...WHERE, status: 'open', answer: null, earlier: [], others: {} };
    const other = { ...fresh, id: 'F2', file: 'b.ts', claim: 'two' };
    expect(two).toEqual({
      ...EMPTY_DOCKET,
      last: 2,
      findings: [{ ...fresh, id: 'F1', claim: 'one' }, other],
    });
  });

  it('adds the same review only once, so that a stop can be repeated, and another’s same words', () => {
    expect(add([finding('one'), finding('two', { file: 'b.ts' })], two)).toBe(two);
    expect(ids(add([finding('one'), finding('three')], two))).toEqual(['F1', 'F2', 'F3']);
    expect(ids(add([finding('one')], two, second))).toEqual(['F1', 'F2', 'F3']);
  });

  it('takes one that is listed twice for one, and another weight, file or line for another', () => {
    const others = [{}, { evidence: 'seen' }, { severity: 'low' }, { file: null }, { line: 13 }] as const;
    const added = add(others.map((more) => finding('one', more)));
    expect([added.findings.length, added.last]).toEqual([4, 4]);
  });

  it('takes only a whole line from 1 on', () => {
    const lines = [1, 0, -1, 1.5, null, 2 ** 53];
    const added = add(lines.map((line, at) => finding(`${at}`, { line })));
    expect(added.findings.map(({ line }) => line)).toEqual([1, null, null, null, null, null]);
  });

  it('never gives an id again whose entry somebody deleted or wrote by hand', () => {
    const cut = parseDocket(docketText({ ...two, findings: two.findings.slice(0, 1) })) ?? EMPTY_DOCKET;
    expect(ids(add([finding('new')], cut, second))).toEqual(['F1', 'F3']);
    expect(ids(add([finding('new')], read({ id: 'F1', claim: 'x', earlier: ['F9'] })))).toEqual([
      'F1',
      'F10',
    ]);
    const odd = ['F99999999', 'F100000000'].map((id) => ({ id, claim: id }));
    const added = add([finding('a'), finding('b')], { ...read(...odd), last: 99_999_998 });
    expect(new Set(ids(added)).size).toBe(4);
  });

  it('cuts what is too long and too many, and keeps nothing that steers a terminal', () => {
    const many = add(Array.from({ length: 201 }, (_, at) => finding(`${at} ${'x'.repeat(5000)}`)));
    expect([many.findings.length, many.findings.at(-1)?.claim.length]).toEqual([200, 2000]);
    const hostile = '\u001b]0;owned\u0007a\r\nb\u202Ec\u0000\u009b31m';
    const [steering] = add([finding(hostile, { file: hostile, evidence: hostile })]).findings;
    for (const text of [steering?.claim, steering?.file, steering?.evidence])
      expect(text).not.toMatch(/\p{Cc}|\p{Cf}/u);
    const [seen, silent] = add([finding('', { evidence: 'seen' }), finding('\u0007')]).findings;
    expect([seen?.claim, silent?.claim]).toEqual(['seen', '(the reviewer gave no words for it)']);
    expect(silent?.evidence).toBeNull();
  });

  it.each([
    ...[
      '/project/src/a.ts',
      './src/a.ts',
      'src\\a.ts',
      'src/a.ts:12',
      'src/a.ts:3-9',
      'src/a.ts:3:19',
      '././/src/a.ts',
    ].map((file): [string, string] => [file, 'src/a.ts']),
    [' ', null],
    ['./', null],
    ['/projects/a.ts', '/projects/a.ts'],
    ['src/project/./a.ts:x', 'src/project/./a.ts:x'],
    ['a:12/b.ts', 'a:12/b.ts'],
    ['x'.repeat(300), 'x'.repeat(300)],
    ['x'.repeat(301), `${'x'.repeat(299)}…`],
  ] as [string, string | null][])('means by the file %.40j %.20j', (file, meant) => {
    expect(add([finding('x', { file })]).findings[0]?.file).toBe(meant);
  });
});

describe('a finding that is raised again', () => {
  const answered = withAnswers(two, answersIn('F1 rejected: it is meant so\nF2 fixed: done\n'));

  it('names the answered ones in the same file, of another review, and makes the rejected one contested', () => {
    const again = add(
      [finding('a'), finding('b', { file: 'b.ts' }), finding('c', { file: 'c' })],
      answered,
      second,
    );
    expect(again.findings.slice(2).map((entry) => entry.earlier)).toEqual([['F1'], ['F2'], []]);
    expect(earlier(two, 'again', 'src/a.ts')).toEqual([]);
    expect(add([finding('late')], answered).findings.at(-1)?.earlier).toEqual([]);
    const accounts = accountsOf(again);
    expect(accounts.contested.map(({ id }) => id)).toEqual(['F1']);
    expect(describeAccounts(accounts)).toBe('5 found: 1 fixed, 1 rejected, 3 open (3 high)');
  });

  const done = { status: 'fixed', review: 'old.md' };

  it.each([
    // Half of the words that either has, and no fewer; words of four letters or more.
    ['alpha beta gamma', 'alpha beta delta', true],
    ['alpha beta', 'alpha gamma', false],
    ['Tenant, ALPHA_1!', 'alpha_1 tenant', true],
    ['abc be', 'abc be', false],
    ['abcd', 'abcd', true],
    ['beta', 'beta alpha', true],
    ['beta', 'beta alpha gamma', false],
    ['beta alpha gamma', 'beta', false],
  ])('of no file says much the same in %j and %j: %s', (one, other, isSo) => {
    const old = read({ id: 'F1', claim: one, ...done });
    expect(earlier(old, other)).toEqual(isSo ? ['F1'] : []);
    expect(earlier(old, other, 'a.ts')).toEqual([]);
    expect(earlier(read({ id: 'F1', claim: one, file: 'a.ts', ...done }), other)).toEqual([]);
    const own = addFindings(old, { list: [finding(other, { file: null })] }, { ...first, review: 'old.md' });
    expect(own.findings.at(-1)?.earlier).toEqual([]);
  });

  it('is known by an id in its words alone', () => {
    const old = read({ id: 'F12', claim: 'x', file: 'x.ts', ...done });
    for (const claim of ['see F12.', '(F12)']) expect(earlier(old, claim, 'a.ts')).toEqual(['F12']);
    for (const claim of ['see F1', 'F123', 'xF12', 'F12x', 'f12', 'F012'])
      expect(earlier(old, claim, 'a.ts')).toEqual([]);
    expect(earlier(old, `${' '.repeat(5)}F12`)).toEqual(['F12']);
  });

  it('names the twenty newest at most, in the order of their ids', () => {
    const odd = ['F10', 'F2', 'F1'].map((id) => ({ id, claim: id, file: 'a', ...done }));
    expect(earlier(read(...odd), 'x', 'a')).toEqual(['F1', 'F2', 'F10']);
    const many = Array.from({ length: 60 }, (_, at) => ({
      id: `F${at + 1}`,
      claim: `${at}`,
      file: 'a',
      ...done,
    }));
    expect(earlier(read(...many), 'x', 'a')).toEqual(Array.from({ length: 20 }, (_, at) => `F${41 + at}`));
  });

  it('compares words with the newest three hundred, and finds what is named however old it is', () => {
    const texts = Array.from({ length: 301 }, (_, at) => `words${at} other${at}`);
    const old = read(...texts.map((claim, at) => ({ id: `F${at + 1}`, claim, ...done })));
    const asked = ['words0 other0', 'words1 other1', 'words300 other300', 'As F1 said'];
    expect(asked.map((claim) => earlier(old, claim))).toEqual([[], ['F2'], ['F301'], ['F1']]);
  });

  it('compares the first 2,000 characters of a claim', () => {
    const claim = `cache tenant ${' '.repeat(1987)}more1 more2 more3`;
    expect(earlier(read({ id: 'F1', claim, ...done }), 'cache tenant')).toEqual(['F1']);
    expect(
      earlier(read({ id: 'F1', claim: claim.replace(' more1', 'more1'), ...done }), 'cache tenant'),
    ).toEqual(['F1']);
  });
});

describe('answers', () => {
  const [fixed, rejected] = ['took the lock', 'it is meant so'];
  it.each<[string, Entry['status'], string]>([
    ['F7 fixed: took the lock', 'fixed', fixed],
    ['  * **F7 fixed:** took the lock', 'fixed', fixed],
    ['1. **F7** rejected: it is meant so', 'rejected', rejected],
    ['- [x] F7 Fixed: took the lock', 'fixed', fixed],
    ['### F7 REJECTED: it is meant so', 'rejected', rejected],
    ['f7 fixed', 'fixed', ''],
    ['F7: fixed — took the lock', 'fixed', fixed],
    ['F7 (rejected): it is meant so', 'rejected', rejected],
    ['F7 rejected, it is meant so', 'rejected', rejected],
    ['- the lock\n   \n    F7 fixed: took the lock', 'fixed', fixed],
    ['  12. the lock\n\n\tF7 fixed: took the lock', 'fixed', fixed],
    ['3) the lock\n    F7 fixed: took the lock', 'fixed', fixed],
    ['•\tthe lock\n    F7 fixed: took the lock', 'fixed', fixed],
    ['   F7 fixed: took `the lock`', 'fixed', 'took `the lock`'],
    ['F7 fixed: took    the\tlock', 'fixed', fixed],
    ['`x` and\nF7 fixed：took the lock', 'fixed', fixed],
    ['F7 – *fixed*. took the lock', 'fixed', fixed],
    ['__F7__ fixed: took the lock', 'fixed', fixed],
    ['_F7 fixed_: took the lock', 'fixed', fixed],
    ['- __F7__ – __fixed.__ took the lock', 'fixed', fixed],
    ['- 1. [F7] fixed; took the lock', 'fixed', fixed],
    ['F7 rejected: <a> is 1', 'rejected', '<a> is 1'],
    ['F7 rejected: это так', 'rejected', 'это так'],
    ['```\nF1 fixed: no\n```\nF7 fixed: took the lock\r', 'fixed', fixed],
  ])('are read from %j', (line, status, text) => {
    expect(answersIn(`# Answers\n\n${line}\n`)).toEqual([{ id: 'F7', status, text }]);
  });

  it.each([
    ...[
      'F7 not fixed: no time',
      'F7 rejected',
      'F7 rejected: —',
      'F7 rejected: <why>',
      'F7 rejected: <why> <and how>',
    ],
    ...[
      'We fixed F7: it was wrong',
      'XF7 fixed: x',
      'some_F7 fixed: x',
      'F0 fixed: x',
      'F1234567890 fixed: x',
    ],
    ...[
      'F7 fixedness: x',
      'F7 fixed_up: x',
      'F7 fixed-up: x',
      'F7 fixed_-_up: x',
      'F7 fixed2: x',
      'F7, F8 fixed: x',
    ],
    ...[
      'it is fixed, and rejected',
      'F7 and F8',
      '> F7 fixed: quoted',
      '`F7 fixed: quoted`',
      'F7 rejected: <>',
    ],
    ...[
      '<!-- F7 fixed: x -->',
      '<!--\nF7 fixed: x\n-->',
      '```\nF7 fixed: x\n```',
      '```\nF7 fixed: nobody closed it',
    ],
    ...[
      '~~~~\nF7 fixed: x\n~~~\nF7 fixed: x\n~~~~',
      '- list\n\n  ```\n  F7 fixed: x\n  ```',
      '    F7 fixed: x',
    ],
    ...[
      'text\n\n    F7 fixed: x\n',
      'text\n\n  \tF7 fixed: x\n',
      'text - more\n\n    F7 fixed: x\n',
      'x. y\n\n    F7 fixed: x',
    ],
    ...['12 text\n\n    F7 fixed: x', '-text\n\n    F7 fixed: x', '- list\ntext\n\n    F7 fixed: x'],
  ])('are none in %j', (text) => {
    expect(answersIn(text)).toEqual([]);
  });

  it('are cut where they are too long', () => {
    expect(answersIn(`F7 fixed: ${'x'.repeat(2000)}`)[0]?.text).toBe('x'.repeat(2000));
    expect(answersIn(`F7 fixed: ${'x'.repeat(2001)}`)[0]?.text).toHaveLength(2000);
  });

  it('give each finding the last word, none to ids that are not there, and stay away from one opened again', () => {
    const answers = answersIn('F1 fixed: a\nF1 rejected: b\nF9 fixed: nobody');
    const answered = withAnswers(two, answers);
    const states = ({ findings }: Docket) => findings.map(({ status, answer }) => [status, answer]);
    expect(states(answered)).toEqual([
      ['rejected', 'b'],
      ['open', null],
    ]);
    expect(withAnswers(two, [])).toBe(two);
    const reopened = {
      ...answered,
      findings: answered.findings.map((entry) => ({ ...entry, status: 'open' as const })),
    };
    expect(states(withAnswers(reopened, answers))[0]).toEqual(['open', 'b']);
    expect(states(withAnswers(reopened, answersIn('F1 fixed: really')))[0]).toEqual(['fixed', 'really']);
  });

  it('take the place of what a person wrote there in words of their own', () => {
    const edited = read({ id: 'F1', claim: 'a', status: 'wontfix', answer: 7, owner: 'me' });
    expect(edited.findings[0]?.others).toEqual({ status: 'wontfix', answer: 7, owner: 'me' });
    const [entry] = withAnswers(edited, answersIn('F1 fixed: now')).findings;
    expect(entry).toMatchObject({ status: 'fixed', answer: 'now' });
    expect(entry?.others).toEqual({ owner: 'me' });
  });
});
