// What `holdfast help` shows, and the help of each command. Groups, order and examples stand in table.ts.

import { clients } from '../clients/index.ts';
import type { RegistryEntry } from '../engine/workflow.ts';
import type { Command } from '../engine/workflow-cli.ts';
import { registry } from '../workflows/registry.ts';
import { usageOf } from './arguments.ts';
import { commands } from './commands.ts';
import { bold } from './paint.ts';
import { GROUPS, type Group, type Row, rowOf, table } from './table.ts';
import { commandsOf } from './workflow-commands.ts';

/** Everything that can be typed, with its row; those of a workflow that no row names are for agents. */
export type Listed = {
  name: string;
  group: Group;
  summary: string;
  row: Row | undefined;
  command: Command | null;
};

export async function everyCommand(): Promise<readonly Listed[]> {
  const own = commands.map((command) => ({ name: command.name, command }));
  const lists = await Promise.all(
    registry.map(async (entry) =>
      commandsOf(entry, await entry.cli()).map((command) => ({
        ...{ name: `${entry.name} ${command.name}`, command },
      })),
    ),
  );
  const all = [...own, ...lists.flat()].map(({ name, command }) => {
    const row = rowOf(name);
    return { name, command, row, summary: command.summary, group: row?.group ?? 'for agents and workflows' };
  });
  const started = registry.flatMap((entry): Listed[] => {
    const row = rowOf(entry.name);
    return row?.summary === undefined ? [] : [{ ...row, row, summary: row.summary, command: null }];
  });
  const at = ({ row }: Listed): number => (row === undefined ? table.length : table.indexOf(row));
  return [...all, ...started].toSorted((one, other) => at(one) - at(other));
}

/** `all`: also what is for agents and workflows. */
export async function overview(all: boolean): Promise<string> {
  const listed = (await everyCommand()).filter(({ group }) => all || group !== 'for agents and workflows');
  const width = Math.max(...listed.map(({ name }) => name.length));
  const groups = GROUPS.flatMap((group) => {
    const lines = listed
      .filter((each) => each.group === group)
      .map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
    return lines.length === 0
      ? []
      : [bold(`${group.charAt(0).toUpperCase()}${group.slice(1)}`), ...lines, ''];
  });
  return [
    'Holdfast keeps a coding agent at its work until the work is really done, and lets go the moment it should.',
    '',
    ...groups,
    `Workflows: ${registry.map(({ name }) => name).join(', ')}; \`holdfast help WORKFLOW\` lists what each can do.`,
    `\`holdfast help COMMAND\` explains one, with examples.${all ? '' : ' `holdfast help --all` lists the rest: what agents and workflows call.'}`,
    'To stop it at once: `holdfast cancel` ends a run; HOLDFAST_DISABLE=1 silences the hook.',
  ].join('\n');
}

export async function helpOfWorkflow(entry: RegistryEntry): Promise<string> {
  const cli = await entry.cli();
  const list = commandsOf(entry, cli);
  const width = Math.max(...list.map(({ name }) => name.length));
  const begin = cli.driven?.begin;
  return [
    ...list.map(({ name, summary }) => `  holdfast ${entry.name} ${name.padEnd(width)}  ${summary}`),
    ...(begin === undefined
      ? []
      : [
          '',
          `It starts in your client, with /${entry.name}:${begin} and what to build${otherMarks(`${entry.name}:${begin}`)}; or, without opening one:`,
          `  holdfast run ${entry.name} "what to build"`,
        ]),
  ].join('\n');
}

/** Of the clients whose users type another mark than a slash before a skill. */
function otherMarks(skill: string): string {
  const marked = clients.filter(({ skillMark }) => skillMark !== undefined && skillMark !== '/');
  return marked.map(({ title, skillMark }) => ` (in ${title}: ${skillMark}${skill})`).join('');
}

export function helpOf(command: Command, name: string): string {
  const { examples = [] } = rowOf(name) ?? {};
  return [
    command.summary,
    usageOf(command, name),
    ...(command.help === undefined ? [] : ['', command.help]),
    ...(examples.length === 0 ? [] : ['', bold('Examples'), ...examples.map((example) => `  ${example}`)]),
  ].join('\n');
}
