// A client that `holdfast run` drives is ended with all that it started, however it behaves and whoever is killed; and
// whatever it prints, the driver lives. Only Linux shows what left its group.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Headless, HeadlessClient, HeadlessEvent } from '../../src/clients/headless.ts';
import { plugin } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { eventually, isRunning } from '../toy/scene.ts';

const FILE = path.join(plugin, 'lib', 'clients-claude-code-headless.cjs');
const { headless } = createRequire(import.meta.url)(FILE) as { headless: Headless };
const fixtures = path.resolve(import.meta.dirname, '../fixtures/fake-client');

const projects: TempProject[] = [];
afterAll(() => {
  for (const project of projects) {
    for (const pid of familyIn(notesOf(project)).filter(isRunning)) process.kill(pid, 'SIGKILL');
    project.remove();
  }
});

const notesOf = ({ root }: TempProject): string => path.join(path.dirname(root), 'notes');

function familyIn(notes: string): number[] {
  const file = path.join(notes, 'family');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
}

type Scene = { project: TempProject; notes: string; env: Record<string, string>; family(): number[] };

function sceneOf(behaviour: string): Scene {
  const project = tempProject();
  projects.push(project);
  const notes = notesOf(project);
  fs.mkdirSync(notes);
  const PATH = `${fixtures}:${process.env.PATH}`;
  const env = { PATH, HOME: project.home, FAKE_CLIENT: behaviour, FAKE_NOTES: notes };
  return { project, notes, env, family: () => familyIn(notes) };
}

function start({ project, env }: Scene, more: Record<string, string> = {}): HeadlessClient {
  return headless.start({
    ...{ root: project.root, env: { ...env, ...more }, session: 'a-session', resume: null, prompt: 'go' },
    ...{ access: 'edit', allowed: [], model: null, args: [] },
  });
}

const isReady = ({ notes }: Scene): Promise<unknown> =>
  eventually('it to be ready', () => fs.existsSync(path.join(notes, 'ready')));

async function all(client: HeadlessClient): Promise<HeadlessEvent[]> {
  const heard: HeadlessEvent[] = [];
  for await (const event of client.events) heard.push(event);
  return heard;
}

const allEnded = (scene: Scene): Promise<unknown> =>
  eventually('all of them to have ended', () => scene.family().filter(isRunning).length === 0);

describe.concurrent('ended by the driver', () => {
  test.each(['hangs', 'deaf', 'forks'])('one that %s leaves nothing', async (behaviour) => {
    const scene = sceneOf(behaviour);
    const client = start(scene);
    const heard = all(client);
    await isReady(scene);
    expect(scene.family()).toHaveLength(behaviour === 'forks' ? 5 : 1);
    await client.end();
    expect(scene.family().filter(isRunning)).toEqual([]);
    expect((await heard).at(-1)).toMatchObject({ kind: 'ended', trouble: null });
  });

  test('at once, it is not asked gently first', async () => {
    const scene = sceneOf('deaf');
    const client = start(scene);
    const heard = all(client);
    await isReady(scene);
    await client.end({ atOnce: true });
    expect(scene.family().filter(isRunning)).toEqual([]);
    expect((await heard).at(-1)).toMatchObject({ kind: 'ended', code: null, signal: 'SIGKILL' });
  });

  test('twice, it is ended once; the second time may be in a hurry', async () => {
    const scene = sceneOf('deaf');
    const client = start(scene);
    const heard = all(client);
    await isReady(scene);
    await Promise.all([client.end(), client.end({ atOnce: true }), client.end()]);
    expect(scene.family().filter(isRunning)).toEqual([]);
    expect((await heard).filter(({ kind }) => kind === 'ended')).toHaveLength(1);
    await client.end();
  });
});

