// Stops of a run with a budget, all at once, and a person who grants more among them.

import { type Bench, SESSION } from '../crash/bench.ts';
import { budgetOf, startLoop, uses } from '../crash/budget.ts';
import { says } from '../crash/transcript.ts';
import type { Fired } from '../support/hook.ts';
import { at, isHold, type Race, times, unanswered } from './races.ts';

const isLast = (fired: Fired): boolean =>
  isHold(fired) && fired.answer?.reason?.startsWith('The budget of ') === true;

const stops = (bench: Bench, count: number, fault?: string): Promise<Fired[]> =>
  Promise.all(times(count, () => bench.stop({ ...says(bench), session_id: SESSION }, fault)));

/** What all of them find in the transcript is counted once. */
export const countOnce: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await startLoop(bench, '--tokens', '1M', '--max', '100');
    for (const tokens of [100, 20, 3]) uses(bench, tokens);
    const fired = await stops(bench, 6, fault);
    uses(bench, 4000);
    const then = await stops(bench, 3, fault);
    const tokens = budgetOf(bench)?.spent.tokens;
    return [
      ...unanswered([...fired, ...then]),
      ...(tokens === 4123 ? [] : [`${tokens} tokens were counted, not 4123`]),
    ];
  });

/** Of many stops of a run whose budget is spent one is the last hold, and the others are allowed. */
export const oneLastHold: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await startLoop(bench, '--tokens', '10');
    uses(bench, 500);
    const fired = await stops(bench, 6, fault);
    const [next] = await stops(bench, 1, fault);
    const last = fired.filter(isLast).length;
    const held = [...fired, ...(next === undefined ? [] : [next])].filter(isHold).length;
    return [
      ...unanswered(fired),
      ...(last === 1 ? [] : [`${last} last holds`]),
      ...(held === 1 ? [] : [`${held} holds in all`]),
      ...(budgetOf(bench)?.stage === 'paused' ? [] : [`it is ${budgetOf(bench)?.stage}`]),
    ];
  });

/** People who grant more at once: all of it is added, and the run goes on. */
export const grantsAtOnce: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await startLoop(bench, '--tokens', '10');
    uses(bench, 500);
    await stops(bench, 1);
    await stops(bench, 1);
    const [granted] = await Promise.all([
      Promise.all(times(4, () => bench.atTerminal(['resume', '--tokens', '1k'], '', fault))),
      stops(bench, 2, fault),
    ]);
    const [next] = await stops(bench, 1, fault);
    const { limits, spent, stage } = budgetOf(bench) ?? {};
    return [
      ...granted.flatMap(({ exitCode, stderr }) => (exitCode === 0 ? [] : [stderr])),
      ...(limits?.tokens === 4010 ? [] : [`it may spend ${limits?.tokens}`]),
      ...(spent?.tokens === 500 ? [] : [`${spent?.tokens} are spent`]),
      ...(stage === 'open' && next !== undefined && isHold(next) ? [] : ['it is not held again']),
    ];
  });
