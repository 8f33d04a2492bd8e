// The kinds of loop: how often each goes round by default, and which signals end it. Pure.

export type Mode = 'loop' | 'issue' | 'grind';

/** What a signal says; it becomes the reason in the topic's DONE message. */
export type Reason = 'COMPLETE' | 'MAX_ITERATIONS' | 'STUCK' | 'DONE' | 'NO_MORE_ISSUES' | 'MAX_ISSUES';

type Kind = { max: number; signals: Readonly<Record<string, Reason>> };

const loopSignals = {
  '<loop-done>COMPLETE</loop-done>': 'COMPLETE',
  '<loop-done>MAX_ITERATIONS</loop-done>': 'MAX_ITERATIONS',
  '<loop-done>STUCK</loop-done>': 'STUCK',
} as const;

export const modes: Readonly<Record<Mode, Kind>> = {
  loop: { max: 10, signals: loopSignals },
  issue: { max: 10, signals: { ...loopSignals, '<issue-complete>DONE</issue-complete>': 'DONE' } },
  grind: {
    max: 100,
    signals: {
      '<grind-done>NO_MORE_ISSUES</grind-done>': 'NO_MORE_ISSUES',
      '<grind-done>MAX_ISSUES</grind-done>': 'MAX_ISSUES',
    },
  },
};

export function isMode(name: unknown): name is Mode {
  return typeof name === 'string' && Object.hasOwn(modes, name);
}

export function signalsOf(mode: Mode): readonly string[] {
  return Object.keys(modes[mode].signals);
}
