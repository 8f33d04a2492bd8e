import { describe, expect, it } from 'vitest';
import {
  NO_COUNTS,
  shownBudget,
  shownFinding,
  shownProject,
  shownResult,
  shownRound,
  shownRun,
  shownStop,
} from '../../../test/support/shown-run.ts';
import type { FindingView, RunView } from '../model.ts';
import { runPage } from './page.ts';

const at = Date.UTC(2026, 10, 17, 9, 5);
const page = (more: Partial<RunView> = {}, project = shownProject()): string =>
  runPage(project, shownRun(more), at);
/** What a section holds; null: there is none. */
const section = (title: string, more: Partial<RunView>): string | null =>
  new RegExp(`<section><h2>${title}</h2>(.*)</section>`).exec(page(more))?.[1] ?? null;
/** The cells of each row. */
const rows = (html: string | null): string[][] =>
  [...(html ?? '').matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<(t[hd])>(.*?)<\/\1>/g)].map(([, , cell = '']) => cell),
  );

describe('a run page', () => {
  it('has the title in its head and in its body, how it ended, and when it was made', () => {
    const html = page({ name: 'toy:<a>' }, shownProject({ name: 'a&b' }));
    expect(html).toContain('<title>toy:&#60;a&#62; in a&#38;b</title>');
    expect(html).toContain('<h1>toy:&#60;a&#62; in a&#38;b</h1>\n<p>Running: at work.</p>\n\n\n<section>');
    expect(html).toContain('<p class="dim">Made by Holdfast, 2026-11-17 09:05 UTC.</p>');
    expect(html.endsWith('</html>')).toBe(true);
  });

  it('says so where the journal was not read to its beginning', () => {
    const html = page({}, shownProject({ readBackTo: { segment: 1, offset: 9 } }));
    expect(html).toContain('09:05 UTC. The journal is longer than what was read: counts may be too low.</p>');
  });

  it('says what is wanted of a person while it goes on, and what was asked', () => {
    const needs = 'Answer <it>.';
    expect(page({ needs })).toContain('<p class="needs">Answer &#60;it&#62;.</p>');
    expect(page({ needs, live: false })).not.toContain('class="needs"');
    expect(page()).not.toContain('class="needs"');
    expect(page({ asked: 'a "task"' })).toContain('<p><b>Asked:</b> a &#34;task&#34;</p>');
    expect(page()).not.toContain('Asked');
  });

  it('has what it took alone where there is nothing else to show', () => {
    const titles = [...page().matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title);
    expect(titles).toEqual(['What it took']);
    expect(page()).toContain('were held</td></tr></table></div></section>\n<p class="dim">');
    expect(section('What it took', { counts: { ...NO_COUNTS, stops: 2, held: 1, reviews: 3 } })).toBe(
      '<div class="scroll"><table><tr><td>stops</td><td>2, of which 1 were held</td></tr><tr><td>reviews</td><td>3</td></tr></table></div>',
    );
  });

  it('has its sections in one order', () => {
    const html = page({
      rounds: [shownRound()],
      findings: { ...{ file: 'f', found: 0, fixed: 0, rejected: 0, open: 0, contested: 0 }, list: [] },
      checks: [{ name: 'test', log: null, results: [] }],
      budget: shownBudget(),
      stops: [shownStop()],
      events: [{ position: { segment: 1, offset: 0 }, at: 0, event: 'start', text: 'started' }],
      files: ['a.md'],
    });
    expect([...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title)).toEqual([
      ...['What it took', 'Rounds', 'Findings', 'Checks', 'Budget', 'Stops', 'Events', 'Files'],
    ]);
  });
});

