import { describe, expect, it } from 'vitest';
import type { Finding } from '../../reviewers/findings.ts';
import { accountsOf, describeAccounts } from './accounts.ts';
import { addFindings, MOST_FINDINGS } from './add.ts';
import { answersIn, withAnswers } from './answers.ts';
import { docketText, parseDocket, salvageDocket } from './format.ts';
import { type Docket, EMPTY_DOCKET, type Entry } from './types.ts';

const finding = (claim: string, more: Partial<Finding> = {}): Finding => ({
  severity: 'high',
  file: 'src/a.ts',
  line: 12,
  claim,
  evidence: null,
  ...more,
});

const first = { review: 'plan-review-1.md', round: 1, by: 'opus', root: '/project' };
const second = { ...first, review: 'plan-review-2.md', round: 2, by: 'sonnet' };
const third = { ...first, review: 'plan-review-3.md', round: 3 };

const ids = ({ findings }: Docket): string[] => findings.map(({ id }) => id);
const entry = (docket: Docket, id: string): Entry | undefined =>
  docket.findings.find((each) => each.id === id);

const two = addFindings(EMPTY_DOCKET, { list: [finding('one'), finding('two', { file: 'b.ts' })] }, first);

describe('adding findings', () => {
  it('gives each the next id and says where it comes from', () => {
    const fresh = {
      ...{ review: 'plan-review-1.md', round: 1, by: 'opus', severity: 'high', line: 12, evidence: null },
      ...{ status: 'open', answer: null, earlier: [], others: {} },
    };
    expect(two).toEqual({
      last: 2,
      findings: [
        { ...fresh, id: 'F1', file: 'src/a.ts', claim: 'one' },
        { ...fresh, id: 'F2', file: 'b.ts', claim: 'two' },
      ],
      strays: [],
      others: {},
    });
  });

  it('adds the same review only once, so that a stop can be repeated', () => {
    expect(addFindings(two, { list: [finding('one'), finding('two', { file: 'b.ts' })] }, first)).toBe(two);
    const more = addFindings(two, { list: [finding('one'), finding('three')] }, first);
    expect(ids(more)).toEqual(['F1', 'F2', 'F3']);
  });

  it('takes one that a review lists twice for one, and another weight, file or line for another', () => {
    const list = [
      ...[
        finding('one'),
        finding('one'),
        finding('one', { severity: 'low' }),
        finding('one', { file: null }),
      ],
      ...[finding('one', { line: 13 }), finding('one', { evidence: 'seen' })],
    ];
    const added = addFindings(EMPTY_DOCKET, { list }, first);
    expect(added.findings.map(({ severity, file, line }) => [severity, file, line])).toEqual([
      ['high', 'src/a.ts', 12],
      ['low', 'src/a.ts', 12],
      ['high', null, 12],
      ['high', 'src/a.ts', 13],
    ]);
    expect(added.last).toBe(4);
  });

  it.each([
    [1, 1],
    [0, null],
    [-1, null],
    [1.5, null],
    [null, null],
    [2 ** 53, null],
  ])('takes the line %s for %s', (line, taken) => {
    const [found] = addFindings(EMPTY_DOCKET, { list: [finding('x', { line })] }, first).findings;
    expect(found?.line).toBe(taken);
  });

  it('reads as many of a review as it may list', () => {
    const list = Array.from({ length: 201 }, (_, index) => finding(`${index}`));
    const { findings } = addFindings(EMPTY_DOCKET, { list }, first);
    expect([findings.length, findings[0]?.claim, findings.at(-1)?.claim]).toEqual([200, '0', '199']);
  });

  it('takes the same words of another review for another finding', () => {
    expect(ids(addFindings(two, { list: [finding('one')] }, second))).toEqual(['F1', 'F2', 'F3']);
  });

  it('never gives an id again whose entry somebody deleted', () => {
    const cut = parseDocket(docketText({ ...two, findings: two.findings.slice(0, 1) }));
    expect(ids(addFindings(cut ?? EMPTY_DOCKET, { list: [finding('new')] }, second))).toEqual(['F1', 'F3']);
    const named = { findings: [{ id: 'F1', claim: 'x', earlier: ['F9'] }] };
    const read = parseDocket(JSON.stringify(named)) ?? EMPTY_DOCKET;
    expect(ids(addFindings(read, { list: [finding('new')] }, second))).toEqual(['F1', 'F10']);
  });

  it('passes over ids that somebody wrote by hand', () => {
    const read = parseDocket(
      JSON.stringify({
        last: 99_999_998,
        findings: [
          { id: 'F99999999', claim: 'x' },
          { id: 'F100000000', claim: 'y' },
        ],
      }),
    );
    const added = addFindings(read ?? EMPTY_DOCKET, { list: [finding('a'), finding('b')] }, second);
    expect(new Set(ids(added)).size).toBe(4);
    expect(ids(parseDocket(docketText(added)) ?? EMPTY_DOCKET)).toEqual(ids(added));
  });

  it('cuts what is too long and too many, and keeps nothing that steers a terminal', () => {
    const list = Array.from({ length: 300 }, (_, index) => finding(`${index} ${'x'.repeat(5000)}`));
    const many = addFindings(EMPTY_DOCKET, { list }, first);
    expect(many.findings).toHaveLength(MOST_FINDINGS);
    expect(many.findings.every(({ claim }) => claim.length <= 2000)).toBe(true);
    const hostile = '\u001b]0;owned\u0007a\r\nb\u202Ec\u0000\u009b31m';
    const [steering] = addFindings(
      EMPTY_DOCKET,
      { list: [finding(hostile, { file: hostile, evidence: hostile, line: -4 })] },
      first,
    ).findings;
    for (const text of [steering?.claim, steering?.file, steering?.evidence])
      expect(text).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect(steering?.line).toBeNull();
  });

  it('means one file however a reviewer writes it', () => {
    const places = [
      '/project/src/a.ts',
      './src/a.ts',
      'src/a.ts',
      'src\\a.ts',
      'src/a.ts:12',
      'src/a.ts:3-9',
      'src/a.ts:3:19',
      '././/src/a.ts',
    ];
    const list = places.map((file, index) => finding(`${index}`, { file }));
    for (const { file } of addFindings(EMPTY_DOCKET, { list }, first).findings) expect(file).toBe('src/a.ts');
    const placeOf = (file: string): string | null | undefined =>
      addFindings(EMPTY_DOCKET, { list: [finding('x', { file })] }, first).findings[0]?.file;
    expect(placeOf(' ')).toBeNull();
    expect(placeOf('./')).toBeNull();
    expect(placeOf('/projects/a.ts')).toBe('/projects/a.ts');
    expect(placeOf('src/project/./a.ts:x')).toBe('src/project/./a.ts:x');
    expect(placeOf('a:12/b.ts')).toBe('a:12/b.ts');
    expect(placeOf('x'.repeat(300))).toBe('x'.repeat(300));
    expect(placeOf('x'.repeat(301))).toHaveLength(300);
  });

  it('loses none that has no words', () => {
    const [seen] = addFindings(EMPTY_DOCKET, { list: [finding('', { evidence: 'seen' })] }, first).findings;
    expect(seen).toMatchObject({ claim: 'seen', evidence: 'seen' });
    const [silent] = addFindings(EMPTY_DOCKET, { list: [finding('\u0007')] }, first).findings;
    expect(silent).toMatchObject({ claim: '(the reviewer gave no words for it)', evidence: null });
  });
});

