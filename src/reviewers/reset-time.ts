// When a usage limit ends, as Claude Code says it to people: `resets 7:53pm (UTC)`, `resets Nov 21, 3am (Europe/Berlin)`
// (2.1.325). Its headless result has no number for it.

const HOUR_MS = 60 * 60_000;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

const RESETS =
  /\bresets (?:([A-Za-z]{3})[a-z]* (\d{1,2}),? (?:at )?)?(\d{1,2})(?::(\d\d))? ?([ap])m \(([A-Za-z0-9_+/-]+)\)/i;

/** Seconds since 1970, when the minute that is named is over; null: nothing here says when. */
export function resetTimeIn(text: string, now: number): number | null {
  const found = RESETS.exec(text);
  if (found === null) return null;
  const [, month, day, hour, minute = '0', half, zone = ''] = found;
  const minutes = ((Number(hour) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0)) * 60 + Number(minute);
  const today = wallClock(now, zone);
  if (today === null || Number(hour) > 12 || Number(minute) > 59) return null;
  const date = month === undefined ? today : dateNear(month, Number(day), today);
  if (date === null) return null;
  const time = timeAt(date, minutes, zone);
  // Without a date the next such time is meant. One that has just passed is not tomorrow's.
  const isTomorrows = month === undefined && time < now - HOUR_MS;
  const end = isTomorrows ? timeAt({ ...date, day: date.day + 1 }, minutes, zone) : time;
  return Math.round(end / 1000) + 60;
}

type Day = { year: number; month: number; day: number };

/** The year is not said: of last, this and next year the one that is nearest. */
function dateNear(name: string, day: number, today: Day): Day | null {
  const month = MONTHS.indexOf(name.toLowerCase());
  if (month < 0) return null;
  const away = (date: Day): number => Math.abs(utc(date) - utc(today));
  return [-1, 0, 1]
    .map((years) => ({ year: today.year + years, month, day }))
    .reduce((best, next) => (away(next) < away(best) ? next : best));
}

const utc = ({ year, month, day }: Day, minutes = 0): number => Date.UTC(year, month, day, 0, minutes);

/** Twice, since the zone's distance from UTC is that of the time which is looked for. */
function timeAt(date: Day, minutes: number, zone: string): number {
  const wanted = utc(date, minutes);
  const first = wanted - offsetAt(wanted, zone);
  return wanted - offsetAt(first, zone);
}

function offsetAt(time: number, zone: string): number {
  const there = wallClock(time, zone);
  return there === null ? 0 : utc(there, there.minutes) - Math.floor(time / 60_000) * 60_000;
}

/** Null: there is no such zone. */
function wallClock(time: number, zone: string): (Day & { minutes: number }) | null {
  const parts = partsOf(time, zone);
  if (parts === null) return null;
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value);
  return {
    year: part('year'),
    month: part('month') - 1,
    day: part('day'),
    minutes: part('hour') * 60 + part('minute'),
  };
}

function partsOf(time: number, timeZone: string): Intl.DateTimeFormatPart[] | null {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    return format.formatToParts(time);
  } catch {
    return null;
  }
}
