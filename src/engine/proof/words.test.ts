import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProtectedChange } from './protect.ts';
import type { CannotRun, CheckFact, Proof, Unproven } from './types.ts';
import {
  type CheckSaid,
  closingText,
  heldForProtectedText,
  refusalText,
  releasedText,
  reviewerText,
  trustGivenText,
  whyText,
} from './words.ts';

const project = { cli: 'holdfast' };

const fact = (name: string, more: Partial<CheckFact> = {}): CheckFact => ({
  ...{ name, end: 'passed', code: 0, milliseconds: 12_345, from: 'run' },
  ...more,
});
const failed = (name: string, more: Partial<CheckFact> = {}): CheckFact =>
  fact(name, { end: 'failed', code: 1, ...more });
const missing = (name: string, why: CannotRun): CheckFact =>
  fact(name, { end: 'cannot-run', code: null, milliseconds: null, from: null, why });

const proofOf = (checks: readonly CheckFact[], more: Partial<Proof> = {}): Proof => ({
  ...{ claim: 'stands', worth: 'proven', why: [], checks, protectedChanged: 0 },
  ...more,
});
const refusedFor = (checks: readonly CheckFact[], more: Partial<Proof> = {}): Proof =>
  proofOf(checks, { claim: 'refused', worth: 'unproven', ...more });
const unprovenFor = (why: Unproven, checks: readonly CheckFact[] = []): Proof =>
  proofOf(checks, { worth: 'unproven', why: [why] });

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `check-${index + 1}`);
const printed = (name: string, tail: string): CheckSaid => ({
  name,
  tail,
  log: `.holdfast/checks/${name}.log`,
});
const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1} of what it printed`).join('\n');

const MISSING: readonly CannotRun[] = [
  ...(['not-found', 'not-executable', 'no-sandbox', 'no-time'] as const),
  ...(['changes-files', 'too-much-output', 'no-folder'] as const),
];

/** What of a text a check printed. */
const outputIn = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('    '));

describe('a refusal', () => {
  it('names the check, how it ended, its last lines, the log and the next step', () => {
    const text = refusalText(
      refusedFor([failed('test'), fact('types')]),
      [printed('test', 'a\nnot ok 3\n')],
      project,
    );
    expect(text).toBe(
      [
        'Not done yet: 1 of 2 checks failed, so the claim does not stand.',
        '',
        'test: exit code 1 after 12 s. All it printed: .holdfast/checks/test.log',
        '    a',
        '    not ok 3',
        '',
        'Fix the cause and leave the checks as they are. `holdfast check test` shows you the result at any time; once it passes, say again that you are done.',
      ].join('\n'),
    );
  });

  it.each([
    [
      failed('a', { end: 'timed-out', code: null, milliseconds: 600_000 }),
      'a: ended at its time limit after 10 min.',
    ],
    [failed('a', { code: null }), 'a: ended by a signal after 12 s.'],
    [failed('a', { code: 137, milliseconds: 432 }), 'a: exit code 137 after 0.4 s.'],
    [failed('a', { milliseconds: 4 }), 'a: exit code 1 after 0.1 s.'],
  ])('says how it ended: %j', (check, said) => {
    const text = refusalText(refusedFor([check]), [], project);
    expect(text).toContain(`Not done yet: the check failed, so`);
    expect(text).toContain(said);
  });

  it('says that nothing was run again where nothing changed', () => {
    const proof = refusedFor([failed('test', { from: 'receipt' })], { unchanged: true });
    const text = refusalText(proof, [printed('test', 'not ok 3')], project);
    expect(text).toContain('the check failed before, and no file that counts has changed since');
    expect(text).toContain('    not ok 3');
    expect(text).toContain('`holdfast why`');
  });

  it('names what failed before and what could not run, and does not ask to fix it', () => {
    const proof = refusedFor([
      failed('test'),
      failed('lint', { failedBefore: true }),
      missing('e2e', 'not-found'),
    ]);
    const text = refusalText(proof, [printed('lint', 'old trouble')], project);
    expect(text).toContain('1 of 3 checks failed');
    expect(text).toContain('Failed before this run too, and does not hold you: lint.');
    expect(text).toContain('Could not run: e2e (its program was not found).');
    expect(text).not.toContain('old trouble');
  });

  it.each(MISSING)('for a check that cannot run says what is missing and what helps: %s', (why) => {
    const text = refusalText(refusedFor([missing('e2e', why)]), [], project);
    expect(text).toMatch(/^Not proven yet: a check could not run\.\n\n- e2e: .{10,}; .{10,}\n\n/);
    expect(text).toContain('say again that you are done');
  });

  it('for protected files lists each, with tests that are skipped now', () => {
    const changes: ProtectedChange[] = [
      { file: 'test/a.test.ts', how: 'changed', skips: 2 },
      { file: 'package.json', how: 'removed', skips: 0 },
    ];
    const text = refusalText(refusedFor([], { heldForProtected: true }), [], project, changes);
    expect(text).toBe(heldForProtectedText(changes));
    expect(text).toContain(
      '- test/a.test.ts (changed; skips or focuses 2 more tests)\n- package.json (removed)\n',
    );
    expect(text).toContain('only once');
  });

  it('gives both where a check fails and protected files changed', () => {
    const changes: ProtectedChange[] = [{ file: 'a', how: 'added', skips: 1 }];
    const text = refusalText(refusedFor([failed('test')], { heldForProtected: true }), [], project, changes);
    expect(text).toContain('test: exit code 1');
    expect(text).toContain('- a (added; skips or focuses 1 more test)');
  });

  it('quotes a name for the shell', () => {
    expect(refusalText(refusedFor([failed("it's a test")]), [], project)).toContain(
      "`holdfast check 'it'\\''s a test'`",
    );
  });
});

