// `claudex review`: starts the one-shot review of the current diff.

import type { Call, Command, ExitCode } from '../../../engine/desk.ts';
import { render } from '../../../text/render.ts';
import startReview from '../messages/start-review.md';
import { startLoop } from './start.ts';

export const review: Command = {
  name: 'review',
  summary: 'have the current diff reviewed once, into reviews/',
  usage: '',
  options: {},
  writes: true,
  words: { least: 0, most: 0 },
  run: startReviewLoop,
};

async function startReviewLoop(call: Call): Promise<ExitCode> {
  const wanted = { mode: 'review', topic: '', rounds: null, fromDraft: false, interviewed: false } as const;
  const { id, owner } = await startLoop(call, wanted);
  call.print(render(startReview, { id, owner }));
  return 0;
}
