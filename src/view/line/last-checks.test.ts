import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../../test/support/bare-project.ts';
import { readAsked } from './asked.ts';
import { lastChecks } from './last-checks.ts';

const JOURNAL = '.holdfast/journal.jsonl';
const now = Date.UTC(2026, 10, 17, 9);
const line = (checks: object, more: object = {}): string =>
  JSON.stringify({ time: '2026-11-17T08:59:30.000Z', workflow: 'toy', run: 'a', facts: checks, ...more });
const fact = (name: string, end = 'passed') => ({ name, end });
const proof = (...checks: (object | null)[]) => ({ proof: { checks } });
/** What is said of the last checks after these lines. */
function last(...lines: readonly string[]): string[] {
  const project = bareProject(now);
  writeIn(project, JOURNAL, lines.map((each) => `${each}\n`).join(''));
  return lastChecks(project, 'toy:a');
}

describe('what checks said last', () => {
  it('is a mark and how long ago', () => {
    expect(last(line(proof(fact('test'))))).toEqual(['test ✓ 30 s ago']);
    expect(last(line(proof(fact('test', 'failed'))))).toEqual(['test ✗ 30 s ago']);
    expect(last(line(proof(fact('t')), { time: '2026-11-17T09:05:00.000Z' }))).toEqual(['t ✓ 0 s ago']);
  });

  it('is of the newest line about this run that has any', () => {
    const lines = [
      line(proof(fact('old'))),
      line(proof(fact('new', 'timed-out'))),
      line(proof()),
      line(proof(fact('other')), { run: 'b' }),
      line(proof(fact('other')), { workflow: 'idle' }),
      line(proof(fact('untimed')), { time: 'noon' }),
      line(proof(fact('untimed')), { time: 7 }),
      line(proof({ name: 'x' }, { end: 'passed' }, null)),
      '{"checks": torn',
      '["checks"]',
      line({}, { facts: '"checks":' }),
      line({}),
    ];
    expect(last(...lines)).toEqual(['new ✗ 30 s ago']);
  });

  it('is of two at most, of those that failed where any did', () => {
    expect(last(line(proof(fact('a'), fact('b'), fact('c'))))).toEqual(['a ✓ 30 s ago', 'b ✓ 30 s ago']);
    const mixed = proof(fact('a'), fact('b', 'failed'), fact('c', 'cannot-run'), fact('d', 'failed'));
    expect(last(line(mixed))).toEqual(['b ✗ 30 s ago', 'c ✗ 30 s ago']);
    expect(last(line(proof(fact('a'), fact('b', 'failed'))))).toEqual(['b ✗ 30 s ago']);
  });

  it('is of the claim, of the check that ends the run, and of those asked for by name', () => {
    const until = { until: { checks: [fact('u')] }, proof: { checks: 'none' } };
    expect(last(line(until))).toEqual(['u ✓ 30 s ago']);
    expect(last(line({ checks: { n: fact('n') } }))).toEqual(['n ✓ 30 s ago']);
    expect(last(line({ ...proof(fact('p')), until: { checks: [fact('u')] } }))).toEqual([
      'p ✓ 30 s ago',
      'u ✓ 30 s ago',
    ]);
  });

  it('shows a long name in part', () => {
    expect(last(line(proof(fact('n'.repeat(30)), fact('m'.repeat(31)))))).toEqual([
      `${'n'.repeat(30)} ✓ 30 s ago`,
      `${'m'.repeat(29)}… ✓ 30 s ago`,
    ]);
  });

  it('is looked for in the last 64 kilobytes', () => {
    const wanted = line(proof(fact('test')));
    const size = 64 * 1024;
    const filler = 'x'.repeat(size - wanted.length - 2 - 1);
    // The line end before it has to be seen, too.
    expect(last('', wanted, filler.slice(1))).toEqual(['test ✓ 30 s ago']);
    expect(last('', wanted, `${filler}x`)).toEqual([]);
  });

  it('is nothing without a journal, or with one that is a link or a folder', () => {
    expect(lastChecks(bareProject(now), 'toy:a')).toEqual([]);
    const linked = bareProject(now);
    const file = writeIn(linked, 'elsewhere', `${line(proof(fact('test')))}\n`);
    fs.mkdirSync(linked.home);
    fs.symlinkSync(file, path.join(linked.root, JOURNAL));
    expect(lastChecks(linked, 'toy:a')).toEqual([]);
    const folder = bareProject(now);
    fs.mkdirSync(path.join(folder.root, JOURNAL), { recursive: true });
    expect(lastChecks(folder, 'toy:a')).toEqual([]);
  });
});

describe('what a client sends to its status line', () => {
  const nothing = { session: null, folders: [] };
  it.each([
    ['', nothing],
    ['no json', nothing],
    ['[1]', nothing],
    ['{}', nothing],
    ['{"session_id":7,"workspace":"x","cwd":1}', nothing],
    ['{"session_id":"s","cwd":"/c"}', { session: 's', folders: ['/c'] }],
    [
      '{"workspace":{"project_dir":"/p","current_dir":"/d"},"cwd":"/c"}',
      { session: null, folders: ['/p', '/d', '/c'] },
    ],
    ['{"workspace":{"current_dir":"/d"}}', { session: null, folders: ['/d'] }],
  ])('%s', (input, asked) => {
    expect(readAsked(input)).toEqual(asked);
  });
});
