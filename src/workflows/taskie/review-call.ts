// How a review is asked for: the prompt with absolute paths, the file that must come out, the log. What the
// reviewer reads beside the plan, ground rules and action texts, ships with the plugin, next to the bundle.

import path from 'node:path';
import type { RunContext } from '../../engine/context.ts';
import type { ReviewRequest } from '../../engine/step.ts';
import type { ReviewCall } from '../../engine/workflow.ts';
import { refuseLinks } from '../../store/links.ts';
import { below } from '../../store/paths.ts';
import { render } from '../../text/render.ts';
import { changesOf } from './changes.ts';
import { inText, logFile, taskFile } from './names.ts';
import type { World } from './observe.ts';
import { asReview, type Review } from './phases.ts';
import allCodeReview from './prompts/all-code-review.md';
import closing from './prompts/closing.md';
import codeReview from './prompts/code-review.md';
import planReview from './prompts/plan-review.md';
import tasksReview from './prompts/tasks-review.md';
import { readSaved } from './saved.ts';
import { readState } from './state-format.ts';
import type { Facts } from './types.ts';

const prompts: Readonly<Record<Review, string>> = {
  'plan-review': planReview,
  'tasks-review': tasksReview,
  'code-review': codeReview,
  'all-code-review': allCodeReview,
};

export function reviewCall(
  request: ReviewRequest,
  world: World,
  context: RunContext,
  facts: Facts,
): ReviewCall {
  const review = asReview(request.kind);
  if (review === null) throw new Error(`taskie has no review called ${request.kind}`);
  const inFolder = (name: string): string => below(world.folder.path, name);
  const file = below(context.project.root, request.file);
  const log = inFolder(logFile(request.number));
  refuseLinks([...foldersTo(request.file).map((folder) => below(context.project.root, folder)), file, log]);
  const about = { rules: text('ground-rules.md'), action: text(`actions/${review}.md`) };
  const changes = changesOf(review, readSaved(context.saved).began);
  const shown = (place: string): string => inText(facts.plan, place);
  const read = (name: string): string => shown(inFolder(name));
  const opening = render(prompts[review], { ...about, ...subject(review, world, facts, read) }, review);
  return {
    prompt: `${opening}\n\n${render(closing, { review: shown(file) }, 'closing')}`,
    file,
    log,
    reads: [textFolder()],
    ...(changes === null ? {} : { changes }),
    // A clean review of code asks which tasks are pending.
    ...(review === 'code-review' ? { loadFirst: () => import('./tasks-table.ts') } : {}),
  };
}

/** `.taskie`, `.taskie/plans`, `.taskie/plans/p`: the folders on the way to a file of the project. */
function foldersTo(file: string): string[] {
  const folder = path.dirname(file);
  return folder === '.' ? [] : [...foldersTo(folder), folder];
}

function subject(review: Review, world: World, facts: Facts, inFolder: (name: string) => string) {
  const plan = inFolder('plan.md');
  const table = inFolder('tasks.md');
  const files = (facts.tasks?.ids ?? []).map((id) => `- ${inFolder(taskFile(id))}`).join('\n');
  switch (review) {
    case 'plan-review':
      return { plan };
    case 'code-review':
      return { plan, task: inFolder(taskFile(currentTask(world))) };
    case 'tasks-review':
    case 'all-code-review':
      return { plan, table, files };
  }
}

function currentTask(world: World): string {
  const state = readState(world.stateText);
  return (state.kind === 'known' && state.currentTask) || '';
}

/** The bundle lies in the plugin's `lib/`. */
const textFolder = (): string => path.resolve(__dirname, '..', 'taskie');
const text = (name: string): string => below(textFolder(), name);
