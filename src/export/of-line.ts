// What comes of any line of the journal: spans, counts, and the log record that every event is.

import { SeverityNumber } from '@opentelemetry/api-logs';
import { ATTR_LOG_RECORD_UID, ATTR_SESSION_ID } from '@opentelemetry/semantic-conventions/incubating';
import type { JournalEntry } from '../store/journal-lines.ts';
import type { Attributes, Counted, Emitted, RunLine, SpanData } from './emitted.ts';
import { logId, runId, type Sender } from './ids.ts';
import { ofCommand, ofEnd, ofReview } from './of-event.ts';
import { attributesOfStop, countStop, ofStop } from './of-stop.ts';
import { ofWait, ofWork } from './of-work.ts';
import type { Place, Runs } from './runs.ts';
import type { Labels } from './series.ts';
import { cut, word } from './words.ts';

export type LogData = {
  /** Milliseconds since 1970. */
  time: number;
  event: string;
  severity: SeverityNumber;
  body: string;
  attributes: Attributes;
  /** The span it belongs to; null: it is about no run. */
  place: Place | null;
};

export type FromLine = { spans: readonly SpanData[]; counts: readonly Counted[]; log: LogData };

export type Reading = {
  sender: Sender;
  /** The project's id and, for whoever asked for it, its folder. */
  project: string;
  root: string;
  paths: boolean;
  runs: Runs;
};

/** `key` is the line's own, the same whenever it is read. */
export function ofLine(entry: JournalEntry, key: string, time: number, reading: Reading): FromLine {
  const about = aboutLine(entry, reading);
  const labels = labelsOf(entry, reading.project);
  const log = (place: Place | null, more: Attributes): LogData => ({
    ...{ time, event: `holdfast.${entry.event}`, severity: severityOf(entry), body: bodyOf(entry), place },
    attributes: { ...about, ...more, [ATTR_LOG_RECORD_UID]: logId(reading.project, key) },
  });
  if (entry.workflow === null || entry.run === null)
    return entry.event === 'stop'
      ? {
          spans: [],
          counts: countStop(entry, labels),
          log: log(null, attributesOfStop(entry, reading.paths)),
        }
      : { spans: [], counts: [], log: log(null, {}) };
  const { runs, paths } = reading;
  const name = `${entry.workflow}:${entry.run}`;
  const run = runs.at(entry, name, key, time);
  const place = runs.placeOf(name, run);
  const emitted = emit({ entry, key, time, place, run, about, labels, paths });
  runs.keep(name, emitted.run);
  const own = emitted.spans[0] ?? null;
  return {
    ...emitted,
    log: log({ ...place, parent: own?.id ?? place.parent }, own?.attributes ?? {}),
  };
}

function emit(line: RunLine<JournalEntry>): Emitted {
  const { entry } = line;
  switch (entry.event) {
    case 'stop':
      return ofStop({ ...line, entry });
    case 'start':
    case 'adopt':
    case 'cancel':
      return ofCommand({ ...line, entry });
    case 'end':
      return ofEnd({ ...line, entry });
    case 'review':
      return ofReview({ ...line, entry });
    case 'work':
      return ofWork({ ...line, entry });
    case 'wait':
      return ofWait({ ...line, entry });
    case 'budget':
    case 'drive':
    case 'question':
    case 'notify':
    case 'accept':
      return { spans: [], counts: [], run: line.run };
  }
}

/** Names of folders and runs only for whoever asked for them. */
function aboutLine(entry: JournalEntry, { sender, project, root, paths }: Reading): Attributes {
  const name = entry.workflow === null || entry.run === null ? null : `${entry.workflow}:${entry.run}`;
  return {
    'holdfast.project': project,
    ...(entry.workflow === null ? {} : { 'holdfast.workflow': word(entry.workflow) }),
    ...(name === null ? {} : { 'holdfast.run': runId(sender, project, name) }),
    ...(entry.session === null ? {} : { [ATTR_SESSION_ID]: word(entry.session) }),
    ...(entry.event === 'stop' ? { 'holdfast.client': word(entry.client) } : {}),
    ...('what' in entry ? { 'holdfast.what': word(entry.what) } : {}),
    ...(paths ? { 'holdfast.project.path': cut(root) } : {}),
    ...(paths && name !== null ? { 'holdfast.run.name': cut(name) } : {}),
  };
}

/** Few values each, since every set of them is a series of its own at the collector. */
function labelsOf(entry: JournalEntry, project: string): Labels {
  return {
    'holdfast.project': project,
    'holdfast.workflow': entry.workflow === null ? 'none' : word(entry.workflow),
    ...(entry.event === 'stop' ? { 'holdfast.client': word(entry.client) } : {}),
  };
}

function severityOf(entry: JournalEntry): SeverityNumber {
  if (entry.event === 'stop' && entry.error !== null) return SeverityNumber.ERROR;
  const isLetGo = entry.event === 'end' && (entry.outcome === 'released' || entry.outcome === 'stuck');
  return isLetGo || (entry.event === 'budget' && entry.what === 'spent')
    ? SeverityNumber.WARN
    : SeverityNumber.INFO;
}

/** A few words of ours, with nothing of anybody else's in them but names. */
function bodyOf(entry: JournalEntry): string {
  const who = entry.workflow === null ? 'no run' : word(entry.workflow);
  switch (entry.event) {
    case 'stop':
      return `${who}: stop ${entry.answer === 'hold' ? 'held' : 'allowed'}${entry.error === null ? '' : ' after an error of Holdfast'}`;
    case 'start':
      return `${who}: run started`;
    case 'adopt':
      return `${who}: run adopted`;
    case 'cancel':
      return `${who}: run cancelled`;
    case 'end':
      return `${who}: run over, ${entry.outcome ?? 'unknown'}`;
    case 'review':
      return `${who}: review by ${word(entry.reviewer)} ended, ${entry.verdict === null ? 'none' : word(entry.verdict)}`;
    case 'budget':
      return `${who}: budget ${entry.what}`;
    case 'drive':
      return `${who}: driver ${word(entry.what)}`;
    case 'work':
      return `${who}: ${entry.work} ${entry.what}`;
    case 'wait':
      return `${who}: wait ${entry.what}, for ${entry.for}`;
    case 'question':
      return `${who}: question ${entry.what}`;
    case 'notify':
      return `${who}: notification ${word(entry.what)}`;
    case 'accept':
      return `${who}: red check accepted, by ${word(entry.by)}`;
  }
}