describe('a finding that is raised again', () => {
  const answered = withAnswers(two, answersIn('F1 rejected: it is meant so\nF2 fixed: done\n'));

  it('names the answered ones in the same file', () => {
    const again = addFindings(
      answered,
      { list: [finding('other words'), finding('c', { file: 'c.ts' })] },
      second,
    );
    expect(entry(again, 'F3')?.earlier).toEqual(['F1']);
    expect(entry(again, 'F4')?.earlier).toEqual([]);
  });

  it('does not name one that is open, nor one of its own review', () => {
    expect(entry(addFindings(two, { list: [finding('again')] }, second), 'F3')?.earlier).toEqual([]);
    expect(entry(addFindings(answered, { list: [finding('late')] }, first), 'F3')?.earlier).toEqual([]);
  });

  it('names one whose id it has, and one about no file that says much the same', () => {
    const planned = [finding('the rollback of the queue is never tested', { file: null })];
    const noted = withAnswers(
      addFindings(EMPTY_DOCKET, { list: planned }, first),
      answersIn('F1 rejected: later'),
    );
    const raised = (claim: string) =>
      addFindings(noted, { list: [finding(claim, { file: null })] }, second).findings[1]?.earlier;
    expect(raised('F1 stands: later is too late')).toEqual(['F1']);
    expect(raised('the rollback of the queue is still never tested')).toEqual(['F1']);
    expect(raised('secrets are logged')).toEqual([]);
  });

  it.each([
    // Half of the words that either has, and no fewer.
    ['alpha beta gamma', 'alpha beta delta', true],
    ['alpha beta', 'alpha gamma', false],
    ['ALPHA', 'alpha', true],
    ['a be cat', 'a be cat', false],
    ['beta', 'beta alpha', true],
    ['beta', 'beta alpha gamma', false],
  ])('of no file says much the same in %j and %j: %s', (one, other, isSo) => {
    const old = { findings: [{ id: 'F1', claim: one, status: 'fixed', review: 'old.md' }] };
    const read = parseDocket(JSON.stringify(old)) ?? EMPTY_DOCKET;
    const again = (more: object) =>
      addFindings(read, { list: [finding(other, { file: null, ...more })] }, second).findings[1]?.earlier;
    expect(again({})).toEqual(isSo ? ['F1'] : []);
    expect(again({ file: 'a.ts' })).toEqual([]);
  });

  it('is known by an id in its words alone', () => {
    const old = { findings: [{ id: 'F12', claim: 'x', status: 'fixed', review: 'old.md', file: 'x.ts' }] };
    const read = parseDocket(JSON.stringify(old)) ?? EMPTY_DOCKET;
    const again = (claim: string) =>
      addFindings(read, { list: [finding(claim)] }, second).findings[1]?.earlier;
    expect(again('see F12.')).toEqual(['F12']);
    expect(again('(F12)')).toEqual(['F12']);
    for (const claim of ['see F1', 'F123', 'xF12', 'F12x', 'f12', 'F012']) expect(again(claim)).toEqual([]);
  });

  it('names them in the order of their ids', () => {
    const old = {
      findings: ['F10', 'F2', 'F1'].map((id) => ({ id, claim: id, status: 'fixed', file: 'a' })),
    };
    const read = parseDocket(JSON.stringify(old)) ?? EMPTY_DOCKET;
    const again = addFindings(read, { list: [finding('x', { file: 'a' })] }, second);
    expect(again.findings[3]?.earlier).toEqual(['F1', 'F2', 'F10']);
    expect(again.last).toBe(11);
  });

  it('makes a rejected one contested, and a fixed one not', () => {
    const again = addFindings(answered, { list: [finding('a'), finding('b', { file: 'b.ts' })] }, second);
    const accounts = accountsOf(again);
    expect(accounts.contested.map(({ id }) => id)).toEqual(['F1']);
    expect(describeAccounts(accounts)).toBe('4 found: 1 fixed, 1 rejected, 2 open');
  });

  it('compares words with the newest few hundred, and finds what is named however old it is', () => {
    const texts = [
      'the cache key lacks the tenant',
      ...Array.from({ length: 400 }, (_, at) => `words${at} other${at}`),
    ];
    const list = texts.map((claim, at) => ({ id: `F${at + 1}`, claim, status: 'fixed', review: 'old.md' }));
    const old = parseDocket(JSON.stringify({ findings: list })) ?? EMPTY_DOCKET;
    const earlierOf = (claim: string): readonly string[] | undefined =>
      addFindings(old, { list: [finding(claim, { file: null })] }, second).findings.at(-1)?.earlier;
    expect(earlierOf('The cache key lacks the tenant')).toEqual([]);
    expect(earlierOf('As F1 said, it lacks it')).toEqual(['F1']);
    expect(earlierOf('words398 other398')).toEqual(['F400']);
  });

  it('compares as much of a claim as one may have, and leaves a longer one in the file as it is', () => {
    const claim = `cache tenant ${' '.repeat(2000)} ${Array.from({ length: 9 }, (_, at) => `more${at}`).join(' ')}`;
    const old = parseDocket(JSON.stringify({ findings: [{ id: 'F1', claim, status: 'fixed' }] }));
    const added = addFindings(
      old ?? EMPTY_DOCKET,
      { list: [finding('cache tenant', { file: null })] },
      second,
    );
    expect(added.findings).toMatchObject([{ claim }, { earlier: ['F1'] }]);
  });

  it('names at most the twenty newest', () => {
    const list = Array.from({ length: 60 }, (_, index) => finding(`${index}`));
    const many = addFindings(EMPTY_DOCKET, { list }, first);
    const all = withAnswers(
      many,
      many.findings.map(({ id }) => ({ id, status: 'fixed', text: '' })),
    );
    const { earlier } = addFindings(all, { list: [finding('new')] }, second).findings.at(-1) ?? {};
    expect(earlier).toEqual(Array.from({ length: 20 }, (_, index) => `F${41 + index}`));
  });
});

