// How each driven client is called, and what it may do with `edit`.

import { describe, expect, it } from 'vitest';
import { matchTable } from '../../../test/support/golden.ts';
import { commandLine as claude, promptLine } from '../claude-code/headless/command.ts';
import { commandLine as codex } from '../codex/headless/command.ts';
import { commandLine as copilot } from '../copilot/headless/command.ts';
import { commandLine as droid } from '../droid/headless/command.ts';
import { commandLine as gemini } from '../gemini/headless/command.ts';
import { policyFor } from '../gemini/headless/policy.ts';
import type { StartHow } from '../headless.ts';
import { call as opencode } from '../opencode/headless/command.ts';
import { permissionsFor } from '../opencode/headless/permissions.ts';
import { commandLine as qwen } from '../qwen/headless/command.ts';

const how: StartHow = {
  ...{ root: '/p', env: {}, session: 'an-id', resume: null, prompt: 'go', access: 'edit' },
  ...{ allowed: [], commands: [], model: null, args: [] },
};

it('each client is called by its own words', () => {
  const calling = (call: (how: StartHow) => unknown) => (more: string) =>
    call({ ...how, ...JSON.parse(more) });
  return matchTable(import.meta.dirname, 'commands', {
    'claude-code': calling(claude),
    codex: calling(codex),
    copilot: calling(copilot),
    droid: calling(droid),
    gemini: calling((given) => gemini(given, ['/p.toml', '/users'])),
    opencode: calling(opencode),
    qwen: calling(qwen),
  });
});

it('a prompt to Claude Code is one line, whatever is in it', () => {
  expect(promptLine('a\nb "c"')).toBe(
    '{"type":"user","message":{"role":"user","content":"a\\nb \\"c\\""}}\n',
  );
});

describe('the rules for Gemini CLI', () => {
  const ALWAYS = policyFor([]);
  /** The pattern of the first rule that has one, as a regular expression of its own. */
  const patternIn = (rules: string): RegExp =>
    new RegExp(JSON.parse(/argsPattern = (.*)/.exec(rules)?.[1] ?? '""'));
  const allows = (command: string): RegExp => patternIn(policyFor([command]).slice(ALWAYS.length));
  /** As Gemini CLI writes the arguments of a call down. */
  const called = (name: string, value: string): string => `{\0"${name}":${JSON.stringify(value)}\0}`;

  it('let it edit, but for what would become a command, read, and run what is allowed', async () => {
    await expect(policyFor([' npm test ', '', '  ', 'a\nb'])).toMatchFileSnapshot(
      './golden/gemini-policy.toml',
    );
  });

  it.each(['npm test', 'a.b *+? (c) [d] {e} ^f$ |g', "'/x y/holdfast'", 'say "x" \\ y'])(
    'allow %j as it is and with more words, and nothing else',
    (command) => {
      const others = [`${command}more`, `x ${command}`, command.replace(/.$/, '.')];
      const isAllowed = (line: string): boolean => allows(command).test(called('command', line));
      expect([command, `${command} more`, ...others].map(isAllowed)).toEqual([
        true,
        true,
        false,
        false,
        false,
      ]);
    },
  );

  it.each(['a.b axb', 'a* aaa', '(a) a', '[ab] a', 'a|b a', 'a{2} aa', 'a+ aa'])(
    'take %s not for each other',
    (pair) => {
      const [command = '', other = ''] = pair.split(' ');
      expect(allows(command).test(called('command', other))).toBe(false);
    },
  );

  it.each([
    ['/p/.git/config', true],
    ['.git', true],
    ['.gemini/settings.json', true],
    ['/p/a/.gemini', true],
    ['/p/.github/x', false],
    ['/p/a.git/x', false],
    ['/p/src/x.ts', false],
  ])('keep its edits from %s: %s', (file, denied) => {
    expect(patternIn(ALWAYS).test(called('file_path', file))).toBe(denied);
  });
});

describe('the rules for opencode', () => {
  /** As opencode does it: the last rule that fits counts, and a star stands for anything. */
  const decides = (rules: Record<string, string>, name: string): string | undefined => {
    const pattern = (rule: string): string =>
      rule.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
    return Object.entries(rules).findLast(([rule]) => new RegExp(`^${pattern(rule)}$`, 's').test(name))?.[1];
  };
  const given = permissionsFor(['npm test', "'/a b/holdfast'", 'a * b', 'a?', 'a\nb', '', ' git diff ']);
  const rules = JSON.parse(given);

  it('are a text in which the last rule that fits counts', async () => {
    await expect(given.replaceAll(',', ',\n')).toMatchFileSnapshot('./golden/opencode-permissions.txt');
  });

  it.each([
    ['npm test', 'allow'],
    ['npm test -- --watch', 'allow'],
    ["'/a b/holdfast' ask x", 'allow'],
    ['npm tests', 'deny'],
    ['npm test > /x', 'deny'],
    ['a x b', 'deny'],
    ['rm -r .', 'deny'],
  ])('decide on the command %j: %s', (command, decision) => {
    expect(decides(rules.bash, command)).toBe(decision);
  });

  it.each([
    ['src/a.ts', 'allow'],
    ['.gitignore', 'allow'],
    ['.git', 'deny'],
    ['sub/.git/hooks/x', 'deny'],
    ['.opencode/plugins/x.js', 'deny'],
    ['sub/opencode.jsonc', 'deny'],
  ])('decide on an edit of %s: %s', (file, decision) => {
    expect(decides(rules.edit, file)).toBe(decision);
  });
});
