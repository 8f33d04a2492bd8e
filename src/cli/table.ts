// Every command of ours in one table: where help shows it, who may call it, and how it is typed. `holdfast help`,
// docs/commands.md, the refusals in an agent's shell and the rules of a driven client are all made from it.

import { isInsideClient } from '../clients/index.ts';
import { type Call, NotNow } from '../engine/workflow-cli.ts';
import { ATTEMPT_VARIABLE, DRIVER_VARIABLE } from '../store/environment.ts';
import { inOneParagraph } from '../text/paragraph.ts';
import { shellQuote } from '../text/shell.ts';

/** `anybody`: it only looks. `agent`: a run's own agent may, too. `person`: refused in an agent's shell. */
export type Caller = 'anybody' | 'agent' | 'person';

export type Group = 'start' | 'look' | 'steer' | 'set up' | 'for agents and workflows';

export type Row = {
  /** As it is typed: `idle loop`. */
  name: string;
  group: Group;
  who: Caller;
  /** What only a person does with it: `only a person … `. Of commands that are a person's. */
  does?: string;
  /** A user who is there may have their agent do it: it is refused where a run is driven. */
  withUser?: true;
  /** Options for which another caller is meant than for the command. */
  options?: Readonly<Record<string, Caller>>;
  examples?: readonly string[];
  /** Of a workflow that no command of ours starts. */
  summary?: string;
};

const start: readonly Row[] = [
  {
    ...{ name: 'init', group: 'start', who: 'person' },
    does: 'can say what proves that work is done',
    examples: ['holdfast init', 'holdfast init --yes'],
  },
  {
    ...{ name: 'run', group: 'start', who: 'person', does: 'starts a client' },
    examples: [
      'holdfast run idle loop "Make the failing tests pass"',
      'holdfast run --hours 8 --unattended --worktree flow start fix-ci',
      'holdfast run --client codex taskie "A search in the settings page"',
      'holdfast run --continue --answer "Take the second one"',
    ],
  },
  {
    ...{ name: 'idle loop', group: 'start', who: 'agent' },
    examples: [
      'holdfast idle loop "Make the failing tests pass"',
      'holdfast idle loop --max 30 --until test "Port the parser to the new API"',
      'holdfast idle loop --tokens 2M --hours 4 < task.txt',
    ],
  },
  {
    ...{ name: 'flow start', group: 'start', who: 'agent' },
    examples: ['holdfast flow start tdd "A date picker"', 'holdfast flow start --tokens 2M fix-ci'],
  },
  {
    ...{ name: 'claudex plan', group: 'start', who: 'agent' },
    examples: ['holdfast claudex plan "Move the queue to Postgres"'],
  },
  {
    ...{ name: 'taskie', group: 'start', who: 'anybody' },
    summary: 'plan, tasks and code, each reviewed until clean; says how it starts',
  },
  {
    ...{ name: 'demo', group: 'start', who: 'anybody' },
    examples: ['holdfast demo', 'holdfast demo idle'],
  },
];

const look: readonly Row[] = [
  {
    ...{ name: 'status', group: 'look', who: 'anybody' },
    examples: ['holdfast status', 'holdfast status -a', 'holdfast status idle', 'holdfast status --json'],
  },
  { ...{ name: 'watch', group: 'look', who: 'anybody' }, examples: ['holdfast watch', 'holdfast watch -a'] },
  // In a client's shell it only looks: its buttons are left out.
  { ...{ name: 'web', group: 'look', who: 'anybody' }, examples: ['holdfast web --open'] },
  { ...{ name: 'why', group: 'look', who: 'anybody' }, examples: ['holdfast why', 'holdfast why idle'] },
  {
    ...{ name: 'log', group: 'look', who: 'anybody' },
    examples: ['holdfast log', 'holdfast log idle -n 50', 'holdfast log --follow'],
  },
  {
    ...{ name: 'report', group: 'look', who: 'anybody' },
    examples: ['holdfast report', 'holdfast report --html > report.html', 'holdfast report idle --json'],
  },
  {
    ...{ name: 'findings', group: 'look', who: 'anybody' },
    examples: ['holdfast findings', 'holdfast findings taskie:search --open'],
  },
];

const BUDGET: Row['options'] = { tokens: 'person', hours: 'person', reviews: 'person', usd: 'person' };

const steer: readonly Row[] = [
  {
    // What an agent is told who asks for more is the grant's own to say (engine/budget/grant-wall.ts).
    ...{ name: 'resume', group: 'steer', who: 'agent', options: BUDGET },
    examples: [
      'holdfast resume',
      'holdfast resume idle --tokens 1M',
      'holdfast resume --answer "The first one"',
    ],
  },
  {
    ...{ name: 'cancel', group: 'steer', who: 'agent' },
    examples: ['holdfast cancel', 'holdfast cancel idle'],
  },
  {
    ...{ name: 'dismiss', group: 'steer', who: 'person', does: 'puts runs out of sight' },
    examples: ['holdfast dismiss idle', 'holdfast dismiss --ended'],
  },
];

