// Plants a defect into a source file and builds from it: the readers, the hook in this process, or a whole plugin.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Defect, writePlanted } from '../crash/plant.ts';
import type { MakeChanges } from './changes-scenes.ts';
import type { DocketRules } from './docket-rules.ts';
import type { StopHere } from './hook-here.ts';
import type { Readers } from './readers.ts';
import type { Parts } from './stream-parts.ts';
import type { UnattendedRules } from './unattended-rules.ts';
import type { viewHere } from './view-here.ts';
import type { Rules } from './waiting-rules.ts';

const builds = path.resolve(import.meta.dirname, '../../.test-build');
const requireFrom = createRequire(import.meta.url);
const made: string[] = [];

export function removePlanted(): void {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true });
}

export async function readersWith(defect: Defect): Promise<Readers> {
  const folder = await build(defect, { readers: 'test/fuzz/readers.ts' });
  return requireFrom(path.join(folder, 'readers.cjs')).readers;
}

export async function hookWith(defect: Defect): Promise<StopHere> {
  const folder = await build(defect, { here: 'test/fuzz/hook-here.ts' });
  return requireFrom(path.join(folder, 'here.cjs')).stopHere;
}

export async function changesWith(defect: Defect): Promise<MakeChanges> {
  const folder = await build(defect, { changes: 'test/fuzz/changes-here.ts' });
  return requireFrom(path.join(folder, 'changes.cjs')).makeChanges;
}

export async function rulesWith(defect: Defect): Promise<Rules> {
  const folder = await build(defect, { rules: 'test/fuzz/waiting-rules.ts' });
  return requireFrom(path.join(folder, 'rules.cjs')).rules;
}

export async function docketRulesWith(defect: Defect): Promise<DocketRules> {
  const folder = await build(defect, { rules: 'test/fuzz/docket-rules.ts' });
  return requireFrom(path.join(folder, 'rules.cjs')).rules;
}

export async function unattendedRulesWith(defect: Defect): Promise<UnattendedRules> {
  const folder = await build(defect, { rules: 'test/fuzz/unattended-rules.ts' });
  return requireFrom(path.join(folder, 'rules.cjs')).rules;
}

export async function partsWith(defect: Defect): Promise<Parts> {
  const folder = await build(defect, { parts: 'test/fuzz/stream-parts.ts' });
  return requireFrom(path.join(folder, 'parts.cjs')).parts;
}

export async function viewWith(defect: Defect): Promise<typeof viewHere> {
  const folder = await build(defect, { view: 'test/fuzz/view-here.ts' });
  return requireFrom(path.join(folder, 'view.cjs')).viewHere;
}

/** A plugin whose launcher and command line are as built, but for the defect. */
export async function pluginWith(defect: Defect): Promise<string> {
  const sound = process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');
  const folder = await build(defect, { hook: 'src/hook/main.ts', cli: 'src/cli/main.ts' });
  const plugin = path.join(folder, 'holdfast');
  fs.cpSync(sound, plugin, { recursive: true });
  for (const name of fs.readdirSync(folder).filter((each) => each.endsWith('.cjs')))
    fs.copyFileSync(path.join(folder, name), path.join(plugin, 'lib', name));
  return plugin;
}

type Bundle = (entries: object, folder: string, options: object) => Promise<unknown>;

async function build(defect: Defect, entries: Readonly<Record<string, string>>): Promise<string> {
  // Inside the repository, so that libraries are found.
  fs.mkdirSync(builds, { recursive: true });
  const folder = fs.mkdtempSync(path.join(builds, 'planted-'));
  made.push(folder);
  const [file, planted] = writePlanted(defect, folder);
  const { bundle }: { bundle: Bundle } = await import(
    pathToFileURL(path.resolve(import.meta.dirname, '../../scripts/bundle.mjs')).href
  );
  await bundle(entries, folder, { define: { HOLDFAST_VERSION: '"planted"' }, replace: { [file]: planted } });
  return folder;
}
