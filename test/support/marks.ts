// Lines for a journal that can be told apart: whether all are there, once, and in order.

import { journalFromEnd } from '../../src/store/journal.ts';
import type { StopEntry } from '../../src/store/journal-lines.ts';

/** Lines of a kilobyte each, the turn of each its number. */
export function marks(from: number, count: number, session = 'marks'): string {
  const lines = Array.from({ length: count }, (_, each) => `${JSON.stringify(mark(from + each, session))}\n`);
  return lines.join('');
}

function mark(number: number, session: string): StopEntry {
  return {
    schema: 2,
    time: '2026-01-01T00:00:00.000Z',
    event: 'stop',
    client: 'claude-code',
    session,
    turn: String(number),
    workflow: 'idle',
    run: 'of-long-ago',
    state: 'x'.repeat(700),
    facts: null,
    guard: null,
    step: null,
    answer: 'allow',
    notice: false,
    error: null,
    milliseconds: 1,
  };
}

/** The numbers that are left of a session's, oldest first. */
export function marksIn(root: string, session = 'marks'): number[] {
  return [...journalFromEnd(root)]
    .flatMap((entry) => (entry.event === 'stop' && entry.session === session ? [Number(entry.turn)] : []))
    .reverse();
}