describe('what a check printed', () => {
  it.each([1, 3, 40])('is at most 2,000 characters over %i checks, from a line’s start', (count) => {
    const names = numbered(count);
    const proof = refusedFor(names.map((name) => failed(name)));
    const text = refusalText(
      proof,
      names.map((name) => printed(name, lines(500))),
      project,
    );
    const output = outputIn(text);
    expect(output.join('\n').length).toBeLessThanOrEqual(2000);
    expect(output.join('\n').length).toBeGreaterThan(1400);
    for (const line of output) expect(line).toMatch(/^ {4}line \d+ of what it printed$/);
    expect(output.at(-1)).toBe('    line 500 of what it printed');
    for (const [, first] of text.matchAll(/\.log\n(.*)\n/g))
      expect(first).toMatch(/^ {4}line \d+ of what it printed$/);
    expect(text.length).toBeLessThan(4000);
    for (const name of names.slice(0, 10)) expect(text).toContain(name);
    if (count === 40) expect(text).toContain('check-20 and 20 more.');
  });

  it('gives to a long one what a short one leaves', () => {
    const proof = refusedFor([failed('long'), failed('short')]);
    const text = refusalText(proof, [printed('long', lines(500)), printed('short', 'x')], project);
    expect(outputIn(text).join('\n').length).toBeGreaterThan(1900);
    expect(text).toContain('    x');
  });

  it('of one endless line is its beginning', () => {
    const text = refusalText(
      refusedFor([failed('test')]),
      [printed('test', `begin ${'x'.repeat(9000)}`)],
      project,
    );
    const [line = '', ...others] = outputIn(text);
    expect(others).toEqual([]);
    expect(line).toMatch(/^ {4}begin x+…$/);
    expect(line.length).toBe(2000);
  });

  it('has no control codes, no overwritten progress and no empty stretches', () => {
    const tail =
      '\u001b[31mred\u001b[39m\r\n10 %\r50 %\r100 %\n\n\n\n\u0007bell\u202e\u001b]0;title\u0007 end  \n\n';
    const text = refusalText(refusedFor([failed('test')]), [printed('test', tail)], project);
    expect(text).toContain('log\n    red\n    100 %\n\n     bell');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
  });
});

