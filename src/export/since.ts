// From when on: a time, or how long ago.

import { WrongUsage } from '../engine/workflow-cli.ts';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A day begins at midnight UTC; a time without a zone is UTC too, as in the journal. */
export function parseSince(text: string, now: number): number {
  const time = ago(text, now) ?? at(text);
  if (time === null)
    throw new WrongUsage(
      `export: --since ${JSON.stringify(text.slice(0, 60))} is no time; give a day (2026-11-01), a time (2026-11-01T08:30) or how long ago (30m, 12h, 7d, 2w).`,
    );
  if (time > now) throw new WrongUsage('export: --since lies in the future.');
  return time;
}

function ago(text: string, now: number): number | null {
  const [, digits = '', unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  const length = UNITS[unit];
  return length === undefined ? null : Math.max(0, now - Number(digits) * length);
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/;

function at(text: string): number | null {
  const [found, day = '', clock = '00:00', zone = 'Z'] = TIME.exec(text) ?? [];
  if (found === undefined) return null;
  const time = Date.parse(`${day}T${clock}${zone}`);
  // 2026-02-31 would be read as a day in March.
  const isDay = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day) === true;
  return Number.isNaN(time) || time < 0 || !isDay ? null : time;
}
