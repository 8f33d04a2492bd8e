// The files of a user who has every client: settings, rules and plugins of their own. And how they are looked at again
// after Holdfast came and went.

import fs from 'node:fs';
import path from 'node:path';
import { marketplace } from './clients/place.ts';
import { filesBelow, type Stage } from './scenario.ts';

type Files = Readonly<Record<string, string>>;

const STOP = '"Stop": [ { "hooks": [ { "type": "command", "command": "true" } ] } ]';
const RULES = 'Be brief.\n';

/** Laid out by hand, as no client would. */
const OWN: Files = {
  '.claude.json': '{ "mcpServers": { "mine": { "command": "true" } } }\n',
  '.claude/settings.json': `{ "permissions": { "allow": ["Bash(ls:*)"] },\n    "hooks": { ${STOP} } }\n`,
  '.claude/CLAUDE.md': RULES,
  '.codex/hooks.json': `{ "hooks": { ${STOP} } }\n`,
  '.codex/AGENTS.md': RULES,
  '.qwen/extensions/mine/qwen-extension.json': '{ "name": "mine", "version": "1.0.0" }\n',
  '.qwen/QWEN.md': RULES,
  '.copilot/settings.json': '{ "theme": "dark",\n    "enabledPlugins": { "own@x": true } }\n',
  '.gemini/extensions/mine/gemini-extension.json': '{ "name": "mine", "version": "1.0.0" }\n',
  '.gemini/GEMINI.md': RULES,
  '.config/opencode/plugins/mine.js': 'export const mine = async () => ({});\n',
  '.config/opencode/AGENTS.md': RULES,
  '.factory/AGENTS.md': RULES,
};

/** Beside what each client needs to be played at all. Answers with all that is in the user's home now. */
export function giveOwnFiles(stage: Stage): Files {
  for (const [name, text] of Object.entries(OWN)) {
    const file = path.join(stage.home, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  const codex = path.join(stage.home, '.codex', 'config.toml');
  fs.appendFileSync(codex, '\n# My own.\n[mcp_servers.mine]\ncommand =   "true" # as it is\n');
  return filesIn(stage, () => true);
}

/** Those of before, as they are now. */
export const asTheyAre = (stage: Stage, before: Files): Files => filesIn(stage, (name) => name in before);

/** The names of the files that have come and name Holdfast or the folder it was installed from. */
export function tracesIn(stage: Stage, before: Files): string[] {
  const come = filesIn(stage, (name) => !(name in before));
  return Object.entries(come).flatMap(([name, text]) => {
    // The folder of the scenario has the word in its name.
    const words = `${name} ${text.replaceAll(path.dirname(stage.root), '')}`;
    return /holdfast/i.test(words) || words.includes(marketplace) ? [name] : [];
  });
}

function filesIn(stage: Stage, isWanted: (name: string) => boolean): Files {
  const wanted = filesBelow(stage.home).filter(isWanted).sort();
  return Object.fromEntries(wanted.flatMap((name) => textOf(path.join(stage.home, name), name)));
}

/** Nothing of a folder, or of what a client that still ends removes meanwhile. */
function textOf(file: string, name: string): [string, string][] {
  try {
    return [[name, fs.readFileSync(file, 'utf8')]];
  } catch {
    return [];
  }
}