describe('a closing notice', () => {
  it('of a proven run says what ran, how long, what came from a receipt and what is flaky', () => {
    const checks = [
      fact('test'),
      fact('types', { from: 'receipt', milliseconds: 3000 }),
      fact('e2e', { flaky: true, milliseconds: 200_000 }),
    ];
    expect(closingText(proofOf(checks))).toBe(
      'Holdfast: done and proven: test (12 s), types (3 s; from its receipt: nothing it depends on changed) and e2e (3 min 20 s; flaky: passed only when run again).',
    );
  });

  it('of forty checks sums them up', () => {
    const checks = numbered(40).map((name, index) =>
      fact(name, {
        milliseconds: 1000,
        from: index < 10 ? 'receipt' : 'run',
        ...(index === 39 ? { flaky: true } : {}),
      }),
    );
    expect(closingText(proofOf(checks))).toBe(
      'Holdfast: done and proven: 40 checks in 30 s, 10 of them taken from receipts, flaky: check-40.',
    );
  });

  it.each<[Proof]>([[proofOf([], { worth: 'unasked' })], [proofOf([])]])(
    'is none without checks: %j',
    (proof) => {
      expect(closingText(proof)).toBeNull();
    },
  );

  const checks = [
    fact('types'),
    fact('test', { end: 'untrusted', code: null, milliseconds: null, from: null }),
    missing('e2e', 'no-sandbox'),
    failed('lint', { failedBefore: true }),
  ];
  it.each<[Unproven, string[]]>([
    ['untrusted', ['not run: test.', '`holdfast trust`']],
    ['cannot-run', ['e2e (it must run in a sandbox', '`holdfast check e2e`']],
    [
      'failed-before',
      ['Failed before this run too', 'lint (exit code 1 after 12 s)', '`holdfast check lint`'],
    ],
    ['switched-off', ['`--no-check`', '`holdfast check`']],
    ['not-pinned', ['set up after it began', '`holdfast check`']],
    ['changed-since', ['Files changed after the checks had passed', '`holdfast check`']],
  ])('of an unproven run says why, and the next step: %s', (why, said) => {
    const text = closingText(unprovenFor(why, checks)) ?? '';
    expect(text).toMatch(/^Holdfast: done, but unproven\. /);
    for (const each of said) expect(text).toContain(each);
    expect(text).toContain('Passed: types (12 s).');
    expect(text).not.toContain('\n');
    expect(whyText(why, checks)).toContain(said.at(-1));
  });

  it('of a run that was let go says how often it was refused and what still fails', () => {
    const proof = unprovenFor('refused-too-often', [failed('test'), fact('types')]);
    expect(releasedText(proof, 12)).toBe(
      'Holdfast: the checks refused the claim 12 times in a row, so the agent may stop; the run ends unproven. Still failing: test (exit code 1 after 12 s). `holdfast check test` shows it, `holdfast why` has the last refusal.',
    );
    expect(closingText(proof)).toContain('refused the claim too often, so');
    expect(whyText('refused-too-often', [])).toContain('`holdfast why`');
  });

  it('names protected files, also of a run without checks, and where they are many how many', () => {
    const changes = numbered(40).map(
      (name, index): ProtectedChange => ({
        file: `test/${name}.ts`,
        how: 'changed',
        skips: index === 1 ? 3 : 0,
      }),
    );
    expect(closingText(proofOf([], { worth: 'unasked' }), changes.slice(0, 2))).toBe(
      'Holdfast: protected files that are not as they were when the run began: test/check-1.ts (changed) and test/check-2.ts (changed; skips or focuses 3 more tests). Look at them before you trust the result.',
    );
    const text = closingText(proofOf([fact('test')]), changes) ?? '';
    expect(text).toMatch(/^Holdfast: done and proven: test \(12 s\)\.\nHoldfast: protected files/);
    expect(text).toContain('and 30 more.');
  });

  it('takes what steers a terminal out of names', () => {
    const text = closingText(proofOf([]), [{ file: 'a\u001b[2J\nb\u202e', how: 'added', skips: 0 }]) ?? '';
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
    expect(text).not.toMatch(/[\u0000-\u001f\u202e]/);
  });
});

describe('the reviewer', () => {
  it('is asked to judge each file, and nothing where there is none', () => {
    expect(reviewerText([])).toBe('');
    const text = reviewerText([{ file: 'test/a.ts', how: 'changed', skips: 1 }]);
    expect(text).toContain('- test/a.ts (changed; skips or focuses 1 more test)');
    expect(text).toContain('Judge for each whether a test or a check was weakened');
  });
});

