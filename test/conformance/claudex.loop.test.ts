// The specification's smoke test and the other ways through a loop, driven through the real hook.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoopProject, loopProject, until } from '../fixtures/claudex/loop.ts';
import { run, runCli } from '../support/hook.ts';

let project: LoopProject;
beforeEach(() => {
  project = loopProject();
});
afterEach(() => project.remove());

describe('the smoke test: a whole loop in a temporary git repository', () => {
  it('starts, holds for the draft, reviews, goes to the next round, is done, sums up and lets go', {
    tags: ['C3.12'],
  }, async () => {
    const id = await project.plan('a cache');
    expect(project.field('phase')).toBe('drafting');

    const draft = await project.stop();
    expect(draft.answer?.decision).toBe('block');
    expect(draft.answer?.reason).toContain('draft the plan first');

    project.write('PLAN.md', '# Plan\n');
    const first = await project.stop();
    expect(first.answer?.reason).toContain('### Claudex round 1 of 3, Senior-engineer review');
    expect(first.answer?.reason).toContain(`sh ${project.ours(`${id}-runner.sh`)}`);
    expect(project.field('phase')).toBe('reviewing');
    expect((await project.review('findings')).exitCode).toBe(0);

    project.write('PLAN.md', '# Plan, revised\n\n## Changelog\n- took the flaw\n');
    const second = await project.stop();
    expect(second.answer?.reason).toContain('### Claudex round 2 of 3, Security and data-integrity review');
    expect(second.answer?.reason).toContain('**Previous round:** high=1 medium=2 low=1');
    expect(project.field('round')).toBe('2');
    expect((await project.review('clean')).exitCode).toBe(0);

    const done = await project.claudex(['done', id]);
    expect(done.exitCode).toBe(0);
    expect(project.field('phase')).toBe('reviewing');
    const summary = await project.stop();
    expect(summary.answer?.reason).toContain('plan loop complete');
    expect(summary.answer?.reason).toContain('- Round 1 (Senior-engineer review): high=1 medium=2 low=1');
    expect(summary.answer?.reason).toContain(
      '- Round 2 (Security and data-integrity review): high=0 medium=0 low=0',
    );
    expect(project.field('phase')).toBe('summarizing');

    const end = await project.stop();
    expect(end.answer?.decision).toBeUndefined();
    expect(project.field('phase')).toBe('done');
    expect(fs.readdirSync(project.ours()).sort()).toEqual([id, `${id}.state`, 'log']);
    expect((await project.stop()).answer?.decision).toBeUndefined();
  });

  it('with a PLAN.md the hook, fired by hand, holds and says to run the runner', {
    tags: ['C3.12.a'],
  }, async () => {
    const id = await project.plan();
    project.write('PLAN.md', '# Plan\n');
    const held = await project.byHand();
    expect(held.answer?.decision).toBe('block');
    expect(held.answer?.reason).toContain(`${id}-runner.sh`);
  });

  it('the state moved to reviewing', { tags: ['C3.9.c', 'C3.12.b'] }, async () => {
    await project.plan();
    project.write('PLAN.md', '# Plan\n');
    await project.byHand();
    expect(project.field('phase')).toBe('reviewing');
  });

  it('a runner was written', { tags: ['C3.9.g', 'C3.12.c'] }, async () => {
    const id = await project.plan();
    project.write('PLAN.md', '# Plan\n');
    await project.byHand();
    expect(project.exists(`.claude/claudex/${id}-runner.sh`)).toBe(true);
  });

  it('another stop moves to the next round and writes its runner', {
    tags: ['C3.9.j', 'C3.12.d'],
  }, async () => {
    const id = await project.plan();
    project.write('PLAN.md', '# Plan\n');
    await project.byHand();
    const next = await project.byHand();
    expect(project.field('round')).toBe('2');
    expect(next.answer?.reason).toContain('### Claudex round 2 of 3');
    expect(project.read(`.claude/claudex/${id}-runner.sh`)).toContain('round 2 of 3');
  });

  it('marked done, the next stop gives the summary and the one after it is allowed', {
    tags: ['C3.9.i', 'C3.11.b', 'C3.12.e'],
  }, async () => {
    const id = await project.plan();
    project.write('PLAN.md', '# Plan\n');
    await project.byHand();
    await project.claudex(['done', id]);
    expect((await project.byHand()).answer?.reason).toContain('plan loop complete');
    expect((await project.byHand()).stdout).toBe('');
    expect(project.field('phase')).toBe('done');
  });

  it('a second loop is refused while the first one goes on', { tags: ['C3.12.f'] }, async () => {
    const id = await project.plan();
    const second = await project.claudex(['plan', 'another']);
    expect(second.exitCode).toBe(1);
    expect(second.stderr).toContain(id);
    expect(second.stderr).toContain(`claudex cancel ${id}`);
    expect(project.id()).toBe(id);
  });

  it('cancel ends the loop, and the next stop is allowed', { tags: ['C3.12.g'] }, async () => {
    const id = await project.plan();
    project.write('PLAN.md', '# Plan\n');
    await project.stop();
    expect((await project.claudex(['cancel'])).exitCode).toBe(0);
    expect(project.field('phase')).toBe('cancelled');
    expect(fs.readdirSync(project.ours()).sort()).toEqual([`${id}.state`, 'log']);
    expect((await project.stop()).answer?.decision).toBeUndefined();
  });

  it('rollback removes the loop, keeps PLAN.md and the log, and the next stop is allowed', {
    tags: ['C3.12.h'],
  }, async () => {
    await project.plan();
    project.write('PLAN.md', '# Plan\n');
    await project.stop();
    const rolled = await project.claudex(['rollback']);
    expect(rolled.exitCode).toBe(0);
    expect(rolled.stdout).toContain('Removed 1 loop');
    expect(fs.readdirSync(project.ours())).toEqual(['log']);
    expect(project.read('PLAN.md')).toBe('# Plan\n');
    expect((await project.stop()).answer?.decision).toBeUndefined();
  });
});

