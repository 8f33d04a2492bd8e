// What a check prints goes nowhere but to our own files: whatever it, or the agent beside it, puts in their place.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Check } from '../../src/engine/proof/types.ts';
import { endAtTheEnd } from '../support/at-the-end.ts';
import { COMPLETE, eventually, proofScene, type Scene } from './scene.ts';

type Attacked = { scene: Scene; victim: string };

async function loopWith(script: (victim: string) => string, more: Partial<Check> = {}): Promise<Attacked> {
  const scene = proofScene();
  const victim = path.join(scene.home, '.bashrc');
  fs.writeFileSync(victim, 'a secret of the user\n');
  await scene.start(['idle', 'loop', '--max', '9', 'a task']);
  scene.pin([scene.check('test', script(victim), more)]);
  return { scene, victim };
}

async function expectNoHarm({ scene, victim }: Attacked, printed: string): Promise<void> {
  const { answer } = await scene.stop(COMPLETE);
  expect(fs.readFileSync(victim, 'utf8')).toBe('a secret of the user\n');
  expect(answer?.decision).toBe('block');
  expect(answer?.reason).toContain(printed);
  expect(JSON.stringify(answer)).not.toContain('a secret of the user');
}

/** In sh: a link to the victim at every place where an output could be. */
const plant = (victim: string): string =>
  `for place in .holdfast/attempts/*; do for name in stdout stderr; do ln -sfn '${victim}' "$place/$name"; done; done`;

describe('a check that puts a link in the place of its own output', () => {
  it('writes nothing through it when it is tried again, and nothing is read through it', async () => {
    await expectNoHarm(
      await loopWith((victim) => `echo "echo injected"; ${plant(victim)}; exit 3`, { retries: 1 }),
      'echo injected',
    );
  });

  it('says what it said, and nothing is read through it', async () => {
    await expectNoHarm(await loopWith((victim) => `echo said; ${plant(victim)}; exit 3`), 'said');
  });

  it('is not helped by a process beside it that plants it before the check begins', async () => {
    const attacked = await loopWith(() => 'echo "echo injected"; exit 3');
    const { scene, victim } = attacked;
    const attempts = path.join(scene.root, '.holdfast/attempts');
    const planted = path.join(scene.home, 'planted');
    const racing = `const fs = require('fs');
      fs.mkdirSync(${JSON.stringify(attempts)}, { recursive: true });
      for (const end = Date.now() + 30000; Date.now() < end; )
        for (const name of fs.readdirSync(${JSON.stringify(attempts)})) {
          try { fs.symlinkSync(${JSON.stringify(victim)}, ${JSON.stringify(attempts)} + '/' + name + '/stdout'); } catch { continue; }
          fs.writeFileSync(${JSON.stringify(planted)}, '');
          process.exit();
        }`;
    endAtTheEnd(spawn(process.execPath, ['-e', racing], { stdio: 'ignore' }));
    await eventually('the other process is there', () => fs.existsSync(attempts));
    await expectNoHarm(attacked, 'echo injected');
    await eventually('its link is planted', () => fs.existsSync(planted));
  });
});

describe('a log for people', () => {
  it.each([
    ['in its own place', '.holdfast/checks/test.log', '.bashrc'],
    ['in the place of its folder', '.holdfast/checks', '.'],
  ])('is not written through a link %s, and the user is told', async (_, place, target) => {
    const attacked = await loopWith(() => 'echo said; exit 3');
    const { scene } = attacked;
    const link = path.join(scene.root, place);
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.symlinkSync(path.join(scene.home, target), link);
    const { answer } = await scene.stop(COMPLETE);
    expect(fs.readFileSync(attacked.victim, 'utf8')).toBe('a secret of the user\n');
    expect(fs.readdirSync(scene.home)).not.toContain('test.log');
    expect(answer?.reason).toContain('said');
    expect(answer?.systemMessage).toContain('could not be kept in the project');
    expect(answer?.systemMessage).toMatch(/is a link and|leads out of/);
  });

  it('has what was printed, and nothing is left where it was printed to', async () => {
    const { scene } = await loopWith(() => 'echo one; echo two >&2');
    await scene.stop(COMPLETE);
    expect(scene.read('.holdfast/checks/test.log')).toBe('one\ntwo\n');
    expect(fs.readdirSync(path.join(scene.home, '.local/state/holdfast/attempts'))).toEqual([]);
    expect(fs.readdirSync(path.join(scene.root, '.holdfast/attempts'))).toEqual([]);
  });
});
