// What the agent said since the last stop of the same prompt, where the client sends all that was said since the prompt.
// Loaded for such clients alone.

import type { Stop } from '../../clients/stop.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { ensureHome } from '../../store/home.ts';
import { withLock } from '../../store/lock.ts';
import { NEW_SESSION, type SaidSincePrompt } from '../../store/records.ts';
import { readSession, writeSession } from '../../store/sidecars.ts';
import type { StopContext } from '../context.ts';

/** Null: what is known of the prompt does not fit, so nothing tells old from new. What there is now is noted. */
export async function saidSince(
  { prompt, text }: NonNullable<Stop['saidSincePrompt']>,
  { stop, project, runtime }: StopContext,
): Promise<string | null> {
  const { session } = stop;
  if (session === null) return text;
  ensureHome(project.root);
  return withLock(project.home, runtime.lockPatienceMs, () => {
    const index = readSession(project.root, session) ?? NEW_SESSION;
    const said = { prompt, length: text.length, text: fingerprint(text) };
    writeSession(project.root, session, { ...index, said });
    return newPartOf(text, prompt, index.said);
  });
}

function newPartOf(text: string, prompt: string, known: SaidSincePrompt | undefined): string | null {
  if (known?.prompt !== prompt) return text;
  return fingerprint(text.slice(0, known.length)) === known.text ? text.slice(known.length) : null;
}
