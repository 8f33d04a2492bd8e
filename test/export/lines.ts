// Lines as the hook and the commands write them.

const T0 = Date.UTC(2026, 10, 16, 8);

/** The time so many seconds after the first line. */
export const at = (seconds: number): string => new Date(T0 + seconds * 1000).toISOString();

const SESSION = '0b5d6c1e-5f2a-4b43-a7f5-3a3a5c1c2a10';
const RUN = { workflow: 'idle', run: 'loop-1794782641-17581' };

type More = Readonly<Record<string, unknown>>;

const line = (event: string, seconds: number, more: More): object => ({
  ...{ schema: 2, time: at(seconds), event, session: SESSION, ...RUN },
  ...more,
});

export const start = (seconds: number, more: More = {}): object => line('start', seconds, more);

export const cancel = (seconds: number, more: More = {}): object => line('cancel', seconds, more);

export const end = (seconds: number, outcome: string | null, more: More = {}): object =>
  line('end', seconds, { outcome, ...more });

export const stop = (seconds: number, answer: 'hold' | 'allow' = 'hold', more: More = {}): object =>
  line('stop', seconds, {
    ...{ client: 'claude-code', turn: null, state: null, facts: null, guard: null },
    ...{ step: { kind: answer, message: { name: 'iteration' } }, answer, notice: false, error: null },
    milliseconds: 42.5,
    ...more,
  });

export const review = (seconds: number, more: More = {}): object =>
  line('review', seconds, {
    ...{
      attempt: `a${seconds}`,
      reviewer: 'claude',
      model: 'opus',
      file: '.taskie/plans/secret-plan/review-1.md',
    },
    ...{ verdict: 'findings', usd: 0.25, milliseconds: 60_000 },
    tokens: { input: 100, cacheCreation: 20, cacheRead: 1000, output: 30 },
    listed: { high: 1, medium: 0, low: 2 },
    ...more,
  });

export const work = (seconds: number, more: More): object => line('work', seconds, more);
export const wait = (seconds: number, what: 'began' | 'ended', more: More = {}): object =>
  line('wait', seconds, { what, for: 'person', until: null, ...more });
