// What a reviewer of code is told about the changes: from where they are counted, the files, and where the patch is.

import type { Changes, ChangesWanted } from '../../engine/changes/types.ts';
import { render } from '../../text/render.ts';
import type { Review } from './phases.ts';
import changesPrompt from './prompts/changes.md';
import type { Began } from './saved.ts';

/** Null: the review is not about code. */
export function changesOf(review: Review, began: Began): ChangesWanted | null {
  switch (review) {
    case 'plan-review':
    case 'tasks-review':
      return null;
    case 'code-review':
      return { since: began.task, say: (changes) => say(changes, 'this task') };
    case 'all-code-review':
      return { since: began.plan, say: (changes) => say(changes, "the plan's first task") };
  }
}

function say(changes: Changes, work: string): string {
  const { count, lines, top } = changes;
  const more = count > lines.length ? [`- and ${count - lines.length} more`] : [];
  const slots = {
    what: whatOf(changes, work),
    count: count === 1 ? '1 file' : `${count} files`,
    top,
    files: [...lines.map((line) => `- ${line}`), ...more].join('\n'),
    where: whereOf(changes),
  };
  return render(changesPrompt, slots, 'changes');
}

function whatOf({ since }: Changes, work: string): string {
  switch (since.kind) {
    case 'commit':
      return `These files changed since ${work} began, at commit ${since.commit.slice(0, 12)}`;
    case 'no-commit-yet':
      return `These files changed since ${work} began, before the first commit`;
    case 'uncommitted':
      return `At which commit ${work} began is not known; these files are not committed yet`;
  }
}

function whereOf({ file }: Changes): string {
  switch (file?.kind) {
    case 'patch':
      return `The changes themselves are a patch in ${file.path} (${sizeOf(file.bytes)}): begin there. What a screen would hide is written in it as \`<U+202E>\`.`;
    case 'list':
      return `The whole list is in ${file.path}; a patch would be too long to read.`;
    case undefined:
      return 'There is no patch: it would be too long to read, or nothing of these could be shown in one.';
  }
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} kB`;
}
