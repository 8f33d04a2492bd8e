import { describe, expect, it } from 'vitest';
import type { Command } from '../engine/workflow-cli.ts';
import { commands } from './commands.ts';
import { clientWords } from './install/clients.ts';

/** Of the words a command takes: none, or from … to …. */
type Row = [name: string, summary: string, writes: boolean, least: number, most: number];

const ROWS: readonly Row[] = [
  ['status', 'the runs of this project, where each stands and whose it is', false, 0, 0],
  ['why', 'why the last stop was held or allowed, in plain words', false, 0, 0],
  ['log', 'what happened to the runs, stop by stop', false, 0, 0],
  ['findings', 'what reviewers found, and what became of it', false, 0, 0],
  ['report', 'a run after the fact, to send around: Markdown, one HTML file, or JSON', false, 0, 1],
  ['cancel', 'end a run; the agent is let go at its next stop', true, 0, 1],
  ['adopt', "make a run this session's, with a fresh count of holds", true, 1, 1],
  ['resume', 'grant a run more than its budget; one that is paused goes on', true, 0, 60],
  ['watch', 'the runs of this project, live in the terminal; --all: of all projects', false, 0, 0],
  ['web', 'a page with all runs of all projects, live, for you alone', false, 0, 0],
  [
    'run',
    'drive a run with nobody there: start the client, keep it going, say how it ended',
    ...([true, 0, Number.POSITIVE_INFINITY] as const),
  ],
  ['check', "run the project's checks now, as a claim to be done would", true, 0, 100],
  ['trust', "read the project's checks and allow Holdfast to run them", true, 0, 0],
  [
    'ask',
    'for agents: ask the user something; the run waits for the answer',
    ...([true, 0, Number.POSITIVE_INFINITY] as const),
  ],
  ['wait', 'for agents: wait for something in the background, at most 100 s a call', false, 0, 0],
  ['notify', 'try whether you are called as your settings say', false, 0, 0],
  ['export', 'send the journals of all projects to an OpenTelemetry collector', false, 0, 0],
  ['doctor', 'check node, clients, hook, config and state; say how to fix what is wrong', false, 0, 0],
  [
    'install',
    'put Holdfast into Claude Code, Codex, Copilot CLI, Qwen Code, Droid, Gemini CLI and opencode, and check that it loaded',
    ...([true, 0, 0] as const),
  ],
  ['uninstall', 'take Holdfast out of the clients again; your runs stay where they are', true, 0, 0],
  ['replay', 'decide a recorded stop again and compare', false, 1, 1],
  ['demo', 'watch the workflows at work with a scripted agent, in a temp folder', true, 0, 1],
];

const named = (name: string): Command => {
  const found = commands.find((command) => command.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

describe('the commands', () => {
  it('are listed by what a user needs first, each with what it is for', () => {
    expect(
      commands.map(({ name, summary, writes, words }) => [name, summary, writes, words.least, words.most]),
    ).toEqual(ROWS);
  });

  const USAGES: readonly [string, string][] = [
    ['log', '[--run RUN] [--limit N] [--follow] [--json]'],
    ['findings', '[--run RUN] [--open|--contested] [--json|--markdown]'],
    ['cancel', '[run]'],
    ['adopt', '<run>'],
    ['check', '[--json] [name …]'],
    ['ask', '<question>'],
    [
      'export',
      '--otlp URL [--follow] [--since TIME] [--signals traces,logs,metrics] [--header NAME=VALUE]… [--paths]',
    ],
    ['doctor', '[--json]'],
    [
      'install',
      `[--client ${clientWords.join('|')}] [--scope user|project] [--workflow NAME]… [--trust] [--status-line] [--dry-run]`,
    ],
    ['demo', '[WORKFLOW] [--keep] [--json]'],
  ];
  it.each(USAGES)('%s says how it is used', (name, usage) => {
    expect(named(name).usage).toBe(usage);
  });

  // Of these the usage does not say all of them.
  const others = commands.filter(({ name }) => !['run', 'notify'].includes(name));
  it.each(others.map((command) => [command.name, command] as const))(
    '%s takes the flags that its usage names, and no others',
    (_, { usage, options }) => {
      expect(options).toEqual(flagsIn(usage));
    },
  );

  it.each([
    ['notify', { test: 'boolean', send: 'boolean' }],
    ['replay', { json: 'boolean' }],
  ])('%s takes its flags', (name, flags) => {
    const { options } = named(name);
    expect(Object.fromEntries(Object.entries(options).map(([flag, { type }]) => [flag, type]))).toEqual(
      flags,
    );
  });
});

/** `--limit N`: with a value. `--open|--contested`: without. `[--header NAME=VALUE]…`: several times. */
function flagsIn(usage: string): Command['options'] {
  const flags = [...usage.matchAll(/--([a-z-]+)( (?![|-])[^\s\]]+)?(\]…)?/g)];
  return Object.fromEntries(
    flags.map(([, flag, value, again]) => [
      flag,
      {
        type: value === undefined ? 'boolean' : 'string',
        ...(again === undefined ? {} : { multiple: true }),
      },
    ]),
  );
}

describe('the help of a command', () => {
  const HELPS: readonly [string, string | undefined][] = [
    ['log', undefined],
    ['doctor', undefined],
    [
      'findings',
      'Without --run: the runs that go on, else the last one with findings. Contested: rejected by the agent, and raised again by a reviewer.',
    ],
    ['cancel', 'Without a name it ends the one live run of the project; with several it lists them.'],
    [
      'adopt',
      'In a plain terminal the run goes to the next session that stops in this project within ten minutes.',
    ],
    [
      'check',
      'Without a name it runs the checks of the project; those of your own file run when they are named.\nEnds with 0 when all of them passed, else with 1. The output of each is in .holdfast/checks/.',
    ],
    [
      'ask',
      'Then end your turn: the question is shown to the user, and you go on when they have answered. Without words it\nis read from standard input. At most three questions in a row without progress.',
    ],
    [
      'install',
      [
        'Without --client: those on PATH. Without --workflow: all of them; name one or several, also with commas.',
        '--scope project installs for the project in this folder only; not in Codex, Copilot CLI, Qwen Code, Droid, Gemini CLI or opencode.',
        '--trust records in Codex that you trust the hooks which are shown; otherwise it says what to press.',
        "--status-line also shows the runs in the client's status line, where you have none.",
        '--dry-run changes nothing and shows the commands.',
      ].join('\n'),
    ],
  ];
  it.each(HELPS)('%s', (name, help) => {
    expect(named(name).help).toBe(help);
  });

  it('has a line for each flag of export', () => {
    const { help = '', options } = named('export');
    const lines = help.split('\n');
    expect(lines.slice(0, -2).map((line) => line.split(' ')[0])).toEqual(
      Object.keys(options).map((flag) => `--${flag}`),
    );
    expect(lines.slice(-2)).toEqual([
      '',
      'Where it left off is kept per collector, so the same command sends what is new. docs/fleet.md says what is sent.',
    ]);
  });
});
