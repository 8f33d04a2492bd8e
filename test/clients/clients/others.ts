// Where the other clients are: a folder of their own beside the first two, with the Node that one of them needs.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { removeFolder } from '../../support/remove-folder.ts';
import { chatApi } from '../servers/chat-api.ts';
import { type ModelServer, startModelServer } from '../servers/model-server.ts';
import { newFolder } from './place.ts';
import type { Stage } from './stage.ts';

const installed = path.resolve(import.meta.dirname, '../others/node_modules');

export const othersFolder = path.join(installed, '.bin');

export const geminiProgram = path.join(othersFolder, 'gemini');
export const opencodeProgram = path.join(othersFolder, 'opencode');

/** Its package for this platform has the program, and no link to it. */
export const droidFolder = path.join(installed, '@factory', `cli-${process.platform}-${process.arch}`, 'bin');

/** Qwen Code needs 22. */
export const node22Folder = path.join(installed, `node-22-${process.platform}-${process.arch}`, 'bin');

/** A model that speaks what they speak, with the stage's cast behind it. Closed when the scenario is over. */
export async function chatModel(stage: Stage): Promise<ModelServer> {
  const server = await startModelServer(chatApi, stage.cast);
  onTestFinished(() => server.close());
  return server;
}

const ofThisFile: string[] = [];

/** A folder for all scenarios of a file. It goes after the last: a worker ends without a word to its exit handlers. */
export function folderForFile(): string {
  const folder = newFolder();
  ofThisFile.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of ofThisFile) removeFolder(folder);
});

/** Every file below a folder, by its path in it. */
export function filesOf(folder: string): Record<string, string> {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [path.relative(folder, file), fs.readFileSync(file, 'utf8')]),
  );
}
