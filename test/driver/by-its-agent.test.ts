// An agent that is driven cannot shed its run, and with it what it may spend: our commands refuse it in its shell, and
// where the run is gone all the same, its client is ended. The client is scripted, the hook and the commands are built.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readRecord, recordName } from '../../src/driver/record.ts';
import { type Action, driveOn, type Stage, stageWith, startedLoop } from './stage.ts';

const WORK: Action = { do: 'work' };
const DONE: Action = { do: 'done' };
const HANG: Action = { do: 'hang' };

let stage: Stage;
afterEach(() => {
  expect(stage.linesOf('violations')).toEqual([]);
  stage.remove();
});

const HOLDFAST = '"$PLUGIN/bin/holdfast"';
/** What it says goes where the test reads it. */
const shell = (line: string): Action => ({ do: 'run', line: `${line} >>"$STAGE/shell" 2>&1` });
const command = (words: string): Action => shell(`${HOLDFAST} ${words}`);
const heard = (): string => stage.linesOf('shell').join('\n');

/** Without what would tell whose shell it is. */
const UNNAMED = 'env -u HOLDFAST_DRIVER -u CLAUDE_CODE_SESSION_ID -u CLAUDECODE -u CLAUDE_PROJECT_DIR';

describe('in the shell of an agent that is driven', () => {
  it.each([
    [
      'by any command, with and without its name',
      (run: string) => [
        ...[
          command('cancel'),
          command(`cancel ${run}`),
          command('idle cancel'),
          command('idle cancel --top'),
        ],
        ...[
          shell(`HOLDFAST_DRIVER= ${HOLDFAST} cancel`),
          shell(`env -u HOLDFAST_DRIVER ${HOLDFAST} idle cancel`),
        ],
      ],
    ],
    [
      'without the variables of its client',
      () => [shell(`${UNNAMED} ${HOLDFAST} cancel`), shell(`${UNNAMED} ${HOLDFAST} idle cancel`)],
    ],
  ])('its run cannot be cancelled %s', async (_, tries) => {
    stage = await stageWith([]);
    const record = await startedLoop(stage);
    const all = tries(record.run ?? '');
    stage.write([WORK, ...all, WORK, DONE]);
    const { driven } = await driveOn(stage, record);
    expect(driven).toMatchObject({ code: 0, why: 'completed' });
    const refusals = stage.linesOf('shell');
    expect(refusals).toHaveLength(all.length);
    for (const line of refusals)
      expect(line).toMatch(
        /^holdfast: idle:\S+ is driven by `holdfast run`, and this shell is its agent's: only a person ends it, .*`\S+ ask "<question>"`/,
      );
  });

  it('a client that it starts cannot take its run', async () => {
    stage = await stageWith([]);
    const record = await startedLoop(stage);
    stage.write([
      shell(`env -u CLAUDE_CODE_SESSION_ID CODEX_SESSION_ID=inner ${HOLDFAST} adopt ${record.run}`),
      WORK,
      DONE,
    ]);
    const { driven } = await driveOn(stage, record);
    expect(driven).toMatchObject({ code: 0 });
    expect(heard()).toContain("this shell is its agent's: only a person ends it");
  });
});

const ABORTED = `sed -i 's/"event":"STATE"/"event":"ABORT"/; s/\\\\"event\\\\":\\\\"STATE\\\\"/\\\\"event\\\\":\\\\"ABORT\\\\"/g' .jwz/messages.jsonl`;
const END = {
  ...{ schema: 2, time: new Date().toISOString(), session: null, event: 'end', workflow: 'idle' },
  ...{ outcome: 'completed', proof: 'proven' },
};
const CHECK = {
  id: 'a-1-b',
  work: 'check',
  check: 't',
  definition: 'd',
  owner: null,
  deadline: 8e15,
  status: 'running',
};
const FORGE_CHECK = `const [, file] = process.argv; const notes = JSON.parse(fs.readFileSync(file)); notes.attempts = [${JSON.stringify(CHECK)}]; fs.writeFileSync(file, JSON.stringify(notes))`;

describe('a run that its agent has ended all the same', () => {
  it.each([
    ['by removing its files', 'rm -rf .jwz .holdfast'],
    ['by writing its end', ABORTED],
  ])('%s has its client ended at the next look', async (_, line) => {
    stage = await stageWith([WORK, shell(line), HANG, DONE]);
    const { driven, said, record } = await driveOn(stage, await startedLoop(stage));
    expect(driven).toMatchObject({ code: 5, why: 'cancelled-by-agent' });
    expect(said).toContainEqual(expect.objectContaining({ event: 'client-ended', how: 'shed' }));
    expect(record.ended).toMatchObject({ code: 5, why: 'cancelled-by-agent' });
    expect(stage.starts()).toHaveLength(1);
    expect(fs.readFileSync(path.join(stage.project.root, '.holdfast/journal.jsonl'), 'utf8')).toContain(
      '"why":"cancelled-by-agent, exit code 5"',
    );
  });

  it.each([
    [
      'with an end in the journal, done and proven',
      (run: string) =>
        `${ABORTED}; echo '${JSON.stringify({ ...END, run: run.replace('idle:', '') })}' | tee -a .holdfast/journal.jsonl`,
    ],
    [
      'with a check in its notes that has all the time there is',
      () => `node -e '${FORGE_CHECK}' .holdfast/runs/*; sleep 1; rm -rf .jwz .holdfast`,
    ],
  ])('%s, is gone for its driver all the same', async (_, forged) => {
    stage = await stageWith([]);
    const started = await startedLoop(stage);
    stage.write([WORK, shell(forged(started.run ?? '')), HANG, DONE]);
    const { driven, said } = await driveOn(stage, started);
    expect(driven).toMatchObject({ code: 5, why: 'cancelled-by-agent' });
    expect(said).toContainEqual(expect.objectContaining({ event: 'client-ended', how: 'shed' }));
  });

  it('at the end of its turn is named as such too', async () => {
    stage = await stageWith([WORK, shell('rm -rf .jwz .holdfast'), { do: 'unheld' }, DONE]);
    const { driven } = await driveOn(stage, await startedLoop(stage));
    expect(driven).toMatchObject({ code: 5, why: 'cancelled-by-agent' });
    expect(stage.starts()).toHaveLength(1);
  });
});

it('a person cancels it from a terminal, and the driver says so', async () => {
  stage = await stageWith([WORK, { do: 'hang' }, DONE]);
  const record = await startedLoop(stage);
  const { driven } = await driveOn(stage, record, {
    at: ({ event }) => event === 'stop' && stage.types(['cancel']),
  });
  expect(driven).toMatchObject({ code: 5, why: 'cancelled' });
  expect(readRecord(stage.env, recordName(record))?.cancelled).toBeGreaterThan(0);
});
