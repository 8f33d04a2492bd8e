// Bad input, hostile files, a disk that takes nothing: the stop is allowed, one clear line says what happened, and
// nothing is written half or outside the project.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Fired, fireHook, type HookAnswer, run } from '../support/hook.ts';
import { toyPlugin } from '../toy/plugin.ts';
import { filesIn, SESSION, type ToyScene, toyScene } from '../toy/scene.ts';

async function working(): Promise<ToyScene> {
  const scene = toyScene();
  await scene.start('a');
  return scene;
}

const fireText = (scene: ToyScene, text: string): Promise<Fired> =>
  fireHook(scene.root, text, { plugin: toyPlugin, env: scene.env });

/** Allowed, by one line on stderr with exit code 1 and nothing on stdout. */
function expectRefused(fired: Fired, saying: string): void {
  expect(fired).toMatchObject({ exitCode: 1, stdout: '' });
  expect(fired.stderr).toMatch(/^Holdfast: [^\n]*The stop is allowed\.\n$/);
  expect(fired.stderr).toContain(saying);
}

/** Allowed, by one notice of one line with exit code 0. */
function expectLetGo({ exitCode, stderr, answer }: Fired, saying: string): void {
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(Object.keys(answer ?? {})).toEqual(['systemMessage']);
  expect(answer?.systemMessage).toMatch(/^Holdfast: hit an error, so this stop was allowed: [^\n]*$/);
  expect(answer?.systemMessage).toContain(saying);
}

function fifo(scene: ToyScene, place: string): void {
  const file = path.join(scene.root, place);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.rmSync(file, { recursive: true, force: true });
  execFileSync('mkfifo', [file]);
}

describe.concurrent('standard input', () => {
  test.each([
    ['empty', '', 'it is empty'],
    ['only white space', ' \n\t ', 'it is empty'],
    ['not JSON', 'stop!', 'a stop is one JSON object'],
    ['half of JSON', '{"session_id":"x"', 'a stop is one JSON object'],
    ['two objects', '{}{}', 'a stop is one JSON object'],
    ['a list', '[{}]', 'a stop is one JSON object'],
    ['a text', '"stop"', 'a stop is one JSON object'],
    ['a number', '42', 'a stop is one JSON object'],
    ['null', 'null', 'a stop is one JSON object'],
    ['true', 'true', 'a stop is one JSON object'],
    ['binary', '\u0000\u0001\ufffd', 'a stop is one JSON object'],
  ])('that is %s is bad input: allowed, with one line on stderr', async (_, text, saying) => {
    const scene = await working();
    const before = filesIn(scene.root);
    expectRefused(await fireText(scene, text), saying);
    expect(filesIn(scene.root)).toEqual(before);
  });

  test('of 50 MB that is no JSON is allowed, with one line', async () => {
    const scene = await working();
    expectRefused(await fireText(scene, '['.repeat(50 * 1024 * 1024)), 'a stop is one JSON object');
  });

  test('of 50 MB that is a stop is a stop like any other', async () => {
    const scene = await working();
    const message = 'x'.repeat(50 * 1024 * 1024);
    const fired = await scene.stop({ payload: { last_assistant_message: message } });
    expect(fired.answer?.decision).toBe('block');
    expect(scene.read('.holdfast/journal.jsonl').length).toBeLessThan(4096);
  });

  test.each(['/nonexistent/folder', 'WORK.md'])(
    'with a cwd that is no folder (%s) is allowed, with one line',
    async (cwd) => {
      const scene = await working();
      scene.write('WORK.md', 'a file');
      expectRefused(await fireText(scene, JSON.stringify({ session_id: SESSION, cwd })), 'it is not there');
      expect(scene.state('a').left).toBe(100);
    },
  );

  test('that never ends does not make the hook deaf to a signal', async () => {
    const scene = await working();
    const script =
      'mkfifo in; exec 9<>in; "$0" <in & pid=$!; sleep 0.5; kill -s TERM $pid; wait $pid; echo "ended $?"';
    const hook = path.join(toyPlugin, 'hooks/stop');
    const ran = await run('/bin/sh', ['-c', script, hook], scene.root, { env: scene.env });
    expect(ran.stdout).toBe('ended 143\n');
  });
});

describe.concurrent('the command line of the hook', () => {
  test('bad input exits 1 with --client generic too: 2 would hold', async () => {
    const scene = await working();
    const fired = await fireHook(scene.root, 'nonsense', {
      plugin: toyPlugin,
      env: scene.env,
      args: ['--client', 'generic'],
    });
    expectRefused(fired, 'a stop is one JSON object');
  });
});

