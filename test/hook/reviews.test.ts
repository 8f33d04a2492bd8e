// A review is an attempt with a record: what each ending of the reviewer leads to, what is kept, what is paid twice
// (nothing), and what happens when the hook is killed in the middle.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fingerprint } from '../../src/store/fingerprint.ts';
import { heldByToy, toyPlugin } from '../toy/plugin.ts';
import {
  attemptOf,
  eventually,
  familyOf,
  isRunning,
  type RunningHook,
  reviewStarted,
  SESSION,
  type ToyScene,
  toyScene,
} from '../toy/scene.ts';

async function reviewing(): Promise<ToyScene> {
  const scene = toyScene();
  await scene.start('a', { phase: 'reviewing' });
  return scene;
}

const behaving = (behaviour: string, more: Record<string, string> = {}) => ({
  env: { TOY_REVIEWER: behaviour, ...more },
});

const attemptFolders = (scene: ToyScene): string[] => {
  const folder = path.join(scene.root, '.holdfast/attempts');
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
};

const note = (scene: ToyScene, name: string): string => path.join(scene.notes, name);

function kill({ process }: RunningHook, signal: NodeJS.Signals): void {
  process.kill(signal);
}

describe.concurrent('a review that ends', () => {
  test('clean lets the run end, and leaves no attempt and no log', async () => {
    const scene = await reviewing();
    const { answer } = await scene.stop(behaving('pass'));
    expect(answer).toEqual({ systemMessage: 'clean {} a secret note' });
    expect(scene.state('a')).toMatchObject({ phase: 'done', reviews: 1 });
    expect(attemptFolders(scene)).toEqual([]);
    expect(scene.exists('.toy/.review-1.log')).toBe(false);
    expect(scene.reviews()).toBe(1);
  });

  test('with findings holds the agent with them', async () => {
    const scene = await reviewing();
    const { answer } = await scene.stop(behaving('fail'));
    expect(answer).toEqual({
      decision: 'block',
      reason: heldByToy('fix {"file":".toy/review-1.md"} a secret note'),
    });
    expect(scene.state('a')).toMatchObject({ phase: 'working', reviews: 1 });
    expect(scene.journal()).toMatchObject([{ answer: 'hold', facts: { verdict: 'findings' } }]);
  });

  test.each([
    ['no-file', 'none'],
    ['silent', 'none'],
    ['flood', 'none'],
    ['crash', 'failed'],
    ['dies', 'failed'],
  ])('by %s is %s: the stop is allowed with a notice, and a log is kept', async (behaviour, verdict) => {
    const scene = await reviewing();
    const { answer } = await scene.stop(behaving(behaviour));
    expect(answer).toEqual({ systemMessage: 'no-verdict {"file":".toy/review-1.md"} a secret note' });
    expect(scene.journal()).toMatchObject([{ answer: 'allow', facts: { verdict } }]);
    expect(scene.state('a')).toMatchObject({ phase: 'reviewing', reviews: 0 });
    expect(scene.sidecar('a')).toMatchObject({ attempts: [], failures: { count: 1 } });
    expect(scene.read('.toy/.review-1.log')).toContain('toy-reviewer: exit code');
  });

  test('at our deadline is a failure, and nothing of the reviewer is left', async () => {
    const scene = await reviewing();
    scene.write('holdfast.config.json', JSON.stringify({ review: { timeout: 8 } }));
    const { answer } = await scene.stop(behaving('family'));
    expect(answer?.systemMessage).toContain('no-verdict');
    expect(scene.read('.toy/.review-1.log')).toContain('review.timeout');
    expect(scene.journal()).toMatchObject([{ facts: { verdict: 'failed' } }]);
    expect(familyOf(scene)).toHaveLength(2);
    expect(familyOf(scene).filter(isRunning)).toEqual([]);
  });

  test('without a verdict three times is not tried again until the state is edited', async () => {
    const scene = await reviewing();
    for (let stop = 0; stop < 3; stop++) await scene.stop(behaving('silent'));
    expect(scene.reviews()).toBe(3);
    const gaveUp = await scene.stop(behaving('pass'));
    expect(gaveUp.answer).toEqual({ systemMessage: 'gave-up {} a secret note' });
    await scene.stop(behaving('pass'));
    expect(scene.reviews()).toBe(3);
    scene.setState('a', { phase: 'reviewing', left: 7 });
    expect((await scene.stop(behaving('pass'))).answer?.systemMessage).toContain('clean');
    expect(scene.reviews()).toBe(4);
  });

  test.each(['plain', 'nohup', 'deaf', 'orphan'])(
    'by itself takes the child along that it left behind (%s), and its verdict counts',
    async (child) => {
      const scene = await reviewing();
      const { answer } = await scene.stop(behaving('littering', { TOY_CHILD: child }));
      expect(answer?.systemMessage).toContain('clean');
      expect(familyOf(scene)).toHaveLength(1);
      expect(familyOf(scene).filter(isRunning)).toEqual([]);
    },
  );
});