describe.concurrent('when the driver itself is killed', () => {
  test.each(['hangs', 'deaf', 'forks'])('one that %s is ended all the same', async (behaviour) => {
    const scene = sceneOf(behaviour);
    const drive = path.join(fixtures, 'drive.cjs');
    const driver = spawn(process.execPath, [drive, FILE, scene.project.root], {
      env: scene.env,
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    await isReady(scene);
    driver.kill('SIGKILL');
    await allEnded(scene);
    expect(scene.family().length).toBeGreaterThan(0);
  });

  test('with its whole group, as a closed terminal does it', async () => {
    const scene = sceneOf('forks');
    const drive = path.join(fixtures, 'drive.cjs');
    const driver = spawn(process.execPath, [drive, FILE, scene.project.root], {
      env: scene.env,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    await isReady(scene);
    process.kill(-(driver.pid ?? 0), 'SIGKILL');
    await allEnded(scene);
  });
});

describe.concurrent('one that ends by itself', () => {
  test('is heard to its end, and what it left is ended', async () => {
    const scene = sceneOf('litters');
    const heard = await all(start(scene));
    expect(heard.map(({ kind }) => kind)).toEqual(['session', 'turn', 'result', 'ended']);
    expect(heard.at(-1)).toEqual({ kind: 'ended', code: 0, signal: null, trouble: null });
    expect(scene.family()).toHaveLength(2);
    expect(scene.family().filter(isRunning)).toEqual([]);
  });

  test('by a signal, says by which', async () => {
    const heard = await all(start(sceneOf('dies')));
    expect(heard.at(-1)).toEqual({ kind: 'ended', code: null, signal: 'SIGKILL', trouble: null });
  });

  test('with an error, says what it complained of', async () => {
    const heard = await all(start(sceneOf('fails')));
    const trouble = { what: 'unknown', resetsAt: null, said: 'error: no such model' };
    expect(heard.at(-1)).toEqual({ kind: 'ended', code: 7, signal: null, trouble });
  });

  test('takes no prompt any more', async () => {
    const client = start(sceneOf('dies'));
    await all(client);
    expect(client.send('again')).toBe(false);
    await client.end();
  });
});

describe.concurrent('whatever it prints', () => {
  test('a line of 64 MB is passed over', async () => {
    const scene = sceneOf('long-line');
    const client = start(scene);
    const kinds: string[] = [];
    for await (const event of client.events) {
      kinds.push(event.kind);
      if (event.kind === 'result') void client.end({ atOnce: true });
    }
    expect(kinds).toEqual(['session', 'turn', 'result', 'ended']);
  });

  test('a flood is heard to its last line, at the pace of whoever listens', async () => {
    const client = start(sceneOf('floods'));
    let tools = 0;
    const others: string[] = [];
    for await (const event of client.events) {
      if (event.kind === 'tool') tools++;
      else if (event.kind !== 'alive') others.push(event.kind);
      if (tools % 20_000 === 1) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(tools).toBe(100_000);
    expect(others).toEqual(['session', 'turn', 'result', 'ended']);
  });
});

test('prompts reach it one after the other, whole', async () => {
  const scene = sceneOf('answers');
  const client = start(scene);
  const long = `${'long '.repeat(20_000)}\n"end"`;
  const heard: HeadlessEvent[] = [];
  for await (const event of client.events) {
    heard.push(event);
    const results = heard.filter(({ kind }) => kind === 'result').length;
    if (event.kind === 'result' && results === 1) expect(client.send(long)).toBe(true);
    if (event.kind === 'result' && results === 2) void client.end();
  }
  const prompts = fs.readFileSync(path.join(scene.notes, 'prompts'), 'utf8').trim().split('\n');
  expect(prompts.map((line) => JSON.parse(line).message.content)).toEqual(['go', long]);
});

test('it gets the environment of its user, the mark and the token, and nothing of a client around us', async () => {
  const scene = sceneOf('environment');
  await all(
    start(scene, {
      CLAUDE_CODE_SESSION_ID: 'outer',
      CLAUDECODE: '1',
      HOLDFAST_DRIVER: 'a-token',
      OWN: 'mine',
    }),
  );
  const env = fs.readFileSync(path.join(scene.notes, 'environment'), 'utf8');
  expect(env).toMatch(/^HOLDFAST_ATTEMPT=[0-9a-f-]{36}$/m);
  expect(env).toMatch(/^HOLDFAST_DRIVER=a-token$/m);
  expect(env).toMatch(/^OWN=mine$/m);
  expect(env).not.toMatch(/^CLAUDE/m);
  const args = fs.readFileSync(path.join(scene.notes, 'arguments'), 'utf8');
  expect(args).toContain('--session-id\na-session\n');
  expect(args).not.toContain('dangerously');
});

test('a program that is not there is said to be so', async () => {
  const scene = sceneOf('answers');
  const client = start({ ...scene, env: { ...scene.env, PATH: '/nowhere' } });
  const trouble = { what: 'unknown', resetsAt: null, said: '`claude` was not found on PATH' };
  expect(await all(client)).toEqual([{ kind: 'ended', code: null, signal: null, trouble }]);
  expect(client.send('x')).toBe(false);
  await client.end();
});
