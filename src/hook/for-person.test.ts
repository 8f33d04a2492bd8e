import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../test/support/bare-project.ts';
import { programs } from '../../test/support/programs.ts';
import { clientNamed } from '../clients/index.ts';
import { withMarksHere } from '../clients/skill-marks.ts';
import { SCRIPT_MARK } from '../store/own-command.ts';
import { forPerson } from './for-person.ts';

const CLI = '/opt/holdfast/bin/holdfast';
const NOTICE = `Run /taskie:continue-plan (or \`${CLI} taskie next\`), see /a/b:c and file://x:y.`;

const shown = (client: string, env = {}): string | null =>
  forPerson(NOTICE, clientNamed(client), { cli: CLI, env });

describe('a notice', () => {
  it('names skills as the client’s users type them', () => {
    expect(shown('claude-code')).toBe(NOTICE);
    expect(shown('codex')).toBe(NOTICE.replace('/taskie', '$taskie'));
  });

  it('has the short name where the one on PATH is ours, and not where it goes to the agent', () => {
    const folder = emptyFolder();
    const command = path.join(folder, 'holdfast');
    fs.writeFileSync(command, '#!/bin/sh\necho other\n', { mode: 0o755 });
    expect(shown('claude-code', { PATH: folder })).toBe(NOTICE);
    fs.writeFileSync(command, `#!/bin/sh\n${SCRIPT_MARK}\n`);
    expect(shown('claude-code', { PATH: folder })).toBe(NOTICE.replace(CLI, 'holdfast'));
    expect(shown('copilot', { PATH: folder })).toBe(NOTICE);
  });
});

describe('what a command prints', () => {
  const text = 'Begin with /taskie:new-plan.';

  it.each<[string, object, string[], string]>([
    ['in Claude Code', { CLAUDE_CODE_SESSION_ID: 's' }, ['codex'], text],
    ['in Codex', { CODEX_SESSION_ID: 's' }, ['codex', 'claude'], 'Begin with $taskie:new-plan.'],
    ['in a terminal with Codex alone', {}, ['codex'], 'Begin with $taskie:new-plan.'],
    [
      'in a terminal with both',
      {},
      ['codex', 'claude'],
      'Begin with /taskie:new-plan (in Codex with $ in place of /).',
    ],
    ['in a terminal with none', {}, [], text],
  ])('%s has its mark', (_, env, there, said) => {
    const { PATH } = programs(Object.fromEntries(there.map((name) => [name, {}]))).env;

    expect(withMarksHere({ ...env, PATH }, text)).toBe(said);
  });
});
