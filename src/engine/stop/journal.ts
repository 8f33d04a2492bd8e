// One journal line per run served, or per failure: everything `why` and `replay` need, and no contents.

import { ensureHome } from '../../store/home.ts';
import { appendToJournal, type JournalEntry, rotateJournal } from '../../store/journal.ts';
import type { StopContext } from '../context.ts';
import type { Project } from '../project.ts';
import type { Served } from './turn.ts';

export type Happened =
  | { kind: 'served'; served: Served }
  /** `name` is null when it failed before any run was looked at. */
  | { kind: 'failed'; name: string | null; error: unknown }
  /** The session has no run here, but a notice was shown. */
  | { kind: 'noticed' };

/** Written before the answer. A journal that cannot be written never stops a stop. */
export function writeJournal(context: StopContext, happened: Happened): void {
  try {
    const { root } = context.project;
    ensureHome(root);
    appendToJournal(root, { ...about(context), ...describe(happened) });
  } catch {
    // The notice, where there is one, still reaches the user.
  }
}

/** Called under the lock: of two that rotate at once, the second would overwrite the history the first put away. */
export function keepJournalShort(project: Project): void {
  try {
    rotateJournal(project.root);
  } catch {
    // As above: no reason to stop a stop.
  }
}

type About = Pick<JournalEntry, 'time' | 'event' | 'client' | 'session' | 'turn' | 'milliseconds'>;

function about({ project, stop }: StopContext): About {
  return {
    time: new Date(project.now).toISOString(),
    event: 'stop',
    client: stop.client,
    session: stop.session,
    turn: stop.turn,
    // Since the process started: what the stop has cost so far.
    milliseconds: Math.round(process.uptime() * 10_000) / 10,
  };
}

function describe(happened: Happened): Omit<JournalEntry, keyof About> {
  const nothing = {
    workflow: null,
    run: null,
    state: null,
    facts: null,
    guard: null,
    step: null,
    answer: 'allow' as const,
  };
  switch (happened.kind) {
    case 'served': {
      const { answer, record } = happened.served;
      return { ...record, answer: answer.kind, notice: answer.notice !== null, error: null };
    }
    case 'failed': {
      const [workflow = null, run = null] = happened.name?.split(/:(.*)/s, 2) ?? [];
      return {
        ...nothing,
        workflow,
        run,
        notice: true,
        error: errorCode(happened.error),
      };
    }
    case 'noticed':
      return { ...nothing, notice: true, error: null };
  }
}

/** First line only: enough to find the place, too little to carry a file along. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const code = 'code' in error && typeof error.code === 'string' ? ` ${error.code}` : '';
  return `${error.name}${code}: ${error.message.split('\n')[0]?.slice(0, 300)}`;
}