describe.concurrent('a state', () => {
  test.each([
    ['no JSON', (scene: ToyScene) => scene.write('.toy/a.json', '{"phase":'), 'not readable'],
    ['a list', (scene: ToyScene) => scene.write('.toy/a.json', '[]'), 'not readable'],
    ['a FIFO', (scene: ToyScene) => fifo(scene, '.toy/a.json'), 'not a regular file'],
    [
      'a folder',
      (scene: ToyScene) => {
        fs.rmSync(path.join(scene.root, '.toy/a.json'));
        fs.mkdirSync(path.join(scene.root, '.toy/a.json'));
      },
      'not a regular file',
    ],
    [
      'too long',
      (scene: ToyScene) => fs.truncateSync(path.join(scene.root, '.toy/a.json'), 80 * 1024 * 1024),
      'bytes long',
    ],
  ])('that is %s lets go with one line, said once', async (_, spoil, saying) => {
    const scene = await working();
    spoil(scene);
    expectLetGo(await scene.stop(), saying);
    expect((await scene.stop()).stdout).toBe('');
    const [entry] = scene.journal();
    expect(entry).toMatchObject({ workflow: 'toy', run: 'a', answer: 'allow' });
    expect(entry?.error).toContain(saying);
  });

  test('in a folder that is a link out of the project is not read', async () => {
    const scene = await working();
    const outside = path.join(path.dirname(scene.root), 'outside');
    fs.renameSync(path.join(scene.root, '.toy'), outside);
    fs.symlinkSync(outside, path.join(scene.root, '.toy'));
    const before = filesIn(outside);
    expectLetGo(await scene.stop(), 'leads out of');
    expect(filesIn(outside)).toEqual(before);
  });
});

