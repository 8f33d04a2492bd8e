import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { countFailing, failingLines } from './failing-lines.ts';
import { asShown } from './tail.ts';

/** What real runners printed of the same two failing tests among many that pass, or of code that does not compile. */
const folder = path.resolve(import.meta.dirname, '../../../test/fixtures/runners');
const recorded = fs.readdirSync(folder).filter((name) => name.endsWith('.txt'));
const SUMMED: Record<string, number | null> = {
  ...{ 'cargo-compile.txt': null, 'go-compile.txt': null, 'make.txt': null },
  'go-panic.txt': 1,
};

it.each(recorded)('what fails is shown, and counted, of %s', async (name) => {
  const shown = asShown(fs.readFileSync(path.join(folder, name), 'utf8'));
  const said = failingLines(shown, 1000);
  expect(said.length).toBeLessThanOrEqual(1000);
  expect(countFailing(shown)).toBe(name in SUMMED ? SUMMED[name] : 2);
  await expect(`${said}\n`).toMatchFileSnapshot(path.join(folder, 'shown', name));
});

const many = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

it.each([
  ['a short text as it is', 'one\ntwo', 'one\ntwo'],
  ['the end of one in which nothing fails', many(50, (n) => `line ${n}`), /^…\n(line \d+\n)+line 49$/],
  ['a failure far above the end', `not ok 1 - a\n${many(90, (n) => `line ${n}`)}`, /^not ok 1 - a\n.*\n…\n/s],
  ['what passes, where nothing else is left', many(90, (n) => `ok ${n}`), /^…\n(ok \d+\n)+ok 89$/],
  [
    'no test that is to fail',
    `not ok 1 - a # TODO\n${many(90, (n) => `ok ${n}`)}`,
    /^not ok.*TODO\n…\nok \d/,
  ],
  ['the first of very many failures', many(500, (n) => `FAIL test ${n}`), /^FAIL test 0\nFAIL test 1\n/],
  ['the beginning of a line without end', `Error: ${'x'.repeat(9000)}`, /^Error: x+…$/],
])('%s is shown', (_, text, expected) => {
  const said = failingLines(text, 200);
  expect(said.length).toBeLessThanOrEqual(200);
  if (typeof expected === 'string') expect(said).toBe(expected);
  else expect(said).toMatch(expected);
});

it('nothing is counted where no summary says a number', () => {
  for (const text of ['', 'failed', '0 failing', '--- FAIL: TestA (0.00s)\n…\n--- FAIL: TestB (0.00s)'])
    expect(countFailing(text)).toBeNull();
});
