// The journal and many stops at once: no update is lost, every stop has its line, and no line tells a secret.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { journalOf, type Stopping, type ToyScene, toyScene } from '../toy/scene.ts';

const AT_ONCE = 16;

/** Fires that many stops at once; how many were held. */
async function fireAtOnce(scene: ToyScene, times: number, stopping: Stopping): Promise<number> {
  const fired = await Promise.all(Array.from({ length: times }, () => scene.stop(stopping)));
  expect(fired.map(({ exitCode }) => exitCode)).toEqual(Array(times).fill(0));
  return fired.filter(({ answer }) => answer?.decision === 'block').length;
}

const journalFile = (scene: ToyScene): string => path.join(scene.root, '.holdfast/journal.jsonl');

describe('many stops at once', () => {
  test('fired by hand are each counted once in the state and have a line each', async () => {
    const scene = toyScene();
    await scene.start('a');
    const held = await fireAtOnce(scene, AT_ONCE, { session: null });
    expect(held).toBeGreaterThan(0);
    expect(scene.state('a').left).toBe(100 - held);
    expect(scene.journal()).toHaveLength(AT_ONCE);
    expect(scene.journal().filter(({ answer }) => answer === 'hold')).toHaveLength(held);
  });

  test('of one session are never held more often than the guard allows', async () => {
    const scene = toyScene();
    await scene.start('a');
    const held = await fireAtOnce(scene, AT_ONCE, {});
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThanOrEqual(12);
    expect(scene.state('a').left).toBe(100 - held);
    expect(scene.journal()).toHaveLength(AT_ONCE);
  });

  test('that ask for a review start one', async () => {
    const scene = toyScene();
    await scene.start('a', { phase: 'reviewing' });
    const stops = Array.from({ length: 4 }, () => scene.beginStop({ env: { TOY_REVIEWER: 'patient' } }));
    // All but the owner are let go while the review runs; then it may end.
    const loser = await Promise.race(stops.map((stop) => stop.ended));
    expect(JSON.parse(loser.stdout).systemMessage).toContain('a review is already under way');
    fs.writeFileSync(path.join(scene.notes, 'finish'), '');
    const answers = await Promise.all(stops.map((stop) => stop.ended));
    expect(answers.filter(({ stdout }) => stdout.includes('"clean {}'))).toHaveLength(1);
    expect(scene.reviews()).toBe(1);
    expect(scene.state('a')).toMatchObject({ phase: 'done', reviews: 1 });
  });
});

describe('the journal', () => {
  test('never holds what a message or a file says', async () => {
    const scene = toyScene();
    await scene.start('a');
    await scene.stop({ payload: { last_assistant_message: 'a secret answer' } });
    scene.write('.toy/a.json', 'a secret state\nof two lines');
    await scene.stop({ payload: { last_assistant_message: 'a secret answer' } });
    scene.setState('a', { phase: 'reviewing' });
    await scene.stop({ env: { TOY_REVIEWER: 'crash' } });
    const text = scene.read('.holdfast/journal.jsonl');
    expect(scene.journal()).toHaveLength(3);
    expect(text).not.toContain('secret');
    expect(text).not.toContain('What I found');
    expect(text).not.toContain('the model is not there');
  });

  test('is readable by the user alone', async () => {
    const scene = toyScene();
    await scene.start('a');
    await scene.stop();
    expect(fs.statSync(journalFile(scene)).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.join(scene.root, '.holdfast/runs/toy-a.json')).mode & 0o777).toBe(0o600);
  });

  test('over 8 MB becomes one segment, also by many stops at once, and no line is lost', async () => {
    const scene = toyScene();
    await scene.start('a');
    await scene.stop({ session: null });
    const line = fs.readFileSync(journalFile(scene), 'utf8');
    fs.appendFileSync(journalFile(scene), line.repeat(Math.ceil((8 * 1024 * 1024) / line.length)));
    const before = journalOf(journalFile(scene)).length;
    await fireAtOnce(scene, 8, { session: null });
    expect(fs.statSync(journalFile(scene)).size).toBeLessThan(100_000);
    const folder = path.join(scene.root, '.holdfast/journal');
    expect(fs.readdirSync(folder)).toEqual(['00000001.jsonl']);
    expect(fs.statSync(path.join(folder, '00000001.jsonl')).mode & 0o777).toBe(0o600);
    const kept = [path.join(folder, '00000001.jsonl'), journalFile(scene)].flatMap(journalOf);
    expect(kept).toHaveLength(before + 8);
    expect((await scene.cli(['log', '--limit', '100'])).stdout.trimEnd().split('\n')).toHaveLength(100);
  });
});
