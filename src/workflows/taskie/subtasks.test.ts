import { describe, expect, it } from 'vitest';
import { hasPendingSubtask, isImplemented, parseSubtasks } from './subtasks.ts';

const subtask = (name: string, status: string): string =>
  `### Subtask ${name}: Title\n- **Short description**: Status: unclear\n- **Status**: ${status}\n- **Complexity**: 3\n`;

describe('a task file', () => {
  it('gives its subtasks with their statuses', () => {
    const text = `# Task 1\n- **Status**: pending\n\n${subtask('1.1', 'completed')}\n${subtask('1.2', 'Pending')}`;
    expect(parseSubtasks(text.replaceAll('\n', '\r\n'))).toMatchObject([
      { name: '1.1', status: 'completed' },
      { name: '1.2', status: 'pending' },
    ]);
  });

  it.each([
    '- **Status:** completed',
    '**Status**: completed',
    'Status: `completed`',
    'Status: ✅ Completed on Monday',
    '* Status : **completed**',
  ])('understands %s', (line) => {
    expect(parseSubtasks(`### Subtask 1.1: T\n${line}\n`)).toMatchObject([
      { name: '1.1', status: 'completed' },
    ]);
  });

  it.each([
    ['completed', true],
    ['awaiting-review', true],
    ['postponed', true],
    ['pending', false],
    ['review-changes-requested', false],
    ['', false],
  ])('with a subtask that is %s is implemented: %s', (status, implemented) => {
    expect(isImplemented(subtask('1.1', 'completed') + subtask('1.2', status))).toBe(implemented);
  });

  it.each([
    ['⏳ Pending', true],
    ['completed', false],
    ['still pending', true],
    ['`pending` (blocked)', true],
    ['', false],
  ])('with a subtask that is "%s" has a pending one: %s', (status, pending) => {
    expect(hasPendingSubtask(subtask('1.1', 'completed') + subtask('1.2', status))).toBe(pending);
  });

  it('passes over examples in code blocks', () => {
    expect(isImplemented(`${subtask('1.1', 'completed')}\n~~~\n${subtask('9.9', 'pending')}~~~\n`)).toBe(
      true,
    );
  });
});
