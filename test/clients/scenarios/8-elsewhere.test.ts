// Group 8, continued: an agent that starts a run after it went out of the session's own project.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DONE, iterations, loopState, startLoop, TASK } from '../loop.ts';
import { claudePrint, codexExec, holdsOf, run, saw, say, stageFor } from '../scenario.ts';

/** Codex insists on a repository unless it is told not to. */
const withoutGit = ['--skip-git-repo-check'];

describe('8. places', () => {
  it.for([claudePrint, codexExec])(
    'a loop started in a nested repository, back and forth ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      const nested = path.dirname(stage.write('vendor/lib/index.ts', ''));
      execFileSync('git', ['init', '--quiet', nested], { env: stage.env, timeout: 20_000 });
      const cli = host.cli(stage);
      const { run: start = '' } = startLoop(cli);
      stage.agent(
        run(`cd vendor/lib && ${start}`),
        run(`cd '${stage.root}' && ${start}`),
        run('cd vendor/lib'),
        say('One.'),
        run(`${cli} idle status`),
        say(DONE),
      );
      await host.play(stage, TASK);
      const heard = stage.cast.of('agent').map(({ last }) => last);
      expect(heard[1]).toContain(`would never hold this session: it was started in ${stage.root}`);
      expect(heard[1]).toContain(`cd ${stage.root} && `);
      expect(fs.readdirSync(nested).sort()).toEqual(['.git', 'index.ts']);
      expect(heard[2]).toContain('holds this session for up to 10 iterations');
      expect(iterations(holdsOf(stage))).toEqual(['1/10']);
      expect(heard[5]).toContain('1/10');
      expect(loopState(stage.root)).toMatchObject({ event: 'DONE' });
      saw(
        context,
        host.mode,
        'refused in the nested repository, with the command that starts it where it holds; started there, it held, wherever the agent went',
      );
    },
  );

  it.for([claudePrint, codexExec])(
    'a loop started in a subfolder where nothing is a repository ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      const plain = path.join(path.dirname(stage.root), 'plain');
      fs.mkdirSync(path.join(plain, 'sub'), { recursive: true });
      const { run: start = '' } = startLoop(host.cli(stage));
      stage.agent(run(`cd sub && ${start}`), run(`cd '${plain}'`), say('One.'), say(DONE));
      const args = host === codexExec ? [...withoutGit, '--dangerously-bypass-approvals-and-sandbox'] : [];
      await host.play(stage, TASK, { cwd: plain, args });
      expect(iterations(holdsOf(stage))).toEqual(['1/10']);
      expect(loopState(plain)).toMatchObject({ event: 'DONE' });
      expect(fs.readdirSync(path.join(plain, 'sub'))).toEqual([]);
      saw(context, host.mode, 'the run lies in the folder the client was started in, and holds');
    },
  );

  it.for([claudePrint, codexExec])(
    'a session above several repositories, a loop started in one of them ($mode)',
    async (host, context) => {
      const stage = await stageFor();
      const above = path.dirname(stage.root);
      const { run: start = '' } = startLoop(host.cli(stage));
      stage.agent(run(`cd '${stage.root}' && ${start}`), say('Refused.'));
      await host.play(stage, TASK, { cwd: above, args: host === codexExec ? withoutGit : [] });
      expect(stage.cast.of('agent')[1]?.last).toContain(`it was started in ${above}`);
      expect(stage.exists('.jwz')).toBe(false);
      expect(holdsOf(stage)).toEqual([]);
      saw(context, host.mode, 'refused, with the command that starts it where it holds');
    },
  );
});
