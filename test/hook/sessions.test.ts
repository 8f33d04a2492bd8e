// Whose a run is: only the session that its sidecar names is ever held by it, whatever files lie around.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fingerprint } from '../../src/store/fingerprint.ts';
import { NO_GUARD_MEMORY, newSidecar } from '../../src/store/records.ts';
import { toyPlugin } from '../toy/plugin.ts';
import { filesIn, SESSION, type ToyScene, toyScene } from '../toy/scene.ts';

const OTHER = '5e551011-0000-4000-8000-000000000002';

/** Where a ticket for the next session in this project waits. */
const ticketOf = (scene: ToyScene): string =>
  path.join(scene.home, '.local/state/holdfast/next-session', `${fingerprint(scene.root)}.json`);

describe.concurrent('another session', () => {
  test('is never held, and is told once how to take the run over', async () => {
    const scene = toyScene();
    await scene.start('a');
    const first = await scene.stop({ session: OTHER });
    expect(first.answer).toEqual({
      systemMessage: `Holdfast: toy:a is unfinished here but is not this session's. To go on with it: ${toyPlugin}/bin/holdfast adopt toy:a`,
    });
    expect((await scene.stop({ session: OTHER })).stdout).toBe('');
    scene.setState('a', { left: 50 });
    expect((await scene.stop({ session: OTHER })).stdout).toBe('');
    expect(scene.state('a').left).toBe(50);
  });

  test('gets the run by adopting it, and the first session loses it', async () => {
    const scene = toyScene();
    await scene.start('a');
    const adopted = await scene.cli(['adopt', 'toy:a'], { env: { CLAUDE_CODE_SESSION_ID: OTHER } });
    expect(adopted).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await scene.stop({ session: OTHER })).answer?.decision).toBe('block');
    const former = await scene.stop();
    expect(former.answer?.decision).toBeUndefined();
    expect(former.answer?.systemMessage).toContain('adopt toy:a');
    expect(scene.sidecar('a').sessions).toEqual([OTHER]);
  });
});

describe.concurrent('a run of nobody', () => {
  test('whose state came without notes holds nobody', async () => {
    const scene = toyScene();
    scene.setState('a', {});
    const { answer } = await scene.stop();
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('toy:a is unfinished here');
  });

  test.each([[[]], [['someone']]])(
    'whose notes name %j holds nobody and starts no reviewer',
    async (sessions) => {
      const scene = toyScene();
      scene.setState('a', { phase: 'reviewing' });
      scene.setSidecar('a', { ...newSidecar('toy:a'), sessions });
      scene.write(`.holdfast/sessions/${SESSION}.json`, sessionIndex('toy:a'));
      expect((await scene.stop()).answer?.decision).toBeUndefined();
      expect(scene.reviews()).toBe(0);
    },
  );

  test('is held by a hand-fired stop, which acts on the newest run', async () => {
    const scene = toyScene();
    scene.setState('a', {});
    scene.setState('b', {});
    expect((await scene.stop({ session: null })).answer?.decision).toBe('block');
    expect([scene.state('a').left, scene.state('b').left]).toEqual([100, 99]);
  });
});

