import { expect, it } from 'vitest';
import type { Waiting } from '../../store/records.ts';
import { answeredLine, lastLines, openQuestionLine, questionNotice, reviewerNotice } from './words.ts';

const lines = (more: Partial<Parameters<typeof lastLines>[0]> = {}): string =>
  lastLines({ tasks: [], ask: 'wait', cli: '/opt/holdfast', ...more });
const shell = (command: string) => ({ id: command, type: 'shell', command });
const jobs = (length: number) => Array.from({ length }, (_, index) => shell(`job ${index}`));
const asked: Waiting = { for: 'person', since: 0, until: 1, what: 'Which\ndatabase?', shown: null };
const limit: Waiting = { for: 'limit', since: Date.UTC(2026, 10, 16, 17), until: null, what: 'x' };

it('what is said about waiting', async () => {
  const said = [
    lines(),
    lines({ ask: 'refuse' }),
    lines({ tasks: [...jobs(1), { id: 'a', type: 'subagent' }], leavesRunning: true }),
    lines({ leavesRunning: true }),
    ...[5, 6, 9].map((count) => lines({ tasks: jobs(count) })),
    ...[80, 81].map((length) => lines({ tasks: [shell('x'.repeat(length))] })),
    lines({ tasks: [shell('echo \u001b[2J\nx')] }),
    answeredLine(asked),
    answeredLine({ ...asked, what: 'y'.repeat(201) }),
    openQuestionLine(asked),
    openQuestionLine({ ...asked, shown: { marker: null, turn: null } }),
    openQuestionLine({ ...asked, pause: true }),
    questionNotice(asked),
    questionNotice(asked, 'idle:a'),
    questionNotice({ ...asked, pause: true }),
    reviewerNotice(limit, 'taskie:a'),
    reviewerNotice({ ...limit, reviewer: 'codex' }, 'taskie:a'),
    reviewerNotice({ ...limit, reviewer: 'codex', until: limit.since + 3_600_000 }, 'taskie:a'),
    // A record that names no time there is: the longest wait stands for it.
    reviewerNotice({ ...limit, reviewer: 'codex', until: 1e300 }, 'taskie:a'),
  ];
  await expect(`${said.join('\n\n')}\n`).toMatchFileSnapshot('./golden/words.txt');
});

it.each([
  ['to an agent that has lost its conversation', openQuestionLine, 2000],
  ['to the user', (waiting: Waiting) => questionNotice({ ...waiting, pause: true }), 4000],
])('a question is cut where it is too long: %s', (_, say, most) => {
  expect(say({ ...asked, what: 'y'.repeat(most) })).toContain('y'.repeat(most));
  expect(say({ ...asked, what: 'y'.repeat(most + 1) })).toContain(`${'y'.repeat(most - 1)}…`);
});
