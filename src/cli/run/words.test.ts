import { expect, it } from 'vitest';
import { newRecord } from '../../../test/driver/records.ts';
import { whatNext } from './words.ts';

const FINISHED = { kind: 'finished', code: 6, why: 'denied', stand: { kind: 'active' } } as const;

it.each([
  ['claude-code', 'Bash(npm test)', '"permissions": {"allow": ["Bash(npm *)"]} in .claude/settings.json'],
  [
    'qwen',
    'run_shell_command(npm test)',
    '{"allow": ["run_shell_command(npm test)"]} in .qwen/settings.json',
  ],
  ['copilot', 'shell(npm test)', "-- --allow-tool 'shell(npm test:*)' at the end of this command"],
  // What an agent wrote is nothing that a shell reads.
  ['copilot', "shell(echo '; id #')", `'shell(echo '\\''; id #'\\'':*)'`],
  ['copilot', 'create(/p/.github/x)', '-- --allow-tool write at the end'],
  // Half a command is no rule.
  ['qwen', `run_shell_command(${'x '.repeat(200)})`, 'Allow it in the settings of Qwen Code, then'],
  ['codex', 'command_execution(npm test)', '`--access full` allows it'],
])('what %s denied is allowed by a rule of its own', (client, denied, rule) => {
  const record = newRecord({ run: 'idle:x', session: 's', prompt: 'p', root: '/p' }, { client });
  const [said, how] = whatNext({ ...FINISHED, denied }, record, 'holdfast');
  expect(said).toContain(denied.slice(0, 100));
  expect(how).toContain(rule);
  expect(how).toContain('run --continue');
});
