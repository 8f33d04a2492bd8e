import { describe, expect, it } from 'vitest';
import { policyFor } from './policy.ts';

const ALWAYS = String.raw`[[rule]]
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

[[rule]]
toolName = ["write_file", "replace"]
argsPattern = "\\x00\"file_path\":\"(?:[^\"]*/)?\\.(?:git|gemini)[/\"]"
decision = "deny"
priority = 999

[[rule]]
toolName = "run_shell_command"
decision = "ask_user"
priority = 50

[[rule]]
toolName = "web_fetch"
decision = "deny"
priority = 50
`;

const rule = (pattern: string): string =>
  `[[rule]]\ntoolName = "run_shell_command"\nargsPattern = ${JSON.stringify(pattern)}\ndecision = "allow"\npriority = 100\n`;

/** The pattern of the only rule for a command, as a regular expression of its own. */
function patternOf(command: string): RegExp {
  const [, text = '""'] = /argsPattern = (.*)/.exec(policyFor([command]).slice(ALWAYS.length)) ?? [];
  return new RegExp(JSON.parse(text));
}
/** As Gemini CLI writes the arguments of a call down. */
const called = (command: string): string => `{\0"command":${JSON.stringify(command)}\0}`;

describe('the rules for Gemini CLI', () => {
  it('let it edit, but for what would become a command, and read', () => {
    expect(policyFor([])).toBe(ALWAYS);
  });

  it('let it run what is allowed, each by a rule of its own', () => {
    expect(policyFor([' npm test ', 'a'])).toBe(
      [ALWAYS, rule('\\x00"command":"npm test(?:"\\x00| )'), rule('\\x00"command":"a(?:"\\x00| )')].join(
        '\n',
      ),
    );
  });

  it.each([[''], ['  '], ['a\nb']])('have none for %j', (command) => {
    expect(policyFor([command])).toBe(ALWAYS);
  });

  it.each(['npm test', 'a.b *+? (c) [d] {e} ^f$ |g', "'/x y/holdfast'", 'say "x" \\ y'])(
    'allow %j as it is and with more words, and nothing else',
    (command) => {
      const pattern = patternOf(command);
      expect(pattern.test(called(command))).toBe(true);
      expect(pattern.test(called(`${command} more`))).toBe(true);
      expect(pattern.test(called(`${command}more`))).toBe(false);
      expect(pattern.test(called(`x ${command}`))).toBe(false);
      expect(pattern.test(called(command.replace(/.$/, '.')))).toBe(false);
    },
  );

  it.each([
    ['a.b', 'axb'],
    ['a*', 'aaa'],
    ['(a)', 'a'],
    ['[ab]', 'a'],
    ['a|b', 'a'],
    ['a?', ''],
    ['a{2}', 'aa'],
    ['a+', 'aa'],
  ])('take %j for itself, not for %j', (command, other) => {
    expect(patternOf(command).test(called(other))).toBe(false);
  });

  it.each([
    ['/p/.git/config', true],
    ['.git', true],
    ['.gemini/settings.json', true],
    ['/p/a/.gemini', true],
    ['/p/.github/x', false],
    ['/p/a.git/x', false],
    ['/p/src/x.ts', false],
  ])('keep its edits from %s: %s', (file, denied) => {
    const [, text = '""'] = /argsPattern = (.*)/.exec(policyFor([])) ?? [];
    expect(new RegExp(JSON.parse(text)).test(`{\0"file_path":${JSON.stringify(file)}\0}`)).toBe(denied);
  });
});
