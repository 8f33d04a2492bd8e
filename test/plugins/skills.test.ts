// Every skill of every plugin: complete, usable in both clients, and no way for a user's text into a shell.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandsOf } from '../../extensions/opencode/commands.ts';
import { registry } from '../../src/workflows/registry.ts';
import { built, shellText, skills } from './plugins.ts';

const nameOf = (file: string): string => path.relative(path.resolve(import.meta.dirname, '../..'), file);

describe('the skills', () => {
  it('of the core are the five that every workflow shares', () => {
    const own = skills().filter(({ plugin }) => plugin === 'holdfast');
    expect(own.map(({ name }) => name).toSorted()).toEqual(['adopt', 'cancel', 'doctor', 'status', 'why']);
  });

  it('have a name, which is their folder, and a description whose first sentence fits a menu', () => {
    for (const { name, file, frontmatter } of skills()) {
      expect(frontmatter.get('name'), nameOf(file)).toBe(name);
      const [first = ''] = (frontmatter.get('description') ?? '').split(/(?<=\.)(?: |$)/);
      expect(first, nameOf(file)).toMatch(/^[A-Z].{10,58}\.$/);
    }
  });

  it('are a start, status and cancel in each workflow, and those that a hold names are not offered to people', () => {
    for (const { name, begin } of registry) {
      const own = skills().filter(({ plugin }) => plugin === name);
      expect(own.map((each) => each.name)).toEqual(expect.arrayContaining([begin, 'status', 'cancel']));
    }
    const forMachine = skills().filter(({ frontmatter }) => frontmatter.get('user-invocable') === 'false');
    expect(forMachine.map(({ name }) => name).toSorted()).toEqual([
      'post-all-code-review',
      'post-code-review',
      'post-plan-review',
      'post-tasks-review',
    ]);
  });

  it.each<[string, string, string, string[]]>([
    ['idle', 'loop', 'loop', []],
    ['idle', 'issue', 'issue', []],
    ['idle', 'grind', 'grind', []],
    // The skill itself says that there was an interview.
    ['claudex', 'plan', 'plan', ['interviewed']],
    // A plan's options, which a review only keeps.
    ['claudex', 'review', 'review', ['rounds', 'from-draft', 'skip-interview', 'interviewed']],
    ['flow', 'start', 'start', []],
    ['taskie', 'new-plan', 'record', ['task', 'plan']],
    ['taskie', 'continue-plan', 'next', ['plan']],
  ])('%s:%s lists every option of its start, and no other', async (workflow, skill, start, others) => {
    const cli = await registry.find(({ name }) => name === workflow)?.cli();
    const options = Object.entries(cli?.commands.find(({ name }) => name === start)?.options ?? {});
    const text = skills().find(({ plugin, name }) => plugin === workflow && name === skill)?.text ?? '';
    const listed = [...text.matchAll(/^\| `(--[a-z-]+(?: [A-Z]+)?)` \| \S/gm)].map((row) => row[1] ?? '');

    expect(options.length).toBeGreaterThan(2);
    expect(listed.map((option) => option.replace(/ .*/, '')).toSorted()).toEqual(
      options.flatMap(([name]) => (others.includes(name) ? [] : `--${name}`)).toSorted(),
    );
    for (const [name, { type }] of options)
      if (!others.includes(name))
        expect(
          listed.some((each) => each === `--${name}`),
          name,
        ).toBe(type === 'boolean');
  });

  it.each<[string, (text: string, rules: string) => boolean]>([
    [
      'put something a user typed into a shell line',
      (text) => shellText(text).some((line) => /\$(ARGUMENTS|\{ARGUMENTS|[0-9])/.test(line)),
    ],
    ['have the client run something before the agent has read them', (text) => /!`|^```!/m.test(text)],
    [
      'name the plugin root without quotes',
      (text, rules) => /(?<!")\$\{?CLAUDE_PLUGIN_ROOT/.test(text + rules),
    ],
    // In Claude Code too a folder of the project may come first on PATH.
    [
      'allow a program by its name alone',
      (_, rules) => /Bash\((?!"\$\{CLAUDE_PLUGIN_ROOT\}\/bin)/.test(rules),
    ],
    [
      'run what they allow in another form than the rule has',
      (text, rules) => rules.includes('Bash(') && /^(?: {4}|.*`)?holdfast (?!run\b)/m.test(text),
    ],
    // Only Claude Code fills the placeholder in.
    [
      'run the command line without saying where it is in Codex',
      (text) => /\bholdfast\b/.test(text) && !/`(\.\.\/\.\.\/)?bin\/holdfast`/.test(text),
    ],
    [
      'take words from the user without saying so in words',
      (text) => text.includes('$ARGUMENTS') && !/skill's name|user's message/.test(text),
    ],
  ])('do not %s', (_, isWrong) => {
    const wrong = skills().filter(({ text, frontmatter }) =>
      isWrong(text, frontmatter.get('allowed-tools') ?? ''),
    );
    expect(wrong.map(({ file }) => nameOf(file))).toEqual([]);
  });

  it('name our file in Gemini CLI and opencode, which fill in no placeholder', () => {
    const gemini = path.join(built, 'gemini/holdfast-idle/commands/idle/loop.toml');
    const opencode = commandsOf(built, ['idle'])['idle:loop']?.template ?? '';
    const extension = '$HOME/.gemini/extensions/holdfast-idle';
    expect(fs.readFileSync(gemini, 'utf8')).toContain(`\n    "${extension}/bin/holdfast" idle loop `);
    expect(opencode).toContain(`\n    "${built}/idle/bin/holdfast" idle loop `);
  });
});

describe('the check for shell lines', () => {
  it('sees a placeholder in a fence and in a code span, and not in plain text', () => {
    expect(shellText('```sh\nrun $ARGUMENTS\n```\n')).toEqual(['run $ARGUMENTS\n']);
    expect(shellText('then `run $ARGUMENTS` it')).toEqual(['run $ARGUMENTS']);
    expect(shellText('<topic>\n$ARGUMENTS\n</topic>\n')).toEqual([]);
  });
});
