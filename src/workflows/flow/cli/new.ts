// `flow new`: a flow of the project's own, from a built-in one or from a small beginning.

import fs from 'node:fs';
import schema from '../../../../schema/holdfast.flow.schema.json' with { type: 'json' };
import { type Call, type Command, type ExitCode, NotNow, WrongUsage } from '../../../engine/workflow-cli.ts';
import { carryOut } from '../../../store/files.ts';
import { below } from '../../../store/paths.ts';
import { printable } from '../../../text/printable.ts';
import beginning from '../built-in/new.yaml';
import { builtIn } from '../built-in.ts';
import { isName } from '../language/names.ts';
import { FLOWS, projectFolder } from './find-flow.ts';

const FROM = [...builtIn.keys()].join('|');

export const newFlow: Command = {
  name: 'new',
  summary: "write a flow of the project's own",
  usage: `[--from ${FROM}] <name>`,
  help: `It goes to ${FLOWS}/<name>.yaml, with a schema beside it for your editor. Without --from it is a small beginning.`,
  options: { from: { type: 'string' } },
  writes: true,
  words: { least: 1, most: 1 },
  run,
};

const SCHEMA = 'flow.schema.json';

async function run(call: Call): Promise<ExitCode> {
  const [name = ''] = call.words;
  if (!isName(name))
    throw new WrongUsage(
      `flow new: a flow is called by small letters, digits and "-", beginning with a letter, not "${printable(name).slice(0, 40)}".`,
    );
  const text = templateOf(call);
  const project = await call.forNewRun();
  const file = below(projectFolder(project), `${name}.yaml`);
  if (fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined)
    throw new NotNow(
      `${FLOWS}/${name}.yaml is there already; \`${project.cli} flow check ${name}\` looks at it.`,
    );
  const content = `# yaml-language-server: $schema=./${SCHEMA}\n${text.replace(/^flow: .*$/m, () => `flow: ${name}`)}`;
  const write = (path: string, text: string): void =>
    carryOut({ kind: 'replace', path, content: text }, project.root);
  write(below(projectFolder(project), SCHEMA), `${JSON.stringify(schema, null, 2)}\n`);
  write(file, content);
  call.print(`${FLOWS}/${name}.yaml is written. Next: \`${project.cli} flow check ${name}\`.`);
  return 0;
}

function templateOf({ flags }: Call): string {
  if (typeof flags.from !== 'string') return beginning;
  const found = builtIn.get(flags.from);
  if (found === undefined)
    throw new WrongUsage(
      `flow new: there is no built-in flow "${printable(flags.from).slice(0, 40)}". There are: ${[...builtIn.keys()].join(', ')}.`,
    );
  return found;
}
