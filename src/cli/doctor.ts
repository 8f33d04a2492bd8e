// `holdfast doctor`: is everything there that a stop needs? Each check that fails says how to fix it.

import type { Call, Command, ExitCode } from '../engine/workflow-cli.ts';
import { checkEverything } from './checks.ts';
import type { Finding } from './finding.ts';
import { green, red, yellow } from './paint.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'check node, clients, hook, config and state; say how to fix what is wrong',
  usage: '[--json]',
  options: { json: { type: 'boolean' } },
  writes: false,
  words: { least: 0, most: 0 },
  run: examine,
};

async function examine(call: Call): Promise<ExitCode> {
  const findings = await checkEverything(call);
  if (call.flags.json) call.print(JSON.stringify(findings, null, 2));
  else for (const finding of findings) call.print(describe(finding));
  return findings.some((finding) => finding.result === 'bad') ? 1 : 0;
}

function describe({ result, what, fix }: Finding): string {
  const mark = { good: green('ok  '), fair: yellow('note'), bad: red('FAIL') }[result];
  return `${mark}  ${what}${fix === null ? '' : `\n      to fix it: ${fix}`}`;
}
