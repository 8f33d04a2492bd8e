// Every skill of every plugin: complete, usable in both clients, and no way for a user's text into a shell.

import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellText, skills } from './plugins.ts';

const nameOf = (file: string): string => path.relative(path.resolve(import.meta.dirname, '../..'), file);

describe('the skills', () => {
  it('of the core are the five that every workflow shares', () => {
    const own = skills().filter(({ plugin }) => plugin === 'holdfast');
    expect(own.map(({ name }) => name).toSorted()).toEqual(['adopt', 'cancel', 'doctor', 'status', 'why']);
  });

  it('have a name, which is their folder, and a description a model can choose by', () => {
    for (const { name, file, frontmatter } of skills()) {
      expect(frontmatter.get('name'), nameOf(file)).toBe(name);
      const length = frontmatter.get('description')?.length ?? 0;
      expect(length, nameOf(file)).toBeGreaterThanOrEqual(30);
      expect(length, nameOf(file)).toBeLessThanOrEqual(1024);
    }
  });

  it.each<[string, (text: string) => boolean]>([
    [
      'put something a user typed into a shell line',
      (text) => shellText(text).some((line) => /\$(ARGUMENTS|\{ARGUMENTS|[0-9])/.test(line)),
    ],
    ['have the client run something before the agent has read them', (text) => /!`|^```!/m.test(text)],
    ['name the plugin root without quotes', (text) => /(?<!")\$\{?CLAUDE_PLUGIN_ROOT/.test(text)],
    // Codex puts nothing on PATH, and leaves the placeholder as it is.
    [
      'run the command line without saying where it is in Codex',
      (text) => /\bholdfast /.test(text) && !text.includes('bin/holdfast'),
    ],
    [
      'take words from the user without saying so in words',
      (text) => text.includes('$ARGUMENTS') && !/skill's name|user's message/.test(text),
    ],
  ])('do not %s', (_, isWrong) => {
    expect(skills().flatMap(({ text, file }) => (isWrong(text) ? nameOf(file) : []))).toEqual([]);
  });
});

describe('the check for shell lines', () => {
  it('sees a placeholder in a fence and in a code span, and not in plain text', () => {
    expect(shellText('```sh\nrun $ARGUMENTS\n```\n')).toEqual(['run $ARGUMENTS\n']);
    expect(shellText('then `run $ARGUMENTS` it')).toEqual(['run $ARGUMENTS']);
    expect(shellText('<topic>\n$ARGUMENTS\n</topic>\n')).toEqual([]);
  });
});
