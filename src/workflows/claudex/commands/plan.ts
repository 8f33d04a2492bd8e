// `claudex plan`: starts the adversarial plan loop.

import { type Call, type Command, type ExitCode, WrongUsage } from '../../../engine/desk.ts';
import { render } from '../../../text/render.ts';
import startFromDraft from '../messages/start-from-draft.md';
import startPlan from '../messages/start-plan.md';
import { planFile } from '../place.ts';
import { normaliseTopic, wholeNumber } from '../state.ts';
import { shorten } from '../summary.ts';
import { startLoop } from './start.ts';

export const plan: Command = {
  name: 'plan',
  summary: 'start a loop: draft PLAN.md, have it attacked in rounds, revise, summarize',
  usage: '[--rounds N] [--from-draft] [--skip-interview] [--interviewed] [topic]',
  help: [
    'Flags come before the topic; without a topic on the command line it is read from standard input.',
    '  --rounds N        at most N review rounds (default 3, or CLAUDEX_MAX_PLAN_ROUNDS)',
    '  --from-draft      review the PLAN.md that is there',
    '  --skip-interview  for the plan skill: ask no questions first',
    '  --interviewed     the topic holds the answers of an interview',
  ].join('\n'),
  options: {
    rounds: { type: 'string' },
    'from-draft': { type: 'boolean' },
    'skip-interview': { type: 'boolean' },
    interviewed: { type: 'boolean' },
  },
  writes: true,
  words: { least: 0, most: Number.POSITIVE_INFINITY },
  run: startPlanLoop,
};

async function startPlanLoop(call: Call): Promise<ExitCode> {
  const rounds = readRounds(call.flags.rounds);
  const topic = readTopic(call);
  const fromDraft = call.flags['from-draft'] === true;
  const interviewed = call.flags.interviewed === true;
  const { id, max, owner, place } = await startLoop(call, {
    mode: 'plan',
    topic,
    rounds,
    fromDraft,
    interviewed,
  });
  const slots = { id, max, owner, topic: shorten(topic, 1000), plan: planFile(place) };
  call.print(render(fromDraft ? startFromDraft : startPlan, slots));
  return 0;
}

function readRounds(flag: Call['flags'][string]): number | null {
  if (flag === undefined) return null;
  const rounds = wholeNumber(String(flag));
  if (rounds === null)
    throw new WrongUsage(`claudex plan: --rounds takes a whole number above 0, not "${String(flag)}".`);
  return rounds;
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
      'claudex plan: the topic is missing. Give it after the flags, or on standard input: holdfast claudex plan < topic.txt',
    );
  return topic;
}
