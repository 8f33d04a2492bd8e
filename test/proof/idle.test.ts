// A loop's claims, through the real hook.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { definitionOf } from '../../src/engine/proof/definition.ts';
import { COMPLETE, lastEnd, lastStop, proofScene, type Scene, STUCK } from './scene.ts';

async function loopWith(args: readonly string[] = ['--max', '20']): Promise<Scene> {
  const scene = proofScene();
  await scene.start(['idle', 'loop', ...args, 'a task']);
  return scene;
}

const MAXIMUM = 'Enough.\n\n<loop-done>MAX_ITERATIONS</loop-done>';
const ISSUE_DONE = 'Fixed.\n\n<issue-complete>DONE</issue-complete>';

describe('a claim', () => {
  it('of a run without checks stands as it is, and leaves the line it always left', async () => {
    const scene = await loopWith();

    const { answer } = await scene.stop(COMPLETE);

    expect(answer?.decision).toBeUndefined();
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
    expect((await scene.cli(['log'])).stdout).toMatch(/claim proven.*completed, proven/s);
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

  it('is not kept once it was refused: the next stop without one is an ordinary iteration', async () => {
    const scene = await loopWith();
    scene.pin([scene.check('test', 'false')]);
    await scene.stop(COMPLETE);

    const { answer } = await scene.stop('I go on.');

    expect(answer).toMatchObject({ decision: 'block' });
    expect(answer?.reason).not.toContain('refused');
    expect(answer?.reason).toContain('[ITERATION 2/20]');
    expect(scene.runs('test')).toBe(1);
  });

  it('on content that failed before is refused without a second run, and says so', async () => {
    const scene = await loopWith();
    scene.pin([scene.check('test', 'false')]);
    await scene.stop(COMPLETE);

    const { answer } = await scene.stop(COMPLETE);

    expect(answer?.reason).toContain('nothing was run again');
    expect(scene.runs('test')).toBe(1);
    expect(lastStop(scene)).toMatchObject({ facts: { proof: { unchanged: true } } });

    scene.write('code.txt', 'second\n');
    await scene.stop(COMPLETE);
    expect(scene.runs('test')).toBe(2);
  });

  it('on content that passed before is taken from its receipt', async () => {
    const scene = await loopWith();
    const test = scene.check('test', 'true');
    scene.pin([test, scene.check('types', 'test -e types-fixed')]);
    await scene.stop(COMPLETE);
    expect(scene.runs('test')).toBe(1);

    scene.write('types-fixed', '');
    await scene.stop(COMPLETE);

    // Another content: it ran again. Limited to paths that did not change it would not have.
    expect(scene.runs('test')).toBe(2);
    expect(scene.receipts().filter(({ definition }) => definition === definitionOf(test))).toHaveLength(2);
  });

  it('takes a receipt of a check whose paths did not change', async () => {
    const scene = await loopWith();
    scene.pin([
      scene.check('test', 'true', { paths: ['code.txt'] }),
      scene.check('types', 'test -e types-fixed'),
    ]);
    await scene.stop(COMPLETE);
    scene.write('types-fixed', '');

    const { answer } = await scene.stop(COMPLETE);

    expect(answer?.systemMessage).toContain('done and proven');
    expect(scene.runs('test')).toBe(1);
  });

  it('runs nothing after the first failure where the pin says bail', async () => {
    const scene = await loopWith();
    scene.pin([scene.check('test', 'false'), scene.check('types', 'true')], { bail: true });

    const { answer } = await scene.stop(COMPLETE);

    expect(answer).toMatchObject({ decision: 'block' });
    expect(scene.runs('types')).toBe(0);
  });

  it('is refused at a time limit of the check', async () => {
    const scene = await loopWith();
    scene.pin([scene.check('test', 'sleep 30', { timeout: 1 })]);

    const { answer } = await scene.stop(COMPLETE);

    expect(answer?.reason).toContain('test: ended at its time limit');
    expect(scene.receipts()).toMatchObject([{ end: 'timed-out', code: null }]);
  });
});

describe('a claim that is never refused', () => {
  it('rests on a check that nobody trusts: it does not run, and the run is unproven', async () => {
    const scene = await loopWith();
    scene.pin([scene.check('test', 'true', { from: 'project' })], { untrusted: ['test', 'gone'] });

    const { answer } = await scene.stop(COMPLETE);

    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('unproven');
    expect(scene.runs('test')).toBe(0);
    expect(lastEnd(scene)).toMatchObject({ outcome: 'completed', proof: 'unproven', why: ['untrusted'] });
  });

  it('rests on trust that was taken back since the run began', async () => {
    const scene = await loopWith();
    scene.pin([scene.check('test', 'true', { from: 'project' })]);

    await scene.stop(COMPLETE);

    expect(scene.runs('test')).toBe(0);
    expect(lastEnd(scene)).toMatchObject({ proof: 'unproven', why: ['untrusted'] });
  });

  it('rests on a check that was red before the run began', async () => {
    const scene = await loopWith();
    const test = scene.check('test', 'false');
    // What the first claim finds is what was there at the start.
    scene.pin([test], {});
    await scene.stop(COMPLETE);
    const [before] = scene.receipts();
    scene.pin([test], { content: before?.content ?? null });
    scene.write('code.txt', 'second\n');

    const { answer } = await scene.stop(COMPLETE);

    expect(answer?.decision).toBeUndefined();
    expect(answer?.systemMessage).toContain('ailed before this run too');
    expect(scene.runs('test')).toBe(2);
    expect(lastEnd(scene)).toMatchObject({ proof: 'unproven', why: ['failed-before'] });
  });

  it('was made while the checks are switched off', async () => {
    const scene = await loopWith();
    scene.pin([scene.check('test', 'true')], { off: true });

    await scene.stop(COMPLETE);

    expect(scene.runs('test')).toBe(0);
    expect(lastEnd(scene)).toMatchObject({ outcome: 'completed', proof: 'unproven', why: ['switched-off'] });
  });

  it('was made in a run whose pin is gone', async () => {
    const scene = await loopWith();
    scene.pin([scene.check('test', 'false')]);
    await scene.stop(COMPLETE);
    fs.rmSync(path.join(scene.home, '.local/state/holdfast/pins'), { recursive: true });

    await scene.stop(COMPLETE);

    expect(lastEnd(scene)).toMatchObject({ outcome: 'completed', proof: 'unproven', why: ['not-pinned'] });
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

  it('counts refusals in a row only: a claim that stands begins anew', async () => {
    const scene = proofScene();
    await scene.start(['idle', 'loop', '--max', '9', 'outer']);
    await scene.start(['idle', 'issue', '--max', '9', 'inner']);
    scene.pin([scene.check('test', 'test -e fixed')]);
    await scene.stop(ISSUE_DONE);
    await scene.stop(ISSUE_DONE);
    expect(scene.sidecar().proof).toMatchObject({ refusals: 2 });
    scene.write('fixed', '');

    await scene.stop(ISSUE_DONE);

    expect(scene.sidecar().proof).toMatchObject({ refusals: 0 });
  });

  it('with one hold for a check that cannot run, and unproven at the next claim', async () => {
    const scene = await loopWith();
    scene.pin([scene.check('test', '', { run: ['no-such-program-here'] }), scene.check('types', 'true')]);

    const first = await scene.stop(COMPLETE);
    expect(first.answer).toMatchObject({ decision: 'block' });
    expect(first.answer?.reason).toContain('test: its program was not found');
    const second = await scene.stop(COMPLETE);

    expect(second.answer?.decision).toBeUndefined();
    expect(scene.runs('types')).toBe(1);
    expect(lastEnd(scene)).toMatchObject({ outcome: 'completed', proof: 'unproven', why: ['cannot-run'] });
  });

  it('though a check changes the files it checks', async () => {
    const scene = await loopWith();
    scene.pin([scene.check('test', 'date +%s%N >>code.txt')]);

    const { answer } = await scene.stop(COMPLETE);

    expect(answer?.reason).toContain('files changed while it ran');
    expect(scene.runs('test')).toBe(2);
    expect(scene.receipts()).toEqual([]);
    expect((await scene.stop(COMPLETE)).answer?.decision).toBeUndefined();
    expect(lastEnd(scene)).toMatchObject({ proof: 'unproven', why: ['cannot-run'] });
  });

  it('where a check has put the files in order at its first run, it counts at its second', async () => {
    const scene = await loopWith();
    scene.pin([scene.check('types', 'true'), scene.check('format', 'echo in order >code.txt')]);

    const { answer } = await scene.stop(COMPLETE);

    expect(answer?.systemMessage).toContain('done and proven');
    // On the content as it was left.
    expect(scene.runs('types')).toBe(2);
  });

  it('without git every claim runs the checks', async () => {
    const scene = proofScene({ git: false });
    await scene.start(['idle', 'loop', '--max', '9', 'a task']);
    scene.pin([scene.check('test', 'test -e fixed')]);
    await scene.stop(COMPLETE);
    await scene.stop(COMPLETE);
    expect(scene.runs('test')).toBe(2);
    scene.write('fixed', '');

    await scene.stop(COMPLETE);

    expect(scene.runs('test')).toBe(3);
    expect(lastEnd(scene)).toMatchObject({ proof: 'proven' });
  });
});

describe('protected files', () => {
  const changedSeal = { files: [['code.txt', 'another']], skips: {}, cut: false } as const;

  it('that changed are named at the end', async () => {
    const scene = await loopWith();
    scene.pin([scene.check('test', 'true')], { seal: changedSeal, protect: ['code.txt'] });

    const { answer } = await scene.stop(COMPLETE);

    expect(answer?.systemMessage).toContain('code.txt (changed)');
    expect(lastStop(scene)).toMatchObject({ facts: { proof: { protectedChanged: 1, worth: 'proven' } } });
  });

  it('hold once where the pin says so, before anything is run', async () => {
    const scene = await loopWith();
    const sealed = { seal: changedSeal, protect: ['code.txt'], then: 'hold' } as const;
    scene.pin([scene.check('test', 'true')], sealed);

    const { answer } = await scene.stop(COMPLETE);
    expect(answer).toMatchObject({ decision: 'block' });
    expect(answer?.reason).toContain('code.txt (changed)');
    expect(scene.runs('test')).toBe(0);

    const second = await scene.stop(COMPLETE);
    expect(second.answer?.decision).toBeUndefined();
    expect(second.answer?.systemMessage).toContain('code.txt (changed)');
    expect(lastEnd(scene)).toMatchObject({ proof: 'proven' });
  });
});

describe('nested loops', () => {
  async function nested(): Promise<Scene> {
    const scene = proofScene();
    await scene.start(['idle', 'loop', '--max', '9', 'outer']);
    await scene.start(['idle', 'issue', '--max', '9', 'inner']);
    return scene;
  }

  it('have the claim of the inner one checked as well, and refused it leaves the outer one alone', async () => {
    const scene = await nested();
    scene.pin([scene.check('test', 'false')]);

    const { answer } = await scene.stop(ISSUE_DONE);

    expect(answer?.reason).toContain('[ITERATION 1/9]');
    expect(stackOf(scene)).toMatchObject([{ iter: 0 }, { iter: 1 }]);
  });

  it('each have their own check to wait for', async () => {
    const scene = await nested();
    setUntil(scene, ['whole', 'part']);
    scene.pin([scene.check('part', 'test -e part'), scene.check('whole', 'test -e whole || test ! -e part')]);

    const first = await scene.stop('Working.');
    expect(first.answer?.reason).toMatch(/^This loop is done when the check part passes/);
    expect(scene.sidecar().proof).toMatchObject({ refusals: 0 });
    expect(scene.runs('whole')).toBe(0);
    scene.write('part', '');
    // The part passes, which is a claim; the whole does not.
    const second = await scene.stop('Working on.');
    expect(second.answer?.reason).toContain('whole: exit code 1');
    expect(stackOf(scene)).toMatchObject([{ iter: 0 }, { iter: 2 }]);
    expect(scene.sidecar().proof).toMatchObject({ refusals: 1 });
    scene.write('whole', '');
    const third = await scene.stop('Both now.');
    expect(third.answer?.decision).toBeUndefined();
    expect(stackOf(scene)).toHaveLength(1);

    const fourth = await scene.stop('No signal here.');

    expect(fourth.answer?.decision).toBeUndefined();
    expect(lastEnd(scene)).toMatchObject({ outcome: 'completed', proof: 'proven' });
  });

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

function stackOf(scene: Scene) {
  const last = scene.read('.jwz/messages.jsonl').trim().split('\n').at(-1);
  return JSON.parse(JSON.parse(last ?? '').body).stack;
}

/** Each frame, from the outermost on, waits for the check of that name. */
function setUntil(scene: Scene, checks: readonly string[]): void {
  const file = '.jwz/messages.jsonl';
  const message = JSON.parse(scene.read(file).trim().split('\n').at(-1) ?? '');
  const body = JSON.parse(message.body);
  const stack = body.stack.map((frame: object, index: number) => ({ ...frame, until: checks[index] }));
  const line = { ...message, id: `${message.id}X`, body: JSON.stringify({ ...body, stack }) };
  scene.write(file, `${scene.read(file)}${JSON.stringify(line)}\n`);
}
