import { describe, expect, it } from 'vitest';
import { canResume, expectStarted } from '../../../../test/support/headless.ts';
import { headless } from './index.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
const PROMPT = '{"type":"user"}\n';
const line = (content: string): string =>
  `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;

describe('a session of Claude Code', () => {
  it.each<[string, string, Record<string, string>, boolean]>([
    ['with a prompt', SESSION, { [`.claude/projects/-p/${SESSION}.jsonl`]: `{}\n${PROMPT}` }, true],
    [
      'in one of several folders',
      SESSION,
      { '.claude/projects/-a/x.jsonl': PROMPT, [`.claude/projects/-p/${SESSION}.jsonl`]: PROMPT },
      true,
    ],
    [
      'without a prompt',
      SESSION,
      { [`.claude/projects/-p/${SESSION}.jsonl`]: '{"type":"summary"}\n' },
      false,
    ],
    ['of another id', SESSION, { '.claude/projects/-p/x.jsonl': PROMPT }, false],
    ['without a file', SESSION, {}, false],
    [
      'whose id is no plain one',
      '../x',
      { '.claude/projects/x.jsonl': PROMPT, '.claude/projects/-p/y': '' },
      false,
    ],
  ])('is gone on with or not: one %s', (_, session, files, goesOn) => {
    expect(canResume(headless, session, files)).toBe(goesOn);
  });

  it('lies where its variable says, which must be a whole path', () => {
    const files = { [`c/projects/-p/${SESSION}.jsonl`]: PROMPT };
    expect(canResume(headless, SESSION, files)).toBe(false);
    expect(canResume(headless, SESSION, files, ({ home }) => ({ CLAUDE_CONFIG_DIR: `${home}/c` }))).toBe(
      true,
    );
    const usual = { [`.claude/projects/-p/${SESSION}.jsonl`]: PROMPT };
    expect(canResume(headless, SESSION, usual, () => ({ CLAUDE_CONFIG_DIR: 'c' }))).toBe(true);
    expect(canResume(headless, SESSION, usual, ({ home }) => ({ CLAUDE_CONFIG_DIR: `${home}/c` }))).toBe(
      false,
    );
  });
});

it('Claude Code is started in the project, with its prompt and the user’s own variables', async () => {
  await expectStarted(headless, {
    ...{ program: 'claude', stream: 'claude-code/stream-hold-2.1.325.jsonl', session: SESSION },
    args: [
      ...[
        '-p',
        '--input-format',
        'stream-json',
        '--output-format',
        'stream-json',
        '--verbose',
        '--include-hook-events',
      ],
      ...['--session-id', SESSION, '--dangerously-skip-permissions', '--more'],
    ],
    input: {
      read: '{ read -r a; read -r b; printf "%s\\n" "$a" "$b"; }',
      sent: 'Go on.',
      is: `${line('Do it.')}${line('Go on.')}`,
    },
  });
});

it('what the driver may count on in Claude Code', () => {
  const { canResume: _, start, ...traits } = headless;
  expect(traits).toEqual({ choosesSession: true });
});
