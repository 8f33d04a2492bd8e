// Group 16: a budget is counted as the client counts, spent in one last hold and a pause, and raised by a person alone.

import { describe, expect, it } from 'vitest';
import { askSubagent, budgetOf, spawnSubagent, usedByClaude, usedByCodex } from '../budget.ts';
import { DONE, startLoop, TASK } from '../loop.ts';
import {
  answers,
  claudePrint,
  codexExec,
  holdsOf,
  run,
  runCli,
  saw,
  say,
  stageFor,
  typeCli,
} from '../scenario.ts';
import type { Reply } from '../servers/script.ts';
import { subagent } from '../waiting.ts';

/** What the scripted model's messages use: with a call, and with words alone. */
const CALL = 120;
const WORDS = 20;
const words = (text: string): Reply => ({ ...say(text), tokens: 0 });
const LAST = /^The budget of idle:loop-\S+ is spent: /;

describe('16. budgets', () => {
  it('tokens over a resume, one last hold, the pause, and more (Claude Code -p)', async (context) => {
    const stage = await stageFor();
    runCli(stage, 'idle', 'loop', '--tokens', '300', TASK);
    subagent(stage, say('There are 7 files.'));
    stage.agent(askSubagent, ...story('holdfast'));
    const first = await claudePrint.play(stage, TASK);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(holdsOf(stage)[1]).toMatch(LAST);
    const used = usedByClaude(first.stdout);
    // The calls of the agent, the subagent's message, and the words.
    expect(used).toBe(2 * CALL + CALL + 3 * WORDS);
    // The line of the last message comes after the hook has begun.
    expect([used - WORDS, used]).toContain(budgetOf(stage).spent.tokens);
    expect(budgetOf(stage).stage).toBe('paused');

    expect(typeCli(stage, 'resume', '--tokens', '1k')).toContain('may now spend 1.3k tokens in all');
    const second = await claudePrint.play(stage, 'Go on.', { resume: first.session });
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow', 'hold', 'allow']);
    const all = usedByClaude(second.stdout);
    expect(all).toBe(used + CALL + 2 * WORDS);
    expect([all - WORDS, all]).toContain(budgetOf(stage).spent.tokens);
    // The agent's own try was refused.
    expect(budgetOf(stage)).toMatchObject({ stage: 'open', limits: { tokens: 1300 } });
    saw(context, 'Claude Code -p', `${SEEN}; its subagent was counted`);
  });

  it('tokens over a resume, one last hold, the pause, and more (Codex exec)', async (context) => {
    const stage = await stageFor();
    const cli = codexExec.cli(stage);
    stage.agent(startLoop(cli, '--tokens 100'), ...story(cli));
    const first = await codexExec.play(stage, TASK);
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow']);
    expect(holdsOf(stage)[1]).toMatch(LAST);
    // The message that started the loop is from before its start.
    const used = usedByCodex(first.stdout);
    expect(used).toBe(2 * CALL + 3 * WORDS);
    expect(budgetOf(stage)).toMatchObject({ stage: 'paused', spent: { tokens: used - CALL } });

    expect(typeCli(stage, 'resume', '--tokens', '1k')).toContain('may now spend 1.1k tokens in all');
    const second = await codexExec.play(stage, 'Go on.', { resume: first.session });
    expect(answers(stage.root)).toEqual(['hold', 'hold', 'allow', 'hold', 'allow']);
    const all = usedByCodex(second.stdout);
    expect(all).toBe(used + CALL + 2 * WORDS);
    expect(budgetOf(stage)).toMatchObject({
      stage: 'open',
      limits: { tokens: 1100 },
      spent: { tokens: all - CALL },
    });
    saw(context, 'Codex exec', `${SEEN}; the start was in its sandbox, and the first stop pinned it`);
  });

  it('a subagent is a thread of its own, and is counted (Codex exec)', async (context) => {
    const stage = await stageFor();
    const cli = codexExec.cli(stage);
    runCli(stage, 'idle', 'loop', '--tokens', '100k', TASK);
    stage.part({
      name: 'subagent',
      hears: ({ last }) => last.includes('Message Type: NEW_TASK'),
      lines: [{ ...say('There are 7 files.'), tokens: 4000 }],
    });
    // Until the subagent has answered.
    stage.agent(spawnSubagent, run('sleep 1'), words('Not yet.'), run(`${cli} status`), words(DONE));
    const { stdout } = await codexExec.play(stage, TASK, {
      args: ['--enable', 'multi_agent_v2'],
    });
    expect(answers(stage.root)).toEqual(['hold', 'allow']);
    expect(stage.cast.of('subagent')).toHaveLength(1);
    const used = usedByCodex(stdout);
    expect(used).toBe(3 * CALL + 2 * WORDS);
    expect(budgetOf(stage).spent.tokens).toBe(used + 4000 + WORDS);
    saw(
      context,
      'Codex exec',
      'the client’s own account leaves its subagent out; the budget has both, from the rollout of each',
    );
  });
});

/** Words, a call and words, and where it stands; after the pause a try to raise it, words, and the end. */
function story(cli: string): Reply[] {
  return [
    words('Not yet.'),
    // Claude Code writes lines on a timer: by the end of this call the one before is there.
    run('sleep 0.5'),
    words('Still not.'),
    words('It stands at the parser.'),
    run(`${cli} resume --tokens 1M; sleep 0.5`),
    words('I go on.'),
    words(DONE),
  ];
}

const SEEN =
  'counted as the client’s own result says; spent: one last hold, then let go; more from a terminal, refused to the agent: held on';