describe('a section of a run page', () => {
  it('shows rounds as a picture and a table', () => {
    const found = { high: 3, medium: 2, low: 1 };
    const rounds = [
      shownRound({ verdict: 'failed', reviewer: 'r', model: 'm', found, milliseconds: 4000, file: 'a/1.md' }),
      shownRound({ number: 2, about: 'plan' }),
    ];
    const html = section('Rounds', { rounds });
    expect(html).toMatch(/^<svg .*<\/svg><div class="scroll"><table>/);
    expect(rows(html)).toEqual([
      ['round', 'reviewer', 'verdict', 'found', 'took', 'file'],
      ['round 1', 'r/m', 'it failed', '3 high, 2 medium, 1 low', '4 s', 'a/1.md'],
      ['plan, round 2', '', 'clean', '0 high, 0 medium, 0 low', '', ''],
    ]);
  });

  it.each<[Partial<FindingView>, string[]]>([
    [{}, ['F1', 'high', '', 'It breaks.', 'open']],
    [{ answer: '', line: 3 }, ['F1', 'high', '', 'It breaks.', 'open']],
    [{ file: 'a.ts', severity: 'low' }, ['F1', 'low', 'a.ts', 'It breaks.', 'open']],
    [
      { file: 'a.ts', line: 0, status: 'fixed', answer: 'in <b>' },
      ['F1', 'high', 'a.ts:0', 'It breaks.', 'fixed: in &#60;b&#62;'],
    ],
    [{ status: 'rejected', contested: true }, ['F1', 'high', '', 'It breaks.', 'rejected (contested)']],
  ])('shows a finding: %j', (finding, row) => {
    const counts = { file: 'f', found: 6, fixed: 3, rejected: 2, open: 1, contested: 4 };
    const html = section('Findings', { findings: { ...counts, list: [shownFinding(finding)] } });
    expect(html).toMatch(/^<p>6 found: 3 fixed, 2 rejected, 1 open, 4 contested\.<\/p><div/);
    expect(rows(html)).toEqual([['id', 'severity', 'where', 'claim', 'what became of it'], row]);
  });

  it('shows each check in words and as a picture', () => {
    const check = (name: string) => ({ name, log: null, results: [shownResult()] });
    const html = section('Checks', { checks: [check('a<b'), check('c')] });
    expect(html).toMatch(
      /^<p><b>a&#60;b<\/b> passed once; last: passed<\/p><svg .*<\/svg><p><b>c<\/b> passed once; last: passed<\/p><svg .*<\/svg>$/,
    );
  });

  it('shows a budget in words, and as a picture where there is one', () => {
    expect(section('Budget', { budget: shownBudget({ text: 'Budget: <1>.' }) })).toBe(
      '<p>Budget: &#60;1&#62;.</p>',
    );
    const burn = [0, 1].map((time) => ({ at: time, tokens: 0, timeMs: 0, reviews: 0, usd: 0 }));
    const limits = { tokens: 5, timeMs: null, reviews: null, usd: null };
    expect(section('Budget', { budget: shownBudget({ limits, burn }) })).toMatch(/^<p>Budget\.<\/p><svg /);
  });

  it('shows stops on a line of time and in a table', () => {
    const stops = [shownStop({ at: 60_000, kind: 'allowed', step: 'finish', why: 'Over.' }), shownStop()];
    const html = section('Stops', { stops });
    expect(html).toMatch(/^<svg .*<\/svg><details><summary>The last 2<\/summary><div/);
    expect(rows(html)).toEqual([
      ['when', 'answer', 'step', 'why'],
      ['1970-01-01 00:01 UTC', 'allowed', 'finish', 'Over.'],
      ['1970-01-01 00:00 UTC', 'held', 'go-on', 'It said so.'],
    ]);
  });

  it('shows events in a table, and files as code', () => {
    const position = { segment: 1, offset: 0 };
    const html = section('Events', { events: [{ position, at: 60_000, event: 'wait', text: 'it waits' }] });
    expect(html).toMatch(/^<details><summary>The last 1<\/summary><div/);
    expect(rows(html)).toEqual([
      ['when', 'event', 'what'],
      ['1970-01-01 00:01 UTC', 'wait', 'it waits'],
    ]);
    expect(section('Files', { files: ['a&b', 'c'] })).toBe('<p><code>a&#38;b</code>, <code>c</code></p>');
  });
});
