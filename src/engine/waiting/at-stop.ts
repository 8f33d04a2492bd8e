// Puts the question together whether a run waits at this stop.

import { clientNamed } from '../../clients/index.ts';
import type { Stop } from '../../clients/stop.ts';
import type { Json } from '../../store/json.ts';
import type { Sidecar, Waiting } from '../../store/records.ts';
import { personBegan } from '../../text/transcript.ts';
import type { StopContext } from '../context.ts';
import { activityOf } from '../guard/progress.ts';
import { isOver } from './clock.ts';
import { isUnshown, type WaitAnswer, type WaitQuestion, waitAt } from './wait.ts';

export type AskedWait = {
  /** For the journal; null: there was nothing to ask about. */
  question: WaitQuestion | null;
  answer: WaitAnswer;
  /** The question that the user is shown at this stop. */
  asks: Waiting | null;
  /** The question that a person has answered since the last one. */
  answered: Waiting | null;
};

const goesOn = (waiting: Waiting | null, ended: Waiting | null): AskedWait => ({
  question: null,
  answer: { kind: 'goes-on', waiting, ended },
  asks: null,
  answered: null,
});

const NOTHING = goesOn(null, null);

export function askWait(
  { stop, project }: Pick<StopContext, 'stop' | 'project'>,
  sidecar: Sidecar,
  step: WaitQuestion['step'],
): AskedWait {
  const waiting = sidecar.waiting ?? null;
  const running = clientNamed(stop.client).wakesFor?.(stop, project.env) ?? [];
  const work = running.length === 0 ? null : running.join(', ');
  if (waiting === null && work === null) return NOTHING;
  const answered = waiting === null ? null : isAnswered(waiting, stop);
  const limits = { work: project.config.wait.workMs };
  const question = { now: project.now, step, waiting, work, answered, limits };
  const answer = waitAt(question);
  const asks = answer.kind === 'waits' && answer.news ? answer.waiting : null;
  return {
    question,
    answer: asks === null ? answer : { ...answer, waiting: shownAt(asks, stop) },
    asks,
    answered: answered === 'yes' ? waiting : null,
  };
}

/** Where nobody can tell whether a person began the turn, it counts as answered: no question parks a run for good. */
function isAnswered({ shown }: Waiting, stop: Stop): WaitQuestion['answered'] {
  if (!shown) return null;
  const read = clientNamed(stop.client).readTranscriptLine;
  const known = shown.marker === null ? 'unknown' : personBegan(stop.transcriptPath, shown.marker, read);
  if (known !== 'unknown') return known;
  return stop.turn === null || stop.turn !== shown.turn ? 'yes' : 'no';
}

/** It is a person's turn, and they have not begun one since they were shown that. */
export function waitsForPerson(
  { waiting }: Sidecar,
  { stop, project }: Pick<StopContext, 'stop' | 'project'>,
): boolean {
  if (waiting?.for !== 'person' || isOver(waiting, project.now)) return false;
  return isAnswered(waiting, stop) !== 'yes';
}

/** From this stop on it is a person's turn. `what`: what they were shown, or nothing new. */
export function pauseAt(
  { stop, project }: Pick<StopContext, 'stop' | 'project'>,
  { waiting: before }: Sidecar,
  what: string | null,
): Waiting {
  const { now, config } = project;
  const until = now + config.wait.personMs;
  const said = what ?? before?.what ?? '';
  return shownAt({ for: 'person', since: now, until, what: said, pause: true }, stop);
}

/** From this stop on it is the turn of whoever gives the next prompt: that alone ends it, so no line is looked for. */
export function capAt({ stop, project }: Pick<StopContext, 'stop' | 'project'>, what: string): Waiting {
  const { now, config } = project;
  const until = now + config.wait.personMs;
  const shown = { marker: null, turn: stop.turn };
  return { for: 'person', since: now, until, what, shown, pause: true, capped: true };
}

/** As the journal holds it: without words, since what runs and what was asked may be contents. */
export function waitRecord({ question, answer }: AskedWait): Json {
  if (question === null) return null;
  const { waiting, work, ...rest } = question;
  const what = waiting?.for === 'limit' ? waiting.what : '';
  const without = { waiting: waiting && { ...waiting, what }, work: work && 'work' };
  return { ...rest, ...without, result: answer.kind } as Json;
}

/** An allowed stop waits for nothing; but a question is shown beside it, and what is over by it is over. */
export function waitBesideAllow(
  { stop, project }: Pick<StopContext, 'stop' | 'project'>,
  { waiting }: Sidecar,
): AskedWait {
  if (waiting === undefined) return NOTHING;
  if (waiting.for === 'person' && isOver(waiting, project.now)) return goesOn(null, null);
  if (isUnshown(waiting)) return { ...goesOn(shownAt(waiting, stop), null), asks: waiting };
  const isBack = waiting.for === 'limit' && waiting.reviewer === undefined;
  return isBack || isAnswered(waiting, stop) === 'yes' ? goesOn(null, waiting) : goesOn(waiting, null);
}

/** The question with where the conversation stands now. */
export function shownAt(waiting: Waiting, stop: Stop): Waiting {
  return { ...waiting, shown: { marker: activityOf(stop, null).marker, turn: stop.turn } };
}
