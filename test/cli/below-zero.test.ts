// A number below zero in every flag that takes a number: the command's own clear line, whichever way it is written.

import { afterAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/hook.ts';
import { tempProject } from '../support/project.ts';

const project = tempProject();
// `log` looks for runs first.
project.write('.jwz/messages.jsonl', '');
afterAll(() => project.remove());

describe('a number below zero', () => {
  it.each([
    ['claudex plan', '--rounds', 'claudex plan: --rounds takes a whole number above 0, not "-1".'],
    ['claudex review', '--rounds', 'claudex review: --rounds takes a whole number above 0, not "-1".'],
    ['idle loop', '--max', 'idle loop: --max is a whole number from 1 to 999999, not "-1".'],
    ['idle issue', '--max', 'idle issue: --max is a whole number from 1 to 999999, not "-1".'],
    ['idle grind', '--max', 'idle grind: --max is a whole number from 1 to 999999, not "-1".'],
    ['log', '--limit', 'log: --limit takes a whole number from 1.'],
  ])('is refused by %s %s', async (command, flag, said) => {
    for (const value of [[flag, '-1'], [`${flag}=-1`]]) {
      const refused = await runCli(project.root, [...command.split(' '), ...value], {
        env: { HOME: project.home, CLAUDE_CODE_SESSION_ID: 's1' },
      });
      expect(refused).toEqual({ exitCode: 2, stdout: '', stderr: `holdfast: ${said}\n` });
    }
  });
});
