import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Entry } from '../engine/docket/types.ts';
import type { Listed } from './findings.ts';
import { asMarkdown, asScreen } from './findings-text.ts';
import * as paint from './paint.ts';

function entry(id: string, over: Partial<Entry> = {}): Entry {
  return {
    ...{ id, review: 'plan-review-1.md', round: 1, by: 'codex', severity: 'medium', file: null, line: null },
    ...{ claim: `the claim of ${id}`, evidence: null, status: 'open', answer: null, earlier: [], others: {} },
    ...over,
  };
}

function listed(findings: readonly Entry[], shown: readonly Entry[] = findings): Listed {
  const docket = { last: findings.length, findings, strays: [], others: {} };
  return { run: 'taskie:a_b', file: '.taskie/docket.json', docket, shown };
}

const ALL = [
  entry('F1', { severity: 'low', file: 'src/a.ts', line: 12 }),
  entry('F2', { severity: 'high', file: 'src/`b`.ts', status: 'rejected', answer: 'it is *meant*' }),
  entry('F3', { status: 'fixed', answer: '' }),
  entry('F10', {
    ...{ review: 'plan-review-2.md', round: 2, by: null, earlier: ['F2', 'F3', 'F1', 'F99'] },
    claim: 'again\nand @you',
  }),
  entry('F11', { review: '', round: null, by: null, status: 'fixed', answer: null }),
  entry('F12', { review: 'by-hand.md', round: null, by: 'a person' }),
];

describe('findings on a screen', () => {
  it('are listed by review, the worst first, with what became of each', () => {
    expect(asScreen(listed(ALL)).split('\n')).toEqual([
      'taskie:a_b  6 found: 2 fixed, 1 rejected, 3 open, 1 contested  .taskie/docket.json',
      '',
      'plan-review-1.md (round 1, codex)',
      '  ✗ F2  high    src/`b`.ts  the claim of F2',
      '        rejected: it is *meant*  contested',
      '  ✓ F3  medium  the claim of F3',
      '        fixed',
      '  ● F1  low     src/a.ts:12  the claim of F1',
      '',
      'plan-review-2.md (round 2)',
      '  ● F10 medium  again and @you',
      '        raised again: F2 was rejected: it is *meant*',
      '        raised again: F3 was fixed',
      '',
      'no review is named',
      '  ✓ F11 medium  the claim of F11',
      '        fixed',
      '',
      'by-hand.md (a person)',
      '  ● F12 medium  the claim of F12',
    ]);
  });

  it('are counted all, also where few or none are shown', () => {
    const some = ALL.filter(({ id }) => id === 'F1');
    expect(asScreen(listed(ALL, some)).split('\n')).toEqual([
      'taskie:a_b  6 found: 2 fixed, 1 rejected, 3 open, 1 contested  .taskie/docket.json',
      '',
      'plan-review-1.md (round 1, codex)',
      '  ● F1 low     src/a.ts:12  the claim of F1',
    ]);
    expect(asScreen(listed([ALL[0] ?? entry('F1')], [])).split('\n')).toEqual([
      'taskie:a_b  1 found: 0 fixed, 0 rejected, 1 open  .taskie/docket.json',
      '',
      'None of them is like that.',
    ]);
  });

  it('are cut where they are long', () => {
    const long = entry('F1', { claim: 'x'.repeat(2001), by: 'y'.repeat(101), review: 'z'.repeat(201) });
    const [, , title, line] = asScreen(listed([long])).split('\n');
    expect(title).toBe(`${'z'.repeat(199)}… (round 1, ${'y'.repeat(99)}…)`);
    expect(line).toBe(`  ● F1 medium  ${'x'.repeat(1999)}…`);
  });
});

describe('findings as markdown', () => {
  it('are lists that no text in them breaks out of', () => {
    expect(asMarkdown(listed(ALL)).split('\n')).toEqual([
      '### Findings of taskie:a\\_b',
      '',
      '6 found: 2 fixed, 1 rejected, 3 open, 1 contested.',
      '',
      '#### plan-review-1.md (round 1, codex)',
      '',
      "- **F2** high `src/'b'.ts`: the claim of F2",
      '  - rejected: it is \\*meant\\* (**contested**)',
      '- **F3** medium: the claim of F3',
      '  - fixed',
      '- **F1** low `src/a.ts:12`: the claim of F1',
      '',
      '#### plan-review-2.md (round 2)',
      '',
      '- **F10** medium: again and @<!-- -->you',
      '  - raised again: F2 was rejected: it is \\*meant\\*',
      '  - raised again: F3 was fixed',
      '',
      '#### no review is named',
      '',
      '- **F11** medium: the claim of F11',
      '  - fixed',
      '',
      '#### by-hand.md (a person)',
      '',
      '- **F12** medium: the claim of F12',
    ]);
  });

  it('are counted where none is shown', () => {
    expect(asMarkdown(listed(ALL, []))).toBe(
      '### Findings of taskie:a\\_b\n\n6 found: 2 fixed, 1 rejected, 3 open, 1 contested.',
    );
  });
});

describe('colours', () => {
  afterEach(() => vi.restoreAllMocks());

  it('say how much each finding weighs, what became of it, and what is beside the point', () => {
    for (const name of ['bold', 'dim', 'green', 'yellow', 'red'] as const)
      vi.spyOn(paint, name).mockImplementation((text) => `<${name} ${text}>`);
    expect(asScreen(listed(ALL)).split('\n').slice(0, 12)).toEqual([
      '<bold taskie:a_b>  6 found: 2 fixed, 1 rejected, 3 open, 1 contested  <dim .taskie/docket.json>',
      '',
      '<bold plan-review-1.md (round 1, codex)>',
      '  <red ✗> <bold F2 > <red high  >  src/`b`.ts  the claim of F2',
      '        rejected: it is *meant*<yellow   contested>',
      '  <green ✓> <bold F3 > <yellow medium>  the claim of F3',
      '        fixed',
      '  <yellow ●> <bold F1 > <dim low   >  src/a.ts:12  the claim of F1',
      '',
      '<bold plan-review-2.md (round 2)>',
      '  <yellow ●> <bold F10> <yellow medium>  again and @you',
      '        <dim raised again: F2 was rejected: it is *meant*>',
    ]);
    expect(asScreen(listed(ALL, [])).split('\n').at(-1)).toBe('<dim None of them is like that.>');
  });
});

describe('long texts', () => {
  const long = (length: number): string => 'x'.repeat(length);
  const cut = (length: number): string => `${long(length - 1)}…`;

  it.each([
    [0, long],
    [1, cut],
  ] as const)('are cut: %i more than fits', (more, left) => {
    const one = entry('F1', {
      ...{ claim: long(2000 + more), status: 'fixed', answer: long(2000 + more), round: null },
      ...{ review: long(200 + more), by: long(100 + more) },
    });
    const shown = { ...listed([one]), file: long(300 + more) };
    expect(asScreen(shown).split('\n')).toEqual([
      `taskie:a_b  1 found: 1 fixed, 0 rejected, 0 open  ${left(300)}`,
      '',
      `${left(200)} (${left(100)})`,
      `  ✓ F1 medium  ${left(2000)}`,
      `       fixed: ${left(2000)}`,
    ]);
    expect(asMarkdown(shown).split('\n').slice(-2)).toEqual([
      `- **F1** medium: ${left(2000)}`,
      `  - fixed: ${left(2000)}`,
    ]);
  });
});
