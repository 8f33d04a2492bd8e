// A flow asks for checks that the config does not have: what to type, or to write.

import type { Project } from '../../../engine/project.ts';
import type { Problem } from '../language/problems.ts';

export type MissingChecks = {
  names: readonly string[];
  /** The lines to write, and into what. */
  lines: string;
  where: string;
  /** `holdfast init` can find them: it writes none beside those that are there under other names. */
  isForInit: boolean;
};

/** Null: none is missing. */
export function missingChecks(problems: readonly Problem[], { config }: Project): MissingChecks | null {
  const names = [...new Set(problems.flatMap(({ missingCheck }) => missingCheck ?? []))];
  if (names.length === 0) return null;
  const checks = names.map((name) => `${JSON.stringify(name)}: { "run": "npm test" }`).join(', ');
  const isForInit = names.length === 1 && names[0] === 'test';
  return config.checks.length === 0
    ? {
        names,
        isForInit,
        lines: `{ "checks": { ${checks} } }`,
        where: "holdfast.config.json at the project's root",
      }
    : { names, isForInit, lines: checks, where: '`checks` in holdfast.config.json' };
}

/** For a start that needs nothing else. */
export function sayMissing(
  { names, lines, where, isForInit }: MissingChecks,
  name: string,
  cli: string,
): string {
  const what = names.length === 1 ? `a check named ${names[0]}` : `checks named ${names.join(', ')}`;
  const init = isForInit
    ? `\`${cli} init\` finds how this project is tested and writes it; or write`
    : 'Write';
  return `flow start: ${name} needs ${what}, and this project has none. ${init} into ${where}, with your own command: ${lines}. Then a person allows it with \`${cli} trust\` in a terminal.`;
}
