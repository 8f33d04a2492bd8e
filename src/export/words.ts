// What may leave the machine as text: short names and codes. The journal lies in a project, so anybody may have written
// anything into it; whatever is no plain word goes out as `other`.

/** Of an id, a name, a code. No slash: no path is one. */
export function word(value: unknown): string {
  return typeof value === 'string' && /^[A-Za-z0-9][\w.:@+-]{0,63}$/.test(value) ? value : 'other';
}

/** Models may have a vendor before them: `openai/gpt-5`. Empty: the program's default. */
export function modelWord(value: string): string {
  if (value === '') return 'default';
  return /^[A-Za-z0-9][\w.:@+[\]-]{0,63}(?:\/[A-Za-z0-9][\w.:@+[\]-]{0,63})?$/.test(value) ? value : 'other';
}

/** For what is sent only because it was asked for. */
export function cut(text: string): string {
  return text.length > 1024 ? `${text.slice(0, 1023)}…`.toWellFormed() : text.toWellFormed();
}

const [LEAST, MOST] = [Date.UTC(2000), Date.UTC(2200)];

/** A line's time in milliseconds; null: it is none that a run of ours can have had. */
export function timeOf(text: unknown): number | null {
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return time >= LEAST && time <= MOST ? time : null;
}

const LONGEST_MS = 90 * 24 * 60 * 60 * 1000;

/** How long something took; what is no such number is nothing. */
export function durationOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, LONGEST_MS) : 0;
}
