// Runs whose records of waits, whose payloads and whose transcripts are broken or hostile: nobody is parked, nothing of
// ours becomes unreadable, and no session waits for what is not its own.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { stopFailureHook } from '../../src/hook/stop-failure.ts';
import { registry } from '../../src/workflows/registry.ts';
import { RUNS, SEED } from './broken.ts';
import { type Fuzzed, stopHere } from './hook-here.ts';
import { assertSound, breakAt, pathOf, type Scene, type Stage, setUp, soundScene, stages } from './stage.ts';
import {
  asText,
  hasSubagent,
  type Notes,
  notes,
  number,
  read,
  running,
  SESSION,
  sidecarWith,
} from './waiting.ts';
import { properties } from './waiting-properties.ts';
import { rules } from './waiting-rules.ts';

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-waiting-')));
const root = path.join(folder, 'project');
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const STRANGER = 'somebody-else';
/** A stop takes a hundred times as long as a reader. */
const stopsEach = Math.ceil(RUNS / 60);

describe('a record of a wait', () => {
  test.each(properties.map((property) => [property.name, property] as const))('%s', (_, { check }) => {
    check(rules, Math.ceil(RUNS / 9));
  });
});

function sceneWith(stage: Stage, owner: string, known: Notes): Scene {
  const sound = soundScene(stage, root, owner, false);
  return breakAt(sound, stage, 'sidecar', root, () => sidecarWith(stage.run, owner, known));
}

/** Another turn of the session, in which somebody may have written something. */
function turn(scene: Scene, prompt_id: string, more: object = {}): Scene {
  return { ...scene, payload: JSON.stringify({ ...JSON.parse(scene.payload), prompt_id, ...more }) };
}

const isHeld = ({ stdout }: Fuzzed): boolean => stdout.includes('"decision":"block"');
const sidecarOf = (stage: Stage): string => fs.readFileSync(pathOf(stage, 'sidecar', root), 'utf8');

describe.each(stages.map((stage) => [stage.workflow, stage] as const))('a run of %s', (_, stage) => {
  test('is held within two turns, whatever its notes say that it waits for', async () => {
    await forEach(notes, async (known) => {
      const scene = sceneWith(stage, SESSION, known);
      setUp(scene, root);
      const isReadable = read(sidecarOf(stage)) !== null;
      const first = await stopHere(turn(scene, 'p2'), root);
      assertSound(first, stage, scene, root);
      const isReadableStill = read(sidecarOf(stage)) !== null;
      assert.equal(isReadableStill, isReadable, 'its notes are unreadable now');
      if (!isReadable || isHeld(first)) return;
      assert(first.stdout.includes('asks: '), `it was let go without a word: ${first.stdout}`);
      const second = await stopHere(turn(scene, 'p3'), root);
      assertSound(second, stage, scene, root);
      assert(isHeld(second), `parked: ${second.stdout}`);
      assert(read(sidecarOf(stage)) !== null, 'its notes are unreadable now');
    });
  });

  test('of another session makes nobody wait and shows nobody a question', async () => {
    await forEach(notes, async (known) => {
      const scene = sceneWith(stage, STRANGER, known);
      setUp(scene, root);
      const before = sidecarOf(stage);
      const fired = await stopHere(scene, root);
      assertSound(fired, stage, scene, root);
      assert(!isHeld(fired) && !fired.stdout.includes('asks: '), fired.stdout);
      assert.equal(sidecarOf(stage), before);
    });
  });

  test('waits for a running subagent alone, whatever else the client says that runs', async () => {
    await forEach(running, async (more) => {
      const sound = soundScene(stage, root, SESSION, false);
      const scene = turn(sound, 'p2', more);
      setUp(scene, root);
      const fired = await stopHere(scene, root);
      assertSound(fired, stage, scene, root);
      assert.equal(isHeld(fired), !hasSubagent(JSON.parse(scene.payload)), scene.payload.slice(0, 2000));
    });
  });

  test('has notes that can be read after a turn that failed, whatever they said and whatever it failed with', async () => {
    const errors = fc.constantFrom<unknown>('rate_limit', 'server_error', 'constructor', null, 1, {}, [
      'rate_limit',
    ]);
    await forEach(fc.tuple(notes, errors, number), async ([known, error, resetsAt]) => {
      const scene = sceneWith(stage, SESSION, known);
      setUp(scene, root);
      const row = { uuid: 'u1', isApiErrorMessage: true, message: {}, error, quotaLimits: { resetsAt } };
      const transcript_path = path.join(folder, 'failed.jsonl');
      fs.writeFileSync(transcript_path, `${asText(row)}\n`);
      const isReadable = read(sidecarOf(stage)) !== null;
      const input = turn(scene, 'p2', { hook_event_name: 'StopFailure', error, transcript_path }).payload;
      assert.deepEqual(await failHere(input), { stdout: '', stderr: '', exitCode: 0 });
      assert.equal(read(sidecarOf(stage)) !== null, isReadable, sidecarOf(stage).slice(0, 600));
    });
  });
});

async function failHere(input: string): Promise<unknown> {
  const runtime = {
    ...{ registry, cwd: root, now: Date.now(), cli: '/plugin/bin/holdfast', lockPatienceMs: 2000 },
    findReviewer: async () => {
      throw new Error('no reviewer is asked for here');
    },
    env: { HOME: path.join(folder, 'home') },
    whenAskedToEnd: () => {},
  };
  return stopFailureHook({ input, named: null, runtime, limitS: null });
}

async function forEach<T>(input: fc.Arbitrary<T>, check: (value: T) => Promise<void>): Promise<void> {
  let stops = 0;
  const property = fc.asyncProperty(input, async (value) => {
    stops++;
    await check(value);
  });
  await fc.assert(property, { seed: SEED, numRuns: stopsEach });
  expect(stops).toBe(stopsEach);
}
