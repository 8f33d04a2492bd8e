// Texts that make a pattern or a parser go round in circles: each took minutes, or would have taken days, before it
// was found. Nothing is measured; what goes in circles again runs into its test's timeout.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readers } from './readers.ts';
import { scratch } from './targets.ts';

afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }));

const BLANKS = ' '.repeat(300_000);
const timeout = 60_000;

describe('findings', () => {
  test.each([
    ['a heading with blanks inside', `# x${BLANKS}y`],
    ['a line of blanks', `# High\n${BLANKS}x y`],
    ['a bullet of blanks', `# High\n-${BLANKS}x`],
    ['stars', `${'**'.repeat(100_000)}x y`],
    ['a bullet that says none and goes on', `# High\n- no ${'new '.repeat(50_000)}x`],
  ])('are counted at once: %s', { timeout }, (_, text) => {
    expect(readers.countFindings(text)).toMatchObject({ medium: 0, low: 0 });
  });
});

describe("idle's fallback file", () => {
  test.each([
    `active: true${BLANKS}x`,
    `active: true${BLANKS}#${BLANKS}`,
    `active${BLANKS}: true`,
    `${BLANKS}x`,
    '---x\n'.repeat(50_000),
  ])('is read at once (%#)', { timeout }, (line) => {
    const file = path.join(scratch, '.claude/idle-loop.local.md');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, `---\n${line}\n---\ntask\n`);
    expect(['file', 'none', 'unreadable']).toContain(readers.readFallback(scratch).kind);
  });
});

describe("taskie's files", () => {
  test.each([
    ['blanks before nothing', `${BLANKS}x`],
    ['blanks after a bullet', `-${BLANKS}x`],
    ['blanks after a status', `### Subtask 1: x\nStatus:${BLANKS}1`],
    ['stars', '*'.repeat(300_000)],
  ])('task files are read at once: %s', { timeout }, (_, text) => {
    expect(readers.parseSubtasks(text).length).toBeLessThan(2);
  });

  const head = '| Id | Status |\n| --- | --- |\n';
  test.each([
    ['emphasis left open', `${head}| 1 | ${'*a_ '.repeat(100_000)} |\n`],
    ['brackets left open', `${head}| 1 | ${'['.repeat(300_000)} |\n`],
    [
      'backticks of every length',
      `${head}| 1 | ${Array.from({ length: 1500 }, (_, length) => '`'.repeat(length)).join(' ')} |\n`,
    ],
    ['a hundred thousand cells', `${'|'.repeat(100_000)}\n${'|-'.repeat(100_000)}|\n`],
    ['blanks', `${head}| 1 | ${BLANKS}x |\n`],
  ])('tasks.md is read at once: %s', { timeout }, (_, text) => {
    expect(readers.parseTasks(text).rows.length).toBeLessThan(2);
  });

  test('the table that is not parsed for its length is read cell by cell', () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => `| ${id} | Pending | a \\| b |\n`).join('');
    expect(readers.parseTasks(head.replace('|\n', '| Description |\n') + rows)).toMatchObject({
      plain: true,
      leftOut: [],
    });
  });

  test.each([
    ['a text of megabytes', JSON.stringify({ note: 'x'.repeat(3_900_000), phase: 'x' })],
    [
      'a hundred thousand fields',
      JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, id) => [`k${id}`, id])), null, 2),
    ],
    ['blanks', `{"a": 1${BLANKS}\n,\n"b"${BLANKS}: 2}`],
  ])('state.json is changed at once: %s', { timeout }, (_, text) => {
    expect(JSON.parse(readers.editStateText(text, { phase: 'complete' })).phase).toBe('complete');
  });
});

describe('a signal', () => {
  const signal = '<loop-done>COMPLETE</loop-done>';
  test.each([
    ['underlined headings', 'a\n=\n'.repeat(15_000)],
    ['lists in lists', `${'- '.repeat(60)}x\n`.repeat(500)],
    ['quotes in quotes', `${'> '.repeat(60)}\n`.repeat(500)],
    ['empty items', '-\n\n'.repeat(15_000)],
    ['backticks of every length', Array.from({ length: 340 }, (_, length) => '`'.repeat(length)).join(' ')],
    ['tags left open', '<a b="'.repeat(10_000)],
    ['stars', '*'.repeat(60_000)],
    ['empty lines', '\n'.repeat(60_000)],
    ['a line of megabytes', `${'x '.repeat(2_000_000)}`],
  ])('is found at once after %s', { timeout }, async (_, text) => {
    expect(await readers.findSignal(`${text}\n\n${signal}`, [signal])).toSatisfy(
      (found) => found === null || found === signal,
    );
  });
});

describe("claudex's state", () => {
  test.each([
    'a: b\n'.repeat(800_000),
    `topic: "${'x'.repeat(4_000_000)}"`,
    `phase${BLANKS}x\n`,
    `topic:${BLANKS}\n`,
  ])('is read at once (%#)', { timeout }, (text) => {
    expect(readers.readLoop(text).phase).toBe('unknown');
  });
});