describe('what is many', () => {
  const changesOf = (count: number): ProtectedChange[] =>
    numbered(count).map((name) => ({ file: name, how: 'added', skips: 0 }));

  it.each([heldForProtectedText, reviewerText])('has twenty protected files, and how many more', (text) => {
    expect(text(changesOf(20))).toContain('- check-20 (added)');
    expect(text(changesOf(20))).not.toContain('more');
    expect(text(changesOf(21))).toContain('- check-20 (added)\n- and 1 more');
  });

  it('adds up what ran to the millisecond', () => {
    const times = [1000, 25, 25, 25, 25, 25, 25, 25, 25, 25, 24];
    const checks = times.map((milliseconds, index) =>
      fact(`check-${index}`, { milliseconds, ...(index === 0 ? { from: 'receipt' } : {}) }),
    );
    expect(closingText(proofOf(checks))).toContain('11 checks in 0.2 s, 1 of them');
  });
});

describe('what is none', () => {
  it('a released run in which nothing failed has the command for all checks', () => {
    const proof = unprovenFor('refused-too-often', [missing('e2e', 'no-time')]);
    expect(releasedText(proof, 1)).toContain('refused the claim once, so');
    expect(releasedText(proof, 2)).toContain('refused the claim 2 times in a row, so');
    expect(releasedText(proof, null)).toContain('`holdfast check` shows it');
  });

  it('one protected file is named, and no other', () => {
    expect(closingText(proofOf([]), [{ file: 'a', how: 'removed', skips: 0 }])).toMatch(
      /^Holdfast: protected files [^:]+: a \(removed\)\. /,
    );
    expect(closingText(proofOf([]))).toBeNull();
  });
});

describe('trust that was given', () => {
  it('is named', () => {
    expect(trustGivenText(['test', 'lint'])).toContain(
      'test and lint. If that was not you, run `holdfast trust --revoke`',
    );
  });
});

describe('the message files', () => {
  const folder = path.join(import.meta.dirname, 'messages');
  const files = fs.readdirSync(folder);
  const source = ['words.ts', 'until-text.ts', 'refused-text.ts']
    .map((name) => fs.readFileSync(path.join(import.meta.dirname, name), 'utf8'))
    .join('\n');

  it.each(files)('%s is used', (file) => {
    expect(source).toContain(`./messages/${file}'`);
  });

  it('are short', () => {
    const texts = files.map((file) => fs.readFileSync(path.join(folder, file), 'utf8'));
    expect(texts.length).toBeGreaterThan(15);
    for (const text of texts) expect(text.length).toBeLessThan(420);
  });
});

describe('what only some checks have', () => {
  it('why a claim is not proven names those that failed, and how', () => {
    const checks = [failed('test'), failed('lint', { failedBefore: true }), fact('types')];
    const one = whyText('failed', checks, 'hf');
    expect(one).toContain('test (exit code 1 after 12 s)');
    expect(one).not.toContain('lint');
    expect(one).not.toContain('types');
    const before = whyText('failed-before', checks, 'hf');
    expect(before).toContain('lint (exit code 1 after 12 s)');
    expect(before).not.toContain('test (');
  });

  it('one that cannot run, and nobody knows why, is only named', () => {
    const unknown = fact('e2e', { end: 'cannot-run', code: null, milliseconds: null, from: null });
    const text = refusalText(refusedFor([unknown]), [], project);
    expect(text).toMatch(/^Not proven yet: a check could not run\.\n\n- e2e\n\n/);
    expect(refusalText(refusedFor([failed('a'), unknown]), [], project)).toContain('Could not run: e2e.');
  });

  it('of many that passed the time is added up, without what was taken from receipts', () => {
    const checks = numbered(11).map((name, index) =>
      fact(name, {
        milliseconds: index === 0 ? null : 1000,
        ...(index === 1 ? { from: 'receipt' } : {}),
        ...(index === 2 ? { flaky: true } : {}),
      }),
    );
    expect(closingText(proofOf(checks))).toContain(
      '11 checks in 9 s, 1 of them taken from receipts, flaky: check-3',
    );
    const plain = numbered(11).map((name) => fact(name, { milliseconds: 1000 }));
    expect(closingText(proofOf(plain))).toMatch(/11 checks in 11 s(?!, )/);
    expect(closingText(proofOf(plain.slice(1)))).toContain('check-2 (1 s), check-3 (1 s)');
  });
});
