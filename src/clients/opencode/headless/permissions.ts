// What opencode may do with `edit` (1.18.33), in its own rules: edit files in the project, and run what is allowed. It
// would allow nearly everything by itself. Of its rules the last one that fits counts, and a user's own stand first,
// but for a pattern that is there already, which stays where it is.

/** `allowed`: command lines, each also with more words after it. */
export function permissionsFor(allowed: readonly string[]): string {
  return JSON.stringify({
    // Tools of other servers have an underscore in their names; so has what stands below.
    '*_*': 'deny',
    ...{ webfetch: 'deny', websearch: 'deny', codesearch: 'deny', external_directory: 'deny' },
    // It would ask, and what is refused ends the turn; a row of calls without progress is the guard's to judge.
    doom_loop: 'allow',
    edit: { '*': 'allow', ...denied(OWN) },
    // It looks at each command of a line; where its output goes is part of that.
    bash: { '*': 'deny', ...Object.fromEntries(allowed.flatMap(rulesFor)), '*>*': 'deny' },
  });
}

/** With these an edit becomes a command: of git's (in a work tree `.git` is a file), or of opencode's own at its next start. */
const OWN = ['.git', '.git/*', '.opencode', '.opencode/*', 'opencode.json', 'opencode.jsonc'];

const denied = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => [name, `*/${name}`]).map((name) => [name, 'deny']));

/** A star stands for anything, and a question mark for any letter: such a command line gets no rule. */
function rulesFor(command: string): [string, string][] {
  const line = command.trim();
  if (line === '' || /[*?\n]/.test(line)) return [];
  return [
    [line, 'allow'],
    [`${line} *`, 'allow'],
  ];
}
