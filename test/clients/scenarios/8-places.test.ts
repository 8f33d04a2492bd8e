// Group 8: wherever the project lies and wherever in it the agent stands.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DONE, iterations, loopState, startLoop, TASK } from '../loop.ts';
import { answers, claudePrint, codexExec, holdsOf, run, saw, say, stageFor } from '../scenario.ts';

describe('8. places', () => {
  it.for([claudePrint, codexExec])(
    'a path with spaces, quotes and other letters ($mode)',
    async (host, context) => {
      const stage = await stageFor(`mein Projekt – "größer" 漢字 $(x)`);
      stage.agent(startLoop(host.cli(stage)), say('One.'), run('echo two >two.txt'), say(DONE));
      const played = await host.play(stage, TASK);
      expect(iterations(holdsOf(stage))).toEqual(['1/10']);
      expect(holdsOf(stage)[0]).toContain(TASK);
      expect(played.result).toBe(DONE);
      expect(stage.read('two.txt')).toBe('two\n');
      expect(answers(stage.root)).toEqual(['hold', 'allow']);
      saw(
        context,
        host.mode,
        'held once with the task, let go at the signal; state and journal in the project',
      );
    },
  );

  it.for([claudePrint, codexExec])('a client started in a subfolder ($mode)', async (host, context) => {
    const stage = await stageFor();
    const below = path.dirname(stage.write('packages/one/index.ts', ''));
    const free = host === codexExec ? ['--dangerously-bypass-approvals-and-sandbox'] : [];
    stage.agent(startLoop(host.cli(stage)), say('One.'), say(DONE));
    await host.play(stage, TASK, { cwd: below, args: free });
    expect(iterations(holdsOf(stage))).toEqual(['1/10']);
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE' });
    expect(fs.readdirSync(below)).toEqual(['index.ts']);
    const note =
      host === codexExec
        ? ' (with its sandbox off: in it everything above the start folder is read-only)'
        : '';
    saw(context, host.mode, `the run lies at the git top level and holds the client below it${note}`);
  });

  it('a client started in a subfolder, in its sandbox (Codex exec)', async (context) => {
    const stage = await stageFor();
    const below = path.dirname(stage.write('packages/one/index.ts', ''));
    stage.agent(startLoop(codexExec.cli(stage)), say('One.'), say(DONE));
    await codexExec.play(stage, TASK, { cwd: below });
    expect(iterations(holdsOf(stage))).toEqual(['1/10']);
    expect(loopState(below)).toMatchObject({ event: 'DONE' });
    expect(stage.exists('.jwz')).toBe(false);
    saw(
      context,
      'Codex exec',
      'the sandbox shows the agent an empty `.git` in the start folder and everything above as read-only: the run lies in the start folder, and holds',
    );
  });

  it.for([claudePrint, codexExec])('an agent that goes into a subfolder ($mode)', async (host, context) => {
    const stage = await stageFor();
    stage.write('packages/one/index.ts', '');
    const cli = host.cli(stage);
    stage.agent(
      startLoop(cli),
      say('One.'),
      run('cd packages/one && pwd'),
      say('Two.'),
      run(`cd '${stage.file('packages/one')}' && ${cli} idle status`),
      say(DONE),
    );
    await host.play(stage, TASK);
    expect(iterations(holdsOf(stage))).toEqual(['1/10', '2/10']);
    expect(stage.cast.of('agent').at(-1)?.last).toContain('2/10');
    expect(loopState(stage.root)).toMatchObject({ event: 'DONE' });
    saw(context, host.mode, 'held from the subfolder too; `idle status` finds the run from there');
  });

  it.for([claudePrint, codexExec])('a worktree is a project of its own ($mode)', async (host, context) => {
    const stage = await stageFor();
    stage.write('file.txt', 'one\n');
    stage.git('add', 'file.txt');
    stage.git('commit', '--quiet', '--message', 'One');
    const tree = path.join(path.dirname(stage.root), 'tree');
    stage.git('worktree', 'add', '--quiet', tree, '-b', 'side');
    stage.agent(startLoop(host.cli(stage)), say('One.'), say(DONE));
    await host.play(stage, TASK, { cwd: tree });
    expect(iterations(holdsOf(stage))).toEqual(['1/10']);
    expect(loopState(tree)).toMatchObject({ event: 'DONE' });
    expect(stage.exists('.jwz')).toBe(false);
    saw(context, host.mode, 'held there; the main working tree has no trace of it');
  });
});
