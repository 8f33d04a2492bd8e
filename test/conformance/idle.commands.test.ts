// The commands of idle, through the real command line.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  bodies,
  FILE,
  LOG,
  latest,
  minutesAgo,
  postBody,
  postState,
  putAway,
  stores,
} from '../fixtures/idle/loops.ts';
import { fireHook, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

let project: TempProject;

beforeEach(() => {
  project = tempProject();
});

afterEach(() => project.remove());

const env = { CLAUDE_CODE_SESSION_ID: 'session-1' };
const idle = (args: readonly string[], more: object = {}) =>
  runCli(project.root, ['idle', ...args], { env, ...more });
const stop = (text = 'Working.', session = 'session-1') =>
  fireHook(project.root, { session_id: session, prompt_id: 'p1', last_assistant_message: text });

describe('idle loop', () => {
  it('posts one frame with the task in a file of its own', { tags: ['I-transition-1'] }, async () => {
    expect(await idle(['loop', 'Fix', 'the', 'parser'])).toMatchObject({ exitCode: 0, stderr: '' });
    const state = latest(project);
    expect(state).toMatchObject({
      schema: 1,
      event: 'STATE',
      run_id: expect.stringMatching(/^loop-\d+-\d+$/),
    });
    expect(state.updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const [frame] = state.stack;
    expect(frame).toMatchObject({ mode: 'loop', iter: 0, max: 10 });
    expect(project.read(String(frame?.prompt_file))).toBe('Fix the parser\n');
  });

  it('takes the task from standard input, as it is', async () => {
    const stdin = 'Fix $(touch pwned) and `that`\n--max 3 is not a flag here\n';
    expect(await idle(['loop', '--max', '7'], { stdin })).toMatchObject({ exitCode: 0 });
    const [frame] = latest(project).stack;
    expect(frame).toMatchObject({ max: 7 });
    expect(project.read(String(frame?.prompt_file))).toBe(stdin);
    expect(project.exists('pwned')).toBe(false);
  });

  it('says at the start what the task is, cut where it is long', async () => {
    const { stdout } = await idle(['loop', `Fix the parser. ${'x'.repeat(5000)}`]);
    expect(stdout).toContain('\nFix the parser. xxx');
    expect(stdout).toContain(`all of it is in ${latest(project).stack[0]?.prompt_file}`);
    expect(stdout.length).toBeLessThan(4000);
  });

  it('says which signal ends it and how to stop it', async () => {
    const { stdout } = await idle(['loop', 'Fix the parser']);
    expect(stdout).toContain('\n<loop-done>COMPLETE</loop-done>\n');
    expect(stdout).toContain('holdfast idle cancel');
    expect(stdout).toContain('this session');
  });

  it.each([
    [['loop']],
    [['loop', '   ']],
    [['loop', '--max', '0', 'x']],
    [['loop', '--max', '-3', 'x']],
    [['loop', '--max', '1.5', 'x']],
    [['loop', '--max', 'many', 'x']],
    [['loop', '--max', '1e3', 'x']],
    [['loop', '--unknown', 'x']],
    [['issue']],
    [['issue', '--max', '0', '42']],
    [['issue', 'two\nlines']],
    [['grind', '--max', '', 'x']],
    [['resume', 'now']],
    [['sprint']],
  ])('exits 2 on %j and writes nothing', async (args) => {
    const ran = await idle(args);
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(project.exists('.jwz')).toBe(false);
    expect(project.exists('.holdfast')).toBe(false);
  });

  it('is nested on top of a loop of the same session, and says so', async () => {
    await idle(['loop', 'Outer']);
    const { run_id } = latest(project);
    const inner = await idle(['loop', '--max', '3', 'Inner']);
    expect(inner.stdout).toContain(`nested on top of idle:${run_id} (loop, iteration 0/10)`);
    const state = latest(project);
    expect(state.run_id).toBe(run_id);
    expect(state.stack).toMatchObject([{ max: 10 }, { max: 3 }]);
    expect((await stop()).answer?.reason).toContain('[ITERATION 1/3]');
    await stop('<loop-done>COMPLETE</loop-done>');
    expect((await stop()).answer?.reason).toContain('[ITERATION 1/10]');
  });

  it('takes a loop from the fallback file along when it is nested in it', async () => {
    stores[1].put(project, { iter: 4 });
    await runCli(project.root, ['adopt', 'idle:local-file'], { env });
    expect(await idle(['loop', 'Inner'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(latest(project).stack).toMatchObject([{ mode: 'loop', iter: 4, max: 10 }, { iter: 0 }]);
    expect(project.exists(FILE)).toBe(false);
    expect(putAway(project)).toHaveLength(1);
    await stop('<loop-done>COMPLETE</loop-done>');
    const outer = await stop();
    expect(outer.answer?.reason).toContain('[ITERATION 5/10]');
    expect(outer.answer?.reason).toContain('Fix the parser.');
  });

  it.each(stores)("is refused while another session's goes on in the $name", async (store) => {
    store.put(project, { iter: 2 });
    const refused = await idle(['loop', 'Mine']);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(/adopt idle:\S+/);
    expect(refused.stderr).toContain('idle cancel');
    expect(refused.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(store.iteration(project)).toBe(2);
  });

  it('takes the place of a stale loop, whose frames stay in the log', async () => {
    postState(project, [{ mode: 'loop', id: 'old' }], { updated_at: minutesAgo(200) });
    expect(await idle(['loop', 'New'])).toMatchObject({ exitCode: 0 });
    const [old, fresh] = bodies(project);
    expect(old?.stack).toEqual([{ mode: 'loop', id: 'old' }]);
    expect(fresh?.stack).toHaveLength(1);
    expect(fresh?.run_id).not.toBe(old?.run_id);
  });

  it.each([
    '{"schema":1',
    '{"schema":1,"event":"DONE","stack":[]}',
    '{"schema":1,"event":"ABORT","stack":[{"mode":"loop"}]}',
  ])('takes the place of %s', async (body) => {
    postBody(project, body);
    expect(await idle(['loop', 'New'])).toMatchObject({ exitCode: 0 });
    expect((await stop()).answer?.reason).toContain('[ITERATION 1/10]');
  });

  it('gives the task back with every hold, cut to 2 kB where it is longer', {
    tags: ['I-exit-reason'],
  }, async () => {
    await idle(['loop', `Begin. ${'ä'.repeat(4000)}`]);
    const { answer } = await stop();
    const [frame] = latest(project).stack;
    expect(answer?.reason).toContain(`all of it is in ${frame?.prompt_file}`);
    expect(answer?.reason).toContain('Begin. ä');
    expect(answer?.reason).not.toContain('\uFFFD');
    expect(Buffer.byteLength(answer?.reason ?? '')).toBeLessThan(4000);
  });

  it.each(['../outside.md', '/etc/hostname', '.', '.env', '.holdfast/../.env', 'nowhere.md', 'nul\0byte'])(
    'does not read a task from %j',
    async (prompt_file) => {
      project.write('../outside.md', 'secret');
      project.write('.env', 'secret');
      postState(project, [{ mode: 'loop', prompt_file }]);
      const { answer } = await fireHook(project.root, {});
      expect(answer?.decision).toBe('block');
      expect(answer?.reason).toContain('was not kept with the loop');
      expect(answer?.reason).not.toContain('secret');
    },
  );
});

describe('idle issue', () => {
  it('pushes a frame of its mode with the issue in it', async () => {
    expect(await idle(['issue', 'PROJ-42'])).toMatchObject({ exitCode: 0 });
    expect(latest(project).stack).toMatchObject([{ mode: 'issue', issue_id: 'PROJ-42', iter: 0, max: 10 }]);
    const { answer } = await stop();
    expect(answer?.reason).toContain('PROJ-42');
    expect(answer?.reason).toContain("project's own issue tracker");
    expect(answer?.reason).toContain('<issue-complete>DONE</issue-complete>');
  });

  it('says at the start already what is to be done and how the issue is read', async () => {
    expect((await idle(['issue', 'PROJ-42'])).stdout).toMatch(
      /\nResolve the issue PROJ-42.*project's own issue tracker.*<issue-complete>DONE/s,
    );
    await idle(['cancel']);
    project.write('holdfast.config.json', JSON.stringify({ idle: { issues: { show: 'gh issue view ID' } } }));
    const { stdout } = await idle(['issue', '42']);
    expect(stdout).toContain('\n    gh issue view ID\n');
    expect((await stop()).answer?.reason).toContain('\n    gh issue view ID\n');
  });

  it('tells the agent how to read an issue where the config says so', async () => {
    project.write(
      'holdfast.config.json',
      JSON.stringify({ idle: { issues: { show: 'tracker show ID; touch pwned' } } }),
    );
    await idle(['issue', '42']);
    expect((await stop()).answer?.reason).toContain('tracker show ID; touch pwned');
    expect(project.exists('pwned')).toBe(false);
  });
});

describe('idle grind', () => {
  it('pushes a frame that carries on, with its filter', async () => {
    expect(await idle(['grind', 'label', 'bug'])).toMatchObject({ exitCode: 0 });
    expect(latest(project).stack).toMatchObject([
      { mode: 'grind', filter: 'label bug', carry_on: true, iter: 0, max: 100 },
    ]);
    const { answer } = await stop();
    expect(answer?.reason).toContain('[ITERATION 1/100]');
    expect(answer?.reason).toContain('label bug');
    expect(answer?.reason).toContain('<grind-done>NO_MORE_ISSUES</grind-done>');
  });

  it('needs no filter, and tells how issues are listed where the config says so', async () => {
    project.write(
      'holdfast.config.json',
      JSON.stringify({ idle: { issues: { list: 'tracker list --open' } } }),
    );
    expect(await idle(['grind'])).toMatchObject({ exitCode: 0 });
    expect(latest(project).stack[0]).not.toHaveProperty('filter');
    expect((await stop()).answer?.reason).toContain('tracker list --open');
  });

  it('says at the start already how issues are listed and how a loop for one is started', async () => {
    project.write('holdfast.config.json', JSON.stringify({ idle: { issues: { list: 'gh issue list' } } }));
    const { stdout } = await idle(['grind', 'label bug']);
    const { answer } = await stop();
    for (const text of [stdout, answer?.reason]) {
      expect(text).toContain('that match "label bug"');
      expect(text).toContain('\n    gh issue list\n');
      expect(text).toContain(`holdfast idle issue < ${project.root}/.holdfast/issue.txt\``);
      expect(text).not.toContain('<its id>');
    }
  });

  it('goes on at once when an issue in it is done, and is let go at its own end', async () => {
    await idle(['grind']);
    await idle(['issue', '42']);
    expect((await stop()).answer?.reason).toContain('[ITERATION 1/10]');
    expect((await stop('<issue-complete>DONE</issue-complete>')).answer?.reason).toContain(
      '[ITERATION 1/100]',
    );
    await idle(['issue', '43']);
    expect((await stop('<issue-complete>DONE</issue-complete>')).answer?.reason).toContain(
      '[ITERATION 2/100]',
    );
    expect((await stop('<grind-done>NO_MORE_ISSUES</grind-done>')).answer?.decision).toBeUndefined();
    expect(latest(project)).toMatchObject({ event: 'DONE', reason: 'NO_MORE_ISSUES' });
  });
});

describe('idle cancel', () => {
  it('posts ABORT USER_CANCELLED for the whole stack', async () => {
    await idle(['loop', 'Outer']);
    await idle(['loop', 'Inner']);
    expect(await idle(['cancel'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(latest(project)).toMatchObject({ event: 'ABORT', reason: 'USER_CANCELLED', stack: [] });
    expect(await stop()).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('--top ends the innermost loop alone', async () => {
    await idle(['loop', 'Outer']);
    await idle(['loop', 'Inner']);
    const cancelled = await idle(['cancel', '--top']);
    expect(cancelled.stdout).toContain('What is left: loop, iteration 0/10');
    expect(latest(project)).toMatchObject({ event: 'STATE', stack: [{ max: 10 }] });
    expect((await stop()).answer?.reason).toContain('Outer');
    await idle(['cancel', '--top']);
    expect(latest(project)).toMatchObject({ event: 'ABORT', reason: 'USER_CANCELLED' });
  });

  it('puts the fallback file away', async () => {
    stores[1].put(project, {});
    expect(await idle(['cancel'])).toMatchObject({ exitCode: 0 });
    expect(project.exists(FILE)).toBe(false);
    expect(putAway(project)).toHaveLength(1);
  });

  it('ends a state that cannot be read', async () => {
    postBody(project, '{"schema":1,');
    expect(await idle(['cancel'])).toMatchObject({ exitCode: 0 });
    expect(latestOrNull()).toMatchObject({ event: 'ABORT', reason: 'USER_CANCELLED' });
  });

  it('exits 1 when no loop goes on', async () => {
    expect((await idle(['cancel'])).exitCode).toBe(1);
    await idle(['loop', 'Task']);
    await stop('<loop-done>COMPLETE</loop-done>');
    const before = project.read(LOG);
    expect((await idle(['cancel'])).exitCode).toBe(1);
    expect(project.read(LOG)).toBe(before);
  });

  it('is what `holdfast cancel` does too', async () => {
    await idle(['loop', 'Task']);
    expect(await runCli(project.root, ['cancel'], { env })).toMatchObject({ exitCode: 0 });
    expect(latest(project)).toMatchObject({ event: 'ABORT', reason: 'USER_CANCELLED' });
  });

  const latestOrNull = (): unknown => {
    const line = project.read(LOG).trimEnd().split('\n').at(-1) ?? '';
    return JSON.parse(JSON.parse(line).body);
  };
});

describe('idle resume', () => {
  it('brings the frames back that an inner maximum left', async () => {
    await idle(['loop', 'Outer']);
    await idle(['loop', '--max', '1', 'Inner']);
    await stop();
    expect((await stop()).answer?.systemMessage).toContain('idle resume');
    expect(await stop()).toMatchObject({ stdout: '' });
    expect(await idle(['resume'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await stop()).answer?.reason).toContain('[ITERATION 1/10]');
  });

  it.each(stores)(
    'refreshes a stale loop in the $name and binds it to this session',
    { tags: ['I-edge-5'] },
    async (store) => {
      store.put(project, { iter: 4 }, 300);
      expect(await idle(['resume'])).toMatchObject({ exitCode: 0, stderr: '' });
      expect((await stop()).answer?.reason).toContain('[ITERATION 5/10]');
      expect((await stop('Working.', 'session-2')).answer?.decision).toBeUndefined();
    },
  );

  it("takes up a loop that is nobody's", async () => {
    postState(project, [{ mode: 'loop' }]);
    expect(await idle(['resume'])).toMatchObject({ exitCode: 0 });
    expect((await stop()).answer?.decision).toBe('block');
  });

  it('exits 1 and names adopt when the loop goes on in another session', async () => {
    await idle(['loop', 'Task']);
    const refused = await idle(['resume'], { env: { CLAUDE_CODE_SESSION_ID: 'session-2' } });
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('adopt idle:');
  });

  it.each([
    ['there is no loop', () => {}],
    ['it ended', () => postState(project, [], { event: 'DONE' })],
    ['it was cancelled', () => postState(project, [{ mode: 'loop' }], { event: 'ABORT' })],
    ['its state cannot be read', () => postBody(project, '{')],
  ])('exits 1 and writes nothing when %s', async (_, arrange) => {
    arrange();
    const before = project.exists(LOG) ? project.read(LOG) : null;
    const refused = await idle(['resume']);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(project.exists(LOG) ? project.read(LOG) : null).toBe(before);
  });

  it('exits 1 when the loop goes on here already', async () => {
    await idle(['loop', 'Task']);
    expect((await idle(['resume'])).exitCode).toBe(1);
    expect(bodies(project)).toHaveLength(1);
  });
});

describe('idle status', () => {
  it('shows each frame', async () => {
    await idle(['grind']);
    await idle(['issue', '42']);
    const { stdout } = await idle(['status']);
    expect(stdout).toMatch(/idle:loop-\S+ {2}issue, iteration 0\/10, 2 deep/);
    expect(stdout).toMatch(/1\. grind 0\/100 .*\n.*2\. issue 0\/10 .*Resolve the issue 42/);
  });

  it('is data with --json', async () => {
    await idle(['loop', 'Fix the parser']);
    await stop();
    expect(JSON.parse((await idle(['status', '--json'])).stdout)).toMatchObject({
      run: expect.stringMatching(/^idle:loop-/),
      source: 'topic',
      event: 'STATE',
      live: true,
      stale: false,
      released: false,
      mine: true,
      frames: [{ mode: 'loop', iteration: 1, max: 10, carry_on: false, task: 'Fix the parser' }],
    });
  });

  it('says that there is none', async () => {
    expect((await idle(['status'])).stdout).toContain('No loop here');
    expect(JSON.parse((await idle(['status', '--json'])).stdout)).toEqual({
      run: null,
      live: false,
      frames: [],
    });
  });

  it('says what is wrong with the loop', async () => {
    postState(project, [{ mode: 'loop', iter: 3 }], { updated_at: minutesAgo(300) });
    expect((await idle(['status'])).stdout).toContain('loop, iteration 3/10, stale');
    postBody(project, '{');
    expect((await idle(['status'])).stdout).toContain('cannot be read');
  });
});

describe('under HOLDFAST_DISABLE=1', () => {
  it.each(['loop x', 'issue 1', 'grind', 'cancel', 'resume'])('idle %s is refused', async (line) => {
    const ran = await idle(line.split(' '), { env: { ...env, HOLDFAST_DISABLE: '1' } });
    expect(ran.exitCode).toBe(1);
    expect(project.exists('.jwz')).toBe(false);
  });
});

describe('replay', () => {
  it('decides recorded stops again and comes to the same', async () => {
    await idle(['grind']);
    await idle(['issue', '42']);
    await stop();
    await stop('<issue-complete>DONE</issue-complete>');
    await stop('<grind-done>MAX_ISSUES</grind-done>');
    const replayed = await runCli(project.root, ['replay', `${project.root}/.holdfast/journal.jsonl`]);
    expect(replayed).toMatchObject({ exitCode: 0 });
    expect(replayed.stdout).toContain('3 stops replayed, 0 different');
  });
});
