// A client started in the shell of another: both leave their session's id in the environment of the inner agent's
// shell, and a run that is started there is the inner session's alone.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { pluginFlags } from '../clients/claude.ts';
import { DONE, iterations, loopState, startLoop } from '../loop.ts';
import {
  claudePrint,
  codexExec,
  holdsOf,
  journal,
  opening,
  run,
  type Stage,
  saw,
  say,
  stageFor,
} from '../scenario.ts';

const INNER = 'The inner prompt.';

/** The sessions a run may hold, as its notes name them. */
function boundSessions(stage: Stage): string[] {
  const folder = stage.file('.holdfast/runs');
  const notes = fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
  return notes.flatMap((text) => JSON.parse(text).sessions);
}

/** The inner agent starts a loop, is held once and ends it; the outer one only waits for it. */
async function playNested(
  stage: Stage,
  inner: string,
  outer: typeof codexExec,
  cli: string,
  args: string[] = [],
) {
  stage.part({
    name: 'inner',
    hears: opening(INNER),
    lines: [startLoop(cli), say('Not yet.'), say(DONE)],
  });
  stage.agent(run(`${inner} </dev/null >inner.out 2>&1; env >outer.env`), say('The outer agent is done.'));
  const played = await outer.play(stage, 'The outer prompt.', { args });
  expect(played.result).toBe('The outer agent is done.');
  return played;
}

function expectInnerAlone(stage: Stage, outer: string): void {
  const sessions = boundSessions(stage);
  expect(sessions).toHaveLength(1);
  expect(sessions).not.toContain(outer);
  expect(iterations(holdsOf(stage, 'inner'))).toEqual(['1/10']);
  expect(holdsOf(stage)).toEqual([]);
  expect(loopState(stage.root)?.event).toBe('DONE');
  expect(journal(stage.root).map(({ session, answer }) => [session, answer])).toEqual([
    [sessions[0], 'hold'],
    [sessions[0], 'allow'],
  ]);
}

describe('6. sessions: a client in the shell of another', () => {
  it.for([
    { sandbox: 'in its sandbox', flags: `-c 'sandbox_mode="workspace-write"'` },
    { sandbox: 'without a sandbox', flags: '--dangerously-bypass-approvals-and-sandbox' },
  ])(
    'Codex in Claude Code, $sandbox: the run is the inner session’s alone',
    async ({ flags, sandbox }, context) => {
      const stage = await stageFor();
      const cli = codexExec.cli(stage);
      const inner = `codex exec --dangerously-bypass-hook-trust ${flags} '${INNER}'`;
      const played = await playNested(stage, inner, claudePrint, cli);
      expectInnerAlone(stage, played.session);
      saw(context, 'Claude Code -p', `the loop held Codex ${sandbox} once and never Claude Code around it`);
    },
  );

  it('Claude Code in Codex: the run is the inner session’s alone', async (context) => {
    const stage = await stageFor();
    const cli = codexExec.cli(stage);
    const inner = `claude -p '${INNER}' --dangerously-skip-permissions ${pluginFlags()
      .map((flag) => `'${flag}'`)
      .join(' ')}`;
    const played = await playNested(stage, inner, codexExec, cli, [
      '--dangerously-bypass-approvals-and-sandbox',
    ]);
    expectInnerAlone(stage, played.session);
    saw(context, 'Codex exec', 'the loop held Claude Code once and never Codex around it');
  });
});
