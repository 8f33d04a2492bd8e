// `claudex plan`: starts the adversarial plan loop.

import { BUDGET_HELP } from '../../../engine/budget/at-start.ts';
import { armedText, boundsLine, isForPerson } from '../../../engine/start-text.ts';
import { type Call, type Command, type ExitCode, WrongUsage } from '../../../engine/workflow-cli.ts';
import { render } from '../../../text/render.ts';
import { planFile } from '../files.ts';
import startFromDraft from '../messages/start-from-draft.md';
import startPlan from '../messages/start-plan.md';
import { normaliseTopic } from '../state-format.ts';
import { shorten } from '../summary.ts';
import { roundsInWords, startLoop } from './start.ts';
import { readStartFlags, START_OPTIONS, START_USAGE } from './start-flags.ts';

export const plan: Command = {
  name: 'plan',
  summary: 'draft PLAN.md, have another model attack it in rounds, revise',
  usage: `${START_USAGE} [topic]`,
  help: [
    'Without a topic on the command line it is read from standard input.',
    '  --rounds N        at most N review rounds (default 3, or CLAUDEX_MAX_PLAN_ROUNDS)',
    '  --from-draft      review the PLAN.md that is there',
    '  --skip-interview  for the plan skill: ask no questions first',
    '  --interviewed     the topic holds the answers of an interview',
    `  ${BUDGET_HELP}`,
  ].join('\n'),
  options: START_OPTIONS,
  writes: true,
  starts: true,
  words: { least: 0, most: Number.POSITIVE_INFINITY },
  run: startPlanLoop,
};

async function startPlanLoop(call: Call): Promise<ExitCode> {
  const flags = readStartFlags(call, 'plan');
  const topic = readTopic(call);
  const started = await startLoop(call, { mode: 'plan', topic, ...flags });
  const { id, max, owner, dir, lines, project, budget } = started;
  const begun = { name: `claudex:${id}`, task: topic, most: roundsInWords(max), budget };
  if (isForPerson(call)) {
    call.print(armedText(begun, project, call));
    return 0;
  }
  const bounds = boundsLine(begun, call);
  const slots = { id, max, owner, bounds, topic: shorten(topic, 1000), plan: planFile(dir) };
  call.print(render(flags.fromDraft ? startFromDraft : startPlan, slots));
  for (const line of lines) call.print(line);
  return 0;
}

function readTopic(call: Call): string {
  const given = call.words.length > 0 ? call.words.join(' ') : call.stdin();
  if (given.includes('\0'))
    throw new WrongUsage(
      'claudex plan: the topic holds a NUL character, which no file can keep; take it out.',
    );
  const topic = normaliseTopic(given.trim());
  if (topic === '')
    throw new WrongUsage(
      'claudex plan: the topic is missing. Give it in quotes, or on standard input: holdfast claudex plan < topic.txt',
    );
  return topic;
}
