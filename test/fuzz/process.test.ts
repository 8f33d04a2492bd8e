// The real hook, in processes of its own: a sample of broken stops, and files so long that reading them whole would
// be the end of it. A process that hangs is killed and has no exit code.

import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { cleanEnvironment, fireHook, run, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { brokenText, RUNS, SEED } from './broken.ts';
import { claudeTranscripts, LOOP_ID, payloads, SESSION } from './corpus.ts';
import {
  assertSound,
  breakAt,
  brokenScene,
  type Place,
  type Stage,
  setUp,
  soundScene,
  stages,
} from './stage.ts';

const project = tempProject();
const { root } = project;
afterAll(() => project.remove());

/** A process takes a thousand times as long as a reader. */
const each = Math.ceil(RUNS / 300);

async function fire(payload: string) {
  const fired = await fireHook(root, payload, { timeoutMs: 240_000 });
  const exitCode = fired.exitCode === 0 || fired.exitCode === 1 ? fired.exitCode : 2;
  return { ...fired, exitCode, reviewers: 0 } as const;
}

describe('the real hook', () => {
  test.each(stages.map((stage) => [stage.workflow, stage] as const))(
    'holds only whom it may, whatever of %s is broken',
    { timeout: 300_000 + each * 5000 },
    async (_, stage) => {
      const broken = brokenScene(stage, root, SESSION);
      await fc.assert(
        fc.asyncProperty(broken, async (scene) => {
          setUp(scene, root);
          assertSound(await fire(scene.payload), stage, scene, root);
        }),
        { seed: SEED, numRuns: each },
      );
    },
  );

  test('answers every payload with nothing, one object or one line, in a project without a run', {
    timeout: 300_000 + each * 5000,
  }, async () => {
    fs.rmSync(root, { recursive: true, force: true });
    project.write('.jwz/other', '');
    await fc.assert(
      fc.asyncProperty(brokenText(payloads), async (payload) => {
        const { exitCode, stdout, stderr } = await fire(payload);
        expect(exitCode).toBeLessThan(2);
        expect(stdout).toBe('');
        expect(stderr).toMatch(exitCode === 0 ? /^$/ : /^Holdfast: [^\n]+ The stop is allowed\.\n$/);
      }),
      { seed: SEED, numRuns: each },
    );
  });

  test.each([
    ['objects', '{"a":', '1', '}'],
    ['lists', '{"a":[', '1', ']}'],
  ])('reads %s nested a hundred thousand deep', async (_, open, middle, close) => {
    const [stage] = stages;
    if (stage === undefined) throw new Error('there are no stages');
    const inner =
      open === '{"a":'
        ? open.repeat(100_000) + middle + close.repeat(100_000)
        : `{"a":${'['.repeat(100_000)}1${']'.repeat(100_000)}}`;
    for (const place of ['payload', 'sidecar', 'index', 'config', 'state'] satisfies Place[]) {
      const scene = breakAt(soundScene(stage, root, SESSION, false), stage, place, root, () => inner);
      setUp(scene, root);
      const fired = await fire(scene.payload);
      expect({ place, exitCode: fired.exitCode }).toEqual({ place, exitCode: 0 });
    }
  });
});

/** A gigabyte that takes no room: nothing but NUL, and `end` after it. */
function giant(file: string, end = ''): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, '');
  fs.truncateSync(file, 2 ** 30);
  fs.appendFileSync(file, end);
  return file;
}

/** The hook with no more memory than it should ever need. */
function fireWithLittleMemory(scratch: TempProject, payload: object) {
  const env = { ...cleanEnvironment(scratch.root), NODE_OPTIONS: '--max-old-space-size=256' };
  return fireHook(scratch.root, payload, { timeoutMs: 100_000, env });
}

const GIANTS: readonly [workflow: string, file: string, end: string][] = [
  ['claudex', `.claude/claudex/${LOOP_ID}.state`, '\nphase: drafting\n'],
  ['claudex', 'PLAN.md', '\n'],
  ['claudex', `.claude/claudex/${LOOP_ID}/findings-round-1.md`, '\n## High\n- x\n'],
  ['taskie', '.taskie/plans/p/state.json', '{}'],
  ['taskie', '.taskie/plans/p/tasks.md', '|1|pending|\n'],
  ['taskie', '.taskie/plans/p/task-1.md', '\n'],
  ['idle', '.jwz/messages.jsonl', '\n'],
  ['idle', '.claude/idle-loop.local.md', '---\n'],
  ['idle', '.holdfast/journal.jsonl', '\n'],
  ['idle', '.holdfast/runs/idle-loop-1.json', '}'],
  ['idle', `.holdfast/sessions/${SESSION}.json`, '}'],
  ['idle', 'holdfast.config.json', '}'],
];

describe('a line of a gigabyte', () => {
  const stageOf = (workflow: string): Stage => {
    const stage = stages.find((one) => one.workflow === workflow);
    if (stage === undefined) throw new Error(`there is no stage for ${workflow}`);
    return stage;
  };

  test.each(GIANTS)(
    'in %s, %s, costs a stop neither its time nor its memory',
    async (workflow, file, end) => {
      setUp(soundScene(stageOf(workflow), root, SESSION, false), root);
      giant(path.join(root, file), end);
      const fired = await fireWithLittleMemory(project, { session_id: SESSION, cwd: root });
      expect(fired.exitCode).toBe(0);
      expect(fired.stderr).toBe('');
    },
  );

  test.each(['', '\n'])('in a transcript is passed over (its end: %j)', async (end) => {
    for (const workflow of ['claudex', 'idle']) {
      setUp(soundScene(stageOf(workflow), root, SESSION, false), root);
      const transcript_path = giant(path.join(root, '../giant.jsonl'), end + (claudeTranscripts[0] ?? ''));
      const fired = await fireWithLittleMemory(project, { session_id: SESSION, cwd: root, transcript_path });
      expect(fired.answer?.decision).toBe('block');
    }
  });

  test.each([['log'], ['why'], ['status']])('in the journal costs `holdfast %s` neither', async (command) => {
    setUp(soundScene(stageOf('idle'), root, SESSION, false), root);
    giant(path.join(root, '.holdfast/journal.jsonl'), '\n');
    const ran = await runCli(root, [command], {
      env: { NODE_OPTIONS: '--max-old-space-size=256' },
      timeoutMs: 100_000,
    });
    expect(ran.exitCode).toSatisfy((code) => code === 0 || code === 1);
  });

  test('on standard input is refused in one line', async () => {
    setUp(soundScene(stageOf('idle'), root, SESSION, false), root);
    const file = giant(path.join(root, '../input'));
    const plugin =
      process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');
    const ran = await run('sh', ['-c', 'exec "$0" <"$1"', path.join(plugin, 'hooks/stop'), file], root, {
      timeoutMs: 100_000,
    });
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^Holdfast: [^\n]+larger than any client sends\. The stop is allowed\.\n$/);
  });
});
