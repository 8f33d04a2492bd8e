import { describe, expect, it } from 'vitest';
import type { Waiting } from '../../store/records.ts';
import { answeredLine, lastLines, openQuestionLine, questionNotice, reviewerNotice } from './words.ts';

const cli = '/opt/holdfast';
const lines = (more: Partial<Parameters<typeof lastLines>[0]> = {}): string[] =>
  lastLines({ tasks: [], ask: 'wait', cli, ...more }).split('\n');
const shell = (command: string) => ({ id: command, type: 'shell', command });

describe('the last lines of a hold', () => {
  it('say how to ask, as the very last', () => {
    expect(lines()).toHaveLength(1);
    expect(lines({ tasks: [shell('npm test')], leavesRunning: true }).at(-1)).toBe(lines()[0]);
    expect(lines()[0]).toContain('`/opt/holdfast ask "<question>"`');
  });

  it('say that nobody is there, where that is so', () => {
    const [only] = lines({ ask: 'refuse' });
    expect(only).toMatch(/^Nobody is here.*safest choice.*ASSUMPTIONS\.md/);
    expect(only).not.toContain('holdfast ask');
  });

  it('name each shell that runs, and how to wait for it', () => {
    const said = lines({
      tasks: [shell('npm test'), shell('node server.js'), { id: 'a', type: 'subagent' }],
    });
    expect(said).toHaveLength(3);
    expect(said[0]).toMatch(/^`npm test` still runs\. .*`\/opt\/holdfast wait`.*else go on\.$/);
    expect(said[1]).toMatch(/^`node server\.js` still runs\./);
  });

  it('name a process that only the tool output tells of', () => {
    expect(lines({ leavesRunning: true })[0]).toMatch(/^A process that you started still runs\..* wait`/);
  });

  it('stay short, and carry nothing that steers a terminal', () => {
    const said = lines({ tasks: [shell(`echo \u001b[2J\n${'x'.repeat(999)}`)] });
    expect(said).toHaveLength(2);
    expect(said[0]).toMatch(/^`echo {1,2}\[2J x{10,}…` still runs\./);
    expect(said[0]?.length).toBeLessThan(300);
    const many = lines({ tasks: Array.from({ length: 9 }, (_, index) => shell(`job ${index}`)) });
    expect(many).toHaveLength(7);
    expect(many[5]).toMatch(/^4 more still run\. If you need their result: /);
    const six = lines({ tasks: Array.from({ length: 6 }, (_, index) => shell(`job ${index}`)) });
    expect(six[5]).toMatch(/^One more still runs\. If you need its result: /);
  });
});

const asked: Waiting = { for: 'person', since: 0, until: 1, what: 'Which\ndatabase?', shown: null };

it('repeats the question to the agent, on one line, and not all of a long one', () => {
  expect(answeredLine(asked)).toMatch(/^Your question \("Which database\?"\) was answered: /);
  expect(answeredLine({ ...asked, what: 'y'.repeat(2000) }).length).toBeLessThan(300);
});

it('shows the user the whole question', () => {
  expect(questionNotice({ ...asked, what: `${'y'.repeat(1999)}?` })).toContain(`asks: ${'y'.repeat(1999)}?`);
});

it('says when a review comes', () => {
  const since = Date.UTC(2026, 10, 16, 17, 0);
  const limit: Waiting = { for: 'limit', since, until: since + 3_600_000, what: 'x', reviewer: 'codex' };
  expect(reviewerNotice(limit, 'taskie:a')).toMatch(/codex is at its usage limit until 2026-11-16 18:00 UTC/);
  expect(reviewerNotice({ ...limit, until: null }, 'taskie:a')).toMatch(/asked again after 2026-11-16 17:10/);
  // A record that names no time there is: the longest wait stands for it.
  expect(reviewerNotice({ ...limit, until: 1e300 }, 'taskie:a')).toContain('until 2026-11-24 17:00 UTC');
});

describe('an open question, to an agent that has lost its conversation', () => {
  it('is repeated, with whether the user was shown it', () => {
    expect(openQuestionLine(asked)).toBe(
      'You have asked the user: "Which database?" They are shown it when you end your turn.',
    );
    expect(openQuestionLine({ ...asked, shown: { marker: null, turn: null } })).toBe(
      'You have asked the user: "Which database?" The run waits for the answer. Unless they have given it since, end your turn.',
    );
    const long = openQuestionLine({ ...asked, what: 'y'.repeat(2001) });
    expect(long).toContain(`"${'y'.repeat(1999)}…"`);
  });

  it('of a paused run is only that it is their turn', () => {
    expect(openQuestionLine({ ...asked, pause: true })).toBe(
      "The run is paused: it is the user's turn. Unless they have said since how to go on, end your turn.",
    );
  });
});

describe('the notice of a question', () => {
  it('says what comes of an answer', () => {
    expect(questionNotice(asked)).toBe(
      'Holdfast: the agent asks: Which database?\nIt waits for your answer: write it here, and the work goes on.',
    );
    expect(questionNotice(asked, 'idle:a')).toBe(
      'Holdfast: the agent asks: Which database?\nidle:a is over, so it does not wait for your answer.',
    );
  });

  it('of a paused run is what was said, and no longer than it may be', () => {
    expect(questionNotice({ ...asked, pause: true })).toBe('Which database?');
    const most = 'y'.repeat(4000);
    expect(questionNotice({ ...asked, pause: true, what: most })).toBe(most);
    expect(questionNotice({ ...asked, pause: true, what: `${most}y` })).toBe(`${'y'.repeat(3999)}…`);
  });
});

it('five shells are named, and a command of eighty characters is whole', () => {
  const five = Array.from({ length: 5 }, (_, index) => shell(`job ${index}`));
  expect(lines({ tasks: five })).toHaveLength(6);
  expect(lines({ tasks: [shell('x'.repeat(80))] })[0]).toMatch(/^`x{80}` still/);
  expect(lines({ tasks: [shell('x'.repeat(81))] })[0]).toMatch(/^`x{79}…` still/);
  // With a shell that is named, nothing is said of a process without a name.
  expect(lines({ tasks: [shell('a')], leavesRunning: true })).toHaveLength(2);
});

it('a reviewer without a name is called so', () => {
  const limit: Waiting = { for: 'limit', since: 0, until: 60_000, what: 'x' };
  expect(reviewerNotice(limit, 'taskie:a')).toBe(
    'Holdfast: the reviewer is at its usage limit until 1970-01-01 00:01 UTC. Nothing is counted: the review of taskie:a comes at the first stop after that.',
  );
});
