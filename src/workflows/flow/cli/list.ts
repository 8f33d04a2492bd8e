// `flow list`: every flow that can be started here, and where it comes from.

import type { Call, Command, ExitCode } from '../../../engine/workflow-cli.ts';
import { allFlows, type FoundFlow } from './find-flow.ts';

export const list: Command = {
  name: 'list',
  summary: 'the flows of this project, your own and the built-in ones',
  usage: '[--json]',
  options: { json: { type: 'boolean' } },
  writes: false,
  words: { least: 0, most: 0 },
  run,
};

async function run(call: Call): Promise<ExitCode> {
  const project = await call.forNewRun();
  const flows = allFlows(project);
  const { compile } = await import('../language/compile.ts');
  const aboutOf = ({ name, text }: FoundFlow): string => {
    const compiled = compile(text, null);
    return compiled.kind === 'compiled'
      ? (compiled.definition.about ?? '')
      : `(refused: \`${project.cli} flow check ${name}\` says why)`;
  };
  const shown = flows.map((flow) => ({ ...describe(flow, aboutOf(flow)), hidden: isHidden(flow, flows) }));
  if (call.flags.json) call.print(JSON.stringify({ flows: shown }, null, 2));
  else
    for (const { name, where, about, hidden } of shown)
      call.print(`${name.padEnd(12)} ${(hidden ? `${where}, hidden` : where).padEnd(17)} ${about}`);
  return 0;
}

const isHidden = (flow: FoundFlow, all: readonly FoundFlow[]): boolean =>
  all.find(({ name }) => name === flow.name) !== flow;

function describe({ name, where, shown: file }: FoundFlow, about: string) {
  return { name: name ?? '', where, file, about };
}