describe.concurrent('the environment of a reviewer', () => {
  const environment = (scene: ToyScene): string[] =>
    fs.readFileSync(note(scene, 'environment'), 'utf8').split('\n');

  test('keeps it from firing the hook again, and gives it back the certificates', async () => {
    const scene = await reviewing();
    await scene.stop(behaving('pass', { NODE_EXTRA_CA_CERTS: '/etc/my certificates.pem' }));
    expect(environment(scene)).toContain('HOLDFAST_DISABLE=1');
    expect(environment(scene)).toContain('NODE_EXTRA_CA_CERTS=/etc/my certificates.pem');
    expect(environment(scene).filter((line) => line.startsWith('HOLDFAST_EXTRA'))).toEqual([]);
  });

  test('makes our commands refuse to move the run it reviews', async () => {
    const scene = await reviewing();
    await scene.stop(behaving('meddling', { TOY_CLI: path.join(toyPlugin, 'bin/holdfast') }));
    expect(fs.readFileSync(note(scene, 'meddled'), 'utf8')).toBe(
      'holdfast: cancel writes, and HOLDFAST_DISABLE=1 is set here: nothing was done.\n',
    );
    expect(scene.state('a')).toMatchObject({ phase: 'done', reviews: 1 });
  });
});

describe.concurrent('while a review runs', () => {
  test('its attempt is on record, with the lock free for others', async () => {
    const scene = await reviewing();
    const before = fingerprint(scene.read('.toy/a.json'));
    const hook = scene.beginStop(behaving('patient'));
    await reviewStarted(scene);
    expect(attemptOf(scene, 'a')).toMatchObject({
      reviewer: 'toy',
      kind: 'toy-review',
      number: 1,
      file: '.toy/review-1.md',
      model: 'opus',
      owner: SESSION,
      status: 'running',
      verdict: null,
      before,
    });
    expect(attemptOf(scene, 'a').deadline).toBeGreaterThan(Date.now());
    expect((await scene.cli(['adopt', 'toy:a'], { env: { CLAUDE_CODE_SESSION_ID: SESSION } })).exitCode).toBe(
      0,
    );
    fs.writeFileSync(note(scene, 'finish'), '');
    expect(JSON.parse((await hook.ended).stdout).systemMessage).toContain('clean');
  });

  test('a second stop of the session is allowed with a notice, and starts no second review', async () => {
    const scene = await reviewing();
    const hook = scene.beginStop(behaving('patient'));
    await reviewStarted(scene);
    const second = await scene.stop(behaving('fail'));
    expect(second.answer).toEqual({
      systemMessage: expect.stringContaining('a review is already under way (.toy/review-1.md)'),
    });
    fs.writeFileSync(note(scene, 'finish'), '');
    expect(JSON.parse((await hook.ended).stdout).systemMessage).toContain('clean');
    expect(scene.reviews()).toBe(1);
  });

  test('a verdict that an edit overtook is gone for good, also when the same state comes back', async () => {
    const scene = await reviewing();
    const before = scene.read('.toy/a.json');
    const edited = '{"phase":"reviewing","left":5,"reviews":0,"note":"mine"}';
    const edit = { TOY_EDIT: edited, TOY_STATE: path.join(scene.root, '.toy/a.json') };
    await scene.stop(behaving('edit', edit));
    scene.write('.toy/a.json', before);
    fs.rmSync(path.join(scene.root, '.toy/review-1.md'));
    await scene.stop(behaving('fail'));
    expect(scene.reviews()).toBe(2);
    expect(scene.state('a')).toMatchObject({ phase: 'working', reviews: 1 });
  });

  test('a session that adopts the run gets its verdict, without a second review', async () => {
    const scene = await reviewing();
    const hook = scene.beginStop(behaving('patient'));
    await reviewStarted(scene);
    await scene.cli(['adopt', 'toy:a'], { env: { CLAUDE_CODE_SESSION_ID: 'other' } });
    fs.writeFileSync(note(scene, 'finish'), '');
    const left = JSON.parse((await hook.ended).stdout);
    expect(left).toEqual({
      systemMessage: expect.stringContaining("toy:a is unfinished here but is not this session's"),
    });
    expect(scene.state('a').phase).toBe('reviewing');
    const { answer } = await scene.stop({ session: 'other', ...behaving('fail') });
    expect(answer?.systemMessage).toContain('clean');
    expect(scene.reviews()).toBe(1);
  });
});

