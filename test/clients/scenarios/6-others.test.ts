// Group 6, the other half: runs that came with a repository, and a client inside the agent's own shell.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { forgeRuns } from '../forged.ts';
import { DONE, iterations, startLoop, TASK } from '../loop.ts';
import {
  claudePrint,
  claudeStream,
  codexExec,
  holdsOf,
  journal,
  opening,
  run,
  saw,
  say,
  stageFor,
} from '../scenario.ts';

const SECOND = 'I am somebody else.';

describe('6. sessions', () => {
  it.for([claudePrint, claudeStream, codexExec])(
    'a cloned repository with forged runs holds nobody and starts no reviewer ($mode)',
    async (host, context) => {
      const stage = await stageFor('origin');
      forgeRuns(stage);
      stage.git('add', '--all', '--force');
      stage.git('commit', '--quiet', '--message', 'Everything a loop needs, but for the ticket');
      const clone = path.join(path.dirname(stage.root), 'clone');
      execFileSync('git', ['clone', '--quiet', stage.root, clone], { env: stage.env, timeout: 20_000 });
      stage.part({ name: 'reviewer', hears: (heard) => heard.tools.includes('StructuredOutput'), lines: [] });
      stage.agent(run('ls -a'), say('A repository like any other.'), say('Not asked for.'));
      const played = await host.play(stage, 'What is here?', { cwd: clone });
      expect(played.result).toBe('A repository like any other.');
      expect(stage.cast.of('reviewer')).toEqual([]);
      expect(stage.cast.of('agent')).toHaveLength(2);
      expect(journal(clone).filter(({ answer }) => answer === 'hold')).toEqual([]);
      expect(fs.existsSync(path.join(clone, 'owned'))).toBe(false);
      saw(
        context,
        host.mode,
        'a plan due for review, a fresh loop, a claudex loop and sidecars naming made-up sessions: not held, no reviewer asked',
      );
    },
  );

  it.for([claudePrint, claudeStream])(
    "a nested claude -p in the agent's shell is not held ($mode)",
    async (host, context) => {
      const stage = await stageFor();
      const nested = `claude -p '${SECOND}' --plugin-dir "$(dirname "$(dirname "$(command -v holdfast)")")" --dangerously-skip-permissions`;
      stage.part({
        name: 'nested',
        hears: opening(SECOND),
        lines: [say('The answer is 42.'), say('Not asked for.')],
      });
      stage.agent(
        startLoop('holdfast'),
        say('One.'),
        run(nested),
        (heard) => say(`It said: ${heard.last}`),
        say(DONE),
      );
      await host.play(stage, TASK);
      expect(stage.cast.of('nested')).toHaveLength(1);
      expect(holdsOf(stage, 'nested')).toEqual([]);
      expect(stage.cast.of('agent').at(-2)?.last).toContain('The answer is 42.');
      expect(iterations(holdsOf(stage))).toEqual(['1/10', '2/10']);
      saw(
        context,
        host.mode,
        'the inner client asked the model once and ended; the outer loop went on with its own count',
      );
    },
  );
});
