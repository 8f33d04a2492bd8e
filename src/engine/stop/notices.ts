// What the engine itself says to the user. One line each: what happened, and what to do next.

import type { Trouble } from '../../store/trouble.ts';
import { printable } from '../../text/printable.ts';
import { shownWord } from '../../text/quoted.ts';
import type { UnfinishedRun } from '../workflow.ts';
import type { HoldsLeft } from './client-cap.ts';

/** Names and messages of errors may hold what a repository put there. */
const say = (text: string): string => `Holdfast: ${printable(text)}`;

/** `1 hold`, `3 holds`. */
export const countOfHolds = (count: number): string => (count === 1 ? '1 hold' : `${count} holds`);

export const notices = {
  failed: (what: string, cli: string): string =>
    say(`hit an error, so this stop was allowed: ${what}. Run \`${cli} doctor\` to see what is wrong.`),

  denied: ({ what, fix }: Trouble): string =>
    say(`hit an error, so this stop was allowed: ${what}. To change that: ${fix}.`),

  unclaimed: (found: readonly UnfinishedRun[], cli: string): string => {
    const unused = found.flatMap((run) => (run.unused === undefined ? [] : say(run.unused)));
    const runs = found.filter((run) => run.unused === undefined);
    const [newest] = runs;
    if (newest === undefined) return unused.join('\n');
    const open = say(
      runs.length === 1
        ? `${newest.run} is unfinished here but is not this session's. To go on with it: ${newest.adopt}`
        : `${runs.length} runs are unfinished here but are not this session's; \`${cli} status\` lists them. The newest: ${newest.run}. To go on with it: ${newest.adopt}`,
    );
    return [open, ...unused].join('\n');
  },

  reviewUnderWay: (file: string): string =>
    say(`a review is already under way (${file}); this stop is allowed and no second one is started.`),

  checkUnderWay: (run: string): string =>
    say(`a check of ${run} is already under way; this stop is allowed and no second one is started.`),

  editedDuringReview: (file: string): string =>
    say(
      `the state was edited while a review ran, so the edit stands and the verdict was not applied. The review is kept in ${file}.`,
    ),

  verdictWaits: (file: string): string =>
    say(
      `the state cannot be read since a review ran (${file}); its verdict waits until the state can be read again.`,
    ),

  unknownClient: (): string =>
    say(
      'this client is not supported yet: what its agent says cannot be read, so its stops are allowed. To have it supported, open an issue with what it sends: give it a Stop hook with the command `cat >payload.json`, and add the last lines of the file that `transcript_path` in it names.',
    ),

  unheard: (client: string): string =>
    say(
      `what the agent in ${client} said last could not be read from its transcript, so its stops are allowed. If this goes on, open an issue with the client's version and the last lines of its transcript.`,
    ),

  notTakenUp: (run: string, cli: string): string =>
    say(
      `${run} was not taken up by this session. The next stop here takes it up within ten minutes of its start; after that: ${cli} adopt ${shownWord(run)}`,
    ),

  modelNotAsked: (client: string): string =>
    say(
      `${client} took the last hold without asking its model (its loop detection, or its limit of turns), so it is not held again. The run waits: type anything to go on with it.`,
    ),

  noTimeForReview: (client: string, limitS: number, run: string, cli: string): string =>
    say(
      limitS > 0
        ? `no review was started, and this stop is allowed: ${client} ends this hook after ${limitS} s. To have the work reviewed, raise the hook's timeout, and the \`--limit\` in its command, to 120 s or more; or go on in another client: ${cli} adopt ${shownWord(run)}`
        : `no review was started, and this stop is allowed: how long ${client} lets this hook run is not known. To have the work reviewed, go on in a client that says it: ${cli} adopt ${shownWord(run)}`,
    ),

  noTimeLeftForReview: (run: string): string =>
    say(`no time left in this stop for the review of ${run}; the next stop runs it.`),

  clientCap: ({ title, most, more }: HoldsLeft, run: string): string =>
    say(
      `${run} is not done, but ${title} ends a turn after ${countOfHolds(most)}. Type anything to go on.${more === undefined ? '' : ` ${more}`}`,
    ),

  planMode: (run: string): string =>
    say(`${run} does not hold in plan mode, in which the agent may not write. It goes on when you leave it.`),

  nothingProved: (run: string, cli: string): string =>
    say(
      `done, but nothing proved it: ${run} has no checks. To have the next one proven, run \`${cli} init\` in a terminal.`,
    ),

  complaint: (run: string, what: string): string => say(`${run}: ${what}`),

  signalLost: (run: string, cli: string): string =>
    say(
      `a completion signal for ${run} was given at this stop, but nothing can be written here, so the next stop will not know of it. Once the disk can be written, have the agent give it again, or run \`${cli} cancel ${shownWord(run)}\`.`,
    ),

  lockBusy: (seconds: number): string =>
    say(
      `another Holdfast process held the lock for ${seconds} s; this stop was allowed unchecked. The next one is checked again.`,
    ),

  config: (problem: string): string => say(`${problem}.`),
};
