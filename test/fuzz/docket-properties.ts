// What must hold of a docket, whatever reviewers, agents and people write into it. Each throws where it does not.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Docket, EMPTY_DOCKET, type Entry } from '../../src/engine/docket/types.ts';
import type { Finding } from '../../src/reviewers/findings.ts';
import { brokenText, SEED } from './broken.ts';
import type { DocketRules } from './docket-rules.ts';

export type Property = { name: string; check(rules: DocketRules, runs: number): void };

const STEERING = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200b]/u;

/** Words of every field, some of them hostile. */
const text = fc.oneof(
  fc.constantFrom('the lock', 'a name', '', 'F1 fixed: x', '@owner #12 https://evil.example', '<img src=x>'),
  fc.constantFrom(
    '\u001b]0;owned\u0007',
    'a\r\nb',
    '\u202Eabc',
    '\u009b31m',
    '`rm -rf ~`',
    '$(id)',
    '../../etc/passwd',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('x', '\u0416').map((letter) => letter.repeat(5000)),
);
const finding: fc.Arbitrary<Finding> = fc.record({
  severity: fc.constantFrom('high', 'medium', 'low'),
  file: fc.option(fc.oneof(fc.constantFrom('a.ts', 'b.ts', './a.ts', '/p/a.ts'), text)),
  line: fc.option(fc.oneof(fc.nat({ max: 99 }), fc.constantFrom(-1, 0.5, Number.NaN))),
  claim: text,
  evidence: fc.option(text),
});
const answer = fc.record({
  id: fc.integer({ min: 1, max: 30 }).map((number) => `F${number}`),
  status: fc.constantFrom('fixed' as const, 'rejected' as const),
  text,
});
type Review = { list: Finding[]; answers: { id: string; status: 'fixed' | 'rejected'; text: string }[] };
const reviews: fc.Arbitrary<Review[]> = fc.array(
  fc.record({
    list: fc.array(finding, { maxLength: 6 }),
    answers: fc.array(answer, { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 5 },
);

/** A docket as its rounds made it. */
function docketOf(rules: DocketRules, rounds: readonly Review[]): Docket {
  return rounds.reduce<Docket>((docket, { list, answers }, index) => {
    const about = { review: `plan-review-${index + 1}.md`, round: index + 1, by: 'opus', root: '/p' };
    return rules.withAnswers(rules.addFindings(docket, { list }, about), answers);
  }, EMPTY_DOCKET);
}

const made = (rules: DocketRules): fc.Arbitrary<Docket> => reviews.map((rounds) => docketOf(rules, rounds));

/** As somebody may have left it: unknown fields, copies, strays, words of their own. */
const edited = fc.record({
  last: fc.oneof(fc.integer(), fc.constantFrom('x', null)),
  note: fc.json(),
  findings: fc.array(
    fc.oneof(
      fc.record(
        {
          id: fc.constantFrom('F1', 'f2', 'F2', 'F999999999', 'x', 7),
          claim: text,
          severity: fc.constantFrom('high', 'HIGH', 'grave', 3),
          status: fc.constantFrom('open', 'Fixed', 'wontfix', 1),
          file: fc.oneof(text, fc.constant(4)),
          line: fc.constantFrom(1, '1-2', null),
          earlier: fc.constantFrom(['F1'], ['F80'], 'F1'),
          answer: text,
          owner: fc.constantFrom('me', { deep: [1] }),
        },
        { requiredKeys: ['claim'] },
      ),
      fc.constantFrom('a stray', 7, null, { id: 'F5' }, []),
    ),
    { maxLength: 8 },
  ),
});

const each =
  <T>(
    input: (rules: DocketRules) => fc.Arbitrary<T>,
    check: (value: T, rules: DocketRules) => void,
  ): Property['check'] =>
  (rules, runs) =>
    fc.assert(
      fc.property(input(rules), (value) => check(value, rules)),
      { seed: SEED, numRuns: runs },
    );

const about = { docket: '/p/docket.json', where: '/p/post.md', review: 'plan-review-1.md', cut: 0 };
const ids = ({ findings }: Docket): string[] => findings.map(({ id }) => id);
const assertUnique = (docket: Docket): void =>
  assert.equal(new Set(ids(docket)).size, docket.findings.length);

/** Everything that a person or an agent is shown of it. */
function shownOf(docket: Docket, rules: DocketRules): string[] {
  const listed = { run: 'taskie:p', file: 'docket.json', docket, shown: docket.findings };
  const said = [
    rules.sayOpen(docket, about),
    rules.sayAccounts(docket),
    rules.sayClosing(docket, 'docket.json'),
  ];
  return [...said, rules.asScreen(listed), rules.asMarkdown(listed)];
}

export const properties: readonly Property[] = [
  {
    name: 'no id is given twice, and none comes back',
    check: each(
      () => fc.tuple(reviews, fc.nat({ max: 20 })),
      ([rounds, gone], rules) => {
        const docket = docketOf(rules, rounds);
        assertUnique(docket);
        const cut = { ...docket, findings: docket.findings.filter((_, index) => index !== gone) };
        const read = rules.parseDocket(rules.docketText(cut));
        assert(read !== null);
        const list = [{ severity: 'low', file: null, line: null, claim: 'news', evidence: null } as const];
        const after = rules.addFindings(read, { list }, { review: 'new', round: 9, by: null, root: '/p' });
        assertUnique(after);
        assert(!ids(docket).includes(after.findings.at(-1)?.id ?? ''), 'it came back');
      },
    ),
  },
  {
    name: 'what a reviewer wrote is kept in one line that steers nothing',
    check: each(made, ({ findings }) => {
      for (const { claim, file, evidence } of findings)
        for (const kept of [claim, file ?? 'x', evidence ?? 'x']) {
          assert(kept !== '' && kept.length <= 2000 && !kept.includes('\n'), kept);
          assert(!STEERING.test(kept), JSON.stringify(kept));
        }
    }),
  },
  {
    name: 'a review that is added again changes nothing, and loses nothing',
    check: each(
      () => fc.array(finding, { maxLength: 6 }),
      (list, rules) => {
        const about = { review: 'r', round: 1, by: null, root: '/p' };
        const once = rules.addFindings(EMPTY_DOCKET, { list }, about);
        assert.deepEqual(rules.addFindings(once, { list }, about), once);
        assert(list.length === 0 || once.findings.length > 0);
      },
    ),
  },
  {
    name: 'a docket comes back as it was written',
    check: each(made, (docket, rules) =>
      assert.deepEqual(rules.parseDocket(rules.docketText(docket)), docket),
    ),
  },
  {
    name: 'what a person put there stays',
    check: each(
      () => edited,
      (file, rules) => {
        const docket = rules.parseDocket(JSON.stringify(file));
        assert(docket !== null);
        assertUnique(docket);
        const written = JSON.parse(rules.docketText(docket));
        assert.deepEqual(written.note, file.note);
        assert.equal(written.findings.length, file.findings.length);
        const owners = (list: unknown[]): unknown[] =>
          list.flatMap((each) => (each as { owner?: unknown } | null)?.owner ?? []);
        assert.deepEqual(owners(written.findings), owners(file.findings));
        assert.deepEqual(rules.parseDocket(rules.docketText(docket)), docket);
      },
    ),
  },
  {
    name: 'a broken docket gives no id away again',
    check: each(
      (rules) => fc.tuple(made(rules), fc.nat({ max: 1000 })),
      ([docket, part], rules) => {
        const whole = rules.docketText(docket);
        const torn = whole.slice(0, Math.ceil((whole.length * part) / 1000));
        const salvaged = rules.salvageDocket(torn);
        assertUnique(salvaged);
        for (const id of ids(docket))
          if (torn.includes(`"id": "${id}"`)) assert(salvaged.last >= Number(id.slice(1)), `${id} is free`);
      },
    ),
  },
  {
    name: 'whatever a docket holds, it is read or refused',
    check: each(
      (rules) =>
        brokenText([rules.docketText(docketOf(rules, SOME)), '{"findings":[{"id":"F1","claim":"x"}]}']),
      (broken, rules) => {
        const docket = rules.parseDocket(broken) ?? rules.salvageDocket(broken);
        assertUnique(docket);
        for (const shown of shownOf(docket, rules)) assert(!STEERING.test(shown), JSON.stringify(shown));
      },
    ),
  },
  {
    name: 'answers are taken from lines outside of code alone',
    check: each(
      () =>
        fc.array(
          fc.record({
            way: fc.constantFrom('plain', 'item', 'fence', 'indented', 'comment'),
            number: fc.integer({ min: 1, max: 99 }),
          }),
        ),
      (blocks, rules) => {
        const written = blocks.map(({ way, number }) => WRITTEN[way]?.(`F${number} fixed: done`) ?? '');
        const wanted = blocks.flatMap(({ way, number }) =>
          way === 'plain' || way === 'item' ? `F${number}` : [],
        );
        assert.deepEqual(
          rules.answersIn(written.join('\n\ntext\n\n')).map(({ id }) => id),
          wanted,
        );
      },
    ),
  },
  {
    name: 'whatever an agent writes, its answers are those of its lines',
    check: each(
      () =>
        brokenText([
          '# Answers\n\n- **F1 fixed:** a\n- F2 rejected: b\n',
          '```\nF3 fixed: c\n```\nF4 rejected:\n',
        ]),
      (markdown, rules) => {
        for (const { id, status, text: said } of rules.answersIn(markdown)) {
          assert.match(id, /^F[1-9]\d*$/);
          assert(markdown.toLowerCase().includes(id.toLowerCase()) && !STEERING.test(said));
          assert(status === 'fixed' || /[\p{L}\p{N}]/u.test(said), 'rejected without a reason');
        }
      },
    ),
  },
  {
    name: 'answers change nothing but their findings, and reopen none',
    check: each(
      (rules) => fc.tuple(made(rules), fc.array(answer, { maxLength: 5 })),
      ([docket, answers], rules) => {
        const after = rules.withAnswers(docket, answers);
        assert.deepEqual(ids(after), ids(docket));
        const opened = {
          ...after,
          findings: after.findings.map((entry): Entry => ({ ...entry, status: 'open' })),
        };
        assert.deepEqual(rules.withAnswers(opened, answers), opened, 'answered again');
      },
    ),
  },
  {
    name: 'what is contested was rejected, and raised by a later review',
    check: each(made, (docket, rules) => {
      const { contested } = rules.accountsOf(docket);
      for (const { id, status, review } of contested) {
        assert.equal(status, 'rejected');
        const by = docket.findings.filter(({ earlier }) => earlier.includes(id));
        assert(by.length > 0 && by.every((entry) => entry.review !== review));
      }
      for (const { earlier, id } of docket.findings)
        for (const other of earlier) assert(Number(other.slice(1)) < Number(id.slice(1)));
    }),
  },
  {
    name: 'only answered findings are raised again',
    check: each(
      () => fc.array(finding, { minLength: 1, maxLength: 5 }),
      (list, rules) => {
        const about = { review: 'one', round: 1, by: null, root: '/p' };
        const once = rules.addFindings(EMPTY_DOCKET, { list }, about);
        const twice = rules.addFindings(once, { list }, { ...about, review: 'two' });
        assert(
          twice.findings.every(({ earlier }) => earlier.length === 0),
          'an open one is named',
        );
      },
    ),
  },
  {
    name: 'a hold lists ten at most, worst first, in few bytes',
    check: each(
      () => fc.oneof(fc.array(finding, { minLength: 1, maxLength: 40 }), fc.constant(HEAVY)),
      (list, rules) => {
        const review = { review: 'r', round: 1, by: null, root: '/p' };
        const docket = rules.addFindings(EMPTY_DOCKET, { list }, review);
        const said = rules.sayOpen(docket, about);
        assert(Buffer.byteLength(said) < 6000, `${Buffer.byteLength(said)} bytes`);
        const listed = Array.from(said.matchAll(/^- F\d+ (high|medium|low)/gm), (match) => match[1] ?? '');
        assert(listed.length > 0 && listed.length <= 10);
        const weights = listed.map((severity) => ['high', 'medium', 'low'].indexOf(severity));
        assert.deepEqual(weights, weights.toSorted());
      },
    ),
  },
  {
    name: 'nothing that is shown steers a terminal, or calls somebody',
    check: each(made, (docket, rules) => {
      const hostile = {
        ...docket,
        findings: docket.findings.map((entry) => ({
          ...entry,
          claim: HOSTILE,
          answer: HOSTILE,
          file: HOSTILE,
        })),
      };
      for (const shown of shownOf(hostile, rules)) assert(!STEERING.test(shown), JSON.stringify(shown));
      const listed = { run: 'taskie:p', file: 'f', docket: hostile, shown: hostile.findings };
      // Inside a code span it is neither.
      const markdown = rules
        .asMarkdown(listed)
        .replace(/`[^`]*`/g, '')
        .replaceAll('<!-- -->', '\n');
      assert(!/@\w|#\d|:\/\/|(?<!\\)</.test(markdown), markdown);
    }),
  },
  {
    name: 'a review has no more findings than lines, and none from code',
    check: each(
      () =>
        brokenText([
          '# R\n\n## High\n- a\n- b\n\n## Low\n1. c\n',
          '### x\n**Severity:** High\n\n- y\n  - Severity: low\n',
        ]),
      (markdown, rules) => {
        const found = rules.readFindings(markdown);
        if (found === null) assert.equal(markdown.trim(), '');
        assert((found?.length ?? 0) <= markdown.split(/[\r\n]/).length);
        const fenced = `~~~~~~~~\n${markdown.replaceAll('~~~~~~~~', '')}\n~~~~~~~~\n`;
        assert.deepEqual(rules.readFindings(fenced), []);
      },
    ),
  },
];

/** As long as a reviewer may make them, in letters of two bytes. */
const HEAVY: Finding[] = Array.from({ length: 12 }, (_, line) => {
  const words = '\u0416'.repeat(3000);
  return { severity: 'high', file: words, line: line + 1, claim: words, evidence: words };
});

const HOSTILE = '\u001b]0;x\u0007 @owner #12 https://evil.example <img src=x> \u202E `code` \n- F9 high';

const SOME: Review[] = [
  {
    list: [{ severity: 'high', file: 'a.ts', line: 1, claim: 'the lock', evidence: 'e' }],
    answers: [{ id: 'F1', status: 'rejected', text: 'no' }],
  },
  { list: [{ severity: 'low', file: 'a.ts', line: null, claim: 'again', evidence: null }], answers: [] },
];

const WRITTEN: Readonly<Record<string, (line: string) => string>> = {
  plain: (line) => line,
  item: (line) => `- **${line}**`,
  fence: (line) => `\`\`\`\n${line}\n\`\`\``,
  indented: (line) => `    ${line}`,
  comment: (line) => `<!--\n${line}\n-->`,
};
