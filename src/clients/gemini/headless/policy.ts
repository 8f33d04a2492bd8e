// What Gemini CLI may do with `edit` (0.61.0), in the words of its policy engine: edit files in the workspace, run what is
// allowed, and what only reads. Its own mode for this, `auto_edit`, lets a command's output be sent to any file, and
// fetches pages. What would have to be asked is denied, since nobody is there.

/** `allowed`: command lines, each also with more words after it. */
export function policyFor(allowed: readonly string[]): string {
  return [EDITS, OWN, READS, ...allowed.flatMap(ruleFor)].join('\n');
}

const EDITS = `[[rule]]
toolName = ["write_file", "replace"]
decision = "allow"
priority = 100

[[safety_checker]]
toolName = ["write_file", "replace"]
priority = 100
[safety_checker.checker]
type = "in-process"
name = "allowed-path"
required_context = ["environment"]
`;

/** With these an edit becomes a command: of git's, or of its own at its next start. */
const OWN = `[[rule]]
toolName = ["write_file", "replace"]
argsPattern = ${JSON.stringify('\\x00"file_path":"(?:[^"]*/)?\\.(?:git|gemini)[/"]')}
decision = "deny"
priority = 999
`;

/** Asking is what lets a command pass that it knows to be safe. */
const READS = `[[rule]]
toolName = "run_shell_command"
decision = "ask_user"
priority = 50

[[rule]]
toolName = "web_fetch"
decision = "deny"
priority = 50
`;

function ruleFor(command: string): string[] {
  const line = command.trim();
  if (line === '' || line.includes('\n')) return [];
  return [
    `[[rule]]\ntoolName = "run_shell_command"\nargsPattern = ${JSON.stringify(beginsWith(line))}\ndecision = "allow"\npriority = 100\n`,
  ];
}

/** As it writes a call's own arguments down, a NUL before and after each; it looks at each part of a line by itself. */
function beginsWith(line: string): string {
  const argument = `"command":${JSON.stringify(line).slice(0, -1)}`;
  return `\\x00${argument.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?:"\\x00| )`;
}
