// A client that `holdfast run` drives is ended with all that it started, however it behaves and whoever is killed; and
// whatever it prints, the driver lives. Only Linux shows what left its group.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HeadlessClient, HeadlessEvent } from '../../src/clients/headless.ts';
import { eventually } from '../toy/scene.ts';
import { type DrivenScene, drivenScene } from './driven-scene.ts';

async function all(client: HeadlessClient): Promise<HeadlessEvent[]> {
  const heard: HeadlessEvent[] = [];
  for await (const event of client.events) heard.push(event);
  return heard;
}

const allEnded = (scene: DrivenScene): Promise<unknown> =>
  eventually('all of them to have ended', () => scene.running().length === 0);

describe.concurrent('ended by the driver', () => {
  test.each(['hangs', 'deaf', 'forks'])('one that %s leaves nothing', async (behaviour) => {
    const scene = drivenScene(behaviour);
    const client = scene.start();
    const heard = all(client);
    await scene.isReady();
    expect(scene.family()).toHaveLength(behaviour === 'forks' ? 5 : 1);
    await client.end();
    expect(scene.running()).toEqual([]);
    expect((await heard).at(-1)).toMatchObject({ kind: 'ended', trouble: null });
  });

  test('at once, it is not asked gently first', async () => {
    const scene = drivenScene('deaf');
    const client = scene.start();
    const heard = all(client);
    await scene.isReady();
    await client.end({ atOnce: true });
    expect(scene.running()).toEqual([]);
    expect((await heard).at(-1)).toMatchObject({ kind: 'ended', code: null, signal: 'SIGKILL' });
  });

  test('twice, it is ended once; the second time may be in a hurry', async () => {
    const scene = drivenScene('deaf');
    const client = scene.start();
    const heard = all(client);
    await scene.isReady();
    await Promise.all([client.end(), client.end({ atOnce: true }), client.end()]);
    expect(scene.running()).toEqual([]);
    expect((await heard).filter(({ kind }) => kind === 'ended')).toHaveLength(1);
    await client.end();
  });
});

describe.concurrent('when the driver itself is killed', () => {
  test.each(['hangs', 'deaf', 'forks'])('one that %s is ended all the same', async (behaviour) => {
    const scene = drivenScene(behaviour);
    const driver = scene.drive();
    await scene.isReady();
    driver.kill('SIGKILL');
    await allEnded(scene);
    expect(scene.family().length).toBeGreaterThan(0);
  });

  test('with its whole group, as a closed terminal does it', async () => {
    const scene = drivenScene('forks');
    const driver = scene.drive({ detached: true });
    await scene.isReady();
    process.kill(-(driver.pid ?? 0), 'SIGKILL');
    await allEnded(scene);
  });
});

describe.concurrent('one that ends by itself', () => {
  test('is heard to its end, and what it left is ended', async () => {
    const scene = drivenScene('litters');
    const heard = await all(scene.start());
    expect(heard.map(({ kind }) => kind)).toEqual(['session', 'turn', 'result', 'ended']);
    expect(heard.at(-1)).toEqual({ kind: 'ended', code: 0, signal: null, trouble: null });
    expect(scene.family()).toHaveLength(2);
    expect(scene.running()).toEqual([]);
  });

  test('by a signal, says by which', async () => {
    const heard = await all(drivenScene('dies').start());
    expect(heard.at(-1)).toEqual({ kind: 'ended', code: null, signal: 'SIGKILL', trouble: null });
  });
});

describe.concurrent('whatever it prints', () => {
  test('a line of 64 MB is passed over', async () => {
    const scene = drivenScene('long-line');
    const client = scene.start();
    const kinds: string[] = [];
    for await (const event of client.events) {
      kinds.push(event.kind);
      if (event.kind === 'result') void client.end({ atOnce: true });
    }
    expect(kinds).toEqual(['session', 'turn', 'result', 'ended']);
  });

  test('a flood is heard to its last line, at the pace of whoever listens', async () => {
    const client = drivenScene('floods').start();
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
  const scene = drivenScene('answers');
  const client = scene.start();
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
  const scene = drivenScene('environment');
  await all(
    scene.start({
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