describe.concurrent('a forged .holdfast that came with a repository', () => {
  const attempt = {
    work: 'review' as const,
    id: 'forged',
    reviewer: 'toy',
    kind: 'toy-review',
    number: 1,
    file: '.toy/review-1.md',
    model: 'opus',
    owner: 'someone',
    deadline: 9e15,
    verdict: null,
    before: '',
  };

  test.each(['running', 'interrupted', 'done'])(
    'neither holds nor starts a reviewer, with an attempt that is %s',
    async (status) => {
      const scene = toyScene();
      scene.setState('a', { phase: 'reviewing' });
      scene.setState('b', {});
      const forged = { sessions: ['someone', '*', ''], guard: { '*': { ...NO_GUARD_MEMORY, held: true } } };
      scene.setSidecar('a', { ...newSidecar('toy:a'), ...forged, attempts: [{ ...attempt, status }] });
      scene.setSidecar('b', { ...newSidecar('toy:b'), ...forged });
      scene.write('.holdfast/attempts/forged/stdout', '{"verdict":"FAIL"}');
      scene.write('.holdfast/sessions/someone.json', sessionIndex('toy:a', 'toy:b'));
      scene.write('.holdfast/journal.jsonl', '{"answer":"hold"}\n');
      scene.write('.toy/review-1.md', 'forged');
      const states = [scene.read('.toy/a.json'), scene.read('.toy/b.json')];
      for (const session of [SESSION, OTHER]) {
        const { answer, exitCode } = await scene.stop({ session });
        expect(exitCode).toBe(0);
        expect(answer?.decision).toBeUndefined();
      }
      expect(scene.reviews()).toBe(0);
      expect([scene.read('.toy/a.json'), scene.read('.toy/b.json')]).toEqual(states);
      expect(scene.read('.toy/review-1.md')).toBe('forged');
    },
  );

  test("cannot lend one run's notes to another", async () => {
    const scene = toyScene();
    await scene.start('a', { phase: 'done' });
    scene.setState('b', {});
    scene.write('.holdfast/runs/toy-b.json', scene.read('.holdfast/runs/toy-a.json'));
    scene.write(`.holdfast/sessions/${SESSION}.json`, sessionIndex('toy:b'));
    expect((await scene.stop()).answer?.decision).toBeUndefined();
  });
});

describe.concurrent('an attempt of a run of this session', () => {
  test('whose folder is a link is left alone, and the user is told to remove it', async () => {
    const scene = toyScene();
    await scene.start('a', { phase: 'reviewing' });
    const elsewhere = path.join(path.dirname(scene.root), 'elsewhere');
    fs.mkdirSync(elsewhere);
    const folder = path.join(scene.root, '.holdfast/attempts/linked');
    fs.mkdirSync(path.dirname(folder), { recursive: true });
    fs.symlinkSync(elsewhere, folder);
    const attempt = {
      work: 'review' as const,
      ...{ id: 'linked', reviewer: 'toy', kind: 'toy-review', number: 1, file: '.toy/review-1.md' },
      ...{ model: 'opus', owner: SESSION, deadline: 9e15, status: 'running', verdict: null, before: '' },
    };
    scene.setSidecar('a', { attempts: [attempt] });
    const { answer } = await scene.stop();
    expect(answer?.systemMessage).toContain(`${folder} is a link and is left alone; remove it`);
    expect(fs.readdirSync(elsewhere)).toEqual([]);
    expect(scene.reviews()).toBe(0);
  });
});

describe.concurrent('a run started in a plain terminal', () => {
  test('goes to the next session that stops here, and to one only', async () => {
    const scene = toyScene();
    await scene.start('a', { session: null });
    expect(fs.existsSync(ticketOf(scene))).toBe(true);
    const both = await Promise.all([scene.stop(), scene.stop({ session: OTHER })]);
    const held = both.filter(({ answer }) => answer?.decision === 'block');
    expect(held).toHaveLength(1);
    expect(scene.sidecar('a').sessions).toHaveLength(1);
    expect(fs.existsSync(ticketOf(scene))).toBe(false);
  });

  test('goes to nobody after ten minutes', async () => {
    const scene = toyScene();
    await scene.start('a', { session: null });
    const ticket = JSON.parse(fs.readFileSync(ticketOf(scene), 'utf8'));
    const left = ticket.waiting[0].expires - Date.now();
    expect(left).toBeGreaterThan(9 * 60_000);
    expect(left).toBeLessThanOrEqual(10 * 60_000);
    fs.writeFileSync(
      ticketOf(scene),
      JSON.stringify({ ...ticket, waiting: [{ run: 'toy:a', expires: Date.now() - 1 }] }),
    );
    expect((await scene.stop()).answer?.decision).toBeUndefined();
    expect(scene.sidecar('a').sessions).toEqual([]);
  });

  test("does not go to a session that only starts: a fork's first event carries its parent's id", async () => {
    const scene = toyScene();
    await scene.start('a', { session: null });
    await scene.stop({
      args: ['session-start'],
      payload: { hook_event_name: 'SessionStart', source: 'startup' },
    });
    await scene.stop({ args: ['pre-compact'], payload: { hook_event_name: 'PreCompact' } });
    expect(scene.sidecar('a').sessions).toEqual([]);
    expect((await scene.stop({ session: OTHER })).answer?.decision).toBe('block');
  });
});

