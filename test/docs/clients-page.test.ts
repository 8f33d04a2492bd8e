// test/clients/seen.md, and the program that writes it: a run without `--all` keeps what the page says of the groups it left out.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderPage, sectionOf } from '../clients/page.mjs';

const versions = { claude: '1.0.0', codex: '2.0.0', others: {} };

const file = (name: string, group: string, ...scenarios: string[]) => ({
  name,
  assertionResults: scenarios.map((scenario) => ({
    title: scenario,
    meta: { seen: { group, scenario, mode: 'Gemini CLI -p', stops: 'none', text: 'it was seen' } },
  })),
});

const first = file('scenarios/2-idle.test.ts', '2. idle', 'a', 'b');
const gemini = file('scenarios/22-gemini.test.ts', '22. Gemini CLI', 'c');
const last = file('scenarios/25-all.test.ts', '25. all', 'd');
const beyond = file('scenarios/with-all/22-gemini.test.ts', '22. Gemini CLI, with --all', 'e', 'f');

describe('the page', () => {
  const whole = renderPage({ testResults: [beyond, last, gemini, first] }, versions);
  const kept = [sectionOf(whole, '22. Gemini CLI, with --all') ?? { group: '', text: '' }];

  it('lists the groups in order, and counts their rows', () => {
    expect(whole.match(/^## .*/gm)).toEqual([
      '## 2. idle',
      '## 22. Gemini CLI',
      '## 22. Gemini CLI, with --all',
      '## 25. all',
    ]);
    expect(whole).toContain('\n| e | Gemini CLI -p | none | it was seen |\n');
    expect(whole).toContain(' 6 were played.');
  });

  it('is the same when a group was not played and is kept', () => {
    expect(renderPage({ testResults: [last, gemini, first] }, versions, kept)).toBe(whole);
  });

  it('is another one when a group was played and nothing of it was seen so before', () => {
    const other = file('scenarios/22-gemini.test.ts', '22. Gemini CLI', 'c, and more');
    expect(renderPage({ testResults: [last, other, first] }, versions, kept)).not.toBe(whole);
  });

  it('says nothing of a group that it does not have', () => {
    expect(sectionOf(whole, '22. Gemini')).toBeUndefined();
  });
});

describe('test/clients/seen.md', () => {
  const page = fs.readFileSync(path.resolve(import.meta.dirname, '../clients/seen.md'), 'utf8');
  const sections = page.split(/^(?=## )/m).slice(1);
  const rowsIn = (text: string): number => (text.match(/^\| /gm) ?? []).length;

  it('lists as many scenarios as it says', () => {
    const rows = sections.map((section) => rowsIn(section) - 2).reduce((sum, count) => sum + count);
    expect(page).toContain(` ${rows} were played.`);
  });

  it('has at most twelve that CI plays of each other client', () => {
    const others = sections.filter(
      (section) => /^## 2\d\. /.test(section) && !/, with --all\n/.test(section),
    );
    expect(others.length).toBeGreaterThan(5);
    for (const section of others) expect(rowsIn(section) - 2, section).toBeLessThanOrEqual(12);
  });

  it('has a group for each file of what CI leaves out', () => {
    const folder = path.resolve(import.meta.dirname, '../clients/scenarios/with-all');
    const groups = fs
      .readdirSync(folder)
      .map(
        (name) => /^describe\('(.+)',/m.exec(fs.readFileSync(path.join(folder, name), 'utf8'))?.[1] ?? name,
      );
    for (const group of groups) expect(sectionOf(page, group)?.text, group).toContain('\n| ');
  });
});
