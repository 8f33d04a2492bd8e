import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, putLoop, writeAt } from '../../../../test/fixtures/claudex/project.ts';
import { emptyFolder, projectIn } from '../../../../test/support/bare-project.ts';
import { callIn } from '../../../../test/support/call.ts';
import type { Project } from '../../../engine/project.ts';
import { stateDirOf } from '../files.ts';
import { readLoop } from '../state-format.ts';
import { here, namedId, namedLoop } from './which-loop.ts';

const OTHER = '20260131-092900-bbbbbb';

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root);
});
const call = (words: readonly string[] = [], place: Project | null = project) =>
  callIn(root, { words, env: project.env, existing: async () => place }).call;
const refusal = (message: string) => expect.objectContaining({ name: 'NotNow', message });

describe('where a command is', () => {
  it('is the project with the folder of its loops', async () => {
    expect(await here(call())).toEqual({ project, dir: stateDirOf(project) });
    expect(await here(call([], null))).toBeNull();
  });

  it('is refused where that folder cannot be looked into', async () => {
    const place = path.join(root, '.claude/claudex');
    writeAt(place, 'x');
    await expect(here(call())).rejects.toEqual(
      refusal(`${place} is a file where a folder belongs; to fix it, run \`mv ${place} ${place}.aside\``),
    );
  });
});

describe('the loop a command is about', () => {
  it('is the one with this id', async () => {
    const { text, dir } = putLoop(project);
    putLoop(project, {}, { id: OTHER });
    expect(namedId(call([ID, 'more']), 'done')).toBe(ID);
    expect(await namedLoop(call([ID]), 'done')).toEqual({ project, dir, id: ID, text, loop: readLoop(text) });
  });

  it('is refused where there is none of this id, or no project', async () => {
    putLoop(project, {}, { id: OTHER });
    const none = refusal(
      `claudex done: there is no loop ${ID} here. \`holdfast claudex status\` shows those there are.`,
    );
    await expect(namedLoop(call([ID]), 'done')).rejects.toEqual(none);
    await expect(namedLoop(call([ID], null), 'done')).rejects.toEqual(none);
    const { state } = putLoop(project).files;
    fs.rmSync(state);
    await expect(namedLoop(call([ID]), 'done')).rejects.toEqual(none);
  });

  it.each([
    [[], ''],
    [['x'], 'x'],
    [['y'.repeat(81)], 'y'.repeat(80)],
  ])('is refused with the words %j, of which no id can be', async (words, said) => {
    const none = refusal(
      `claudex wait: "${said}" is no loop's id; ids look like 20260131-093000-1a2b3c. \`holdfast claudex status\` shows them.`,
    );
    expect(() => namedId(call(words), 'wait')).toThrow(none);
    await expect(namedLoop(call(words), 'wait')).rejects.toEqual(none);
  });
});