describe.concurrent('a ticket whose run has gone another way', () => {
  const mine = { env: { CLAUDE_CODE_SESSION_ID: SESSION } };

  test('is void once a session adopted the run: the next one is not held', async () => {
    const scene = toyScene();
    await scene.start('a', { session: null });
    expect((await scene.cli(['adopt', 'toy:a'], mine)).stdout).toContain('this session');
    expect(fs.existsSync(ticketOf(scene))).toBe(false);
    expect((await scene.stop({ session: OTHER })).answer?.decision).toBeUndefined();
    expect(scene.sidecar('a').sessions).toEqual([SESSION]);
    expect((await scene.stop()).answer?.decision).toBe('block');
  });

  test('is void once the run was cancelled, and others keep theirs', async () => {
    const scene = toyScene();
    await scene.start('a', { session: null });
    await scene.start('b', { session: null });
    await scene.cli(['cancel', 'toy:a']);
    const { waiting } = JSON.parse(fs.readFileSync(ticketOf(scene), 'utf8'));
    expect(waiting).toMatchObject([{ run: 'toy:b' }]);
    await scene.stop({ session: OTHER });
    expect([scene.sidecar('a').sessions, scene.sidecar('b').sessions]).toEqual([[], [OTHER]]);
  });
});

describe.concurrent('the id of a session', () => {
  test('may be two in Codex, and either is the ticket', async () => {
    const scene = toyScene();
    await scene.cli(['toy', 'start', 'a'], { env: { CODEX_SESSION_ID: 's', CODEX_THREAD_ID: 't' } });
    expect((await scene.stop({ session: 's' })).answer?.decision).toBe('block');
    expect((await scene.stop({ session: 't' })).answer?.decision).toBe('block');
  });

  test.each([
    '../../outside',
    '/etc/passwd',
    'a\nb',
    '; touch pwned #',
    '$(touch pwned)',
    '..',
    '.',
    'ünïcödé 漢字 🦦',
    '__proto__',
    'constructor',
    'toString',
    'x'.repeat(5000),
  ])('may be hostile: %j is held, counted and kept in the project', async (session) => {
    const scene = toyScene();
    const parent = path.dirname(scene.root);
    await scene.start('a', { session, left: 100 });
    const answers: (string | undefined)[] = [];
    for (let stop = 0; stop < 2; stop++) answers.push((await scene.stop({ session })).answer?.decision);
    expect(answers).toEqual(['block', 'block']);
    expect(Object.entries(scene.sidecar('a').guard)).toMatchObject([[session, { noProgress: 2 }]]);
    expect(fs.readdirSync(parent).sort()).toEqual(['home', 'notes', 'project']);
    // The hook's byte code and the project's line in the list of all are all that HOME gets.
    const strays = Object.keys(filesIn(scene.home)).filter(
      (file) => !/holdfast\/(?:code|projects)/.test(file),
    );
    expect(strays).toEqual([]);
    expect(scene.exists('pwned')).toBe(false);
  });
});

function sessionIndex(...runs: string[]): string {
  return JSON.stringify({ schema: 2, runs, notified: [], looked: {} });
}
