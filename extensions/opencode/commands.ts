// The skills as commands of opencode, under the names they have everywhere: /idle:loop. Their texts are the plugins' own
// files, which name places as seen from themselves.

import fs from 'node:fs';
import path from 'node:path';

export type Command = { description: string; template: string };

export function commandsOf(marketplace: string, plugins: readonly string[]): Record<string, Command> {
  const all = plugins.flatMap((plugin) => {
    const root = path.join(marketplace, plugin);
    return namesIn(path.join(root, 'skills')).flatMap((name) => {
      const command = read(root, path.join(root, 'skills', name, 'SKILL.md'));
      return command === null ? [] : [[`${plugin}:${name}`, command] as const];
    });
  });
  return Object.fromEntries(all);
}

/** Null: it is no skill. Only Claude Code fills in where the plugin lies. */
function read(root: string, file: string): Command | null {
  const source = readQuietly(file);
  const [, head = '', text] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  if (text === undefined) return null;
  const description = /^description: (.+)$/m.exec(head)?.[1] ?? '';
  const filled = text.trim().replaceAll(`\${CLAUDE_PLUGIN_ROOT}`, () => root);
  return { description, template: `This text is the file ${file}.\n\n${filled}\n` };
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function readQuietly(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
