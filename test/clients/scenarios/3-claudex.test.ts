// Group 3: claudex, with real Codex as the reviewer of a plan drafted in the client.

import { describe, expect, it } from 'vitest';
import { playPlanLoop, SUMMARY } from '../plays.ts';
import {
  callDone,
  claudexState,
  codexReviewer,
  FINDINGS,
  findings,
  NOTHING,
  runProgram,
  runReviewerInBackground,
  startPlan,
  TOPIC,
  waitForReviewer,
} from '../rounds.ts';
import {
  answers,
  claudePrint,
  codexExec,
  holdsOf,
  journal,
  run,
  saw,
  say,
  stageFor,
  write,
} from '../scenario.ts';

/** The runner starts another Codex, which the sandbox of the first would keep from the network. */
const FREE = { args: ['--dangerously-bypass-approvals-and-sandbox'] };

describe('3. claudex', () => {
  it.for([claudePrint, codexExec])('a plan loop to "complete" ($mode)', async (host, context) => {
    const stage = await stageFor();
    codexReviewer(stage, ...findings(FINDINGS), ...findings(NOTHING));
    const played = await playPlanLoop(host, stage, host === codexExec ? FREE : {});
    expect(stage.cast.of('reviewer')).toHaveLength(4);
    expect(stage.cast.of('reviewer').flatMap(({ holds }) => holds)).toEqual([]);
    expect(played.result).toBe(SUMMARY);
    expect(new Set(journal(stage.root).map(({ session }) => session))).toEqual(new Set([played.session]));
    saw(
      context,
      host.mode,
      'two rounds by real Codex under changing personas, findings of the first counted in the second hold, `done` by the command of the hold, summary, done; the reviewer was not held',
    );
  });

  it('a plan loop to max rounds (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    codexReviewer(stage, ...findings(FINDINGS), ...findings(FINDINGS));
    stage.agent(
      startPlan('holdfast', '--rounds 2'),
      write(stage.file('PLAN.md'), '# Plan'),
      say('The plan is drafted.'),
      runProgram,
      say('I keep it.'),
      runProgram,
      say('I keep it still.'),
      say('It stands open.'),
    );
    await claudePrint.play(stage, `Plan this: ${TOPIC}`);
    const last = holdsOf(stage).at(-1) ?? '';
    expect(last).toContain('### Claudex: stopped at max rounds');
    expect(last).toContain('- Round 1 (Senior-engineer review): high=1 medium=0 low=1');
    expect(last).toContain('- Round 2 (Security and data-integrity review): high=1 medium=0 low=1');
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'hold', 'allow']);
    expect(claudexState(stage)).toMatchObject({ phase: 'done', round: '2', decision_signal: 'max-reached' });
    saw(
      context,
      'Claude Code -p',
      'two reviewed rounds, then "stopped at max rounds" with the table of both, and let go',
    );
  });

  it('a round nobody reviewed is named as such (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    codexReviewer(stage, ...findings(NOTHING));
    stage.agent(
      startPlan('holdfast', '--rounds 2'),
      write(stage.file('PLAN.md'), '# Plan'),
      say('The plan is drafted.'),
      say('I would rather not run it.'),
      runProgram,
      callDone,
      say('Nothing material.'),
      say('The summary.'),
    );
    await claudePrint.play(stage, `Plan this: ${TOPIC}`);
    expect(stage.cast.of('reviewer')[0]?.opening).toContain(
      'Round 1 (Senior-engineer review) was not reviewed',
    );
    expect(holdsOf(stage).at(-1)).toMatch(/Round 1 \(Senior-engineer review\): not reviewed/);
    saw(
      context,
      'Claude Code -p',
      'the second round asked the first one\'s questions too, and the summary says "not reviewed"',
    );
  });

  it('the runner in the background: the client wakes the agent (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    codexReviewer(stage, ...findings(NOTHING, { afterMs: 2500 }));
    stage.agent(
      startPlan('holdfast'),
      write(stage.file('PLAN.md'), '# Plan'),
      say('The plan is drafted.'),
      runReviewerInBackground,
      say('I wait for it.'),
      callDone,
      say('Nothing material.'),
      say('The summary.'),
    );
    const played = await claudePrint.play(stage, `Plan this: ${TOPIC}`);
    expect(answers(stage.root)).toEqual(['hold', 'allow', 'hold', 'allow']);
    expect(holdsOf(stage).map((hold) => hold.split('\n')[0])).toEqual([
      '### Claudex round 1 of 3, Senior-engineer review',
      '### Claudex: plan loop complete',
    ]);
    expect(claudexState(stage)).toMatchObject({ phase: 'done', round: '1' });
    expect(played.result).toBe('The summary.');
    saw(
      context,
      'Claude Code -p',
      'let go silently while the runner ran, no round spent; woken when it ended, then done and summary',
    );
  });

  it('the runner in the background: the agent waits for it (Codex exec)', async (context) => {
    const stage = await stageFor();
    codexReviewer(stage, ...findings(NOTHING, { afterMs: 2500 }));
    stage.agent(
      startPlan(codexExec.cli(stage)),
      write(stage.file('PLAN.md'), '# Plan'),
      say('The plan is drafted.'),
      runReviewerInBackground,
      say('I wait for it.'),
      waitForReviewer,
      callDone,
      say('Nothing material.'),
      say('The summary.'),
    );
    const played = await codexExec.play(stage, `Plan this: ${TOPIC}`, FREE);
    expect(holdsOf(stage).map((hold) => hold.split('\n')[0])).toEqual([
      '### Claudex round 1 of 3, Senior-engineer review',
      '### Claudex round 1: the review is still running',
      '### Claudex: plan loop complete',
    ]);
    expect(claudexState(stage)).toMatchObject({ phase: 'done', round: '1' });
    expect(played.result).toBe('The summary.');
    saw(
      context,
      'Codex exec',
      'nothing wakes the agent here: a shell call that returned early left the runner running, and the stop was held with `claudex wait`, which waited for it; no round spent',
    );
  });

  it.for([claudePrint, codexExec])('review mode ($mode)', async (host, context) => {
    const stage = await stageFor();
    stage.write('code.ts', 'export const one = 2;\n');
    codexReviewer(
      stage,
      ({ opening }) => {
        const files = [...opening.matchAll(/^Write `(.+?)`/gm)].map(([, file]) => file);
        return run(
          files
            .map((file) => `mkdir -p reviews && echo '# Review of the current diff' >'${file}'`)
            .join('\n'),
        );
      },
      say('Both files are written.'),
    );
    stage.agent(
      run(`${host.cli(stage)} claudex review </dev/null`),
      say('I end my turn.'),
      runProgram,
      say('One finding.'),
    );
    const played = await host.play(stage, 'Review what I have.', host === codexExec ? FREE : {});
    expect(holdsOf(stage).map((hold) => hold.split('\n')[0])).toEqual(['### Claudex: review starting']);
    const id = claudexState(stage).review_id;
    expect(stage.exists(`reviews/review-${id}.md`)).toBe(true);
    expect(stage.exists(`reviews/proposed-fixes-${id}.md`)).toBe(true);
    expect(played.result).toBe('One finding.');
    expect(claudexState(stage)).toMatchObject({ mode: 'review', phase: 'done' });
    saw(context, host.mode, 'held once with the runner; real Codex wrote both files; let go');
  });
});