describe('at the last round', () => {
  it('the loop stops with the table, the last findings and three ways on, then lets go', {
    tags: ['C3.9.k'],
  }, async () => {
    const id = await project.plan('a cache', '--rounds', '2');
    project.write('PLAN.md', '# Plan\n');
    await project.stop();
    await project.review('findings');
    await project.stop();
    const stopped = await project.stop();
    expect(stopped.answer?.reason).toContain('stopped at max rounds');
    expect(stopped.answer?.reason).toContain('- Round 1 (Senior-engineer review): high=1 medium=2 low=1');
    expect(stopped.answer?.reason).toContain('- Round 2 (Security and data-integrity review): not reviewed');
    expect(stopped.answer?.reason).toContain('accept the plan as it is');
    expect(project.field('decision_signal')).toBe('max-reached');
    expect(project.field('phase')).toBe('summarizing');
    expect((await project.stop()).answer?.decision).toBeUndefined();
    expect(project.field('phase')).toBe('done');
    expect(project.exists(`.claude/claudex/${id}-runner.sh`)).toBe(false);
    expect(project.exists(`.claude/claudex/${id}.lock`)).toBe(false);
    expect(project.exists(`.claude/claudex/${id}/findings-round-1.md`)).toBe(true);
  });
});

describe('without codex', () => {
  it('the summary gives the exit code of the runner, `why` the number of rounds, and neither advises more', async () => {
    await project.plan('a cache', '--rounds', '2');
    project.write('PLAN.md', '# Plan\n');
    const tools = path.join(project.home, 'tools');
    fs.mkdirSync(tools);
    for (const tool of ['mkdir', 'rm', 'cat', 'sh']) {
      const at = ['/usr/bin', '/bin']
        .map((folder) => path.join(folder, tool))
        .find((file) => fs.existsSync(file));
      fs.symlinkSync(at ?? '', path.join(tools, tool));
    }
    for (let rounds = 0; rounds < 2; rounds++) {
      expect((await project.stop()).answer?.reason).toContain('Run the reviewer');
      const ran = await run('/bin/sh', [project.ours(`${project.id()}-runner.sh`)], project.root, {
        env: { PATH: tools },
      });
      expect(ran.exitCode).toBe(127);
    }
    const { reason = '' } = (await project.stop()).answer ?? {};
    expect(reason).toContain('stopped at max rounds');
    for (const label of ['1 (Senior-engineer review)', '2 (Security and data-integrity review)'])
      expect(reason).toContain(`- Round ${label}: not reviewed (exit code 127: codex was not found on PATH)`);
    expect(reason).toContain('claudex doctor');
    expect(reason).not.toContain('--rounds');
    const why = await runCli(project.root, ['why'], { env: { HOME: project.home } });
    expect(why.stdout).toContain('All 2 rounds were spent, so the summary was due.');
  });
});

