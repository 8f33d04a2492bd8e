// `claudex review`: starts the one-shot review of the current diff.

import { armedText, boundsLine, isForPerson } from '../../../engine/start-text.ts';
import type { Call, Command, ExitCode } from '../../../engine/workflow-cli.ts';
import { render } from '../../../text/render.ts';
import startReview from '../messages/start-review.md';
import { roundsInWords, startLoop } from './start.ts';
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
  const started = await startLoop(call, { mode: 'review', topic: '', ...flags });
  const { id, owner, lines, project, budget } = started;
  // One round, whatever the flag says of a plan's.
  const begun = { name: `claudex:${id}`, task: 'review the current diff', most: roundsInWords(1), budget };
  if (isForPerson(call)) {
    call.print(armedText(begun, project, call));
    return 0;
  }
  call.print(render(startReview, { id, owner, bounds: boundsLine(begun, call) }));
  for (const line of lines) call.print(line);
  return 0;
}
