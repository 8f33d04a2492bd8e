// Times, lengths and amounts as people read them.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function ago(at: number, now: number): string {
  const passed = now - at;
  if (passed < 10 * SECOND) return 'just now';
  return `${lengthOf(passed)} ago`;
}

/** In one unit, or two where that says more: `42 s`, `3 min`, `2 h 5 min`. */
export function lengthOf(milliseconds: number): string {
  if (milliseconds < SECOND) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < MINUTE) return `${trim(milliseconds / SECOND, milliseconds < 10 * SECOND ? 1 : 0)} s`;
  if (milliseconds < HOUR) return `${Math.round(milliseconds / MINUTE)} min`;
  if (milliseconds < DAY) return twoUnits(milliseconds, HOUR, 'h', MINUTE, 'min');
  return twoUnits(milliseconds, DAY, 'd', HOUR, 'h');
}

function twoUnits(value: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((value % large) / small);
  return `${Math.floor(value / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

/** `1.2k`, `3.4M`. */
export function amount(value: number): string {
  if (value < 1000) return trim(value, 0);
  if (value < 1_000_000) return `${trim(value / 1000, value < 10_000 ? 1 : 0)}k`;
  return `${trim(value / 1_000_000, value < 100_000_000 ? 1 : 0)}M`;
}

export function money(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

/** The day stands before the time where it is not today's. */
export function clock(at: number, now: number): string {
  const time = timeOf(at, true);
  return new Date(at).toDateString() === new Date(now).toDateString() ? time : `${dayOf(at)}, ${time}`;
}

/** By a clock of 24 hours, wherever the browser is. */
export function timeOf(at: number, hasSeconds: boolean): string {
  const seconds = hasSeconds ? { second: '2-digit' as const } : {};
  return new Date(at).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...seconds,
  });
}

export function dayOf(at: number): string {
  return new Date(at).toLocaleDateString(undefined, { month: 'short', day: 'numeric' });
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** `once`, `twice`, `3 times`. */
export function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`;
}

/** Whole words up to `most` letters. */
export function shortened(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= most) return line;
  const cut = line.slice(0, most);
  return `${cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut}…`;
}

function trim(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
