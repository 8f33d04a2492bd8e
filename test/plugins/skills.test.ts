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

  it('put nothing a user typed into a shell line', () => {
    const holes = skills().filter(({ text }) =>
      shellText(text).some((line) => /\$(ARGUMENTS|\{ARGUMENTS|[0-9])/.test(line)),
    );
    expect(holes.map(({ file }) => nameOf(file))).toEqual([]);
  });

  it('have the client run nothing before the agent has read them', () => {
    const eager = skills().filter(({ text }) => /!`|^```!/m.test(text));
    expect(eager.map(({ file }) => nameOf(file))).toEqual([]);
  });

  it('quote the plugin root wherever they name it', () => {
    const bare = skills().filter(({ text }) => /(?<!")\$\{?CLAUDE_PLUGIN_ROOT/.test(text));
    expect(bare.map(({ file }) => nameOf(file))).toEqual([]);
  });

  it('that run the command line say where it is in Codex, which puts nothing on PATH', () => {
    const lost = skills().filter(({ text }) => /\bholdfast /.test(text) && !text.includes('bin/holdfast'));
    expect(lost.map(({ file }) => nameOf(file))).toEqual([]);
  });

  it('that take words from the user say so in words too: Codex leaves the placeholder as it is', () => {
    const silent = skills().filter(
      ({ text }) => text.includes('$ARGUMENTS') && !/skill's name|user's message/.test(text),
    );
    expect(silent.map(({ file }) => nameOf(file))).toEqual([]);
  });
});

describe('the check for shell lines', () => {
  it('sees a placeholder in a fence and in a code span, and not in plain text', () => {
    expect(shellText('```sh\nrun $ARGUMENTS\n```\n')).toEqual(['run $ARGUMENTS\n']);
    expect(shellText('then `run $ARGUMENTS` it')).toEqual(['run $ARGUMENTS']);
    expect(shellText('<topic>\n$ARGUMENTS\n</topic>\n')).toEqual([]);
  });
});