describe('answers', () => {
  it.each([
    ['F7 fixed: took the lock', 'fixed', 'took the lock'],
    ['- F7 fixed: took the lock', 'fixed', 'took the lock'],
    ['  * **F7 fixed:** took the lock', 'fixed', 'took the lock'],
    ['1. **F7** rejected: it is meant so', 'rejected', 'it is meant so'],
    ['- [x] F7 Fixed: took the lock', 'fixed', 'took the lock'],
    ['### F7 REJECTED: it is meant so', 'rejected', 'it is meant so'],
    ['f7 fixed', 'fixed', ''],
    ['F7: fixed — took the lock', 'fixed', 'took the lock'],
    ['F7 (rejected): it is meant so', 'rejected', 'it is meant so'],
    ['F7 rejected, it is meant so', 'rejected', 'it is meant so'],
    ['- the lock\n    - F7 fixed: took the lock', 'fixed', 'took the lock'],
    ['- the lock\n   \n    F7 fixed: took the lock', 'fixed', 'took the lock'],
    ['  12. the lock\n\n\tF7 fixed: took the lock', 'fixed', 'took the lock'],
    ['3) the lock\n    F7 fixed: took the lock', 'fixed', 'took the lock'],
    ['•\tthe lock\n    F7 fixed: took the lock', 'fixed', 'took the lock'],
    ['   F7 fixed: took `the lock`', 'fixed', 'took `the lock`'],
    ['F7 fixed: took    the\tlock', 'fixed', 'took the lock'],
    ['`x` and\nF7 fixed: took the lock', 'fixed', 'took the lock'],
    ['F7 fixed：took the lock', 'fixed', 'took the lock'],
    ['F7 – *fixed*. took the lock', 'fixed', 'took the lock'],
    ['__F7__ fixed: took the lock', 'fixed', 'took the lock'],
    ['_F7 fixed_: took the lock', 'fixed', 'took the lock'],
    ['- __F7__ – __fixed.__ took the lock', 'fixed', 'took the lock'],
    ['- 1. [F7] fixed; took the lock', 'fixed', 'took the lock'],
    ['F7 rejected: <a> is 1', 'rejected', '<a> is 1'],
    ['F7 rejected: 1', 'rejected', '1'],
    ['F7 rejected: это так', 'rejected', 'это так'],
  ])('reads %j', (line, status, text) => {
    expect(answersIn(`# Answers\n\n${line}\n`)).toEqual([{ id: 'F7', status, text }]);
  });

  it.each([
    'F7 not fixed: no time',
    'F7 rejected',
    'F7 rejected:',
    'F7 rejected: —',
    'F7 rejected: <why>',
    'We fixed F7: it was wrong',
    'XF7 fixed: x',
    'F0 fixed: x',
    'F7 fixedness: x',
    'F7, F8 fixed: x',
    '> F7 fixed: quoted',
    '`F7 fixed: quoted`',
    '<!-- F7 fixed: hidden -->',
    '<!--\nF7 fixed: hidden\n-->',
    '```\nF7 fixed: code\n```',
    '~~~~\nF7 fixed: code\n~~~\nF7 fixed: still code\n~~~~',
    '- list\n\n  ```\n  F7 fixed: code\n  ```',
    'text\n\n    F7 fixed: indented code\n',
    'text\n\n  \tF7 fixed: indented code\n',
    'text - more\n\n    F7 fixed: indented code\n',
    'x. text\n\n    F7 fixed: indented code\n',
    '12 text\n\n    F7 fixed: indented code\n',
    '-text\n\n    F7 fixed: indented code\n',
    '- list\ntext\n\n    F7 fixed: indented code\n',
    'F7 rejected: <why> <and how>',
    'F7 rejected: <>',
    'F7 fixed_up: x',
    'F7 fixed-up: x',
    'F7 fixed_-_up: x',
    'some_F7 fixed: x',
    'F7 fixed2: x',
    'F1234567890 fixed: x',
    'it is fixed, and rejected',
    'F7 and F8',
    '````\n```\nF7 fixed: code\n```\n````',
    '```\nF7 fixed: a fence nobody closed',
  ])('takes none from %j', (text) => {
    expect(answersIn(text)).toEqual([]);
  });

  it('are none in what stands in like code from the first line on', () => {
    expect(answersIn('    F7 fixed: indented code')).toEqual([]);
  });

  it('are cut where they are too long', () => {
    const [answer] = answersIn(`F7 fixed: ${'x'.repeat(3000)}`);
    expect(answer?.text).toHaveLength(2000);
    expect(answersIn(`F7 fixed: ${'x'.repeat(2000)}`)[0]?.text).toBe('x'.repeat(2000));
  });

  it('that are none leave the docket as it is', () => {
    expect(withAnswers(two, [])).toBe(two);
  });

  it('take the place of what a person wrote there in words of their own', () => {
    const edited = { findings: [{ id: 'F1', claim: 'a', status: 'wontfix', answer: 7, owner: 'me' }] };
    const read = parseDocket(JSON.stringify(edited)) ?? EMPTY_DOCKET;
    expect(entry(read, 'F1')?.others).toEqual({ status: 'wontfix', answer: 7, owner: 'me' });
    expect(entry(withAnswers(read, answersIn('F1 fixed: now')), 'F1')).toMatchObject({
      ...{ status: 'fixed', answer: 'now' },
      others: { owner: 'me' },
    });
  });

  it('reads on after code', () => {
    expect(
      answersIn('```\nF1 fixed: no\n```\nF2 fixed: yes\r\nF3 rejected: why\r').map(({ id }) => id),
    ).toEqual(['F2', 'F3']);
  });

  it('give each finding the last word, and none to ids that are not there', () => {
    const answered = withAnswers(two, answersIn('F1 fixed: a\nF1 rejected: b\nF9 fixed: nobody'));
    expect(entry(answered, 'F1')).toMatchObject({ status: 'rejected', answer: 'b' });
    expect(entry(answered, 'F2')).toMatchObject({ status: 'open', answer: null });
    expect(ids(answered)).toEqual(['F1', 'F2']);
  });

  it('leave a finding open that a person opened once more, until there is another answer', () => {
    const answers = answersIn('F1 fixed: a\nF2 fixed');
    const answered = withAnswers(two, answers);
    const reopened = {
      ...answered,
      findings: answered.findings.map((each) => ({ ...each, status: 'open' as const })),
    };
    expect(withAnswers(reopened, answers).findings.map(({ status }) => status)).toEqual(['open', 'open']);
    expect(entry(withAnswers(reopened, answersIn('F1 fixed: really')), 'F1')?.status).toBe('fixed');
  });
});

