// Reads the loop and what a decision about it depends on. Of the agent's last message it only says that there is no
// signal in it, where a glance shows that; a signal is read in look.ts.

import { clientNamed } from '../../clients/index.ts';
import type { RunContext } from '../../engine/context.ts';
import type { Observation } from '../../engine/workflow.ts';
import { type Asked, isBlank, lastMessageNow } from '../../text/last-message.ts';
import { mentionsSignal, nearMissIn } from '../../text/signals.ts';
import { holdJwzLock } from './jwz-lock.ts';
import { type Mode, modes, type Reason, signalsOf } from './modes.ts';
import { type FoundLoop, readLoop, stateHash } from './read-loop.ts';
import { readSaved, readWord, type Saved } from './saved.ts';
import { HOOK_REACH } from './topic-log.ts';
import type { Facts, State } from './types.ts';

export type World = { found: FoundLoop; saved: Saved };

/** Jwz's lock is held from here to the end of the turn. */
export function observe(context: RunContext): Observation<World, State, Facts> {
  holdJwzLock(context.project);
  return observeOnly(context);
}

/** For whoever writes nothing. */
export function observeOnly(context: RunContext): Observation<World, State, Facts> {
  const { world, state, hash } = readThisLoop(context);
  const facts: Facts = {
    now: context.now,
    limited: null,
    ...signalSoFar(context, state, world.saved, hash),
    untilCheck: untilOf(world.found),
  };
  return { world, state, facts, stateHash: hash };
}

export function readThisLoop(context: RunContext): { world: World; state: State; hash: string } {
  const saved = readSaved(context.saved);
  const found = readLoop(context.project.root, saved, HOOK_REACH);
  // Where another loop has taken this one's place, nothing is left of this one.
  const replaced = found.run !== null && found.run !== context.run;
  const state: State = replaced ? { kind: 'nothing' } : found.state;
  return { world: { found, saved }, state, hash: stateHash(found) };
}

/** What to ask the transcript for: the message that ended this turn, after the line that was the newest at the last. */
export function askedOf({ stop, saved }: RunContext): Asked {
  const { transcriptPath: file, session, lastMessage } = stop;
  const lastBlock = lastMessage === null || isBlank(lastMessage) ? null : lastMessage;
  return { file, session, lastBlock, since: readSaved(saved).seen };
}

/** The mode of the frame that is at work, where it is one we know. */
export function topMode(state: State): Mode | null {
  const mode = state.kind === 'loop' ? state.stack.at(-1)?.mode : undefined;
  return mode === undefined || mode === 'unknown' ? null : mode;
}

/** The frame names the check; whether the run has one of that name is the engine's to know. */
function untilOf({ raw }: FoundLoop): string | null {
  const until = raw?.stack.at(-1)?.until;
  return typeof until === 'string' && until !== '' ? until : null;
}

type SignalFacts = Omit<Facts, 'now' | 'limited' | 'untilCheck'>;

/** Known without a look: kept from an earlier stop, or there is no text in which it could stand. */
function signalSoFar(context: RunContext, state: State, saved: Saved, hash: string): SignalFacts {
  const mode = topMode(state);
  if (mode === null) return NONE;
  const known = keptSignalIn(hash, mode, saved, context.keptSignals);
  if (known !== undefined) return { signal: known, nearMiss: 'none', seen: null };
  const { lastMessage, transcriptPath, client } = context.stop;
  const signals = signalsOf(mode);
  const mayHold = (text: string): boolean => mentionsSignal(text, signals);
  if (lastMessage !== null && mayHold(lastMessage)) return UNREAD;
  const none = (texts: readonly string[], seen: string | null): SignalFacts => {
    const misses = texts.map((text) => nearMissIn(text, signals));
    return { signal: 'none', nearMiss: misses.find((miss) => miss !== 'none') ?? 'none', seen };
  };
  if (transcriptPath === null) return none([lastMessage ?? ''], null);
  const message = lastMessageNow(askedOf(context), clientNamed(client).readTranscriptLine);
  return message === null || message.blocks.some(mayHold) ? UNREAD : none(message.blocks, message.newest);
}

/** Only what was said in this very state counts: a word about an earlier one hides none about this. */
function keptSignalIn(
  hash: string,
  mode: Mode,
  { keptSignal }: Saved,
  kept: RunContext['keptSignals'],
): Reason | undefined {
  const all = [...(keptSignal === null ? [] : [keptSignal]), ...(kept ?? []).map(readWord)];
  const known = all.filter(({ state }) => state === hash).map(({ signal }) => reasonOf(mode, signal));
  return known.find((outcome) => outcome !== null) ?? undefined;
}

const NONE = { signal: 'none', nearMiss: 'none', seen: null } as const;
const UNREAD = { signal: 'unread', nearMiss: 'none', seen: null } as const;

export function reasonOf(mode: Mode, signal: string): Reason | null {
  // A signal that was kept may come from a poisoned sidecar and be called `constructor`.
  return Object.hasOwn(modes[mode].signals, signal) ? (modes[mode].signals[signal] ?? null) : null;
}
