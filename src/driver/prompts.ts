// What the agent is given, as a user would give it: the first prompt, and those that go on.

import type { Client } from '../clients/client.ts';
import type { Driven } from '../engine/driven.ts';
import { quotedUnlessPlain } from '../text/quoted.ts';
import { render } from '../text/render.ts';
import afterCrash from './messages/after-crash.md';
import afterError from './messages/after-error.md';
import afterLimit from './messages/after-limit.md';
import begin from './messages/begin.md';
import goOn from './messages/go-on.md';
import newSession from './messages/new-session.md';
import type { Say } from './types.ts';

export type PromptFor = {
  /** The run's name; null: the agent is to begin it. */
  run: string | null;
  stage: string;
  cli: string;
  /** The first prompt. */
  first: string;
  client: Client;
  driven: Driven | undefined;
  /** A hold that was handed over, or a person's answer: given as it is. */
  given: string | null;
};

/** `isResumed`: the session knows what was said before. */
export function promptFor(say: Say | 'first', isResumed: boolean, about: PromptFor): string {
  const { stage, cli, first, given } = about;
  const run = about.run === null ? null : quotedUnlessPlain(about.run);
  if (given !== null) return isResumed ? given : withFirst(given, about);
  if (run === null) return isResumed ? render(begin, { first }) : first;
  // A session that was left in its first turn has been given the start already: a second one would begin again.
  if (say === 'first') return isResumed ? render(afterCrash, { run, stage }) : first;
  if (!isResumed && say !== 'continue') return withFirst(null, about);
  switch (say) {
    case 'continue':
      return goOnSkill(about, about.run ?? '') ?? render(goOn, { run, stage, cli });
    case 'go-on':
    case 'compact':
    case 'handed-over':
      return goOnSkill(about, about.run ?? '') ?? render(goOn, { run, stage, cli });
    case 'after-limit':
      return render(afterLimit, { run, stage });
    case 'after-error':
      return render(afterError, { run, stage });
    case 'after-crash':
      return render(afterCrash, { run, stage });
    case 'new-session':
      return withFirst(null, about);
  }
}

/** For a session that knows nothing yet. A workflow with a skill for that has the better words. */
function withFirst(given: string | null, about: PromptFor): string {
  const { run, stage, first } = about;
  const own = run === null ? null : goOnSkill(about, run);
  if (own !== null && given === null) return own;
  const text = render(newSession, { run: run === null ? 'this' : quotedUnlessPlain(run), stage, first });
  return given === null ? text : `${text}\n\n${given}`;
}

/** As its user would type it; null where the workflow has no such skill. */
export function skillFor(
  { client }: Pick<PromptFor, 'client'>,
  skill: string | undefined,
  workflow: string,
  words: string,
): string | null {
  return skill === undefined ? null : `${client.skillMark ?? '/'}${workflow}:${skill} ${words}`.trim();
}

function goOnSkill(about: PromptFor, name: string): string | null {
  const [workflow = '', id = ''] = name.split(/:(.*)/s, 2);
  return skillFor(about, about.driven?.goOn, workflow, id === '' ? '' : quotedUnlessPlain(id));
}
