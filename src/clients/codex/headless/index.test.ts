import { describe, expect, it } from 'vitest';
import { canResume, expectStarted } from '../../../../test/support/headless.ts';
import { headless } from './index.ts';

const SESSION = '019a9000-0000-7000-8000-000000000001';
const DAY = new Date(0x019a90000000).toISOString().slice(0, 10).replaceAll('-', '/');
const row = (role: string, text: string): string =>
  `${JSON.stringify({ type: 'response_item', payload: { type: 'message', role, content: [{ text }] } })}\n`;
const rollout = (...rows: string[]): Record<string, string> => ({
  [`.codex/sessions/${DAY}/rollout-2025-${SESSION}.jsonl`]: rows.join(''),
});

describe('a session of Codex', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['with a prompt', rollout(row('user', '<environment_context>'), row('user', 'x')), true],
    ['with its own context alone', rollout(row('user', '<environment_context>')), false],
    ['with what the agent said alone', rollout(row('assistant', 'the "user"')), false],
    ['with nothing', rollout(), false],
    ['without a file', {}, false],
  ])('is gone on with or not: one %s', (_, files, goesOn) => {
    expect(canResume(headless, SESSION, files)).toBe(goesOn);
  });
});

it('Codex is started in the project, with its prompt and the user’s own variables', async () => {
  await expectStarted(headless, {
    ...{ program: 'codex', stream: 'codex/stream-hold.jsonl', session: SESSION },
    args: [
      ...['exec', '--json', '--dangerously-bypass-approvals-and-sandbox'],
      ...['-c', 'features.unbounded_connection_retries=false', '--more', '-'],
    ],
  });
});

it('what the driver may count on in Codex', () => {
  const { canResume: _, start, ...traits } = headless;
  expect(traits).toEqual({ choosesSession: false });
});