describe('the file', () => {
  it('comes back as it went out', () => {
    const full = addFindings(
      withAnswers(two, answersIn('F1 rejected: no')),
      { list: [finding('x', { evidence: 'e' })] },
      third,
    );
    expect(parseDocket(docketText(full))).toEqual(full);
    expect(docketText(full)).toMatch(/^\{\n {2}"last": 3,\n {2}"findings": \[\n {4}\{\n {6}"id": "F1",/);
    expect(docketText(full).endsWith('}\n')).toBe(true);
  });

  it('is written as people read it', () => {
    const [bare, full] = two.findings as [Entry, Entry];
    const docket: Docket = {
      last: 2,
      findings: [
        { ...bare, others: { owner: 'me' } },
        { ...full, evidence: 'seen', answer: '', earlier: ['F1'], status: 'fixed', file: null, line: null },
      ],
      strays: ['a stray'],
      others: { note: 'mine' },
    };
    const written = {
      note: 'mine',
      last: 2,
      findings: [
        {
          ...{ id: 'F1', review: 'plan-review-1.md', round: 1, by: 'opus', severity: 'high' },
          ...{ file: 'src/a.ts', line: 12, claim: 'one', status: 'open', owner: 'me' },
        },
        {
          ...{ id: 'F2', review: 'plan-review-1.md', round: 1, by: 'opus', severity: 'high', file: null },
          ...{ line: null, claim: 'two', evidence: 'seen', status: 'fixed', answer: '', earlier: ['F1'] },
        },
        'a stray',
      ],
    };
    expect(docketText(docket)).toBe(`${JSON.stringify(written, null, 2)}\n`);
  });

  it('takes what is missing, or null, for what it would be', () => {
    const bare = {
      ...{ review: '', round: null, by: null, severity: 'medium', file: null, line: null, evidence: null },
      ...{ status: 'open', answer: null, earlier: [], others: {} },
    };
    const nothing = {
      ...{ id: null, review: null, round: null, by: null, severity: null, file: null, line: null },
      ...{ evidence: null, status: null, answer: null, earlier: null },
    };
    const read = parseDocket(JSON.stringify({ findings: [{ claim: 'a' }, { ...nothing, claim: 'b' }] }));
    expect(read).toEqual({
      last: 2,
      findings: [
        { ...bare, id: 'F1', claim: 'a' },
        { ...bare, id: 'F2', claim: 'b' },
      ],
      strays: [],
      others: {},
    });
  });

  it('keeps what cannot be used as it stands', () => {
    const odd = {
      ...{ review: 1, round: -1, by: {}, severity: 'grave', file: [], line: 1.5, evidence: 2 },
      ...{ status: 'done', answer: true, earlier: 'F1' },
    };
    const findings = [
      { id: 'F1', claim: 'a', ...odd },
      { id: 'F2', claim: 'b', round: 0, line: 2 ** 53, status: ' Rejected ', earlier: ['f1', 'x', 7] },
    ];
    const read = parseDocket(JSON.stringify({ findings }));
    expect(read?.findings).toMatchObject([
      { id: 'F1', claim: 'a', review: '', severity: 'medium', status: 'open', earlier: [], others: odd },
      {
        ...{ id: 'F2', round: 0, line: null, status: 'rejected', earlier: ['F1'] },
        others: { line: 2 ** 53 },
      },
    ]);
  });

  it.each([
    [7, 7],
    [99_999_999, 99_999_999],
    [100_000_000, 2],
    [1.5, 2],
    ['7', 2],
    [-3, 2],
  ])('counts on from the last number %j: %d', (last, counted) => {
    expect(parseDocket(JSON.stringify({ last, findings: [{ id: 'F2', claim: 'a' }] }))?.last).toBe(counted);
  });

  it('gives the copy of an entry the next number, and one without an id', () => {
    const findings = [
      ...[{ id: 'F2', claim: 'a' }, { id: 'F2', claim: 'b' }, { claim: 'c' }, { id: 'F3', claim: 'd' }],
      ...[{ id: 'x', claim: 'e' }, { id: 'F1' }, null, 4],
    ];
    const read = parseDocket(JSON.stringify({ findings }));
    expect(read?.findings.map(({ id, claim }) => [id, claim])).toEqual([
      ['F2', 'a'],
      ['F4', 'b'],
      ['F5', 'c'],
      ['F3', 'd'],
      ['F6', 'e'],
    ]);
    expect(read?.last).toBe(6);
    expect(read?.strays).toEqual([{ id: 'F1' }, null, 4]);
  });

  it('keeps what a person put there, in its order', () => {
    const edited = {
      note: 'mine',
      findings: [
        { id: 'F2', claim: 'b', severity: 'High', status: 'wontfix', line: '12-14', owner: 'me' },
        { id: 'F1', claim: 'a', status: 'FIXED' },
        'a stray',
        { claim: 'written by hand' },
        { id: 'F1', claim: 'copied' },
      ],
    };
    const read = parseDocket(`\uFEFF${JSON.stringify(edited)}`) ?? EMPTY_DOCKET;
    expect(ids(read)).toEqual(['F2', 'F1', 'F3', 'F4']);
    expect(entry(read, 'F2')).toMatchObject({ severity: 'high', status: 'open', line: null });
    expect(entry(read, 'F1')?.status).toBe('fixed');
    const written = JSON.parse(docketText(read));
    expect(written.note).toBe('mine');
    expect(written.findings[0]).toMatchObject({ owner: 'me', line: '12-14', status: 'wontfix' });
    expect(written.findings.at(-1)).toBe('a stray');
    const answered = JSON.parse(docketText(withAnswers(read, answersIn('F2 fixed: now'))));
    expect(answered.findings[0]).toMatchObject({ status: 'fixed', answer: 'now', owner: 'me' });
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"findings":{}}',
    '{"findings":[',
    `{"findings":[],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  ])('is none in %.20s', (text) => {
    expect(parseDocket(text)).toBeNull();
  });

  it('gives back what can be read of one that is broken, and no id twice', () => {
    const whole = docketText(withAnswers(two, answersIn('F1 rejected: {"so"} it is')));
    const broken = whole.replace('"claim": "two"', '"claim": two');
    const salvaged = salvageDocket(broken);
    expect(salvaged.findings).toEqual([expect.objectContaining({ id: 'F1', status: 'rejected' })]);
    expect(ids(addFindings(salvaged, { list: [finding('new')] }, second))).toEqual(['F1', 'F3']);
    const conflict = `<<<<<<< ours\n${whole}=======\n${whole}>>>>>>> theirs\n`;
    expect(new Set(ids(salvageDocket(conflict))).size).toBe(ids(salvageDocket(conflict)).length);
    expect(salvageDocket('\u0000 nothing').findings).toEqual([]);
  });

  it('takes no object for an entry that has no id, and no number that is none', () => {
    const text = '{"findings":[{"claim":"a"},{"id":"F3","claim":"b"},F0 F04 xF9 F9x F123456789 F7';
    expect(salvageDocket(text)).toMatchObject({
      ...{ last: 7, strays: [], others: {} },
      findings: [{ id: 'F3', claim: 'b' }],
    });
  });

  it('finds what stands behind a quote too many, in the same line', () => {
    const [one, two, three] = ['F1', 'F2', 'F3'].map((id) => JSON.stringify({ id, claim: `{"${id}"} \\"` }));
    const broken = `{"last":3,"findings":[${one},{"id":"F4","claim":"x""},${two},${three}]}`;
    expect(ids(salvageDocket(broken))).toEqual(['F1', 'F2', 'F3']);
  });

  it('reads one that is made to be slow in one pass', () => {
    // Seen from each brace, every later one is in a string.
    expect(salvageDocket('{"\\"'.repeat(50_000)).findings).toEqual([]);
  }, 20_000);

  it('begins from the reviews alone where it is longer than any docket, and gives no id twice', () => {
    const object = '{"id":"F7","claim":"x"}';
    expect(ids(salvageDocket(object.padEnd(1024 * 1024)))).toEqual(['F7']);
    expect(ids(salvageDocket(object.padEnd(1024 * 1024 + 1)))).toEqual([]);
    expect(salvageDocket(object + ' '.repeat(1024 * 1024))).toMatchObject({ last: 7, findings: [] });
  });
});
