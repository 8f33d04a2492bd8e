// A skill as the user runs it: what the model hears of it, and how it gets at the command line from there.

import path from 'node:path';
import type { Heard } from './servers/script.ts';

export type SkillCall = {
  /** What the user typed after the skill's name, as it reached the model. */
  words: string;
  /** How the skill's text tells the agent to call Holdfast in this client. */
  cli: string;
  text: string;
  /** The file from which the skill has the command read the words, so that no shell sees them. */
  file: string;
};

export function skillCall(heard: Heard): SkillCall {
  return inClaude(heard) ?? inCodex(heard) ?? inText(heard) ?? fail(heard);
}

/** Claude Code gives the words in a tag and fills them into the text, and the plugin's folder too. */
function inClaude(heard: Heard): SkillCall | null {
  const { opening } = heard;
  const words = /<command-args>([\s\S]*?)<\/command-args>/.exec(opening)?.[1];
  const at = opening.indexOf('Base directory for this skill:');
  if (words === undefined || at < 0) return null;
  const text = opening.slice(at);
  return withFile({ words, cli: /"\/[^"$\n]+\/bin\/holdfast"/.exec(text)?.[0] ?? fail(heard), text });
}

/** Codex leaves the prompt as it is and adds the skill's file; the command is two folders above that file's own. */
function inCodex({ opening }: Heard): SkillCall | null {
  const words = /^\$[\w-]+:[\w-]+ (.*)$/m.exec(opening)?.[1];
  const file = /<path>(.+SKILL\.md)<\/path>/.exec(opening)?.[1];
  if (words === undefined || file === undefined) return null;
  const cli = path.resolve(path.dirname(file), '..', '..', 'bin', 'holdfast');
  return withFile({ words, cli: `'${cli}'`, text: opening.slice(opening.indexOf('<skill>')) });
}

/** Others fill the words into the text, which names its own file; the command is two folders above that file's. */
function inText({ opening }: Heard): SkillCall | null {
  const file = /^"?This text is the file (\S+)\.$/m.exec(opening)?.[1]?.replace('~/', '$HOME/');
  const words = /^What the user typed after the skill's name: (.*)$/m.exec(opening)?.[1];
  if (words === undefined || file === undefined) return null;
  const cli = path.join(path.dirname(file), '..', '..', 'bin', 'holdfast');
  return withFile({ words, cli: `"${cli}"`, text: opening.slice(opening.indexOf('This text is the file')) });
}

function withFile(call: Omit<SkillCall, 'file'>): SkillCall {
  return { ...call, file: /^ {4}".+\/bin\/holdfast" .+ < (\S+)$/m.exec(call.text)?.[1] ?? '' };
}

function fail({ opening }: Heard): never {
  throw new Error(`no skill reached the model: ${opening.slice(-1500)}`);
}
