// Runs that begin to wait, questions, calls of `holdfast wait` and failed turns, all at the same time as stops.

import { type Bench, SESSION } from '../crash/bench.ts';
import { fromQwen, HONOURED } from '../crash/client-cap.ts';
import { hold, startLoop, topicState } from '../crash/idle.ts';
import { isAsked, QUESTION, RUNNING, waitingOf } from '../crash/waiting.ts';
import type { Fired, Ran } from '../support/hook.ts';
import { at, inARow, isHold, type Race, times, unanswered } from './races.ts';

const FAILED = { hook_event_name: 'StopFailure', error: 'rate_limit' };
const ANSWERED = { prompt_id: 'another-turn' };

const iteration = (bench: Bench): number =>
  (topicState(bench) as { stack: { iter: number }[] }).stack.at(-1)?.iter ?? -1;
const waiting = (bench: Bench) => waitingOf(bench, hold.run(bench));
const questions = (bench: Bench): number => bench.sidecar(hold.run(bench))?.waits?.questions ?? 0;

/** Each hold is one iteration. */
function sameHolds(bench: Bench, fired: readonly Fired[]): string[] {
  const holds = fired.filter(isHold).length;
  return iteration(bench) === holds ? [] : [`${holds} holds, but iteration ${iteration(bench)}`];
}

function failedOnes(ran: readonly Ran[], code = 0): string[] {
  return ran.flatMap(({ exitCode, stderr }) =>
    exitCode === code ? [] : [`ended with ${exitCode}: ${stderr}`],
  );
}

/** One session waits for its subagent, the other is held: neither knows of the other. */
export const twoSessions: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await startLoop(bench, 100);
    const other = { env: { CLAUDE_CODE_SESSION_ID: 'other' }, stdin: 'a cache' };
    await bench.holdfast(['claudex', 'plan', '--rounds', '50'], other);
    bench.project.write('PLAN.md', '# Plan\n');
    const [loop, plan] = await Promise.all([
      Promise.all(times(4, () => bench.stop(RUNNING, fault))),
      Promise.all(times(3, () => bench.stop({ session_id: 'other' }, fault))),
    ]);
    const since = waiting(bench)?.since;
    await bench.stop(RUNNING, fault);
    const isSame = since !== undefined && waiting(bench)?.since === since;
    const next = await bench.stop({}, fault);
    return [
      ...unanswered([...loop, ...plan, next]),
      ...(loop.every(({ stdout }) => stdout === '') ? [] : ['a stop was not silent while a subagent ran']),
      ...(plan.every(isHold) ? [] : ['the other session was not held']),
      ...(isSame ? [] : ['the wait does not count from its first stop']),
      ...(isHold(next) ? [] : ['not held when nothing runs any more']),
      ...sameHolds(bench, [next]),
    ];
  });

/** A question among stops: shown by one of them or by the next, and never by two. */
export const askAmongStops: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await startLoop(bench, 100);
    const [fired, asked] = await Promise.all([
      Promise.all(times(6, () => bench.stop({}, fault))),
      bench.holdfast(['ask', QUESTION], {}, fault),
    ]);
    const then = [await bench.stop({}, fault), await bench.stop({}, fault)];
    const shown = [...fired, ...then].filter((each) => isAsked(each)).length;
    const answered = await bench.stop(ANSWERED, fault);
    return [
      ...unanswered([...fired, ...then, answered]),
      ...failedOnes([asked]),
      ...(shown === 1 ? [] : [`shown ${shown} times`]),
      ...(then.some(isHold) ? ['held while a question was open'] : []),
      ...(isHold(answered) && answered.answer?.reason?.includes('was answered') ? [] : ['not held again']),
      ...sameHolds(bench, [...fired, answered]),
    ];
  });

