// claudex once more, as docs/contracts/claudex.md has it, table by table: slow, plain, and without a
// look at the real decision. The walker compares the two.

import type { Facts, State } from '../../../src/workflows/claudex/types.ts';
import type { Acceptable, Outcome } from './outcome.ts';

type Row = Outcome<State>;

export function naiveClaudex(state: State, facts: Facts): Acceptable<State> {
  const nothing = { runner: null, cleanUp: false, setAside: false, quiet: false, waited: facts.waited };
  const row = (answer: Row['answer'], about: string | null, changed: Partial<State>, also: object): Row => ({
    answer,
    about,
    state: { ...state, ...changed },
    also: { ...nothing, ...also },
  });

  // A state file whose name is no id is set aside.
  if (facts.id === 'malformed') return [row('allow', null, {}, { setAside: true })];
  // A stop from outside repo_root is allowed.
  if (facts.cwd === 'elsewhere') return [row('allow', null, {}, {})];

  if (state.mode === 'plan') {
    if (state.phase === 'drafting') {
      if (facts.plan !== 'drafted') return [row('hold', 'draft', {}, {})];
      return [row('hold', 'round', { phase: 'reviewing' }, { runner: state.round })];
    }
    if (state.phase === 'reviewing') {
      if (state.signal === 'no-material-findings')
        return [row('hold', 'complete', { phase: 'summarizing' }, {})];
      if (facts.runner === 'in-background') return [row('allow', null, {}, { quiet: true })];
      if (facts.runner === 'running') {
        if (facts.waited === 'no') return [row('hold', 'wait', {}, { waited: 'held' })];
        // The notice is given once: "notices are rare".
        if (facts.waited === 'held') return [row('allow', 'still-running', {}, { waited: 'notified' })];
        return [row('allow', null, {}, {})];
      }
      if (state.round + 1 > state.maxRounds)
        return [row('hold', 'stopped', { phase: 'summarizing', signal: 'max-reached' }, {})];
      const round = state.round + 1;
      return [row('hold', 'round', { round }, { runner: round, waited: 'no' })];
    }
    if (state.phase === 'summarizing') return [row('allow', null, { phase: 'done' }, { cleanUp: true })];
    if (state.phase === 'done') return [row('allow', null, {}, { cleanUp: true })];
    return [row('allow', null, {}, {})];
  }

  if (state.mode === 'review') {
    if (state.phase === 'reviewing')
      return [row('hold', 'review', { phase: 'done' }, { runner: state.round })];
    if (state.phase === 'done') {
      // Decision 14 (docs/decisions.md): our own runner among the client's background tasks is waited for in silence.
      if (facts.runner === 'in-background') return [row('allow', null, {}, { quiet: true })];
      const missing = facts.reviewFiles === 'missing' ? 'review-missing' : null;
      if (facts.runner === 'idle') return [row('allow', missing, {}, { cleanUp: true })];
      // It still runs. Whether its files count as missing already is left open here.
      return [
        row('allow', missing, {}, {}),
        row('allow', null, {}, {}),
        row('allow', 'review-running', {}, { waited: 'notified' }),
      ];
    }
    return [row('allow', null, {}, {})];
  }

  return [row('allow', null, {}, {})];
}
