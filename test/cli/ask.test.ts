// `holdfast ask`, as an agent runs it: what becomes of the question, and who is refused, with the reason and what to do.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { NO_WAITS, type Sidecar } from '../../src/store/records.ts';
import { type Ran, type RunOptions, run } from '../support/hook.ts';
import { toyPlugin } from '../toy/plugin.ts';
import { filesIn, SESSION, type ToyScene, toyScene } from '../toy/scene.ts';

const DAY = 24 * 3_600_000;
const mine = { CLAUDE_CODE_SESSION_ID: SESSION };
const cli = path.join(toyPlugin, 'bin/holdfast');

async function working(): Promise<ToyScene> {
  const scene = toyScene();
  await scene.start('a', { left: 5 });
  return scene;
}

const ask = (scene: ToyScene, question: string, options: RunOptions = {}): Promise<Ran> =>
  scene.cli(['ask', question], { env: mine, ...options });

async function expectRefused(ran: Promise<Ran>, saying: string, code = 1): Promise<void> {
  const { exitCode, stdout, stderr } = await ran;
  expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
  expect(stderr).toMatch(/^holdfast: [^\n]+\n$/);
  expect(stderr).toContain(saying);
}

describe.concurrent('a question', () => {
  test('is noted in the run, and the agent is asked to end its turn', async () => {
    const scene = await working();
    const before = Date.now();
    expect(await ask(scene, 'Which database?')).toEqual({
      exitCode: 0,
      stdout:
        'Asked. End your turn now: the question is shown to the user, and toy:a waits for the answer.\n',
      stderr: '',
    });
    const { waiting, waits } = scene.sidecar('a');
    expect(waiting).toMatchObject({ for: 'person', what: 'Which database?', shown: null });
    expect(waiting?.since).toBeGreaterThanOrEqual(before);
    expect((waiting?.until ?? 0) - (waiting?.since ?? 0)).toBe(7 * DAY);
    expect(waits).toEqual({ ...NO_WAITS, questions: 1 });
  });

  test('waits as long as the user says', async () => {
    const scene = await working();
    const own = path.join(scene.home, '.config/holdfast/holdfast.config.json');
    fs.mkdirSync(path.dirname(own), { recursive: true });
    fs.writeFileSync(own, '{"wait":{"person":3600}}');
    await ask(scene, 'Which?');
    const { waiting } = scene.sidecar('a');
    expect((waiting?.until ?? 0) - (waiting?.since ?? 0)).toBe(3_600_000);
  });

  test.each([
    ['with quotes', `Use "a", 'b' or \`c\`? $HOME`, `Use "a", 'b' or \`c\`? $HOME`],
    ['with line breaks', 'Which one?\n\n1. a\n2. b\n', 'Which one? 1. a 2. b'],
    ['with control characters', 'a\u001b[31mb\u0007?', 'a [31mb ?'],
    ['that is very long', 'x'.repeat(100_000), `${'x'.repeat(1_999)}…`],
  ])('%s is one paragraph', async (_, question, what) => {
    const scene = await working();
    expect((await ask(scene, question)).exitCode).toBe(0);
    expect(scene.sidecar('a').waiting?.what).toBe(what);
  });

  test('may come in several words, or on standard input', async () => {
    const scene = await working();
    await scene.cli(['ask', 'Which', 'one?'], { env: mine });
    expect(scene.sidecar('a').waiting?.what).toBe('Which one?');
    await scene.cli(['ask'], { env: mine, stdin: 'Is it `this`?\n' });
    expect(scene.sidecar('a').waiting?.what).toBe('Is it `this`?');
  });

  test('may begin with a dash', async () => {
    const scene = await working();
    await scene.cli(['ask', '--force or not?'], { env: mine });
    expect(scene.sidecar('a').waiting?.what).toBe('--force or not?');
    await expectRefused(ask(scene, '--force'), 'no option --force', 2);
  });

  test('needs no folder but the project to write in: a sandbox shows the rest read-only', async () => {
    const scene = await working();
    const outside = filesIn(scene.home);
    expect((await ask(scene, 'Which?')).exitCode).toBe(0);
    expect(filesIn(scene.home)).toEqual(outside);
  });

  test('goes to every live run of the session, and to no other', async () => {
    const scene = await working();
    await scene.start('b', { toy: 'toy2' });
    await scene.start('over', { phase: 'done' });
    await scene.start('theirs', { session: 'other' });
    expect((await ask(scene, 'Which?')).stdout).toContain('toy:a and toy2:b wait for the answer');
    const asked = (id: string, toy?: 'toy2') => scene.sidecar(id, toy).waiting?.what;
    expect([asked('a'), asked('b', 'toy2'), asked('over'), asked('theirs')]).toEqual([
      'Which?',
      'Which?',
      undefined,
      undefined,
    ]);
  });

  test('is the inner agent’s where one client runs in another', async () => {
    const scene = await working();
    await scene.start('inner', { toy: 'toy2', session: 'inner' });
    // The inner client inherits the outer one's id; only its shell has both.
    const nested = `CODEX_THREAD_ID=inner /bin/sh -c '"${cli}" ask Which one?; exit $?'; exit $?`;
    const env = { ...scene.env, ...mine };
    expect((await run('/bin/sh', ['-c', nested], scene.root, { env })).exitCode).toBe(0);
    expect(scene.sidecar('inner', 'toy2').waiting?.what).toBe('Which one?');
    expect(scene.sidecar('a').waiting).toBeUndefined();
  });

  test('keeps what else is known of the run', async () => {
    const scene = await working();
    await scene.stop();
    const { waiting: _, waits: __, ...before } = scene.sidecar('a');
    await ask(scene, 'Which?');
    expect(scene.sidecar('a')).toMatchObject(before);
  });
});

