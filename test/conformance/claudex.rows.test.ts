// What requirements ask for beyond the hook's other suites, in the sessions of both clients.

import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoopProject, loopProject } from '../fixtures/claudex/loop.ts';
import { sessions } from '../support/ways.ts';

let project: LoopProject;

afterEach(() => project.remove());

describe.each(sessions)('a plan loop%s', (_where, way) => {
  beforeEach(() => {
    project = loopProject(undefined, way);
  });

  it('goes from drafting to reviewing at the stop that finds a draft, and not before', {
    tags: ['C3.9.c'],
  }, async () => {
    const id = await project.plan();
    await project.stop();
    expect([project.field('phase'), project.field('round')]).toEqual(['drafting', '1']);
    expect(project.exists(`.claude/claudex/${id}-runner.sh`)).toBe(false);
    const file = project.ours(`${id}.state`);
    const started = project.field('started_at');
    fs.writeFileSync(
      file,
      fs.readFileSync(file, 'utf8').replace(/^last_updated_at: .*$/m, 'last_updated_at: old'),
    );
    project.write('PLAN.md', '# Plan\n');
    const held = await project.stop();
    expect(held.answer?.reason).toContain('### Claudex round 1 of 3, Senior-engineer review');
    expect([project.field('phase'), project.field('round')]).toEqual(['reviewing', '1']);
    expect(project.field('decision_signal')).toBe('none');
    expect(project.field('started_at')).toBe(started);
    expect(project.field('last_updated_at')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(project.read(`.claude/claudex/${id}-runner.sh`)).toContain('round 1 of 3');
  });

  it('runs from its start to its end: draft, rounds, done, summary, let go', async () => {
    const id = await project.plan('a cache', '--rounds', '2');
    project.write('PLAN.md', '# Plan\n');
    expect((await project.stop()).answer?.reason).toContain('### Claudex round 1 of 2');
    expect((await project.review('findings')).exitCode).toBe(0);
    project.write('PLAN.md', '# Plan, revised\n');
    expect((await project.stop()).answer?.reason).toContain('**Previous round:** high=1 medium=2 low=1');
    expect((await project.review('clean')).exitCode).toBe(0);
    expect((await project.claudex(['done', id])).exitCode).toBe(0);
    expect((await project.stop()).answer?.reason).toContain('plan loop complete');
    const end = await project.stop();
    expect(end).toMatchObject({ exitCode: 0, stderr: '' });
    expect(end.answer?.decision).toBeUndefined();
    expect(project.field('phase')).toBe('done');
    expect(fs.readdirSync(project.ours()).sort()).toEqual([id, `${id}.state`, 'log']);
  });

  it('a review starts, is run once and lets go', async () => {
    expect((await project.claudex(['review'])).exitCode).toBe(0);
    const held = await project.stop();
    expect(held.answer?.decision).toBe('block');
    expect(held.answer?.reason).toContain(`reviews/review-${project.id()}.md`);
    expect(project.field('phase')).toBe('done');
    expect((await project.stop()).answer?.decision).toBeUndefined();
  });

  it('is not marked done under a name that is no id, even where that leads to a state', {
    tags: ['C3.11'],
  }, async () => {
    await project.plan();
    project.write('PLAN.md', '# Plan\n');
    await project.stop();
    const text = project.read(`.claude/claudex/${project.id()}.state`);
    const stray = project.write('stray.state', text);
    project.write('.claude/claudex/swept/kept.state', text);
    for (const id of ['../../stray', 'swept/kept', stray.slice(0, -'.state'.length)]) {
      const refused = await project.claudex(['done', id]);
      expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
      expect(refused.stderr).toContain("is no loop's id");
    }
    for (const file of [
      'stray.state',
      '.claude/claudex/swept/kept.state',
      `.claude/claudex/${project.id()}.state`,
    ])
      expect(project.read(file)).toBe(text);
  });
});
