// A view over a journal of any lines, in this process: what the fuzz suite and its planted defects ask.

import fs from 'node:fs';
import path from 'node:path';
import { runPage } from '../../src/view/html/page.ts';
import type { ViewModel } from '../../src/view/model.ts';
import { openView } from '../../src/view/open-view.ts';
import { asMarkdown } from '../../src/view/report/markdown.ts';

export type Seen = {
  model: ViewModel;
  /** The reports of all runs, in both forms. */
  pages: readonly { html: string; markdown: string }[];
  /** Lines that no line of the journal stands behind. */
  lost: number;
};

/** `parts`: the journal's text as it grows; the view is refreshed after each. */
export async function viewHere(root: string, home: string, parts: readonly string[]): Promise<Seen> {
  const journal = path.join(root, '.holdfast/journal.jsonl');
  fs.mkdirSync(path.dirname(journal), { recursive: true });
  fs.rmSync(journal, { force: true });
  const env = { HOME: home, PATH: '' };
  const view = await openView({ roots: [root], env, clock: () => 1_800_000_000_000 });
  for (const part of parts) {
    fs.appendFileSync(journal, part);
    await view.refresh();
  }
  const model = view.model();
  const pages = model.projects.flatMap((project) =>
    project.runs.map((run) => ({ html: runPage(project, run, 0), markdown: asMarkdown(project, run) })),
  );
  const marks = model.projects.flatMap(({ id, runs }) =>
    runs.flatMap(({ stops, events }) => [...stops, ...events].map(({ position }) => view.raw(id, position))),
  );
  for (const { id } of model.projects) await view.older(id, { before: null, run: null, most: 1000 });
  return { model, pages, lost: marks.filter((line) => line === null).length };
}