describe.concurrent('another question', () => {
  const shown = (scene: ToyScene): void => {
    const { waiting } = scene.sidecar('a') as Required<Sidecar>;
    scene.setSidecar('a', { waiting: { ...waiting, shown: { marker: null, turn: 'p1' } } });
  };

  test('takes the place of the first, and is counted once the first was shown', async () => {
    const scene = await working();
    await ask(scene, 'One?');
    await ask(scene, 'One, in better words?');
    expect(scene.sidecar('a')).toMatchObject({
      waiting: { what: 'One, in better words?', shown: null },
      waits: { questions: 1 },
    });
    shown(scene);
    await ask(scene, 'Two?');
    expect(scene.sidecar('a')).toMatchObject({
      waiting: { what: 'Two?', shown: null },
      waits: { questions: 2 },
    });
  });

  test('is the last after three in a row; the fourth is refused, and the third stays', async () => {
    const scene = await working();
    for (const question of ['1?', '2?', '3?']) {
      expect((await ask(scene, question)).exitCode).toBe(0);
      shown(scene);
    }
    await expectRefused(ask(scene, '4?'), 'decide yourself, write down what you decided');
    // The refused one is noted, so that calling for it is not taken for work.
    expect(scene.sidecar('a')).toMatchObject({ waiting: { what: '3?' }, waits: { questions: 4 } });
  });

  test('is put to the runs that have any left', async () => {
    const scene = await working();
    await scene.start('b', { toy: 'toy2' });
    scene.setSidecar('a', { waits: { ...NO_WAITS, questions: 3 } });
    expect((await ask(scene, 'Which?')).stdout).toContain('and toy2:b waits for the answer');
    expect(scene.sidecar('a').waiting).toBeUndefined();
  });

  test('adds the time of what was waited for before', async () => {
    const scene = await working();
    const since = Date.now() - 3_600_000;
    scene.setSidecar('a', { waiting: { for: 'limit', since, until: null, what: 'rate_limit' } });
    await ask(scene, 'Which?');
    const { waiting, waits } = scene.sidecar('a');
    expect(waiting?.for).toBe('person');
    expect(waits?.waited).toBeGreaterThanOrEqual(3_600_000);
    expect(waits?.waited).toBeLessThan(3_700_000);
  });
});

