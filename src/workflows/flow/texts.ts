// The slots of a flow's own texts: the task, the counts, what failing checks printed, what the last review found.

import type { RunContext } from '../../engine/context.ts';
import { MOST_QUOTED, quote } from '../../engine/proof/quote.ts';
import { below } from '../../store/paths.ts';
import { plainText } from '../../text/printable.ts';
import { render, type Slots } from '../../text/render.ts';
import { readRunFile } from './files.ts';
import findingsText from './messages/findings.md';
import taskCut from './messages/task-cut.md';
import { reviewFile, runFolder } from './names.ts';
import type { World } from './observe.ts';

const SLOT = /\{\{(task|visits|holds|checks|findings)\}\}/g;

/** What a text needs to know of the stop. */
export type Place = Pick<RunContext, 'project' | 'run' | 'printed'>;

/** Each slot is filled once, and what it is filled with is not looked at again. `task`: in place of the run's own. */
export function fillSay(text: string, slots: Slots, world: World, context: Place, task?: string): string {
  const values: Readonly<Record<string, () => string>> = {
    task: () => task ?? taskOf(context.project.root, context.run),
    visits: () => String(slots.visits ?? world.run?.visits[world.run.at] ?? 1),
    holds: () => String(slots.hold ?? world.run?.held ?? 0),
    checks: () => checksOf(context),
    findings: () => findingsOf(slots, world, context),
  };
  return text.replace(SLOT, (_, slot: string) => values[slot]?.() ?? '').trimEnd();
}

const TASK_SHOWN = 2048;

/** As `flow start` was given it; a long one is cut, and where the rest is stands below it. */
export function taskOf(root: string, run: string): string {
  const file = `${runFolder(run)}/task.md`;
  const text = (readRunFile(below(root, file), root) ?? '').trim();
  return text.length <= TASK_SHOWN ? text : render(taskCut, { text: text.slice(0, TASK_SHOWN), file });
}

function checksOf({ printed = [] }: Place): string {
  const close = printed.slice(0, MOST_QUOTED);
  const tails = quote(close.map(({ tail }) => tail));
  return close
    .map(({ name, log }, index) => {
      const tail = tails[index] ?? '';
      return `${name} failed. All it printed: ${log}${tail === '' ? '' : `\n${tail}`}`;
    })
    .join('\n\n');
}

const FINDINGS_SHOWN = 4000;

/** Of the review of this stop, else of the last one; where that was clean there are none. */
function findingsOf({ review, number }: Slots, { run }: World, { run: id, project }: Place): string {
  const all = Object.entries(run?.reviewed ?? {}).map(([name, said]) => ({ name, ...said }));
  const last = all.sort((one, other) => other.number - one.number)[0];
  const stored = last?.verdict === 'findings' ? last : null;
  const name = typeof review === 'string' ? review : stored?.name;
  const which = typeof number === 'number' ? number : stored?.number;
  if (name === undefined || which === undefined) return '';
  const file = reviewFile(id, name, which);
  const text = plainText((readRunFile(below(project.root, file), project.root) ?? '').trim());
  if (text === '') return '';
  const shown = text.length <= FINDINGS_SHOWN ? text : `${text.slice(0, FINDINGS_SHOWN)} […]`;
  return render(findingsText, { text: shown, file });
}
