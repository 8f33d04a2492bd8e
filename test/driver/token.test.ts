// The driver's token: the run goes to the one session that it was meant for, once, and to nobody by a forged one.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dropDriverToken, sessionOfToken } from '../../src/engine/driver/token.ts';
import { type ToyScene, toyScene } from '../toy/scene.ts';
import { leave, projectOf, RUN, sessionStarts } from './session.ts';

const FIRST = '01a1e63f-0000-7000-8000-000000000001';
const NESTED = '01a1e63f-0000-7000-8000-000000000002';

/** A run that was started in a terminal. */
async function started(): Promise<ToyScene> {
  const scene = toyScene();
  await scene.start('a', { session: null });
  return scene;
}

const folderOf = (scene: ToyScene): string => path.join(scene.home, '.local/state/holdfast/driver-tokens');

const isHeld = async (scene: ToyScene, session: string, env: Record<string, string>): Promise<boolean> =>
  (await scene.stop({ session, env })).answer?.decision === 'block';

describe.concurrent('a session that comes with the token', () => {
  test('has the run from its start, and is held at its first stop', async () => {
    const scene = await started();
    const env = await leave(scene);
    await sessionStarts(scene, FIRST, env);
    expect(scene.sidecar('a').sessions).toEqual([FIRST]);
    expect(sessionOfToken(await projectOf(scene), env.HOLDFAST_DRIVER ?? '')).toBe(FIRST);
    expect(await isHeld(scene, FIRST, env)).toBe(true);
  });

  test('is the only one: a client inside it, with the same variable, gets nothing', async () => {
    const scene = await started();
    const env = await leave(scene);
    await sessionStarts(scene, FIRST, env);
    await sessionStarts(scene, NESTED, env);
    expect(scene.sidecar('a').sessions).toEqual([FIRST]);
    expect(await isHeld(scene, NESTED, env)).toBe(false);
    expect(await isHeld(scene, FIRST, env)).toBe(true);
  });

  test('keeps its count when its start is fired once more', async () => {
    const scene = await started();
    const env = await leave(scene);
    await sessionStarts(scene, FIRST, env);
    await scene.stop({ session: FIRST, env });
    const before = scene.sidecar('a');
    await sessionStarts(scene, FIRST, env);
    expect(scene.sidecar('a')).toEqual(before);
  });

  test('leaves no ticket for whoever stops next', async () => {
    const scene = await started();
    await leave(scene);
    expect(await isHeld(scene, NESTED, {})).toBe(false);
  });

  test.each(['resume', 'clear', 'compact', 'fork', ''])(
    'begun by "%s" gets nothing by it',
    async (source) => {
      const scene = await started();
      const env = await leave(scene);
      await sessionStarts(scene, FIRST, env, source);
      expect(scene.sidecar('a').sessions).toEqual([]);
    },
  );

  test('left for a fork goes to the session that resumes one, and to no other', async () => {
    const scene = await started();
    const env = await leave(scene, { forks: true });
    await sessionStarts(scene, NESTED, env);
    expect(scene.sidecar('a').sessions).toEqual([]);
    await sessionStarts(scene, FIRST, env, 'resume');
    expect(scene.sidecar('a').sessions).toEqual([FIRST]);
    await sessionStarts(scene, NESTED, env, 'resume');
    expect(scene.sidecar('a').sessions).toEqual([FIRST]);
    expect(await isHeld(scene, FIRST, env)).toBe(true);
  });

  test('of a run that it named itself beforehand is the only one from the beginning', async () => {
    const scene = await started();
    const env = await leave(scene, { session: FIRST });
    await sessionStarts(scene, NESTED, env);
    expect(scene.sidecar('a').sessions).toEqual([]);
    await sessionStarts(scene, FIRST, env);
    expect(scene.sidecar('a').sessions).toEqual([FIRST]);
  });
});

