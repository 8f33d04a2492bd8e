// The plugins as they lie in the repository and as they are built, for the checks beside this file.

import fs from 'node:fs';
import path from 'node:path';

export const sources = path.resolve(import.meta.dirname, '../../plugins');

/** The built marketplace folder. */
export const built = path.resolve(
  process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast'),
  '..',
);

export type Manifest = {
  name: string;
  description?: string;
  version?: string;
  license?: string;
  author?: { name: string };
  dependencies?: string[];
};

export type Skill = {
  plugin: string;
  name: string;
  file: string;
  text: string;
  frontmatter: Map<string, string>;
};

export function readJson<T>(...file: string[]): T {
  return JSON.parse(fs.readFileSync(path.join(...file), 'utf8'));
}

export function pluginNames(): string[] {
  const { plugins } = readJson<{ plugins: { name: string }[] }>(built, '.claude-plugin/marketplace.json');
  return plugins.map(({ name }) => name);
}

export function workflowNames(): string[] {
  return pluginNames().filter((name) => name !== 'holdfast');
}

export function manifestOf(plugin: string): Manifest {
  return readJson(built, plugin, '.claude-plugin', 'plugin.json');
}

export function skills(): Skill[] {
  return pluginNames().flatMap((plugin) => {
    const folder = path.join(sources, plugin, 'skills');
    if (!fs.existsSync(folder)) return [];
    return fs.readdirSync(folder).map((name) => readSkill(plugin, name, path.join(folder, name, 'SKILL.md')));
  });
}

function readSkill(plugin: string, name: string, file: string): Skill {
  const whole = fs.readFileSync(file, 'utf8');
  const [, head = '', text = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(whole) ?? [];
  const lines = head.split('\n').map((line) => /^([a-z-]+): *(.*)$/.exec(line));
  const frontmatter = new Map(lines.flatMap((match) => (match?.[1] ? [[match[1], match[2] ?? '']] : [])));
  return { plugin, name, file, text, frontmatter };
}

/** What an agent may paste into a shell: fenced and indented blocks, and code spans. */
export function shellText(markdown: string): string[] {
  const fences = [...markdown.matchAll(/^ *(`{3,}|~{3,}).*?\n(.*?)^ *\1/gms)].map((match) => match[2] ?? '');
  const rest = markdown.replace(/^ *(`{3,}|~{3,}).*?\n.*?^ *\1/gms, '');
  const spans = [...rest.matchAll(/(`+)(.+?)\1/gs)].map((match) => match[2] ?? '');
  const indented = [...rest.matchAll(/^ {4}\S.*$/gm)].map(([line]) => line);
  return [...fences, ...spans, ...indented];
}

export function allFiles(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file));
}
