// `claudex review`: starts the one-shot review of the current diff.

import type { Call, Command, ExitCode } from '../../../engine/workflow-cli.ts';
import { render } from '../../../text/render.ts';
import startReview from '../messages/start-review.md';
import { startLoop } from './start.ts';
import { readStartFlags, START_OPTIONS, START_USAGE } from './start-flags.ts';

export const review: Command = {
  name: 'review',
  summary: 'have the current diff reviewed once, into reviews/',
  usage: START_USAGE,
  help: 'One round is reviewed; the flags are those of plan and are kept in the state.',
  options: START_OPTIONS,
  writes: true,
  starts: true,
  words: { least: 0, most: 0 },
  run: startReviewLoop,
};

async function startReviewLoop(call: Call): Promise<ExitCode> {
  const flags = readStartFlags(call, 'review');
  const { id, owner, lines } = await startLoop(call, { mode: 'review', topic: '', ...flags });
  call.print(render(startReview, { id, owner }));
  for (const line of lines) call.print(line);
  return 0;
}
