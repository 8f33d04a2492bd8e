// A journal that Holdfast 0.2 wrote: two files, schema 1. Its lines were written by that version's hook.

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fireHook, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

const fixture = path.resolve(import.meta.dirname, '../fixtures/journal-schema-1');

let project: TempProject;

beforeAll(() => {
  project = tempProject();
  project.write('.jwz/.keep', '');
  for (const name of ['journal.jsonl', 'journal.jsonl.1'])
    project.write(`.holdfast/${name}`, fs.readFileSync(path.join(fixture, name), 'utf8'));
});

afterAll(() => project.remove());

async function holdfast(...words: string[]): Promise<string[]> {
  const ran = await runCli(project.root, words, { env: { HOME: project.home } });
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  return ran.stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(LOCAL_TIME, 'TIME').trimEnd());
}

const LOCAL_TIME = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/;

test('is shown by log and why, over both files', async () => {
  await expect((await holdfast('log')).join('\n')).toMatchFileSnapshot('golden/old-journal-log.txt');
  await expect((await holdfast('why')).join('\n')).toMatchFileSnapshot('golden/old-journal-why.txt');
  const [oldest = ''] = fs.readFileSync(path.join(fixture, 'journal.jsonl.1'), 'utf8').split('\n');
  const { run } = JSON.parse(oldest);
  expect(await holdfast('why', '--run', `idle:${run}`)).toEqual([
    expect.stringMatching(
      /^Allowed by idle:\S+\. The agent gave the signal COMPLETE, so the loop is done\. /,
    ),
  ]);
});

test('is replayed as before, stop by stop and as a file', async () => {
  const replayed = fs.readFileSync(path.join(fixture, 'replay.txt'), 'utf8').trimEnd().split('\n');
  for (const [position, line] of replayed.entries())
    expect(await holdfast('replay', String(position + 1))).toEqual([line]);
  expect((await holdfast('replay', path.join(fixture, 'journal.jsonl'))).at(-1)).toBe(
    '7 stops replayed, 0 different.',
  );
});

test('has the guard’s words of today', async () => {
  const lines = (await holdfast('log', '--json')).map((line) => JSON.parse(line));
  const memories = lines.flatMap(({ guard }) => guard?.memory ?? []);
  expect(memories.length).toBeGreaterThan(3);
  for (const memory of memories) {
    expect(memory).toMatchObject({ noProgress: expect.any(Number), noTools: expect.any(Number) });
    expect(memory).not.toHaveProperty('still');
    expect(memory).not.toHaveProperty('told');
  }
});

test('goes on in today’s form', async () => {
  await fireHook(project.root, { session_id: 's9', cwd: project.root }, { env: { HOME: project.home } });
  await runCli(project.root, ['idle', 'loop', 'x'], {
    env: { HOME: project.home, CLAUDE_CODE_SESSION_ID: 's9' },
  });
  const shown = await holdfast('log');
  expect(shown[0]).toContain('idle:loop-1794830905-16005');
  expect(shown.at(-1)).toContain('started in session s9');
});
