// How a skill is called in front of people: `/idle:loop`, and `$idle:loop` for a user of Codex.

import type { Environment } from '../store/environment.ts';
import { isOnPath } from '../store/on-path.ts';
import type { Client } from './client.ts';
import { clients, clientsAround } from './index.ts';

const USUAL = '/';

/** A text of ours that names skills with a slash, as that client's users type them. */
export function withMarkOf({ skillMark = USUAL }: Pick<Client, 'skillMark'>, text: string): string {
  return skillMark === USUAL ? text : text.replace(/(?<![\w/.:-])\/(?=[a-z]+:[a-z])/g, skillMark);
}

/**
 * The same for what a command prints: with the mark of the client around it; in a plain terminal with those of the
 * clients that are there.
 */
export function withMarksHere(env: Environment, text: string): string {
  const around = clientsAround(env);
  const there = around.length > 0 ? around.slice(0, 1) : clients.filter(isThere(env));
  const usual = there.filter(({ skillMark = USUAL }) => skillMark === USUAL);
  const others = there.filter(({ skillMark = USUAL }) => skillMark !== USUAL);
  const [first] = others;
  if (first === undefined) return text;
  if (usual.length === 0) return withMarkOf(first, text);
  const notes = others.map(({ title, skillMark }) => `in ${title} with ${skillMark} in place of ${USUAL}`);
  const [sentence, end] = text.endsWith('.') ? [text.slice(0, -1), '.'] : [text, ''];
  return `${sentence} (${notes.join(', ')})${end}`;
}

const isThere =
  (env: Environment) =>
  ({ install }: Client): boolean =>
    install !== undefined && isOnPath(install.program, env);
