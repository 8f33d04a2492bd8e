// The skills of a plugin as data, for clients that have them in another form than Claude Code and Codex.

import fs from 'node:fs';
import path from 'node:path';

/** What Claude Code fills in with the plugin's folder, in the text and in the rules. */
export const ROOT = `\${CLAUDE_PLUGIN_ROOT}`;

/** `text` is what stands below the front matter. */
export function skillsOf(plugin) {
  const folder = path.join('plugins', plugin, 'skills');
  return fs
    .readdirSync(folder)
    .sort()
    .map((name) => read(name, fs.readFileSync(path.join(folder, name, 'SKILL.md'), 'utf8')));
}

function read(name, source) {
  const [, head, text] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  const description = /^description: (.+)$/m.exec(head ?? '')?.[1];
  if (text === undefined || description === undefined)
    throw new Error(`the skill ${name} has no description`);
  return { name, description: description.replace(/^"(.*)"$/, '$1'), text };
}
