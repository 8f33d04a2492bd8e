// What a report says of runs of every workflow, in both of its forms: read the snapshots.

import { describe, expect, it } from 'vitest';
import { shownFinding, shownProject, shownRun } from '../../../test/support/shown-run.ts';
import { NOW, seedModel } from '../../../test/web/seed.ts';
import { runPage } from '../html/page.ts';
import type { FindingView } from '../model.ts';
import { asMarkdown } from './markdown.ts';

const HOSTILE = '<script>alert(1)</script> | *x*\n\n# `y` ![z](http://evil) "quoted"';
const seeded = seedModel().projects.flatMap((project) => project.runs.map((run) => ({ project, run })));
const LONG = shownRun({ asked: `${'Make all of the tests pass, one after the other. '.repeat(20)}The end.` });

describe.each([
  ...seeded,
  { project: shownProject(), run: shownRun() },
  {
    project: shownProject({ name: 'my_p', readBackTo: { segment: 1, offset: 9 } }),
    run: shownRun({ name: 'toy:*', asked: HOSTILE, needs: HOSTILE, status: 'needs-you' }),
  },
  { project: shownProject(), run: { ...LONG, name: 'toy:long' } },
])('the report of $run.name', ({ project, run }) => {
  const file = run.name.replace(/\W+/g, '-');

  it('in Markdown', async () => {
    await expect(`${asMarkdown(project, run)}\n`).toMatchFileSnapshot(`snapshots/${file}.md`);
  });

  it('in HTML: the same words, in a file that loads nothing', async () => {
    const html = runPage(project, run, NOW);
    expect(html).not.toMatch(/<script|<img|<link|src=|href=|url\(/i);
    await expect(wordsOf(html)).toMatchFileSnapshot(`snapshots/${file}.html.txt`);
  });
});

/** A line for each paragraph, row and picture; entities as they are. */
function wordsOf(html: string): string {
  const [, body = ''] = html.split('</style>');
  const lines = body
    .replace(/<title>[^<]*<\/title>/g, '')
    .replace(/<(?:svg|\/svg)[^>]*?(?:aria-label="([^"]*)")?>/g, '\n$1 ')
    .replace(/<\/(?:t[dh]|li)>/g, ' | ')
    .replace(/<(?:wbr|\/?(?:code|b|text|ul|li|t[dh]|table|div))[^>]*>/g, '')
    .replace(/<[^>]+>/g, '\n')
    .split('\n');
  return `${lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')}\n`;
}

it.each<[Partial<FindingView>, string]>([
  [{ answer: '' }, '- **F1** high: It breaks. (open)'],
  [{ file: 'a.ts', line: 7 }, '- **F1** high `a.ts:7`: It breaks. (open)'],
  [{ file: 'a`b`\nc\td', line: 0 }, "- **F1** high `a'b' c d:0`: It breaks. (open)"],
  [{ claim: ' one\n\n two* ' }, '- **F1** high: one two\\* (open)'],
  [{ status: 'rejected', contested: true }, '- **F1** high: It breaks. (rejected, **contested**)'],
])('a finding in Markdown: %j', (finding, line) => {
  const counts = { file: 'f', found: 1, fixed: 0, rejected: 0, open: 1, contested: 0 };
  const run = shownRun({ findings: { ...counts, list: [shownFinding(finding)] } });
  expect(asMarkdown(shownProject(), run)).toContain(`\n${line}`);
});