describe.concurrent('our own notes', () => {
  const sidecar = '.holdfast/runs/toy-a.json';
  const index = `.holdfast/sessions/${SESSION}.json`;

  test.each([
    ['no JSON', (scene: ToyScene) => scene.write(sidecar, 'nonsense'), 'not readable as Holdfast'],
    [
      'of the wrong shape',
      (scene: ToyScene) => scene.write(sidecar, '{"schema":1}'),
      'not readable as Holdfast',
    ],
    ['a FIFO', (scene: ToyScene) => fifo(scene, sidecar), 'not a regular file'],
    [
      'of a newer version',
      (scene: ToyScene) => scene.setSidecar('a', { schema: 3 }),
      'written by a newer Holdfast',
    ],
  ])('on a run that are %s let go with one line, said once', async (_, spoil, saying) => {
    const scene = await working();
    spoil(scene);
    expectLetGo(await scene.stop(), saying);
    expect((await scene.stop()).stdout).toBe('');
    expect(scene.state('a').left).toBe(100);
  });

  test('of a newer version are not even overwritten by adopt', async () => {
    const scene = await working();
    scene.setSidecar('a', { schema: 3 });
    const before = scene.read(sidecar);
    const { exitCode, stderr } = await scene.cli(['adopt', 'toy:a']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('written by a newer Holdfast; upgrade this one');
    expect(scene.read(sidecar)).toBe(before);
  });

  test.each([
    ['the session', index],
    ['the lock', '.holdfast/lock'],
  ])('let go when %s is a FIFO', async (_, place) => {
    const scene = await working();
    fifo(scene, place);
    expectLetGo(await scene.stop(), 'not a regular file');
  });
});

describe.concurrent('what is read beside the state', () => {
  test('may be a FIFO as transcript: it tells nothing', async () => {
    const scene = await working();
    fifo(scene, 'transcript.jsonl');
    const payload = { transcript_path: path.join(scene.root, 'transcript.jsonl') };
    expect((await scene.stop({ payload })).answer?.decision).toBe('block');
    expect((await scene.stop({ payload })).answer?.decision).toBe('block');
    expect(scene.journal()[1]?.guard).toMatchObject({ movement: { tools: 'unknown' } });
  });

  test.each([
    ['a FIFO', (scene: ToyScene) => fifo(scene, 'holdfast.config.json'), 'not a regular file'],
    ['no JSON', (scene: ToyScene) => scene.write('holdfast.config.json', '{'), 'not valid JSON'],
    [
      'wrong',
      (scene: ToyScene) => scene.write('holdfast.config.json', '{"review":{"timeout":"long"}}'),
      'review.timeout: expected a number of seconds from 1 to 7000, got "long"; this key is ignored',
    ],
  ])('may be %s as config: what cannot be used is ignored, and it is said once', async (_, spoil, saying) => {
    const scene = await working();
    spoil(scene);
    const { answer } = await scene.stop();
    expect(answer?.decision).toBe('block');
    expect(answer?.systemMessage).toMatch(/^Holdfast: [^\n]*ignored[^\n]*\.$/);
    expect(answer?.systemMessage).toContain(saying);
    expect((await scene.stop()).answer?.systemMessage).toBeUndefined();
  });
});

describe.concurrent('a link out of the project', () => {
  /** A folder outside with something precious in it. */
  function outsideOf(scene: ToyScene): string {
    const outside = path.join(path.dirname(scene.root), 'outside');
    fs.mkdirSync(path.join(outside, 'precious'), { recursive: true });
    fs.writeFileSync(path.join(outside, 'precious', 'file'), 'precious');
    fs.writeFileSync(path.join(outside, '.gitignore'), '');
    return outside;
  }

  test.each(['.holdfast', '.holdfast/runs', '.holdfast/sessions', '.holdfast/attempts'])(
    'in the place of %s is never written through',
    async (place) => {
      const scene = toyScene();
      scene.setState('a', { phase: 'reviewing' });
      const outside = outsideOf(scene);
      fs.mkdirSync(path.join(scene.root, '.holdfast'), { recursive: true });
      fs.rmSync(path.join(scene.root, place), { recursive: true, force: true });
      fs.symlinkSync(outside, path.join(scene.root, place));
      const before = filesIn(outside);
      await scene.cli(['adopt', 'toy:a'], { env: { CLAUDE_CODE_SESSION_ID: SESSION } });
      const { exitCode, answer } = await scene.stop({ env: { TOY_REVIEWER: 'fail' } });
      expect({ exitCode, decision: answer?.decision }).toEqual({ exitCode: 0, decision: undefined });
      expect((await scene.stop({ session: null, env: { TOY_REVIEWER: 'fail' } })).exitCode).toBe(0);
      expect(filesIn(outside)).toEqual(before);
      expect(fs.readdirSync(outside).sort()).toEqual(['.gitignore', 'precious']);
    },
  );

  test.each(['running', 'done'])(
    'in the place of a forged attempt that is %s is never written or removed through',
    async (status) => {
      const scene = await working();
      scene.setState('a', { phase: 'reviewing' });
      const outside = outsideOf(scene);
      const attempt = {
        work: 'review' as const,
        id: 'precious',
        reviewer: 'toy',
        kind: 'toy-review',
        number: 1,
        file: '.toy/review-1.md',
        model: 'opus',
        owner: null,
        deadline: 0,
        status,
        verdict: status === 'done' ? 'clean' : null,
        before: '',
      };
      scene.setSidecar('a', { attempts: [attempt] });
      fs.mkdirSync(path.join(scene.root, '.holdfast/attempts'));
      fs.symlinkSync(path.join(outside, 'precious'), path.join(scene.root, '.holdfast/attempts/precious'));
      const before = filesIn(outside);
      await scene.stop({ env: { TOY_REVIEWER: 'fail' } });
      expect(filesIn(outside)).toEqual(before);
    },
  );

  test('in the place of the journal is not written through, and the stop is held all the same', async () => {
    const scene = await working();
    const outside = outsideOf(scene);
    fs.rmSync(path.join(scene.root, '.holdfast/journal.jsonl'));
    fs.symlinkSync(path.join(outside, 'precious/file'), path.join(scene.root, '.holdfast/journal.jsonl'));
    expect((await scene.stop()).answer?.decision).toBe('block');
    expect(fs.readFileSync(path.join(outside, 'precious/file'), 'utf8')).toBe('precious');
  });
});

describe.concurrent('a full disk', () => {
  test('lets go with one line, and leaves the state whole', async () => {
    const scene = await working();
    const before = filesIn(scene.root);
    const hook = path.join(toyPlugin, 'hooks/stop');
    // No file can grow: every write fails, as on a full disk.
    const ran = await run('/bin/sh', ['-c', 'ulimit -f 0; exec "$0"', hook], scene.root, {
      env: scene.env,
      stdin: JSON.stringify({ session_id: SESSION, prompt_id: 'p' }),
    });
    const answer: HookAnswer = JSON.parse(ran.stdout);
    expectLetGo({ ...ran, answer }, 'EFBIG');
    expect(filesIn(scene.root)).toEqual(before);
  });
});
