// docs/commands.md, made from the table of commands: `npm run commands` writes it, a test says whether it is current.

import { usageOf } from '../../src/cli/arguments.ts';
import { everyCommand, type Listed } from '../../src/cli/help.ts';
import { GROUPS, type Group } from '../../src/cli/table.ts';
import { registry } from '../../src/workflows/registry.ts';

export async function commandsPage(): Promise<string> {
  const all = await everyCommand();
  const groups = GROUPS.map((group) =>
    section(
      group,
      all.filter((each) => each.group === group),
    ),
  );
  return `${[INTRO, ...groups].join('\n\n')}\n`;
}

const INTRO = `# Commands
In a client you type a skill, in a terminal a command. They do the same; a start belongs into the client, since a run holds the session that started it.

## In a client
Claude Code, Qwen Code, Copilot CLI, Gemini CLI, opencode and Droid take \`/\`; Codex takes \`$\` in its place: \`$idle:loop TASK\`.

| to | type |
| --- | --- |
| finish a task | \`/idle:loop TASK\` |
| resolve one issue, or all | \`/idle:issue ID\`, \`/idle:grind\` |
| follow a flow | \`/flow:start NAME TASK\` |
| plan, split and build in reviewed stages | \`/taskie:new-plan TASK\`, then \`/taskie:continue-plan\` |
| have a plan, or a diff, attacked | \`/claudex:plan TOPIC\`, \`/claudex:review\` |
| see where it stands | \`/idle:status\`, \`/claudex:status\`, \`/holdfast:status\` |
| see why it was held or let go | \`/holdfast:why\` |
| end it | \`/idle:cancel\`, \`/claudex:cancel\`, \`/holdfast:cancel\` |
| take a run over that another session had | \`/holdfast:adopt RUN\` |

Options may stand anywhere before \`--\`: \`/idle:loop Make the failing tests pass --max 20 --tokens 2M\`.

## In a terminal
\`holdfast\` alone says what runs here and what one could do next, \`holdfast help COMMAND\` explains each, with examples. What is printed as data is there with \`--json\`.

A run is named as the argument, by any beginning of its name that is unique. Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 our own bug; \`wait\` has 75 for "not over yet, call again", \`claudex wait\` its reviewer's, and \`run\` [those of its own](unattended.md#holdfast-run).

Who may call a command: *anybody*, where it only looks; *an agent*, where its own run needs it (in a driven client there is one rule for each such command); *a person* alone, where it sets up, trusts or starts a client. Granting more budget is a person's, too.

What follows is made from the table of commands (\`npm run commands\`).`;

function section(group: Group, listed: readonly Listed[]): string {
  const title = `### ${group.charAt(0).toUpperCase()}${group.slice(1)}`;
  const table = [
    '| command | what it does | who |',
    '| --- | --- | --- |',
    ...listed.map(({ name, summary, row }) => `| \`${name}\` | ${cell(summary)} | ${whoOf(row?.who)} |`),
  ].join('\n');
  return [title, table, ...listed.flatMap(detailsOf)].join('\n\n');
}

function detailsOf({ name, command, row }: Listed): string[] {
  if (command === null) {
    const begin = registry.find((entry) => entry.name === name);
    return begin === undefined ? [] : [`#### ${name}\n    holdfast run ${name} "what to build"`];
  }
  const lines = [
    usageOf(command, name).replace(/^Usage: /, ''),
    ...(row?.examples ?? []).map((each) => `\n${each}`),
  ];
  const code = [
    lines[0] ?? '',
    ...(lines.length > 1 ? ['', ...lines.slice(1).map((line) => line.trim())] : []),
  ];
  const help = (command.help ?? '').split('\n').map((line) => (line === '' ? '' : `    ${line}`));
  const helped = command.help === undefined ? [] : ['', ...help];
  return [[`#### ${name}`, ...code.map((line) => (line === '' ? '' : `    ${line}`)), ...helped].join('\n')];
}

const whoOf = (who = 'agent'): string => (who === 'agent' ? 'an agent' : who === 'person' ? 'a person' : who);

const cell = (text: string): string => text.replaceAll('|', '\\|');
