// The commands beside the two that start: done, wait, status, doctor, cancel, rollback.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FAKES, type LoopProject, loopProject, until } from '../fixtures/claudex/loop.ts';

let project: LoopProject;
beforeEach(() => {
  project = loopProject();
});
afterEach(() => project.remove());

async function reviewing(...flags: string[]): Promise<string> {
  const id = await project.plan('a cache', ...flags);
  project.write('PLAN.md', '# Plan\n');
  await project.stop();
  return id;
}

describe('done', () => {
  it('sets the signal in one write and leaves the phase to the next stop', {
    tags: ['C3.11.a', 'C3.11.b', 'C3.11.c'],
  }, async () => {
    const id = await reviewing();
    const before = project.read(`.claude/claudex/${id}.state`);
    // A second name for the file as it is now: written in place, it would change too.
    const kept = `${project.home}/kept.state`;
    fs.linkSync(project.ours(`${id}.state`), kept);
    const done = await project.claudex(['done', id]);
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(fs.readFileSync(kept, 'utf8')).toBe(before);
    const changed = before.replace('decision_signal: none', 'decision_signal: no-material-findings');
    const times = /^last_updated_at: .*$/m;
    expect(project.read(`.claude/claudex/${id}.state`).replace(times, '')).toBe(changed.replace(times, ''));
    expect(fs.readdirSync(project.ours()).filter((name) => name.includes('tmp'))).toEqual([]);
  });

  it.each(['../../../etc/passwd', 'x', '20260131-093000-1A2B3C', '20260131-093000-1a2b3c'])(
    'refuses the id %s with one line',
    { tags: ['C3.11'] },
    async (id) => {
      await reviewing();
      const refused = await project.claudex(['done', id]);
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).toMatch(/^holdfast: claudex done: [^\n]+\n$/);
      expect(project.field('decision_signal')).toBe('none');
    },
  );

  it('refuses a loop in any other phase or mode', async () => {
    const id = await project.plan();
    expect((await project.claudex(['done', id])).exitCode).toBe(1);
    await project.claudex(['cancel']);
    expect((await project.claudex(['done', id])).exitCode).toBe(1);
    await project.claudex(['rollback']);
    await project.claudex(['review']);
    expect((await project.claudex(['done', project.id()])).exitCode).toBe(1);
    expect(project.field('decision_signal')).toBe('none');
  });

  it('wants an id', { tags: ['C3.11'] }, async () => {
    expect((await project.claudex(['done'])).exitCode).toBe(2);
  });
});

describe('wait', () => {
  it("returns the runner's exit code and says what was found", async () => {
    const id = await reviewing();
    expect((await project.review('crash')).exitCode).toBe(7);
    const ended = await project.claudex(['wait', id]);
    expect(ended.exitCode).toBe(7);
    expect(ended.stdout).toContain('findings-round-1.md: it was not written');
  });

  it('waits for a review that runs', async () => {
    const id = await reviewing();
    const running = project.reviewInBackground();
    await until(() => fs.existsSync(project.ours(`${id}/running`)));
    const waiting = project.claudex(['wait', id]);
    await running.letGo();
    expect(await waiting).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('high=1 medium=2 low=1'),
    });
  });

  it('says how to start the runner when none is running', async () => {
    const id = await reviewing();
    const refused = await project.claudex(['wait', id]);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(`sh ${project.ours(`${id}-runner.sh`)}`);
  });
});

describe('status', () => {
  it('says "no loops" when there are none, and writes nothing', async () => {
    const status = await project.claudex(['status']);
    expect(status).toMatchObject({ exitCode: 0, stdout: 'no loops\n' });
    expect(fs.readdirSync(project.root)).toEqual(['.git']);
  });

  it('shows where the loop stands, and each round', async () => {
    const id = await reviewing('--rounds', '2', '--interviewed');
    await project.review('findings');
    await project.stop();
    const { exitCode, stdout } = await project.claudex(['status']);
    expect(exitCode).toBe(0);
    const shown = Object.fromEntries(stdout.split('\n').map((line) => line.split(/ {2,}/, 2)));
    expect(shown).toMatchObject({
      id,
      mode: 'plan',
      phase: 'reviewing',
      round: '2 of 2',
      topic: 'a cache',
      elapsed: 'less than a minute',
      signal: 'none',
      interview: 'used',
      from_draft: 'false',
    });
    expect(shown.started).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(shown.activity).toContain('last moved');
    expect(stdout).toContain('round 1 (Senior-engineer review): high=1 medium=2 low=1\n');
    expect(stdout).toContain('round 2 (Security and data-integrity review): not reviewed\n');
  });

  it('caps the round it shows, and reads whatever is there', async () => {
    project.write(
      '.claude/claudex/20260131-093000-1a2b3c.state',
      'mode: plan\nphase: dreaming\nround: 9\nmax_rounds: 3\n',
    );
    fs.mkdirSync(project.ours('20260131-093001-aaaaaa.state'));
    const { exitCode, stdout } = await project.claudex(['status', '--json']);
    expect(exitCode).toBe(0);
    const loops = JSON.parse(stdout).loops as { id: string; round: number; phase: string }[];
    expect(loops.find(({ id }) => id === '20260131-093000-1a2b3c')).toMatchObject({
      round: 3,
      phase: 'dreaming',
    });
  });

  it('shows that a review runs', async () => {
    const id = await reviewing();
    project.write(`.claude/claudex/${id}/running`, '1\n');
    expect((await project.claudex(['status'])).stdout).toContain('the review of round 1 runs now');
  });
});

