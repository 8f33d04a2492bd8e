// What a budget does to a run's stops, with the real hook and the real commands.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { leaveToken } from '../../src/store/driver-tokens.ts';
import { DRIVER_VARIABLE } from '../../src/store/environment.ts';
import { latest } from '../fixtures/idle/loops.ts';
import { runCli } from '../support/hook.ts';
import { type BudgetScene, budgetScene, DONE, HOUR, isHeld, isLastHold, isPaused, tick } from './scene.ts';

async function loopWith(...flags: string[]): Promise<BudgetScene> {
  const scene = budgetScene();
  const started = await scene.agent(['idle', 'loop', ...flags]);
  expect(started).toMatchObject({ exitCode: 0, stderr: '' });
  await tick();
  return scene;
}

describe('tokens', () => {
  it('spent: one last hold in place of the next iteration, then the pause, and more brings it back', async () => {
    const scene = await loopWith('--tokens', '1k');
    scene.uses(600);
    expect(isLastHold(await scene.stop())).toBe(false);
    scene.uses(600);
    const last = await scene.stop();
    expect(isLastHold(last)).toBe(true);
    expect(last.answer?.reason).toContain('1.2k of 1k tokens');
    expect(latest(scene).stack).toMatchObject([{ iter: 1 }]);
    scene.uses(100);
    const paused = await scene.stop();
    expect(isPaused(paused)).toBe(true);
    expect(paused.answer?.systemMessage).toMatch(/resume idle:loop-\S+ --tokens 1M`/);
    scene.uses(999);
    expect((await scene.stop()).answer).toBeNull();
    expect(scene.budget()).toMatchObject({ stage: 'paused', spent: { tokens: 1300, cacheRead: 15_000 } });
    expect(await scene.person(['resume', '--tokens', '1k'])).toMatchObject({ exitCode: 0, stderr: '' });
    await tick();
    scene.uses(50);
    const again = await scene.stop();
    expect(isHeld(again) && !isLastHold(again)).toBe(true);
    // Whoever granted it, the user is told, once.
    expect(again.answer?.systemMessage).toMatch(
      /^Holdfast: 1k tokens were granted to idle:loop-\S+ at \d{4}-\d\d-\d\d \d\d:\d\d UTC by \S+, with `holdfast resume`\.$/,
    );
    expect(scene.budget().granted).toBeUndefined();
    expect(latest(scene).stack).toMatchObject([{ iter: 2 }]);
    // What the session used while the run was paused is not the run's.
    expect(scene.budget()).toMatchObject({
      stage: 'open',
      limits: { tokens: 2000 },
      spent: { tokens: 1350 },
    });
    expect((await scene.stop()).answer?.systemMessage).toBeUndefined();
  });

  it('the journal, `why`, `log` and `replay` say so', async () => {
    const scene = await loopWith('--tokens', '10');
    scene.uses(20);
    await scene.stop();
    expect((await scene.person(['why'])).stdout).toMatch(/^Held by .*budget is spent \(20 of 10 tokens\)/);
    await scene.stop();
    expect((await scene.person(['why'])).stdout).toMatch(/^Allowed by .*the last hold was given/);
    await scene.person(['resume', '--tokens', '1M']);
    const events = scene
      .journal()
      .map(({ event, ...rest }) => ('what' in rest ? `${event} ${rest.what}` : event));
    expect(events).toEqual(['start', 'budget set', 'budget spent', 'stop', 'stop', 'end', 'budget raised']);
    expect(scene.journal().find(({ event }) => event === 'end')).toMatchObject({ outcome: 'paused' });
    const log = (await scene.person(['log'])).stdout;
    expect(log).toMatch(
      /it may spend 10 tokens[\s\S]*the last hold[\s\S]*budget is spent[\s\S]*more was granted/,
    );
    const replayed = await scene.person(['replay', '.holdfast/journal.jsonl']);
    expect(replayed).toMatchObject({ exitCode: 0 });
    expect(replayed.stdout).toContain('2 stops replayed, 0 different');
  });

  it.each([1, 2])(
    'a claim stands and ends the run also after the last hold, and in a paused run: %d',
    async (stops) => {
      const scene = await loopWith('--tokens', '10');
      scene.uses(20);
      for (let stop = 0; stop < stops; stop++) await scene.stop();
      expect(isHeld(await scene.stop(DONE))).toBe(false);
      expect(latest(scene)).toMatchObject({ event: 'DONE', reason: 'COMPLETE' });
    },
  );

  it('nothing is counted twice by a resumed session, and nothing of another session by an adoption', async () => {
    const scene = await loopWith('--tokens', '1M');
    scene.uses(100);
    await scene.stop();
    scene.uses(7, 'another');
    const run = scene.budget().run;
    await scene.agent(['adopt', run], 'another');
    await tick();
    // A fork begins with a copy of its parent's lines.
    const copied = fs.readFileSync(scene.transcript(), 'utf8');
    const own = fs.readFileSync(scene.transcript('another'), 'utf8');
    fs.writeFileSync(scene.transcript('another'), copied + own);
    scene.uses(50, 'another');
    expect(isHeld(await scene.stop({ session_id: 'another' }))).toBe(true);
    expect(scene.budget().spent.tokens).toBe(150);
    await scene.stop({ session_id: 'another' });
    expect(scene.budget().spent.tokens).toBe(150);
  });

  it('with two runs in a session each counts what was used while it was the one held', async () => {
    const scene = await loopWith('--tokens', '1M');
    scene.uses(100);
    await scene.stop();
    scene.uses(10);
    const plan = await scene.agent(['claudex', 'plan', '--skip-interview', '--tokens', '1M', 'a topic']);
    expect(plan.exitCode).toBe(0);
    await tick();
    scene.uses(1);
    // claudex comes first, and holds from here on.
    expect((await scene.stop()).answer?.reason).toContain('PLAN.md');
    expect([scene.budget('idle').spent.tokens, scene.budget('claudex').spent.tokens]).toEqual([111, 0]);
    scene.uses(1000);
    await scene.stop();
    expect([scene.budget('idle').spent.tokens, scene.budget('claudex').spent.tokens]).toEqual([111, 1000]);
    await scene.agent(['claudex', 'cancel']);
    scene.uses(5);
    expect((await scene.stop()).answer?.reason).toContain('[ITERATION');
    scene.uses(20_000);
    await scene.stop();
    expect(scene.budget('idle').spent.tokens).toBe(20_111);
  });

  it('a run that the guard has let go is not held once more for its budget', async () => {
    const scene = budgetScene();
    scene.write('holdfast.config.json', '{"guard":{"unmoved":1}}');
    await scene.agent(['idle', 'loop', '--tokens', '1M']);
    scene.uses(1);
    expect(isHeld(await scene.stop())).toBe(true);
    expect(isHeld(await scene.stop())).toBe(false);
    scene.changeBudget(({ limits }) => ({ limits: { ...limits, tokens: 1 } }));
    scene.changeBudget(({ spent }) => ({ spent: { ...spent, tokens: 5 } }));
    expect(isHeld(await scene.stop())).toBe(false);
    expect(scene.budget().stage).toBe('open');
  });
});

describe('hours', () => {
  it('a wait that an agent writes into the notes makes no hour uncounted', async () => {
    const scene = await loopWith('--hours', '4');
    await scene.stop();
    scene.changeBudget(({ clock }) => ({ clock: { ...clock, at: clock.at - 5 * HOUR } }));
    const waiting = { for: 'limit', since: Date.now() - 5 * HOUR, until: null, what: 'rate_limit' };
    scene.changeSidecar('idle', (sidecar) => ({ ...sidecar, waiting, paused: 1, waits: undefined }));
    expect(isLastHold(await scene.stop())).toBe(true);
  });
});

it('what a driven session uses counts, since whenever an agent writes into the notes that it has the run', async () => {
  const scene = await loopWith('--tokens', '1M', '--hours', '4');
  await scene.stop();
  const { run, clock } = scene.budget();
  await scene.agent(['adopt', run], 'driven');
  scene.changeBudget(() => ({
    startedAt: clock.at - 4 * HOUR,
    clock: { ...clock, at: clock.at - 3 * HOUR, marks: [{ at: clock.at - 2 * HOUR, kind: 'begins' }] },
  }));
  scene.uses(400, 'driven', { timestamp: new Date(clock.at - HOUR).toISOString() });
  scene.changeSidecar('idle', (sidecar) => ({ ...sidecar, takenOver: Date.now() }));
  await scene.stop({ session_id: 'driven' }, { env: drivenIn(scene, run) });
  const { tokens, timeMs } = scene.budget().spent;
  expect([tokens, Math.floor(timeMs / HOUR)]).toEqual([400, 2]);
});

it('a driven session is served where its run lies, though its agent has gone where it has another one', async () => {
  const scene = await loopWith('--tokens', '1M');
  const { run } = scene.budget();
  await scene.agent(['adopt', run], 'driven');
  const cwd = path.join(scene.root, 'inner');
  fs.mkdirSync(path.join(cwd, '.git'), { recursive: true });
  const inner = { env: { CLAUDE_CODE_SESSION_ID: 'driven' }, stdin: 'Go on.' };
  expect((await runCli(cwd, ['idle', 'loop', '--max', '999'], inner)).exitCode).toBe(0);
  const held = await scene.stop({ session_id: 'driven', cwd }, { env: drivenIn(scene, run) });
  expect(held.answer?.reason).toContain('[ITERATION 1/10]');
  scene.changeBudget(({ spent }) => ({ spent: { ...spent, tokens: 2_000_000 } }));
  expect(isLastHold(await scene.stop({ session_id: 'driven', cwd }, { env: drivenIn(scene, run) }))).toBe(
    true,
  );
});

function drivenIn({ root, home }: BudgetScene, run: string): Record<string, string> {
  const token = { root, run, session: 'driven', fresh: false, left: Date.now() };
  return { [DRIVER_VARIABLE]: leaveToken(token, { HOME: home }) };
}

describe('a paused run', () => {
  async function pausedLoop(): Promise<BudgetScene> {
    const scene = await loopWith('--tokens', '10');
    scene.uses(20);
    await scene.stop();
    expect(isPaused(await scene.stop())).toBe(true);
    return scene;
  }

  it('does not age, and goes on after a week', async () => {
    const scene = await pausedLoop();
    const week = 7 * 24 * HOUR;
    scene.changeBudget(({ pausedAt, clock }) => ({
      pausedAt: (pausedAt ?? 0) - week,
      clock: { ...clock, at: clock.at - week },
    }));
    scene.changeSidecar('idle', (sidecar) => ({ ...sidecar, paused: (sidecar.paused ?? 0) - week }));
    const log = scene.read('.jwz/messages.jsonl');
    const aged = log.replace(
      /\\"updated_at\\":\\"([^\\]+)\\"/g,
      (_, time) => `\\"updated_at\\":\\"${new Date(Date.parse(time) - week).toISOString()}\\"`,
    );
    expect(aged).not.toBe(log);
    scene.write('.jwz/messages.jsonl', aged);
    expect((await scene.person(['status'])).stdout).toMatch(/^! .*paused: .*iteration 0\/10/);
    await scene.person(['resume', '--tokens', '1M']);
    const again = await scene.stop();
    expect(isHeld(again) && !isLastHold(again)).toBe(true);
    expect(scene.sidecar('idle').paused).toBeUndefined();
  });

  it('is not replaced or nested into by a start, and `idle resume` says what brings it back', async () => {
    const scene = await pausedLoop();
    for (const [session, said] of [
      ['another', /goes on here/],
      ['a-session', /is paused: its budget is spent.*holdfast resume idle:/],
    ] as const) {
      const started = await scene.agent(['idle', 'loop'], session);
      expect(started).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(said) });
    }
    const resumed = await scene.agent(['idle', 'resume']);
    expect(resumed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('holdfast resume idle:') });
  });
});

it('`status` says what is spent and left, and how far it goes at this pace', async () => {
  const scene = await loopWith('--tokens', '1k', '--hours', '4');
  for (const tokens of [100, 100]) {
    scene.uses(tokens);
    await scene.stop();
  }
  const { stdout } = await scene.person(['status']);
  expect(stdout).toContain('Budget: 200 of 1k tokens');
  expect(stdout).toContain('About 100 tokens');
  expect(stdout).toContain('At this pace about 8 more iterations');
  const [run] = JSON.parse((await scene.person(['status', '--json'])).stdout).runs;
  expect(run.budget).toMatchObject({
    stage: 'open',
    limits: { tokens: 1000, timeMs: 4 * HOUR, reviews: null, usd: null },
    spent: { tokens: 200 },
    left: { tokens: 800 },
    iterations: 2,
    iterationsLeft: 8,
  });
});
