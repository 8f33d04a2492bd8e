// `flow check`: compiles a flow and goes through all of it, before it ever holds anybody.

import type { Project } from '../../../engine/project.ts';
import type { Call, Command, ExitCode } from '../../../engine/workflow-cli.ts';
import { mermaidOf } from '../checker/mermaid.ts';
import { svgOf } from '../checker/svg.ts';
import type { Problem } from '../language/problems.ts';
import type { Examined } from './examine.ts';
import { type FoundFlow, findFlow } from './find-flow.ts';
import { missingChecks } from './missing-checks.ts';

export const check: Command = {
  name: 'check',
  summary: 'prove that a flow ends, and show what it does',
  usage: '[--json | --svg] <file|name>',
  help: 'Prints its states as a Mermaid diagram, how often it can hold at most, and which checks and reviews it may start. --svg prints a picture instead, --json all of it as data.',
  options: { json: { type: 'boolean' }, svg: { type: 'boolean' } },
  writes: false,
  words: { least: 1, most: 1 },
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const project = await call.forNewRun();
  const found = findFlow(call.words[0] ?? '', project, call.cwd);
  const { describeProblems, examine } = await import('./examine.ts');
  const examined = examine(found, project);
  if (call.flags.json) call.print(JSON.stringify(asData(found, examined), null, 2));
  else if (examined.kind === 'refused') {
    for (const line of describeProblems(found, examined.problems)) call.print(line);
    const count = examined.problems.length;
    call.print(`${found.shown} is refused: ${count === 1 ? 'one mistake' : `${count} mistakes`}.`);
    for (const line of howToDefine(examined.problems, project)) call.print(line);
  } else if (call.flags.svg) call.print(svgOf(examined.definition).trimEnd());
  else for (const line of describe(found, examined)) call.print(line);
  return examined.kind === 'refused' ? 1 : 0;
}

/** What to do about checks that the config does not have. */
function howToDefine(problems: readonly Problem[], project: Project): string[] {
  const missing = missingChecks(problems, project);
  if (missing === null) return [];
  const { cli } = project;
  return [
    ...(missing.isForInit ? [`Next: \`${cli} init\` finds how this project is tested and writes it.`] : []),
    `${missing.isForInit ? 'Or' : 'Next:'} write into ${missing.where}, with your own command in the place of npm test:`,
    `  ${missing.lines}`,
    `Then a person allows it with \`${cli} trust\` in a terminal.`,
  ];
}

type Proven = Extract<Examined, { kind: 'proven' }>;

function describe(found: FoundFlow, { definition, bounds, nodes }: Proven): string[] {
  const { flow, about, states } = definition;
  const { withProgress, without } = bounds.holds;
  return [
    `${found.shown}: ${flow}${about === null ? '' : `, ${about}`}`,
    '',
    mermaidOf(definition),
    '',
    `Proven: every run ends. ${Object.keys(states).length} states, ${nodes} with their counts, every combination of facts.`,
    `Holds at most: ${withProgress} in a whole run, ${without} in a row while nothing moves.`,
    ...countsOf('Checks', bounds.checks),
    ...countsOf('Reviews', bounds.reviews),
  ];
}

function countsOf(what: string, counts: Readonly<Record<string, number | null>>): string[] {
  const each = Object.entries(counts).map(([name, most]) =>
    most === null
      ? `${name} (once at each stop, in a pause as often as you have the agent stop)`
      : `${name} (at most ${most} times)`,
  );
  return each.length === 0 ? [`${what} it starts: none.`] : [`${what} it may start: ${each.join(', ')}.`];
}

function asData(found: FoundFlow, examined: Examined) {
  const { shown: file, where } = found;
  if (examined.kind === 'refused') return { file, where, proven: false, problems: examined.problems };
  const { definition, bounds, nodes } = examined;
  return {
    ...{ file, where, proven: true, flow: definition.flow, about: definition.about, nodes },
    ...bounds,
    mermaid: mermaidOf(definition),
    definition,
  };
}
