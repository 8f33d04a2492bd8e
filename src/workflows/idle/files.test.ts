import { expect, it } from 'vitest';
import { FALLBACK_FILE, fallbackPath, LOG_FILE, logPath, promptFile, TOPIC } from './files.ts';

it('the files of a loop lie at fixed places in the project', () => {
  expect([TOPIC, LOG_FILE, FALLBACK_FILE]).toEqual([
    'loop:current',
    '.jwz/messages.jsonl',
    '.claude/idle-loop.local.md',
  ]);
  expect([logPath('/p'), fallbackPath('/p')]).toEqual([
    '/p/.jwz/messages.jsonl',
    '/p/.claude/idle-loop.local.md',
  ]);
  expect(promptFile('/p', 'F')).toEqual({ path: '/p/.holdfast/idle/F.md', inState: '.holdfast/idle/F.md' });
});