describe('honest accounting', () => {
  it("carries an unreviewed round's questions into the next prompt, and names it in the summary", async () => {
    const id = await project.plan();
    project.write('PLAN.md', '# Plan\n');
    await project.stop();
    expect((await project.review('crash')).exitCode).toBe(7);
    const second = await project.stop();
    expect(second.answer?.reason).toContain('**Previous round:** not reviewed');
    expect(project.read(`.claude/claudex/${id}-runner.sh`)).toContain(
      'Round 1 (Senior-engineer review) was not reviewed, so its questions are still open',
    );
    await project.claudex(['done', id]);
    const summary = (await project.stop()).answer?.reason;
    expect(summary).toContain('No review ran in this loop');
    expect(summary).toContain('- Round 1 (Senior-engineer review): not reviewed');
  });

  it('does not carry them once a later round was reviewed', async () => {
    const id = await project.plan();
    project.write('PLAN.md', '# Plan\n');
    await project.stop();
    await project.stop();
    await project.review('findings');
    await project.stop();
    const runner = project.read(`.claude/claudex/${id}-runner.sh`);
    expect(runner).toContain(`The findings of round 2 are in \`.claude/claudex/${id}/findings-round-2.md\``);
    expect(runner).not.toContain('was not reviewed, so its questions');
  });
});

describe('the tests themselves', () => {
  it('call the fake codex, never a real one', { tags: ['C3.0.a'] }, async () => {
    const id = await project.plan();
    project.write('PLAN.md', '# Plan\n');
    await project.stop();
    await project.review('findings');
    expect(project.read(`.claude/claudex/${id}/output-round-1.txt`)).toBe('codex: reading the plan\n');
    expect(fs.existsSync(`${project.root}/../codex/stdin`)).toBe(true);
  });
});

describe('one loop after the other', () => {
  it.each(['done', 'cancelled'])(
    'a new loop starts after one that is %s, whose state stays for audit',
    { tags: ['C2.2.f'] },
    async (how) => {
      const first = await project.plan();
      if (how === 'cancelled') await project.claudex(['cancel']);
      if (how === 'done') {
        project.write('PLAN.md', '# Plan\n');
        await project.stop();
        await project.claudex(['done', first]);
        await project.stop();
        await project.stop();
      }
      const second = await project.plan('another');
      expect(project.read(`.claude/claudex/${first}.state`)).toContain(`phase: ${how}\n`);
      expect((await project.stop()).answer?.reason).toContain('another');
      expect(project.read(`.claude/claudex/${second}.state`)).toContain('phase: drafting\n');
    },
  );
});

describe('while the runner runs', () => {
  it('no round is spent: hold once with wait, then allow with one notice', async () => {
    const id = await project.plan();
    project.write('PLAN.md', '# Plan\n');
    await project.stop();
    const running = project.reviewInBackground();
    await until(() => fs.existsSync(project.ours(`${id}/running`)));
    const held = await project.stop();
    expect(held.answer?.reason).toContain(`claudex wait ${id}`);
    const told = await project.stop();
    expect(told.answer?.decision).toBeUndefined();
    expect(told.answer?.systemMessage).toContain('still runs');
    expect((await project.stop()).stdout).toBe('');
    expect(project.field('round')).toBe('1');
    const waiting = project.claudex(['wait', id]);
    expect(await running.letGo()).toBe(0);
    expect(await waiting).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('high=1 medium=2 low=1'),
    });
    expect((await project.stop()).answer?.reason).toContain('### Claudex round 2 of 3');
  });

  it("among the client's background tasks the stop is allowed silently, and nothing is counted", async () => {
    const id = await project.plan();
    project.write('PLAN.md', '# Plan\n');
    await project.stop();
    const tasks = [
      { id: 'b1', type: 'shell', status: 'running', command: `sh ${project.ours(`${id}-runner.sh`)}` },
    ];
    for (let stops = 0; stops < 20; stops++) {
      const allowed = await project.stop({ background_tasks: tasks });
      expect(allowed.stdout).toBe('');
    }
    expect(project.field('round')).toBe('1');
    expect((await project.stop()).answer?.decision).toBe('block');
  });
});

