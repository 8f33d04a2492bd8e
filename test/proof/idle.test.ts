// A loop's claims, through the real hook.

import { describe, expect, it } from 'vitest';
import { COMPLETE, lastEnd, lastStop, proofScene, type Scene, STUCK } from './scene.ts';

async function loopWith(args: readonly string[] = ['--max', '20']): Promise<Scene> {
  const scene = proofScene();
  await scene.start(['idle', 'loop', ...args, 'a task']);
  return scene;
}

const MAXIMUM = 'Enough.\n\n<loop-done>MAX_ITERATIONS</loop-done>';

describe('a claim', () => {
  it('of a run without checks stands as it is, and leaves the line it always left', async () => {
    const scene = await loopWith();
    const { answer } = await scene.stop(COMPLETE);
    expect(answer).toEqual({ systemMessage: expect.stringMatching(/nothing proved it.*holdfast init/) });
    expect(JSON.stringify(lastStop(scene))).not.toContain('proof');
    expect(lastEnd(scene)).toMatchObject({ outcome: 'completed' });
    expect(lastEnd(scene)).not.toHaveProperty('proof');
    expect(scene.sidecar()).not.toHaveProperty('proof');
  });

  it('whose checks all pass stands and is proven', async () => {
    const scene = await loopWith();
    scene.pin([scene.check('test', 'true'), scene.check('types', 'true')]);
    const { answer } = await scene.stop(COMPLETE);
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('done and proven: test');
    expect(lastStop(scene)).toMatchObject({ facts: { proof: { claim: 'stands', worth: 'proven' } } });
    expect(lastEnd(scene)).toMatchObject({ outcome: 'completed', proof: 'proven' });
    expect(scene.receipts()).toHaveLength(2);
    expect(scene.sidecar().attempts).toEqual([]);
    expect((await scene.cli(['why'])).stdout).toContain('Proven: test passed');
    expect((await scene.cli(['log'])).stdout).toMatch(/claim proven.*done and proven/s);
    expect((await scene.cli(['status', '--all'])).stdout).toContain('proven');
    expect((await scene.cli(['replay', '1'])).stdout).toContain('same');
  });

  it('that a check refuses costs an iteration and tells why', async () => {
    const scene = await loopWith(['--max', '5']);
    scene.pin([scene.check('test', 'echo one test is red; exit 3'), scene.check('types', 'true')]);
    const { answer } = await scene.stop(COMPLETE);
    expect(answer).toMatchObject({ decision: 'block' });
    expect(answer?.reason).toContain('test: exit code 3');
    expect(answer?.reason).toContain('one test is red');
    expect(answer?.reason).toContain('[ITERATION 1/5]');
    expect(lastEnd(scene)).toBeUndefined();
    expect(scene.runs('types')).toBe(1);
    expect(scene.sidecar().proof).toMatchObject({ refusals: 1 });
    expect((await scene.cli(['why'])).stdout).toMatch(/claim was refused.*Checks: test failed/s);
    expect((await scene.cli(['status'])).stdout).toContain('checks test, types; claim refused once');
    expect((await scene.cli(['replay', '1'])).stdout).toContain('same');
  });
});

describe('a signal that is no claim', () => {
  it.each([
    ['STUCK', STUCK, 'stuck'],
    ['MAX_ITERATIONS', MAXIMUM, 'limit'],
  ])('%s is never checked', async (_, message, outcome) => {
    const scene = await loopWith();
    scene.pin([scene.check('test', 'false')]);
    const { answer } = await scene.stop(message);
    expect(answer?.decision).toBeUndefined();
    expect(scene.runs('test')).toBe(0);
    expect(lastEnd(scene)).toMatchObject({ outcome });
    expect(lastEnd(scene)).not.toHaveProperty('proof');
  });
});

describe('every run ends', () => {
  it('at its limit, when the claim of its last iteration is refused', async () => {
    const scene = await loopWith(['--max', '1']);
    scene.pin([scene.check('test', 'false')]);
    expect((await scene.stop(COMPLETE)).answer).toMatchObject({ decision: 'block' });
    const { answer } = await scene.stop(COMPLETE);
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('the claim to be done was refused. test failed');
    expect(lastEnd(scene)).toMatchObject({ outcome: 'limit', proof: 'unproven' });
  });

  it('after so many refused claims in a row, whatever moved, and the session forgets it', async () => {
    const scene = await loopWith(['--max', '40']);
    scene.pin([scene.check('test', 'false')], { refusals: 3 });
    for (let claim = 1; claim <= 3; claim++) {
      scene.write('code.txt', `change ${claim}\n`);
      expect((await scene.stop(COMPLETE)).answer, `claim ${claim}`).toMatchObject({ decision: 'block' });
    }
    scene.write('code.txt', 'change 4\n');
    const { answer } = await scene.stop(COMPLETE);
    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('the checks refused the claim');
    expect(lastEnd(scene)).toMatchObject({
      outcome: 'released',
      proof: 'unproven',
      why: ['refused-too-often'],
    });
    expect((await scene.cli(['why'])).stdout).toContain('refused too often in a row');
    expect((await scene.cli(['replay', '1'])).stdout).toContain('same');
    expect((await scene.stop('And now?')).answer?.decision).toBeUndefined();
    await scene.cli(['adopt', scene.run()]);
    expect((await scene.stop(COMPLETE)).answer).toMatchObject({ decision: 'block' });
  });
});

describe('nested loops', () => {
  async function nested(): Promise<Scene> {
    const scene = proofScene();
    await scene.start(['idle', 'loop', '--max', '9', 'outer']);
    await scene.start(['idle', 'issue', '--max', '9', 'inner']);
    return scene;
  }

  it('go on as ever where a frame names a check that the run does not have', async () => {
    const scene = await nested();
    setUntil(scene, ['nothing', 'nothing']);
    const { answer } = await scene.stop('Working.');
    expect(answer?.reason).toMatch(/^\[ITERATION 1\/9\]/);
    scene.pin([scene.check('test', 'true')]);
    expect((await scene.stop('Working.')).answer?.reason).toMatch(/^\[ITERATION 2\/9\]/);
    expect(scene.runs('test')).toBe(0);
  });

  it.each([
    ['is not trusted', { untrusted: ['test'] }, 0],
    ['cannot run', {}, 1],
  ])('end, unproven, where the check they wait for %s, and do not burn iterations', async (_, pin, holds) => {
    const scene = await loopWith();
    setUntil(scene, ['test']);
    scene.pin([scene.check('test', '', { run: ['no-such-program-here'] })], pin);
    for (let stop = 0; stop < holds; stop++)
      expect((await scene.stop('Working.')).answer?.reason).toContain('its program was not found');
    const { answer } = await scene.stop('Working.');
    expect(answer?.decision).toBeUndefined();
    expect(lastEnd(scene)).toMatchObject({ outcome: 'completed', proof: 'unproven' });
  });
});

/** Each frame, from the outermost on, waits for the check of that name. */
function setUntil(scene: Scene, checks: readonly string[]): void {
  const file = '.jwz/messages.jsonl';
  const message = JSON.parse(scene.read(file).trim().split('\n').at(-1) ?? '');
  const body = JSON.parse(message.body);
  const stack = body.stack.map((frame: object, index: number) => ({ ...frame, until: checks[index] }));
  const line = { ...message, id: `${message.id}X`, body: JSON.stringify({ ...body, stack }) };
  scene.write(file, `${scene.read(file)}${JSON.stringify(line)}\n`);
}
