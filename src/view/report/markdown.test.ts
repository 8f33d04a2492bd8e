import { describe, expect, it } from 'vitest';
import {
  NO_COUNTS,
  shownFinding,
  shownProject,
  shownResult,
  shownRound,
  shownRun,
  shownStop,
} from '../../../test/support/shown-run.ts';
import type { FindingView, RunView } from '../model.ts';
import { asMarkdown } from './markdown.ts';

const lines = (more: Partial<RunView>, project = shownProject()): string[] =>
  asMarkdown(project, shownRun(more)).split('\n');
/** What stands below a heading, up to the next one. */
function below(title: string, more: Partial<RunView>): string[] | null {
  const all = lines(more);
  const at = all.indexOf(`### ${title}`);
  if (at < 0) return null;
  const next = all.findIndex((line, index) => index > at && line.startsWith('### '));
  return all.slice(at + 2, next < 0 ? undefined : next - 1);
}
const TOOK = ['', '### What it took', '', '- stops: 0, of which 0 were held'];

describe('a run in Markdown', () => {
  it('is its name and how it ended where there is nothing else', () => {
    expect(lines({})).toEqual(['## toy:a in p', '', '**Ended:** Running: at work.', ...TOOK]);
  });

  it('says what was asked, and that the journal was not read to its beginning', () => {
    const project = shownProject({ name: 'my_p', readBackTo: { segment: 1, offset: 9 } });
    expect(lines({ name: 'toy:*', asked: '<b>' }, project)).toEqual([
      '## toy:\\* in my\\_p',
      '',
      '**Asked:** \\<b\\>',
      '',
      '**Ended:** Running: at work.',
      ...TOOK,
      '',
      'The journal is longer than what was read: counts may be too low.',
    ]);
  });

  it('has its sections in one order', () => {
    const whole = lines({
      rounds: [shownRound()],
      findings: { ...{ file: 'f', found: 0, fixed: 0, rejected: 0, open: 0, contested: 0 }, list: [] },
      checks: [{ name: 'test', log: null, results: [] }],
      stops: [shownStop()],
    });
    expect(whole.filter((line) => line.startsWith('### '))).toEqual([
      '### Rounds',
      '### Findings',
      '### Checks',
      '### What it took',
      '### Last stops',
    ]);
  });
});

describe('rounds in Markdown', () => {
  it('are a table with a row for each', () => {
    const found = { high: 3, medium: 2, low: 1 };
    const rounds = [
      shownRound({
        about: 'a|b',
        reviewer: 'codex',
        model: 'x_y',
        verdict: 'findings',
        found,
        milliseconds: 5000,
      }),
      shownRound({ number: 2 }),
    ];
    expect(below('Rounds', { rounds })).toEqual([
      '| round | reviewer | verdict | high | medium | low | took |',
      '| --- | --- | --- | ---: | ---: | ---: | ---: |',
      '| a\\|b, round 1 | codex/x\\_y | ✗ findings | 3 | 2 | 1 | 5 s |',
      '| round 2 |  | ✓ clean | 0 | 0 | 0 |  |',
    ]);
    expect(below('Rounds', {})).toBeNull();
  });
});

describe('findings in Markdown', () => {
  const found = (contested: number, ...list: FindingView[]): string[] | null =>
    below('Findings', {
      findings: { ...{ file: 'f', found: 6, fixed: 3, rejected: 2, open: 1, contested }, list },
    });

  it('are counted, with those that are contested where there are any', () => {
    expect(found(0)).toEqual(['6 found: 3 fixed, 2 rejected, 1 open.', '']);
    expect(found(4)?.[0]).toBe('6 found: 3 fixed, 2 rejected, 1 open, 4 contested.');
    expect(below('Findings', {})).toBeNull();
  });

  it.each<[Partial<FindingView>, string]>([
    [{}, '- **F1** high: It breaks. (open)'],
    [{ answer: '' }, '- **F1** high: It breaks. (open)'],
    [{ id: 'F_2', severity: 'low', file: 'a.ts' }, '- **F\\_2** low `a.ts`: It breaks. (open)'],
    [{ file: 'a.ts', line: 7 }, '- **F1** high `a.ts:7`: It breaks. (open)'],
    [{ file: 'a`b`\nc\td', line: 0 }, "- **F1** high `a'b' c d:0`: It breaks. (open)"],
    [{ claim: ' one\n\n two* ' }, '- **F1** high: one two\\* (open)'],
    [{ status: 'fixed', answer: 'in\n  a\\_b' }, '- **F1** high: It breaks. (fixed: in a\\\\\\_b)'],
    [{ status: 'rejected', contested: true }, '- **F1** high: It breaks. (rejected, **contested**)'],
  ])('%j', (finding, line) => {
    expect(found(0, shownFinding(finding))?.slice(2)).toEqual([line]);
  });
});

describe('checks, costs and stops in Markdown', () => {
  it('are a line each', () => {
    const checks = [{ name: 'a_b', log: null, results: [shownResult({ end: 'timed-out' })] }];
    expect(below('Checks', { checks })).toEqual(['- a\\_b: timed-out once; last: timed-out']);
    expect(below('What it took', { counts: { ...NO_COUNTS, reviews: 2, usd: 1 } })).toEqual([
      '- stops: 0, of which 0 were held',
      '- reviews: 2',
      '- cost: \\$1.00',
    ]);
  });

  it('are the first ten stops of the list, which has the newest first', () => {
    const stops = Array.from({ length: 11 }, (_, index) =>
      shownStop({ at: index * 60_000, kind: 'let-go', why: `*${index}` }),
    );
    const shown = below('Last stops', { stops }) ?? [];
    expect(shown).toHaveLength(10);
    expect(shown[0]).toBe('- 1970-01-01 00:00 UTC, let-go: \\*0');
    expect(shown[9]).toBe('- 1970-01-01 00:09 UTC, let-go: \\*9');
    expect(below('Last stops', {})).toBeNull();
  });
});