describe.concurrent('it is refused', () => {
  test.each([
    ['empty', ''],
    ['blanks alone', ' \n\t '],
    ['control characters alone', '\u001b\u0007'],
  ])('without a question: %s', async (_, question) => {
    const scene = await working();
    await expectRefused(ask(scene, question), 'the question is missing. Usage: holdfast ask "<question>"', 2);
    await expectRefused(scene.cli(['ask'], { env: mine, stdin: question }), 'the question is missing', 2);
    expect(scene.sidecar('a').waiting).toBeUndefined();
  });

  test('in a plain terminal', async () => {
    const scene = await working();
    await expectRefused(ask(scene, 'Which?', { env: {} }), 'ask is for agents: in a plain terminal');
  });

  test('in a client that does not tell its shell the session', async () => {
    const scene = await working();
    await expectRefused(
      ask(scene, 'Which?', { env: { GEMINI_CLI: '1' } }),
      'Put the question into your last message and end your turn.',
    );
  });

  test('without a project, without a run, with one that is over, with another session’s', async () => {
    const nothing =
      'this session has no live run, so nothing holds you: put the question into your last message';
    const scene = toyScene();
    await expectRefused(ask(scene, 'Which?'), nothing);
    expect(fs.readdirSync(scene.root)).toEqual(['.git']);
    await scene.start('theirs', { session: 'other' });
    await scene.start('over', { phase: 'done' });
    await expectRefused(ask(scene, 'Which?'), nothing);
  });

  test('for a run that the next session here gets, with the command that makes it this session’s', async () => {
    const scene = toyScene();
    await scene.start('a', { session: null });
    await expectRefused(ask(scene, 'Which?'), `\`${cli} adopt toy:a\`, then ask again`);
    await scene.cli(['adopt', 'toy:a'], { env: mine });
    expect((await ask(scene, 'Which?')).exitCode).toBe(0);
  });

  test('where the run’s notes cannot be read, with the fix', async () => {
    const scene = await working();
    scene.write('.holdfast/runs/toy-a.json', 'nonsense');
    await expectRefused(ask(scene, 'Which?'), 'run `holdfast adopt toy:a`');
  });

  test('where it cannot be noted, with the reason and another way', async () => {
    const scene = await working();
    const lock = path.join(scene.root, '.holdfast/lock');
    fs.rmSync(lock, { force: true });
    fs.mkdirSync(lock);
    const refused = ask(scene, 'Which?');
    await expectRefused(refused, `the question could not be noted: ${lock} is a folder`);
    await expectRefused(refused, 'put it into your last message');
  });

  test('where nobody is there to answer, and the agent is told what to do instead', async () => {
    const scene = await working();
    const own = path.join(scene.home, '.config/holdfast/holdfast.config.json');
    fs.mkdirSync(path.dirname(own), { recursive: true });
    fs.writeFileSync(own, '{"ask":"refuse"}');
    await expectRefused(
      ask(scene, 'Which?'),
      'nobody is here to answer: take the safest choice, write it down in ASSUMPTIONS.md, and go on.',
    );
    expect(scene.sidecar('a').waiting).toBeUndefined();
  });

  test('to a reviewer', async () => {
    const scene = await working();
    await expectRefused(
      ask(scene, 'Which?', { env: { ...mine, HOLDFAST_DISABLE: '1' } }),
      'HOLDFAST_DISABLE=1 is set here: nothing was done',
    );
  });
});

describe.concurrent('the whole way', () => {
  const out = async (scene: ToyScene, ...args: string[]): Promise<string> => (await scene.cli(args)).stdout;

  test('the stop shows it, status, why and log say so, and the answer brings the agent back', async () => {
    const scene = await working();
    await scene.stop();
    await ask(scene, 'Which one?');
    expect(await out(scene, 'status')).toContain('which is shown when the agent ends its turn: Which one?');

    const { answer } = await scene.stop();
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('Which one?');
    expect(await out(scene, 'status')).toMatch(
      /It asked you \d+ s ago: Which one\? Answer it in its session, /,
    );
    expect(await out(scene, 'why')).toContain('Allowed by toy:a. The agent has a question for you');
    expect(await out(scene, 'log', '--limit', '1')).toMatch(/ toy:a {2}go-on, waits for your answer/);

    const held = await scene.stop({ payload: { prompt_id: 'prompt-2' } });
    expect(held.answer?.decision).toBe('block');
    expect(await out(scene, 'why')).toContain('Held by toy:a. Its question was answered. It said "go on"');
    expect(await out(scene, 'status')).not.toContain('Which one?');
  });

  test('another session that adopts the run shows the question, and goes on once it is answered there', async () => {
    const scene = await working();
    await ask(scene, 'Which one?');
    await scene.stop();
    await scene.cli(['adopt', 'toy:a'], { env: { CLAUDE_CODE_SESSION_ID: 'other' } });
    const there = (prompt_id: string) => scene.stop({ session: 'other', payload: { prompt_id } });
    const { answer: first } = await there('prompt-9');
    expect(first?.decision).toBeUndefined();
    expect(first?.systemMessage).toContain('Which one?');
    expect((await there('prompt-10')).answer?.decision).toBe('block');
  });
});