describe.concurrent('a hook that is killed in the middle of a review', () => {
  test.each(['hang', 'stubborn', 'family'])(
    'takes a reviewer along that would %s, and the next stop takes the review over under the same number',
    async (behaviour) => {
      const scene = await reviewing();
      const hook = scene.beginStop(behaving(behaviour));
      await reviewStarted(scene);
      const { id } = attemptOf(scene, 'a');
      kill(hook, 'SIGKILL');
      await hook.ended;
      await eventually('the reviewer and its children ended by themselves', () => {
        return familyOf(scene).filter(isRunning).length === 0;
      });
      expect(attemptOf(scene, 'a')).toMatchObject({ id, status: 'running' });
      const { answer } = await scene.stop(behaving('pass'));
      expect(answer?.systemMessage).toContain('clean');
      expect(scene.state('a')).toMatchObject({ phase: 'done', reviews: 1 });
      expect(scene.reviews()).toBe(2);
      expect(scene.read('.toy/review-1.md')).toBe('What I found.\n');
      expect(scene.read(`.holdfast/attempts/${id}/unfinished-review-1.md`)).toBe('Half a rev\n');
    },
  );

  test('after the reviewer has ended leaves a verdict that is applied without a second review', async () => {
    const scene = await reviewing();
    const hook = scene.beginStop(behaving('patient'));
    await reviewStarted(scene);
    // Stopped, the hook cannot see the reviewer's end.
    kill(hook, 'SIGSTOP');
    fs.writeFileSync(note(scene, 'finish'), '');
    await eventually('the reviewer ended', () => fs.existsSync(note(scene, 'finished')));
    kill(hook, 'SIGKILL');
    await hook.ended;
    expect(attemptOf(scene, 'a')).toMatchObject({ status: 'running', verdict: null });
    const { answer } = await scene.stop(behaving('fail'));
    expect(answer?.systemMessage).toContain('clean');
    expect(scene.state('a')).toMatchObject({ phase: 'done', reviews: 1 });
    expect(scene.reviews()).toBe(1);
  });
});

describe.concurrent('a hook that is told to end in the middle of a review', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s marks the attempt, ends the reviewer with its children, journals and allows the stop',
    async (signal) => {
      const scene = await reviewing();
      const before = scene.read('.toy/a.json');
      const hook = scene.beginStop(behaving('family'));
      await reviewStarted(scene);
      kill(hook, signal);
      expect(await hook.ended).toEqual({ exitCode: 0, stdout: '', stderr: '' });
      expect(familyOf(scene)).toHaveLength(2);
      expect(familyOf(scene).filter(isRunning)).toEqual([]);
      expect(attemptOf(scene, 'a').status).toBe('interrupted');
      expect(scene.read('.toy/a.json')).toBe(before);
      expect(scene.journal()).toMatchObject([
        { answer: 'allow', error: expect.stringContaining('ended the hook') },
      ]);
    },
  );

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s after the attempt was noted down, but before the reviewer was started, starts none',
    async (signal) => {
      const scene = await reviewing();
      const fired = await scene.stop({ ...behaving('pass', { TOY_SIGNAL: signal }), real: true });
      expect(fired).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
      expect(scene.reviews()).toBe(0);
      expect(attemptOf(scene, 'a').status).toBe('interrupted');
      expect(scene.journal()).toMatchObject([
        { answer: 'allow', error: expect.stringContaining('ended the hook') },
      ]);
      expect((await scene.stop(behaving('pass'))).answer?.systemMessage).toContain('clean');
      expect(scene.state('a').reviews).toBe(1);
    },
  );
});
