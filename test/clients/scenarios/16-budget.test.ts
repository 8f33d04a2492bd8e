// Group 16: a budget is counted as the client counts, spent in one last hold and a pause, and raised by a person alone.

import { describe, expect, it } from 'vitest';
import { askSubagent, budgetOf, usedByClaude, usedByCodex } from '../budget.ts';
import { DONE, startLoop, TASK } from '../loop.ts';
import { answers, claudePrint, codexExec, holdsOf, run, runCli, saw, say, stageFor } from '../scenario.ts';
import { subagent } from '../waiting.ts';

/** What each of the scripted model's messages uses. */
const EACH = 120;
const LAST = /^The budget of idle:loop-\S+ is spent: /;

describe('16. budgets', () => {
  it('tokens with a subagent and a resume, one last hold, the pause, and more (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    runCli(stage, 'idle', 'loop', '--tokens', '300', TASK);
    subagent(stage, say('There are 7 files.'));
    stage.agent(
      askSubagent,
      say('Not yet.'),
      say('Still not.'),
      say('It stands at the parser.'),
      run('holdfast resume --tokens 1M'),
      say('I go on.'),
      say(DONE),
    );
    const first = await claudePrint.play(stage, TASK);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(holdsOf(stage)[1]).toMatch(LAST);
    const used = usedByClaude(first.stdout);
    expect(used).toBe(5 * EACH);
    // The line of the last message comes after the hook has begun.
    expect([used - EACH, used]).toContain(budgetOf(stage).spent.tokens);
    expect(budgetOf(stage).stage).toBe('paused');

    expect(runCli(stage, 'resume', '--tokens', '1k')).toContain('may now spend 1.3k tokens in all');
    const second = await claudePrint.play(stage, 'Go on.', { resume: first.session });
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow', 'hold', 'allow']);
    const all = usedByClaude(second.stdout);
    expect(all).toBe(8 * EACH);
    expect([all - EACH, all]).toContain(budgetOf(stage).spent.tokens);
    // The agent's own try was refused.
    expect(budgetOf(stage)).toMatchObject({ stage: 'open', limits: { tokens: 1300 } });
    saw(context, 'Claude Code -p', SEEN);
  });

  it('tokens with a subagent and a resume, one last hold, the pause, and more (Codex exec)', async (context) => {
    const stage = await stageFor();
    const cli = codexExec.cli(stage);
    stage.agent(
      startLoop(cli, '--tokens 200'),
      say('Not yet.'),
      say('Still not.'),
      say('It stands at the parser.'),
      run(`${cli} resume --tokens 1M || true`),
      say('I go on.'),
      say(DONE),
    );
    const first = await codexExec.play(stage, TASK);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(holdsOf(stage)[1]).toMatch(LAST);
    // The message that started the loop is from before its start.
    const used = usedByCodex(first.stdout);
    expect(budgetOf(stage)).toMatchObject({ stage: 'paused', spent: { tokens: used - EACH } });
    expect(used).toBe(4 * EACH);

    expect(runCli(stage, 'resume', '--tokens', '1k')).toContain('may now spend 1.2k tokens in all');
    const second = await codexExec.play(stage, 'Go on.', { resume: first.session });
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow', 'hold', 'allow']);
    const all = usedByCodex(second.stdout);
    expect(budgetOf(stage)).toMatchObject({
      stage: 'open',
      limits: { tokens: 1200 },
      spent: { tokens: all - EACH },
    });
    expect(all).toBe(7 * EACH);
    saw(context, 'Codex exec', `${SEEN}; the start was in its sandbox, and the first stop pinned it`);
  });
});

const SEEN =
  'counted as the client’s own result says; spent: one last hold, then let go; more from a terminal, refused to the agent: held on';
