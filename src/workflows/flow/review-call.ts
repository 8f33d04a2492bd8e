// How a review is asked for. Its prompt may have come with a repository, so the reviewer is in a sandbox whatever the
// settings allow.

import type { RunContext } from '../../engine/context.ts';
import type { ReviewRequest } from '../../engine/step.ts';
import type { ReviewCall } from '../../engine/workflow.ts';
import { refuseLinks } from '../../store/links.ts';
import { below } from '../../store/paths.ts';
import { render } from '../../text/render.ts';
import type { World } from './observe.ts';
import promptText from './prompts/review.md';
import { own } from './stand.ts';
import { taskOf } from './texts.ts';

export function reviewCall(
  request: ReviewRequest,
  { definition, files }: World,
  context: RunContext,
): ReviewCall {
  const review = definition === null ? undefined : own(definition.reviews, request.kind);
  if (review === undefined) throw new Error(`the flow has no review called ${request.kind}`);
  const { root } = context.project;
  const file = below(root, request.file);
  const log = below(files.folder, `review-${request.number}.log`);
  refuseLinks([below(root, '.holdfast'), below(root, '.holdfast/flow'), files.folder, file, log]);
  const prompt = review.prompt.replace(/\{\{task\}\}/g, () => taskOf(root, context.run));
  return {
    prompt: render(promptText, { prompt: prompt.trimEnd(), files: review.files.join(', '), file }, 'review'),
    file,
    log,
    sandboxed: true,
  };
}