const setUp: readonly Row[] = [
  {
    ...{
      name: 'install',
      group: 'set up',
      who: 'person',
      does: 'puts Holdfast into a client',
      withUser: true,
    },
    examples: ['holdfast install', 'holdfast install --client codex --trust', 'holdfast install --dry-run'],
  },
  {
    ...{
      name: 'uninstall',
      group: 'set up',
      who: 'person',
      does: 'takes Holdfast out of a client',
      withUser: true,
    },
    examples: ['holdfast uninstall', 'holdfast uninstall --dry-run'],
  },
  {
    ...{ name: 'doctor', group: 'set up', who: 'anybody' },
    examples: ['holdfast doctor'],
  },
  {
    ...{ name: 'trust', group: 'set up', who: 'person', does: 'can say what is trusted' },
    options: { list: 'anybody' },
    examples: ['holdfast trust', 'holdfast trust --list', 'holdfast trust --revoke'],
  },
  {
    ...{ name: 'check', group: 'set up', who: 'agent', options: { 'accept-red': 'person' } },
    examples: ['holdfast check', 'holdfast check test'],
  },
  {
    ...{ name: 'flow new', group: 'set up', who: 'agent' },
    examples: ['holdfast flow new migrate', 'holdfast flow new our-tdd --from tdd'],
  },
  {
    ...{ name: 'flow check', group: 'set up', who: 'anybody' },
    examples: ['holdfast flow check migrate', 'holdfast flow check tdd --svg > tdd.svg'],
  },
  {
    ...{ name: 'notify', group: 'set up', who: 'person', does: 'has notifications sent', withUser: true },
    examples: ['holdfast notify --test'],
  },
  {
    ...{
      name: 'export',
      group: 'set up',
      who: 'person',
      does: 'sends the journals elsewhere',
      withUser: true,
    },
    examples: ['holdfast export --otlp http://localhost:4318 --follow'],
  },
];

const machine = (who: Caller, ...names: string[]): Row[] =>
  names.map((name) => ({ name, who, group: 'for agents and workflows' }));

export const table: readonly Row[] = [
  ...start,
  ...look,
  ...steer,
  ...setUp,
  ...machine('agent', 'ask', 'wait', 'adopt'),
  {
    ...{ name: 'replay', group: 'for agents and workflows', who: 'anybody' },
    examples: ['holdfast replay 3', 'holdfast replay 3 --json'],
  },
  ...machine('anybody', 'help'),
  ...machine('agent', 'idle issue', 'idle grind', 'idle resume', 'idle cancel'),
  ...machine('anybody', 'idle status', 'flow list', 'flow status'),
  ...machine('agent', 'flow cancel', 'taskie next', 'taskie record', 'taskie cancel'),
  ...machine('anybody', 'taskie validate', 'taskie status', 'claudex status', 'claudex doctor'),
  ...machine('agent', 'claudex review', 'claudex wait', 'claudex done', 'claudex cancel', 'claudex rollback'),
];

export const GROUPS: readonly Group[] = ['start', 'look', 'steer', 'set up', 'for agents and workflows'];

export function rowOf(name: string): Row | undefined {
  return table.find((row) => row.name === name);
}

/** What the agent of a driven client may call, as it is typed after our name. */
export const forAgents: readonly string[] = table.flatMap(({ name, who, options = {}, summary }) => [
  ...(who === 'person' || summary !== undefined ? [] : [name]),
  ...Object.entries(options).flatMap(([option, caller]) =>
    who === 'person' && caller !== 'person' ? [`${name} --${option}`] : [],
  ),
]);

/**
 * Refused where a command is a person's and an agent's shell runs it. A courtesy, not a wall: an agent that has the user's
 * rights can leave its client's variables away. What must hold against that has a wall of its own.
 */
export function refuseUnlessCaller(name: string, { flags, env }: Pick<Call, 'flags' | 'env'>): void {
  const row = rowOf(name);
  const isDriven = env[DRIVER_VARIABLE] !== undefined || env[ATTEMPT_VARIABLE] !== undefined;
  if (row?.does === undefined || !(row.withUser ? isDriven : isInsideClient(env))) return;
  const given = Object.keys(flags).find((flag) => row.options?.[flag] !== undefined);
  const who = given === undefined ? row.who : row.options?.[given];
  if (who !== 'person') return;
  throw new NotNow(
    `only a person ${row.does}: run \`holdfast ${name}\` yourself, in a terminal outside of any coding agent.`,
  );
}

export type Step = { type: string; does: string };

/** Where nothing runs yet. */
export const FIRST_STEPS: readonly Step[] = [
  { type: 'holdfast init', does: 'say how this project is tested, so that done means proven' },
  { type: '/idle:loop Make the failing tests pass', does: 'typed in your client; in Codex: $idle:loop …' },
  { type: 'holdfast run idle loop "Make the failing tests pass"', does: 'Holdfast starts the client itself' },
];

/** For a task that was typed without a workflow before it. */
export const howToLoop = (task: string): string =>
  `For a task: holdfast run idle loop ${shellQuote(inOneParagraph(task, 200))}`;
