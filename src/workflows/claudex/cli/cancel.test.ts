import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, putLoop, writeAt } from '../../../../test/fixtures/claudex/project.ts';
import { emptyFolder, NOW, projectIn } from '../../../../test/support/bare-project.ts';
import { called } from '../../../../test/support/call.ts';
import type { Project } from '../../../engine/project.ts';
import { stateDirOf } from '../files.ts';
import { readState } from '../loops.ts';
import { readField } from '../state-format.ts';
import { cancel, cancelLoop } from './cancel.ts';

const OTHER = '20260131-092900-bbbbbb';

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root);
});
const put = (id: string, minutes: number, phase: string) => {
  const { files, dir } = putLoop(project, { phase }, { id });
  fs.utimesSync(files.state, NOW / 1000 - minutes * 60, NOW / 1000 - minutes * 60);
  return { files, dir };
};
const phases = () => [ID, OTHER].map((id) => readField(readState(stateDirOf(project), id) ?? '', 'phase'));
const journal = () => {
  const file = path.join(root, '.holdfast/journal.jsonl');
  return fs.existsSync(file)
    ? fs
        .readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
};
const log = (): string => fs.readFileSync(path.join(stateDirOf(project).path, 'log'), 'utf8');
const gone = (id: string): string =>
  `The loop ${id} is cancelled; the agent is let go at its next stop. Its state and findings are kept.`;
const NOTHING = ['0', 'There is no loop here, so nothing to cancel.'];

describe('claudex cancel', () => {
  it('is a command with one word at most', () => {
    const { run: _, ...rest } = cancel;
    expect(rest).toEqual({
      name: 'cancel',
      summary: 'end the loop that goes on; its state and findings are kept',
      usage: '[id]',
      ...{ options: {}, writes: true, words: { least: 0, most: 1 } },
    });
  });

  it('has nothing to cancel where there is no loop', async () => {
    expect(await called(cancel, null)).toEqual(NOTHING);
    expect(await called(cancel, project)).toEqual(NOTHING);
    const none = `claudex cancel: there is no loop ${ID} here. \`holdfast claudex status\` shows those there are.`;
    for (const place of [null, project])
      expect(await called(cancel, place, { words: [ID] })).toEqual(['NotNow', none]);
    expect((await called(cancel, project, { words: ['x'] }))[1]).toMatch(
      /^claudex cancel: "x" is no loop's id/,
    );
    expect(journal()).toEqual([]);
  });

  it('ends the one that goes on, and keeps what it found', async () => {
    const { files, dir } = put(ID, 5, 'reviewing');
    put(OTHER, 1, 'done');
    for (const file of [files.lock, files.runner, files.prompt, files.findings(1)]) writeAt(file, 'x');
    expect(await called(cancel, project)).toEqual(['0', gone(ID)]);
    expect(phases()).toEqual(['cancelled', 'done']);
    expect(fs.readdirSync(dir.path).toSorted()).toEqual([`${OTHER}.state`, ID, `${ID}.state`, 'log']);
    expect(log()).toBe(`[2026-01-31T09:30:00Z] cancel ${ID}\n`);
    expect(journal()).toMatchObject([{ event: 'cancel', workflow: 'claudex', run: ID }]);
  });

  it('ends the one that is named, of two', async () => {
    put(ID, 1, 'reviewing');
    put(OTHER, 5, 'dreaming');
    expect(await called(cancel, project, { words: [OTHER] })).toEqual(['0', gone(OTHER)]);
    expect(phases()).toEqual(['reviewing', 'cancelled']);
    expect(journal()).toMatchObject([{ run: OTHER }]);
  });

  it('leaves one that is over as it is, the last one where none is named', async () => {
    put(ID, 5, 'done');
    put(OTHER, 1, 'errored');
    expect(await called(cancel, project)).toEqual([
      '0',
      `The loop ${OTHER} is errored already and stays so.`,
    ]);
    expect(await called(cancel, project, { words: [ID] })).toEqual([
      '0',
      `The loop ${ID} is done already and stays so.`,
    ]);
    expect(phases()).toEqual(['done', 'errored']);
    expect(journal()).toEqual([]);
  });

  it('leaves one that is over as it is beside one that goes on, and notes no end', async () => {
    put(ID, 5, 'done');
    put(OTHER, 1, 'reviewing');
    await called(cancel, project, { words: [ID] });
    expect([phases(), journal()]).toEqual([['done', 'reviewing'], []]);
  });

  it('moves one whose state cannot be read to swept/', () => {
    const { files, dir } = put(ID, 1, 'reviewing');
    fs.rmSync(files.state);
    fs.mkdirSync(files.state);
    expect(cancelLoop(project, ID)).toBe(
      `The loop ${ID} is cancelled. Its state could not be read (${files.state} is a folder where a file belongs), so all of it was moved to ${dir.path}/swept/.`,
    );
    expect(fs.readdirSync(path.join(dir.path, 'swept', ID))).toEqual([`${ID}.state`]);
    expect(log()).toBe(
      `[2026-01-31T09:30:00Z] cancel ${ID}: its state could not be read and was moved to swept/\n`,
    );
  });
});
