// Reads a run and what a decision about it depends on. Of the agent's last message it only says that there is no signal in
// it, where a glance shows that; files, checks and reviews are looked at when a line needs them (look.ts).

import { clientNamed } from '../../clients/index.ts';
import type { RunContext } from '../../engine/context.ts';
import type { Observation } from '../../engine/workflow.ts';
import { whoReviews } from '../../reviewers/who-reviews.ts';
import { type Asked, isBlank, lastMessageNow } from '../../text/last-message.ts';
import { mentionsSignal, nearMissIn } from '../../text/signals.ts';
import { comparePin } from './pin.ts';
import { type FoundRun, readRun } from './read-run.ts';
import { readSaved, readWord } from './saved.ts';
import { signalOf } from './signal.ts';
import { own, reviewIn, signalsIn } from './stand.ts';
import { type At, type Facts, NO_SIGNAL, type State, UNREAD } from './types.ts';

export type World = FoundRun;

export function observe(context: RunContext): Observation<World, State, Facts> | null {
  const { project, run } = context;
  const found = readRun(project.root, run);
  if (found === null) return null;
  const { state, stateHash } = found;
  const facts: Facts = {
    run,
    pinned: state.kind === 'at' ? comparePin(project, run, found.text) : 'same',
    ...signalSoFar(context, found),
    files: null,
    content: null,
    reviewed: reviewedIn(found),
    reviews: found.run?.reviews ?? 0,
    marks: null,
    ...reviewersOf(context, found),
  };
  const unreadable = state.kind === 'unreadable' ? { unreadable: true as const } : {};
  return { world: found, state, facts, stateHash, ...unreadable };
}

/** Asked only where a line waits for a review. */
function reviewersOf({ project }: RunContext, found: FoundRun): Pick<Facts, 'reviewers'> {
  const reviewers = awaitedReview(found) === null ? null : whoReviews(project);
  return reviewers === null ? {} : { reviewers };
}

function awaitedReview({ state }: FoundRun): string | null {
  return state.kind === 'at' ? reviewIn(state.lines.flatMap(({ when }) => when)) : null;
}

function reviewedIn(found: FoundRun): Facts['reviewed'] {
  const name = awaitedReview(found);
  const { run } = found;
  return name === null || run === null ? null : (own(run.reviewed, name) ?? null);
}

/** What to ask the transcript for: the message that ended this turn, after the line that was the newest at the last. */
export function askedOf({ stop, saved }: RunContext): Asked {
  const { transcriptPath: file, session, lastMessage } = stop;
  const lastBlock = lastMessage === null || isBlank(lastMessage) ? null : lastMessage;
  return { file, session, lastBlock, since: readSaved(saved).seen };
}

type SignalFacts = Pick<Facts, 'signal' | 'nearMiss' | 'seen'>;

const NONE: SignalFacts = { signal: NO_SIGNAL, nearMiss: 'none', seen: null };

/** Known without a look: nobody listens, it was kept, or there is no text in which it could stand. */
function signalSoFar(context: RunContext, { state, stateHash }: FoundRun): SignalFacts {
  const names = state.kind === 'at' ? signalsIn(state.lines) : [];
  if (names.length === 0) return NONE;
  const kept = keptSignal(context, stateHash, names);
  if (kept !== undefined) return { ...NONE, signal: kept };
  const { lastMessage, transcriptPath, client } = context.stop;
  const signals = names.map(signalOf);
  const mayHold = (text: string): boolean => mentionsSignal(text, signals);
  const unread = { ...NONE, signal: UNREAD };
  if (lastMessage !== null && mayHold(lastMessage)) return unread;
  const none = (texts: readonly string[], seen: string | null): SignalFacts => {
    const misses = texts.map((text) => nearMissIn(text, signals));
    return { signal: NO_SIGNAL, nearMiss: misses.find((miss) => miss !== 'none') ?? 'none', seen };
  };
  if (transcriptPath === null) return none([lastMessage ?? ''], null);
  const message = lastMessageNow(askedOf(context), clientNamed(client).readTranscriptLine);
  return message === null || message.blocks.some(mayHold) ? unread : none(message.blocks, message.newest);
}

/** Only what was said in this very state counts. */
function keptSignal(
  { saved, keptSignals }: RunContext,
  hash: string,
  names: readonly string[],
): string | undefined {
  const { kept } = readSaved(saved);
  const all = [...(kept === null ? [] : [kept]), ...(keptSignals ?? []).map(readWord)];
  return all.find(({ state, name }) => state === hash && names.includes(name))?.name;
}

export function standsIn({ state }: World): At | null {
  return state.kind === 'at' ? state : null;
}
