import { describe, expect, it } from 'vitest';
import { newRecord } from '../../../test/driver/records.ts';
import type { Stand, Why } from '../../driver/types.ts';
import { continueCommand, nameOf, outcomeOf, whatNext } from './words.ts';

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

const RECORD = newRecord({ run: 'idle:x', root: '/my p' });
const AGAIN = `cd '/my p' && hf run --continue idle:x`;
const TRY = `What happened: hf log. To try it again: ${AGAIN}`;

describe('how a drive ended', () => {
  const rows: readonly [Why, string, readonly string[]][] = [
    ['completed', 'completed', []],
    [
      'unproven',
      'completed, but unproven',
      ['To see why it is unproven: hf why. To run the checks now: hf check'],
    ],
    ['stop-at', 'stopped where you asked for', [`To go on from there: ${AGAIN}`]],
    ['stuck', 'unfinished: the agent was stuck', [TRY]],
    ['limit', 'unfinished: it reached its maximum', [TRY]],
    ['cancelled', 'cancelled', ['What happened: hf log']],
    ['released', 'unfinished: no progress, in a new session too', [TRY]],
    [
      'cancelled-by-agent',
      'cancelled by its agent',
      [
        'The run was ended by neither a stop nor a person, so its client was not left to work on. What happened: hf log',
      ],
    ],
    ['unknown-end', 'over, and nobody knows how it ended', ['What happened: hf log']],
    [
      'taken-over',
      'taken over by another session, which goes on with it',
      [`Whose it is now: hf status. To drive it again, in a new session: ${AGAIN}`],
    ],
    ['login', 'the client is not logged in', [`Log the client in, then go on with: ${AGAIN}`]],
    ['billing', 'the client reports a problem with billing', [`Once that is settled, go on with: ${AGAIN}`]],
    ['crashes', 'unfinished: the client ended three times in a row without any progress', [TRY]],
    [
      'errors',
      'unfinished: errors of the network or the server, ten tries in a row without any progress',
      [TRY],
    ],
    ['limits', 'unfinished: a usage limit did not end', [TRY]],
    ['prompts', 'unfinished: the agent ends its turns, and nothing holds it or moves', [TRY]],
    ['overflows', 'unfinished: the context was too long, in a new session too', [TRY]],
    ['handed', 'unfinished: many new sessions in a row, and nothing moved', [TRY]],
    [
      'never-began',
      'the client did not start',
      [`Start the client once by hand in /my p to see what it says, then go on with: ${AGAIN}`],
    ],
  ];
  it.each(rows)('is said, and what to do next: %s', (why, outcome, next) => {
    const finished = { ...FINISHED, why, denied: null };
    expect(outcomeOf(finished)).toBe(outcome);
    expect(whatNext(finished, RECORD, 'hf')).toEqual(next);
  });

  const ACTIVE: Stand = { kind: 'active' };
  const waits: readonly [Why, Stand, string, readonly string[]][] = [
    [
      'question',
      { kind: 'question', what: 'Which\none?' },
      'waits for your answer',
      ['It asks: Which one?', `To answer it and go on: ${AGAIN} --answer '<your answer>'`],
    ],
    [
      'question',
      ACTIVE,
      'waits for your answer',
      ['It asks: ', `To answer it and go on: ${AGAIN} --answer '<your answer>'`],
    ],
    [
      'person',
      { kind: 'person', why: 'Decide on it.' },
      'waits for your decision',
      ['Decide on it.', `Then go on with: ${AGAIN}`],
    ],
    ['person', ACTIVE, 'waits for your decision', [`Then go on with: ${AGAIN}`]],
    [
      'paused',
      { kind: 'paused', why: 'It is spent.', flags: '--usd 5' },
      'paused: its budget is spent',
      ['It is spent.', `To grant more and go on: ${AGAIN} --usd 5`],
    ],
    [
      'paused',
      { kind: 'paused', why: 'It is spent.', flags: '' },
      'paused: its budget is spent',
      ['It is spent.', `To grant more and go on: ${AGAIN}`],
    ],
    ['paused', ACTIVE, 'paused: its budget is spent', []],
  ];
  it.each(waits)('names what it waits for: %s, %j', (why, stand, outcome, next) => {
    const finished = { ...FINISHED, why, stand, denied: null };
    expect(outcomeOf(finished)).toBe(outcome);
    expect(whatNext(finished, RECORD, 'hf')).toEqual(next);
  });

  it('shows two thousand characters of a question, and three hundred of what was denied', () => {
    const asked = whatNext(
      { ...FINISHED, why: 'question', stand: { kind: 'question', what: 'x'.repeat(2001) }, denied: null },
      RECORD,
      'hf',
    );
    expect(asked[0]).toBe(`It asks: ${'x'.repeat(1999)}…`);
    const [denied] = whatNext({ ...FINISHED, denied: 'y'.repeat(301) }, RECORD, 'hf');
    expect(denied).toBe(`The client refused this again and again: ${'y'.repeat(299)}…`);
  });

  it('with full access leaves what is denied to the client’s own settings', () => {
    const record = newRecord({ run: 'idle:x', root: '/p' }, { access: 'full' });
    expect(outcomeOf(FINISHED)).toBe('waits for a permission');
    expect(whatNext({ ...FINISHED, denied: 'Bash(x)' }, record, 'hf')).toEqual([
      'The client refused this again and again: Bash(x)',
      'Claude Code itself denies it: allow it in its own settings, then go on with: cd /p && hf run --continue idle:x',
    ]);
  });

  it('knows no rule where nobody knows what was denied', () => {
    const record = newRecord({ run: 'idle:x', root: '/p' }, { client: 'codex' });
    expect(whatNext({ ...FINISHED, denied: null }, record, 'hf')).toEqual([
      'The client refused this again and again: ',
      '`--access full` allows it, and everything else, then go on with: cd /p && hf run --continue idle:x',
    ]);
  });
});

it('what is driven goes by the name of its run, or by its own id before it has one', () => {
  expect(nameOf({ run: 'idle:x', id: 'i1' })).toBe('idle:x');
  expect(nameOf({ run: null, id: 'i1' })).toBe('i1');
  const record = newRecord({ run: null, root: '/p', id: 'i1' });
  expect(continueCommand(record, 'hf')).toBe('cd /p && hf run --continue i1');
});
