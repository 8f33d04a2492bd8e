// What is said about waiting: to the agent around the text of every hold, to the user in a notice. Every hold loads
// this, so it is short.

import type { BackgroundTask } from '../../clients/stop.ts';
import type { WhenAsked } from '../../config/settings.ts';
import type { Waiting } from '../../store/records.ts';
import { printable } from '../../text/printable.ts';
import { endOfWait } from './clock.ts';

/** More than these would bury the task. */
const MOST_SHELLS = 5;

/** As `holdfast ask` cuts it, in characters of two units; a record in the project may hold any text. */
const LONGEST_QUESTION = 4_000;

export type AroundHold = {
  tasks: readonly BackgroundTask[];
  /** The last tool output said that a process still runs. */
  leavesRunning?: true | undefined;
  ask: WhenAsked;
  cli: string;
};

/** The last lines of a hold: what still runs, and how to ask. */
export function lastLines({ tasks, leavesRunning, ask, cli }: AroundHold): string {
  const shells = tasks.flatMap(({ command }) => (command === undefined ? [] : [command]));
  const howToWait = (whose: string): string =>
    `If you need ${whose} result: \`${cli} wait\` (with --pid N or --file F it ends as soon as that does or is there); else go on.`;
  const running = shells
    .slice(0, MOST_SHELLS)
    .map((command) => `\`${shortened(command, 80)}\` still runs. ${howToWait('its')}`);
  const more = shells.length - MOST_SHELLS;
  if (more > 0)
    running.push(
      more === 1
        ? `One more still runs. ${howToWait('its')}`
        : `${more} more still run. ${howToWait('their')}`,
    );
  if (running.length === 0 && leavesRunning)
    running.push(`A process that you started still runs. ${howToWait('its')}`);
  return [...running, howToAsk(ask, cli)].join('\n');
}

function howToAsk(ask: WhenAsked, cli: string): string {
  return ask === 'refuse'
    ? 'Nobody is here to answer questions: take the safest choice, write it down in ASSUMPTIONS.md, go on.'
    : `If you cannot go on without a decision of the user: \`${cli} ask "<question>"\`, then end your turn.`;
}

/** The first line of the hold after it. */
export function answeredLine({ what }: Waiting): string {
  return `Your question ("${shortened(what, 200)}") was answered: go by what the user said since.`;
}

/** For an agent that has lost its conversation. */
export function openQuestionLine({ what, shown, pause }: Waiting): string {
  if (pause)
    return "The run is paused: it is the user's turn. Unless they have said since how to go on, end your turn.";
  const asked = `You have asked the user: "${shortened(what, 2_000)}"`;
  return shown
    ? `${asked} The run waits for the answer. Unless they have given it since, end your turn.`
    : `${asked} They are shown it when you end your turn.`;
}

/** The same for every run that waits for the answer, so that it is shown once. `over`: a run that does not wait for it. */
export function questionNotice({ what, pause }: Waiting, over: string | null = null): string {
  if (pause) return shortened(what, LONGEST_QUESTION);
  const then =
    over === null
      ? 'It waits for your answer: write it here, and the work goes on.'
      : `${printable(over)} is over, so it does not wait for your answer.`;
  return `Holdfast: the agent asks: ${shortened(what, LONGEST_QUESTION)}\n${then}`;
}

export function reviewerNotice(waiting: Waiting, run: string): string {
  const { reviewer, until } = waiting;
  const when = `${new Date(endOfWait(waiting)).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const how =
    until === null ? `and does not say until when; it is asked again after ${when}` : `until ${when}`;
  return `Holdfast: ${printable(reviewer ?? 'the reviewer')} is at its usage limit ${how}. Nothing is counted: the review of ${printable(run)} comes at the first stop after that.`;
}

function shortened(text: string, most: number): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
