// Group 7, too: what a reviewer started and left running goes with it, however its review ends.

import { describe, expect, it } from 'vitest';
import { codexTerminal, trustHooks } from '../clients/terminal.ts';
import { draftPlan, planState, reviewer, writeReview } from '../plan.ts';
import {
  answers,
  claudePrint,
  codexExec,
  holdsOf,
  type Line,
  processesOf,
  run,
  type Stage,
  saw,
  say,
  stageFor,
  until,
} from '../scenario.ts';

const PROMPT = 'Plan it.';

/**
 * As a reviewer does that starts a server to try something, in two ways that outlive its shell.
 * It looks (500 times at most) until both are what they shall become: a shell that has only just forked is none yet.
 */
const startServers = run(
  'setsid sleep 321 >/dev/null 2>&1 & a=$!; nohup sleep 322 >/dev/null 2>&1 & b=$!; n=0; ' +
    'until [ "$(cat /proc/$a/comm /proc/$b/comm | sort -u)" = sleep ] || [ $n -ge 500 ]; do n=$((n+1)); sleep 0.01; done; echo started',
);

const serversOf = (stage: Stage): string[] =>
  processesOf(stage).flatMap(({ command }) => (/^sleep 32[12]$/.test(command) ? [command] : []));

describe('7. interrupted', () => {
  it.for([claudePrint, codexExec])(
    'a reviewer ends by itself and has left processes running ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      const running: string[][] = [];
      const look =
        (line: Line): Line =>
        (heard) => {
          running.push(serversOf(stage).sort());
          return typeof line === 'function' ? line(heard) : line;
        };
      reviewer(stage, startServers, look(writeReview), { verdict: 'FAIL' });
      stage.agent(
        draftPlan(host.cli(stage)),
        say('The plan is written.'),
        look(say('I leave it there.')),
        say('Enough.'),
        say('Enough.'),
        say('Enough.'),
      );
      await host.play(stage, PROMPT);
      expect(holdsOf(stage)[0]).toContain('plan-review-1.md');
      expect(running).toEqual([['sleep 321', 'sleep 322'], []]);
      saw(
        context,
        host.mode,
        'what the reviewer had started with setsid and nohup was gone when the agent was held with the review',
      );
    },
  );

  it('Esc during a review that has started processes of its own (Codex TUI)', async (context) => {
    const stage = await stageFor();
    reviewer(stage, startServers, { hangs: true });
    stage.agent(draftPlan(codexExec.cli(stage)), say('The plan is written.'));
    const terminal = codexTerminal(stage);
    await trustHooks(terminal);
    await terminal.enter(PROMPT);
    await until('the review to be under way', () => stage.cast.of('reviewer').length === 2);
    expect(serversOf(stage).sort()).toEqual(['sleep 321', 'sleep 322']);
    terminal.press('Escape');
    await until(
      'the reviewer and all it started to end',
      () =>
        serversOf(stage).length === 0 &&
        !processesOf(stage).some(({ command }) => /--print|holdfast-watcher/.test(command)),
    );
    expect(answers(stage.root)).not.toContain('hold');
    expect(planState(stage)).toMatchObject({ phase: 'new-plan', phase_iteration: 0 });
    saw(
      context,
      'Codex TUI',
      'Codex kills the hook with its group at once; the reviewer ended all the same, with what it had started with setsid and nohup',
    );
  });
});