/** Six questions before one is shown are one; four after that are a second. */
export const manyAsks: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await startLoop(bench, 100);
    const ask = (count: number) =>
      Promise.all(times(count, (each) => bench.holdfast(['ask', `Is it ${each}?`], {}, fault)));
    const first = await ask(6);
    const one = questions(bench);
    const shown = await bench.stop({}, fault);
    const second = await ask(4);
    const two = questions(bench);
    const again = await bench.stop({}, fault);
    return [
      ...unanswered([shown, again]),
      ...failedOnes([...first, ...second]),
      ...(one === 1 && two === 2 ? [] : [`counted ${one}, then ${two}`]),
      ...([shown, again].every((each) => each.stdout.includes('Is it ')) ? [] : ['a question was not shown']),
      ...(isHold(await bench.stop(ANSWERED)) ? [] : ['not held again']),
    ];
  });

/** Calls of `holdfast wait` that end among stops: each is noted, and each hold is one iteration. */
export const waitAmongStops: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await startLoop(bench, 100);
    const calls = times(5, () => bench.holdfast(['wait', '--for', '1'], {}, fault));
    const fired: Fired[] = [];
    const stops = (async () => {
      for (let rounds = 0; rounds < 4; rounds++)
        fired.push(...(await Promise.all(times(2, () => bench.stop({}, fault)))));
    })();
    const [ran] = await Promise.all([Promise.all(calls), stops]);
    const noted = bench.sidecar(hold.run(bench))?.waits?.calls;
    return [
      ...unanswered(fired),
      ...failedOnes(ran),
      ...(noted === 5 ? [] : [`${noted} of 5 calls were noted`]),
      ...sameHolds(bench, fired),
    ];
  });

/** The hook for a failed turn among stops: whichever is last, the next stop is held, and waits for nothing. */
export const failureAmongStops: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await startLoop(bench, 100);
    const [fired, failed] = await Promise.all([
      Promise.all(times(4, () => bench.stop({}, fault))),
      // In rows: all at once they would be over before the first stop writes.
      Promise.all(times(3, () => inARow(5, () => bench.event('stop-failure', FAILED, fault)))),
    ]);
    const next = await bench.stop({}, fault);
    const counted = bench.sidecar(hold.run(bench))?.guard[SESSION]?.toolsUnknown;
    return [
      ...unanswered([...fired, next]),
      ...failed
        .flat()
        .flatMap(({ exitCode, stdout, stderr }) =>
          exitCode === 0 && stdout + stderr === '' ? [] : [`the hook said: ${stdout}${stderr}`],
        ),
      ...([...fired, next].every(isHold) ? [] : ['a stop was not held']),
      ...(waiting(bench) === null ? [] : ['it waits still']),
      ...(counted === 5 ? [] : [`5 holds, but ${counted} counted`]),
      ...sameHolds(bench, [...fired, next]),
    ];
  });

/** A question and a failed turn at once: the question is what stays. */
export const askAndFailure: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await startLoop(bench, 100);
    const [asked, failed] = await Promise.all([
      bench.holdfast(['ask', QUESTION], {}, fault),
      Promise.all(times(4, () => bench.event('stop-failure', FAILED, fault))),
    ]);
    // One that comes later finds it open.
    await bench.event('stop-failure', FAILED, fault);
    const shown = await bench.stop({}, fault);
    return [
      ...failedOnes([asked, ...failed]),
      ...unanswered([shown]),
      ...(isAsked(shown) ? [] : [`the question was lost: ${shown.stdout}`]),
    ];
  });

/** More stops at once than their client honours holds: it is held as often as that, and then a person is waited for. */
export const capAmongStops: Race = async (plugin, fault) =>
  at(plugin, async (bench) => {
    await startLoop(bench, 100);
    const fired: Fired[] = [];
    for (let rounds = 0; rounds < 3; rounds++) {
      // Without something new the guard would let go first.
      bench.project.write(`work-${rounds}.txt`, String(rounds));
      fired.push(...(await Promise.all(times(4, () => bench.stop(fromQwen('p0', true), fault)))));
    }
    const holds = fired.filter(isHold);
    const isCapped = waiting(bench)?.capped === true;
    const next = await bench.stop(fromQwen('p1', false), fault);
    return [
      ...unanswered([...fired, next]),
      ...(holds.length === HONOURED ? [] : [`${holds.length} holds of ${HONOURED} that the client honours`]),
      ...(isCapped ? [] : ['nobody is waited for']),
      ...(isHold(next) ? [] : ['the next prompt is not held']),
      ...sameHolds(bench, [...fired, next]),
    ];
  });