describe('review mode', () => {
  it('has the current diff reviewed once, then lets go', {
    tags: ['C3.10.a', 'C3.10.b', 'C3.10.c'],
  }, async () => {
    const started = await project.claudex(['review']);
    expect(started.exitCode).toBe(0);
    expect(started.stdout).toContain('Just end your turn');
    const id = project.id();
    expect(project.field('mode')).toBe('review');
    const held = await project.stop();
    expect(held.answer?.reason).toContain('review starting');
    expect(held.answer?.reason).toContain(`reviews/review-${id}.md`);
    expect(project.field('phase')).toBe('done');
    const runner = project.read(`.claude/claudex/${id}-runner.sh`);
    for (const asked of ['git diff --cached', 'git diff`', 'untracked', `reviews/proposed-fixes-${id}.md`])
      expect(runner).toContain(asked);
    expect((await project.review('findings')).exitCode).toBe(0);
    expect(project.exists(`reviews/review-${id}.md`)).toBe(true);
    expect(project.exists(`reviews/proposed-fixes-${id}.md`)).toBe(true);
    expect((await project.stop()).stdout).toBe('');
    expect(fs.readdirSync(project.ours()).sort()).toEqual([id, `${id}.state`, 'log']);
  });

  it('says when the review files are missing', async () => {
    await project.claudex(['review']);
    await project.stop();
    await project.review('nothing');
    const told = await project.stop();
    expect(told.answer?.decision).toBeUndefined();
    expect(told.answer?.systemMessage).toContain(`failed: `);
  });

  it('does not clean up under a runner that still runs', { tags: ['C3.10.d'] }, async () => {
    await project.claudex(['review']);
    const id = project.id();
    await project.stop();
    const running = project.reviewInBackground();
    await until(() => fs.existsSync(project.ours(`${id}/running`)));
    const told = await project.stop();
    expect(told.answer?.systemMessage).toContain('still runs');
    expect(project.exists(`.claude/claudex/${id}-runner.sh`)).toBe(true);
    expect(await running.letGo()).toBe(0);
    expect((await project.stop()).stdout).toBe('');
    expect(project.exists(`.claude/claudex/${id}-runner.sh`)).toBe(false);
  });
});

describe('the guard', () => {
  it('lets go of an agent that does nothing, says once what is outstanding, and stays silent', {
    tags: ['C3.9.a'],
  }, async () => {
    const id = await project.plan();
    const transcript = project.write('transcript.jsonl', line('u1'));
    const idle = { transcript_path: transcript };
    for (let holds = 0; holds < 3; holds++) expect((await project.stop(idle)).answer?.decision).toBe('block');
    const released = await project.stop(idle);
    expect(released.answer?.decision).toBeUndefined();
    expect(released.answer?.systemMessage).toContain(`adopt claudex:${id}`);
    expect((await project.stop(idle)).stdout).toBe('');
    project.write('PLAN.md', '# Plan\n');
    expect((await project.stop(idle)).answer?.reason).toContain('### Claudex round 1 of 3');
  });

  it('lets go of an agent that uses tools for ever but moves nothing', async () => {
    await project.plan();
    let transcript = '';
    const answers: (string | undefined)[] = [];
    for (let stops = 0; stops < 13; stops++) {
      transcript += line(`u${stops}`, true);
      const transcript_path = project.write('transcript.jsonl', transcript);
      answers.push((await project.stop({ transcript_path })).answer?.decision);
    }
    expect(answers).toEqual([...Array(12).fill('block'), undefined]);
  });
});

function line(uuid: string, withTool = false): string {
  const content = withTool ? [{ type: 'tool_use', name: 'Bash', input: {} }] : [{ type: 'text', text: 'hm' }];
  return `${JSON.stringify({ type: 'assistant', uuid, message: { id: uuid, role: 'assistant', content } })}\n`;
}