describe.concurrent('a token', () => {
  test.each([
    'ffffffffffffffffffffffffffffffff',
    '../next-session/x',
    '',
    'x',
    '/etc/passwd',
    `${'0'.repeat(32)}\n`,
  ])('that is forged (%j) changes nothing', async (token) => {
    const scene = await started();
    await leave(scene);
    const fired = await sessionStarts(scene, FIRST, { HOLDFAST_DRIVER: token });
    expect(fired).toMatchObject({ exitCode: 0, stderr: '' });
    expect(scene.sidecar('a').sessions).toEqual([]);
  });

  test('cannot be read off its record, and that is nobody else’s to read', async () => {
    const scene = await started();
    const { HOLDFAST_DRIVER: token = '' } = await leave(scene);
    const [name = ''] = fs.readdirSync(folderOf(scene));
    const file = path.join(folderOf(scene), name);
    expect(`${name} ${fs.readFileSync(file, 'utf8')}`).not.toContain(token);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  test('in a repository is none: records count in the user’s state folder alone', async () => {
    const scene = await started();
    const env = await leave(scene);
    const [name = ''] = fs.readdirSync(folderOf(scene));
    scene.write(`.holdfast/driver-tokens/${name}`, fs.readFileSync(path.join(folderOf(scene), name), 'utf8'));
    fs.rmSync(path.join(folderOf(scene), name));
    await sessionStarts(scene, FIRST, env);
    expect(scene.sidecar('a').sessions).toEqual([]);
  });

  test('of another project gives nothing here', async () => {
    const [scene, other] = await Promise.all([started(), started()]);
    const env = await leave(other);
    const record = fs.readdirSync(folderOf(other))[0] ?? '';
    fs.mkdirSync(folderOf(scene), { recursive: true });
    fs.copyFileSync(path.join(folderOf(other), record), path.join(folderOf(scene), record));
    await sessionStarts(scene, FIRST, env);
    expect(scene.sidecar('a').sessions).toEqual([]);
  });

  test('that nobody came with for ten minutes is void', async () => {
    const scene = await started();
    const env = await leave(scene);
    const file = path.join(folderOf(scene), fs.readdirSync(folderOf(scene))[0] ?? '');
    const record = JSON.parse(fs.readFileSync(file, 'utf8'));
    fs.writeFileSync(file, JSON.stringify({ ...record, left: record.left - 11 * 60_000 }));
    await sessionStarts(scene, FIRST, env);
    expect(scene.sidecar('a').sessions).toEqual([]);
  });

  test('is void when the next one is left for the same run, and when it is dropped', async () => {
    const scene = await started();
    const first = await leave(scene);
    const second = await leave(scene);
    expect(fs.readdirSync(folderOf(scene))).toHaveLength(1);
    await sessionStarts(scene, FIRST, first);
    expect(scene.sidecar('a').sessions).toEqual([]);
    dropDriverToken(await projectOf(scene), second.HOLDFAST_DRIVER ?? '');
    await sessionStarts(scene, FIRST, second);
    expect(scene.sidecar('a').sessions).toEqual([]);
    expect(fs.readdirSync(folderOf(scene))).toEqual([]);
  });

  test('whose record is broken costs the session nothing', async () => {
    const scene = await started();
    const env = await leave(scene);
    const file = path.join(folderOf(scene), fs.readdirSync(folderOf(scene))[0] ?? '');
    fs.writeFileSync(file, '{"root":1}');
    expect(await sessionStarts(scene, FIRST, env)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(scene.sidecar('a').sessions).toEqual([]);
    await leave(scene);
    expect(fs.existsSync(file)).toBe(false);
  });

  test('for a run that is not there yet binds none', async () => {
    const scene = await started();
    const env = await leave(scene, { run: 'toy:another' });
    await sessionStarts(scene, FIRST, env);
    expect(scene.sidecar('a').sessions).toEqual([]);
    expect(RUN).toBe('toy:a');
  });
});

test('a reviewer does not get the variable', async () => {
  const scene = toyScene();
  await scene.start('a', { phase: 'reviewing' });
  const env = await leave(scene, { session: FIRST });
  await scene.stop({ env: { ...env, TOY_REVIEWER: 'pass' } });
  expect(scene.reviews()).toBe(1);
  const seen = fs.readFileSync(path.join(scene.notes, 'environment'), 'utf8');
  expect(seen).toContain('HOLDFAST_DISABLE=1');
  expect(seen).not.toContain('HOLDFAST_DRIVER');
});
