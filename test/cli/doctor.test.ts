// Doctor: each check that fails says how to fix it.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Ran } from '../support/hook.ts';
import { toyPlugin } from '../toy/plugin.ts';
import { type ToyScene, toyScene } from '../toy/scene.ts';
import { binFolder } from '../toy/tools.ts';

/** Without any client on PATH: what doctor says of those is in doctor-clients.test.ts. */
function doctor(scene: ToyScene, args: string[] = [], env = {}): Promise<Ran> {
  const bin = binFolder(path.join(path.dirname(scene.root), 'bin'), ['node', 'env', 'sh', 'mkdir']);
  return scene.cli(['doctor', ...args], { env: { PATH: bin, ...env } });
}

/** The line of a failed check, and the one that says how to fix it. */
function failures({ stdout }: Ran): string[][] {
  return [...stdout.matchAll(/^FAIL {2}(.*)\n {6}to fix it: (.*)$/gm)].map((match) => match.slice(1));
}

describe.concurrent('doctor', () => {
  test('finds nothing wrong where nothing is', async () => {
    const scene = toyScene();
    await scene.start('a');
    const ran = await doctor(scene);
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    expect(ran.stdout).not.toContain('FAIL');
    for (const part of [
      `ok    node ${process.versions.node}`,
      'ok    the hook answers',
      'ok    the config is valid',
      'ok    state and notes of 1 run are readable',
    ])
      expect(ran.stdout).toContain(part);
  });

  test('says the same as data', async () => {
    const ran = await doctor(toyScene(), ['--json']);
    const findings: { result: string }[] = JSON.parse(ran.stdout);
    expect(findings.filter(({ result }) => result === 'bad')).toEqual([]);
    expect(findings.length).toBeGreaterThan(5);
  });

  test('writes nothing into the project', async () => {
    const scene = toyScene();
    await doctor(scene);
    expect(fs.readdirSync(scene.root)).toEqual(['.git']);
  });

  test('only notes that a client is not there', async () => {
    const ran = await doctor(toyScene());
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toMatch(/^note {2}Claude Code, Codex, .+ are not on PATH$/m);
  });

  test('names the bad key of a config, once, and what was expected there', async () => {
    const scene = toyScene();
    await scene.start('a');
    scene.write('holdfast.config.json', '{"review":{"timeout":0}}');
    const ran = await doctor(scene);
    expect(ran).toMatchObject({ exitCode: 1, stderr: '' });
    expect(failures(ran)).toEqual([
      [
        expect.stringContaining(
          'holdfast.config.json: review.timeout: expected a number of seconds from 1 to 7000, got 0',
        ),
        expect.stringContaining('correct that key'),
      ],
    ]);
  });

  test("names the bad key of the user's own config, where there are no runs too", async () => {
    const scene = toyScene();
    const folder = path.join(scene.home, '.config/holdfast');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'holdfast.config.json'), '{"guard":7}');
    const ran = await doctor(scene);
    expect(failures(ran)).toEqual([
      [expect.stringContaining('guard: expected an object'), expect.any(String)],
    ]);
  });

  test('only notes a key that it does not know', async () => {
    const scene = toyScene();
    await scene.start('a');
    scene.write('holdfast.config.json', '{"future":{}}');
    const ran = await doctor(scene);
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toMatch(
      /^note {2}\S*holdfast\.config\.json: there is no key "future"; it is ignored$/m,
    );
  });

  test('lists what is not at its default, and which file says so', async () => {
    const scene = toyScene();
    await scene.start('a');
    const folder = path.join(scene.home, '.config/holdfast');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, 'holdfast.config.json'), '{"review":{"timeout":30}}');
    scene.write(
      'holdfast.config.json',
      '{"guard":{"unmoved":2},"review":{"access":"sandboxed","timeout":90}}',
    );
    const lines = (await doctor(scene)).stdout.split('\n').filter((line) => line.includes('  setting '));
    expect(lines).toEqual([
      `ok    setting review.timeout: 30 (user: ${folder}/holdfast.config.json)`,
      `ok    setting review.access: "sandboxed" (project: ${scene.root}/holdfast.config.json)`,
      `ok    setting guard.unmoved: 2 (project: ${scene.root}/holdfast.config.json)`,
    ]);
  });

  test('names a state and notes that cannot be read', async () => {
    const scene = toyScene();
    await scene.start('a');
    await scene.start('b');
    scene.write('.toy/a.json', 'nonsense');
    scene.write('.holdfast/runs/toy-b.json', 'nonsense');
    const ran = await doctor(scene);
    expect(ran.exitCode).toBe(1);
    expect(failures(ran)).toEqual([
      [
        expect.stringContaining('the state of toy:a cannot be read'),
        expect.stringContaining('correct that file'),
      ],
      [expect.stringContaining('toy-b.json is not readable'), 'run `holdfast adopt toy:b`'],
    ]);
  });

  test('notes that Holdfast is switched off', async () => {
    const ran = await doctor(toyScene(), [], { HOLDFAST_DISABLE: '1' });
    expect(ran.stdout).toContain('note  HOLDFAST_DISABLE=1 is set');
    expect(ran.stdout).toContain('to fix it: unset HOLDFAST_DISABLE');
  });

  test('fails when the hook cannot answer, and says how to fix it', async () => {
    const scene = toyScene();
    const plugin = path.join(path.dirname(scene.root), 'plugin');
    fs.cpSync(toyPlugin, plugin, { recursive: true });
    fs.chmodSync(path.join(plugin, 'hooks/stop'), 0o644);
    const ran = await scene.cli(['doctor'], { plugin });
    expect(ran.exitCode).toBe(1);
    expect(failures(ran)).toContainEqual([
      expect.stringContaining('the hook does not run'),
      'install Holdfast again',
    ]);
  });

  test.each([
    ['is missing', (file: string) => fs.rmSync(file)],
    ['is cut off', (file: string) => fs.truncateSync(file, 1000)],
  ])('cannot run where a file of its own %s, and says that in one line', async (_, harm) => {
    const scene = toyScene();
    const plugin = path.join(path.dirname(scene.root), 'plugin');
    fs.cpSync(toyPlugin, plugin, { recursive: true });
    harm(path.join(plugin, 'lib/hook.cjs'));
    const ran = await scene.cli(['doctor'], { plugin, real: true });
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toMatch(
      /^Holdfast cannot be loaded from .*lib \(.+\)\. Install it again, in the clone of Holdfast: npx holdfast install\n$/,
    );
  });
});