describe('doctor', () => {
  const withCodex = () => ({
    PATH: `${FAKES}:${process.env.PATH}`,
    FAKE_CODEX_RECORD: path.join(project.home, 'codex'),
  });

  it('finds codex and its version, the folder, the hook, the plugin and the loop', async () => {
    const id = await reviewing();
    const { exitCode, stdout } = await project.claudex(['doctor'], { env: withCodex() });
    expect(stdout).toContain('ok    codex is on PATH: codex-cli 0.0.0-fake\n');
    expect(stdout).toContain('ok    the state folder can be written');
    expect(stdout).toContain('ok    the hook answers, and allows in an empty project\n');
    expect(stdout).toContain('ok    the plugin is complete');
    expect(stdout).toContain(`${id} (plan, reviewing, round 1 of 3)`);
    expect(exitCode).toBe(0);
  });

  it('exits 1 when codex is missing, and still checks the rest', async () => {
    const tools = path.join(project.home, 'bin');
    fs.mkdirSync(tools);
    fs.symlinkSync(process.execPath, path.join(tools, 'node'));
    fs.symlinkSync('/bin/sh', path.join(tools, 'sh'));
    const { exitCode, stdout } = await project.claudex(['doctor'], { env: { PATH: tools } });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('FAIL  codex is not on PATH');
    expect(stdout).toContain('ok    the hook answers');
    expect(project.exists('.holdfast')).toBe(false);
  });

  it('notes garbage in a variable without failing', async () => {
    const env = { ...withCodex(), CLAUDEX_STALE_MINUTES: 'x' };
    const { exitCode, stdout } = await project.claudex(['doctor'], { env });
    expect(stdout).toContain('note  CLAUDEX_STALE_MINUTES is not a whole number above 0; 15 is used.');
    expect(exitCode).toBe(0);
  });
});

describe('cancel', () => {
  it('leaves a finished loop as it is', async () => {
    const id = await reviewing();
    await project.claudex(['done', id]);
    await project.stop();
    await project.stop();
    const before = project.read(`.claude/claudex/${id}.state`);
    const cancelled = await project.claudex(['cancel']);
    expect(cancelled.exitCode).toBe(0);
    expect(cancelled.stdout).toContain('is done already');
    expect(project.read(`.claude/claudex/${id}.state`)).toBe(before);
  });

  it('removes runner, prompt and lock, keeps state and findings', async () => {
    const id = await reviewing();
    await project.review('findings');
    await project.claudex(['cancel', id]);
    expect(fs.readdirSync(project.ours()).sort()).toEqual([id, `${id}.state`, 'log']);
    expect(project.exists(`.claude/claudex/${id}/findings-round-1.md`)).toBe(true);
    expect(project.field('phase')).toBe('cancelled');
  });

  it('has nothing to do without a loop', async () => {
    expect(await project.claudex(['cancel'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('nothing to cancel'),
    });
    expect(fs.readdirSync(project.root)).toEqual(['.git']);
  });

  it('ends a review that runs', async () => {
    const id = await reviewing();
    const running = project.reviewInBackground();
    await until(() => fs.existsSync(project.ours(`${id}/running`)));
    await project.claudex(['cancel']);
    await until(() => fs.existsSync(project.ours(`${id}/exit-round-1`)));
    expect(project.read(`.claude/claudex/${id}/exit-round-1`)).toBe('125\n');
    expect(await running.letGo()).toBe(125);
  });
});

describe('rollback', () => {
  it('removes every loop and what is left of others, and counts them', async () => {
    const first = await reviewing();
    await project.review('findings');
    await project.claudex(['cancel']);
    await project.plan('another');
    project.write('.claude/claudex/20250101-000000-abcdef-runner.sh', 'left over\n');
    project.write(`reviews/review-${first}.md`, 'kept\n');
    const rolled = await project.claudex(['rollback']);
    expect(rolled.exitCode).toBe(0);
    expect(rolled.stdout).toContain('Removed 2 loops.');
    expect(fs.readdirSync(project.ours())).toEqual(['log']);
    expect(project.read('PLAN.md')).toBe('# Plan\n');
    expect(project.read(`reviews/review-${first}.md`)).toBe('kept\n');
  });

  it('says when there is nothing, and writes nothing', async () => {
    expect((await project.claudex(['rollback'])).stdout).toContain('Removed 0 loops');
    expect(fs.readdirSync(project.root)).toEqual(['.git']);
  });
});
