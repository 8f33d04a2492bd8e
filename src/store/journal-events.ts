// The journal's lines about what happens between stops: work, waits, questions, notifications. Types, and how each is
// read: readers put these fields into a sentence, so each is what it should be, or the line says nothing.

type AboutRun = { schema: 2; time: string; session: string | null; workflow: string; run: string };

/** A review or a check was begun; or a check has ended (a review's end is its `review` line). */
export type WorkEntry = AboutRun & {
  event: 'work';
  attempt: string;
  work: 'review' | 'check';
  name: string;
} & (
    | { what: 'began' /** When it is ended at the latest. */; deadline: string | null }
    | { what: 'ended'; end: string; code: number | null; milliseconds: number | null }
  );

/** The run began to wait, or waits no longer. What for in words is in its notes alone. */
export type WaitEntry = AboutRun & {
  event: 'wait';
  what: 'began' | 'ended';
  for: 'work' | 'person' | 'limit';
  /** When it is over at the latest, as far as that was known. */
  until: string | null;
  /** Whose limit it is, where it is a reviewer's. */
  reviewer?: string;
};

/** Its agent asked the user something, or has the answer. Never the words. */
export type QuestionEntry = AboutRun & { event: 'question'; what: 'asked' | 'answered' };

/** Somebody was to be called, and was not. */
export type NotifyEntry = AboutRun & {
  event: 'notify';
  what: 'failed';
  /** What it was about. */
  on: string;
  by: string;
  why: string;
};

/** A red check was accepted for the run: at its start, by a person in a terminal, or by the user's own config. */
export type AcceptEntry = AboutRun & { event: 'accept'; name: string; by: 'start' | 'person' | 'config' };

export type OtherEntry = WorkEntry | WaitEntry | QuestionEntry | NotifyEntry | AcceptEntry;

type Value = Readonly<Record<string, unknown>>;

/** Of a line that is known to be about a run. Null: it is none of these. */
export function readOther(line: Value): OtherEntry | null {
  switch (line.event) {
    case 'work':
      return readWork(line);
    case 'wait':
      return readWait(line);
    case 'question':
      return line.what === 'asked' || line.what === 'answered' ? (line as Value & QuestionEntry) : null;
    case 'accept':
      return typeof line.name === 'string' && isWayToAccept(line.by) ? (line as Value & AcceptEntry) : null;
    case 'notify':
      return ['what', 'on', 'by', 'why'].every((key) => typeof line[key] === 'string')
        ? (line as Value & NotifyEntry)
        : null;
    default:
      return null;
  }
}

const isWayToAccept = (by: unknown): boolean => by === 'start' || by === 'person' || by === 'config';

function readWork(line: Value): WorkEntry | null {
  const { what, work, attempt, name } = line;
  if (work !== 'review' && work !== 'check') return null;
  if (typeof attempt !== 'string' || typeof name !== 'string') return null;
  if (what === 'began') return { ...line, deadline: textOrNull(line.deadline) } as WorkEntry;
  if (what !== 'ended' || typeof line.end !== 'string') return null;
  return {
    ...line,
    code: numberOrNull(line.code),
    milliseconds: numberOrNull(line.milliseconds),
  } as WorkEntry;
}

function readWait(line: Value): WaitEntry | null {
  if (line.what !== 'began' && line.what !== 'ended') return null;
  if (line.for !== 'work' && line.for !== 'person' && line.for !== 'limit') return null;
  const { reviewer, ...rest } = line;
  const whose = typeof reviewer === 'string' ? { reviewer } : {};
  return { ...rest, until: textOrNull(line.until), ...whose } as WaitEntry;
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
