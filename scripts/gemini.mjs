// Writes the plugins as Gemini CLI loads them (0.61.0): an extension each, in `dist/gemini`. It takes its hooks from
// `hooks/hooks.json` alone, with events and a unit of time of its own, so the folders of the other clients cannot serve.

import fs from 'node:fs';
import path from 'node:path';
import { ROOT, skillsOf } from './skills.mjs';

const CORE = 'holdfast';

/** As one run of the hook is limited; Gemini CLI counts in milliseconds. */
const STOP_MS = 7_200_000;
const OTHER_MS = 30_000;

/** `folder` is the marketplace with the core already bundled: what Gemini CLI installs is a copy of one folder alone. */
export function writeForGemini(folder, workflows, version) {
  const core = path.join(folder, CORE);
  const own = path.join(folder, 'gemini', CORE);
  for (const part of fs.readdirSync(core))
    if (!['.claude-plugin', 'skills', 'hooks', 'qwen-extension.json'].includes(part))
      fs.cpSync(path.join(core, part), path.join(own, part), { recursive: true });
  fs.mkdirSync(path.join(own, 'hooks'));
  fs.copyFileSync(path.join(core, 'hooks', 'stop'), path.join(own, 'hooks', 'stop'));
  writeJson(path.join(own, 'hooks', 'hooks.json'), hooks());
  const { description } = readJson(path.join(core, '.claude-plugin', 'plugin.json'));
  writeExtension(own, { name: CORE, version, description }, CORE);
  for (const workflow of workflows.filter(({ name }) => fs.existsSync(path.join(folder, name))))
    writeWorkflow(folder, workflow, version);
}

function writeWorkflow(folder, { name, description }, version) {
  const plugin = path.join(folder, name);
  const own = path.join(folder, 'gemini', `${CORE}-${name}`);
  for (const part of fs.readdirSync(plugin))
    if (!['.claude-plugin', 'skills'].includes(part))
      fs.cpSync(path.join(plugin, part), path.join(own, part), { recursive: true });
  writeExtension(own, { name: `${CORE}-${name}`, version, description }, name);
}

/** A skill is a command there, which a user types as everywhere: /idle:loop. */
function writeExtension(own, manifest, plugin) {
  writeJson(path.join(own, 'gemini-extension.json'), manifest);
  for (const { name, description, text } of skillsOf(plugin)) {
    const file = path.join('commands', plugin, `${name}.toml`);
    const folder = `.gemini/extensions/${manifest.name}`;
    // It fills in no plugin's folder, and a shell expands no ~ in quotes.
    const filled = text.replaceAll('$ARGUMENTS', '{{args}}').replaceAll(ROOT, `$HOME/${folder}`);
    const prompt = `This text is the file ~/${folder}/${file}.\n\n${filled.trim()}\n`;
    // It would run the one as a command and read the other as a file's name.
    if (/[!@]\{|'''/.test(prompt)) throw new Error(`${plugin}:${name} cannot be a command of Gemini CLI`);
    fs.mkdirSync(path.join(own, 'commands', plugin), { recursive: true });
    fs.writeFileSync(
      path.join(own, file),
      `description = ${JSON.stringify(description)}\nprompt = '''\n${prompt}'''\n`,
    );
  }
}

/** It holds at any exit code but 0 and 1, so a hook whose file is gone must say so itself. */
function hooks() {
  const stop = `"\${extensionPath}/hooks/stop"`;
  const gone = JSON.stringify({
    systemMessage:
      'Holdfast: its own files are gone, so this stop was allowed unchecked. It was upgraded or removed: start a new session.',
  });
  const hook = (name, command, timeout) => [{ hooks: [{ type: 'command', name, command, timeout }] }];
  return {
    hooks: {
      AfterAgent: hook(
        'holdfast',
        `[ -x ${stop} ] || { echo '${gone}'; exit 0; }; exec ${stop} --client gemini --limit ${STOP_MS}`,
        STOP_MS,
      ),
      SessionStart: hook(
        'holdfast-session-start',
        `[ -x ${stop} ] || exit 0; exec ${stop} session-start --client gemini`,
        OTHER_MS,
      ),
    },
  };
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

function writeJson(file, value) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
