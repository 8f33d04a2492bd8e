// What users and agents write: no shell ever reads it, and our own notes never keep it.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { FULL_STATE } from '../../fixtures/taskie/plan.ts';
import { run } from '../../support/hook.ts';
import { LOOP_ID, SESSION } from '../corpus.ts';
import { type Stage, stages } from '../stage.ts';
import { entriesOf, type Hostile, hostileProject, METACHARACTERS } from './hostile.ts';

function stageOf(workflow: string): Stage {
  const stage = stages.find((each) => each.workflow === workflow);
  if (stage === undefined) throw new Error(`there is no stage for ${workflow}`);
  return stage;
}

/** A program on PATH that keeps what it was given. */
function recorder(project: Hostile, program: string): () => string {
  const record = path.join(project.outside, `${program}.txt`);
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" >'${record}'\ncat >>'${record}'\n`;
  fs.writeFileSync(path.join(path.dirname(project.root), 'bin', program), script, { mode: 0o755 });
  return () => fs.readFileSync(record, 'utf8');
}

describe.concurrent('shell metacharacters', () => {
  test.each([
    METACHARACTERS,
    `a\nPROMPTEOF\ntouch pwned\nPROMPTEOF_\ntouch pwned\n`,
    `\${HOME}$(touch pwned)\\\`touch pwned\\\`!!*?[a]~`,
    '-n --help\t%s %d \\n \\0 \\c',
  ])('in a topic reach the reviewer as they are and run nothing (%j)', async (topic) => {
    const project = hostileProject('it\'s $(touch pwned) "x"; `touch pwned`');
    const codex = recorder(project, 'codex');
    const started = await project.cli(['claudex', 'plan'], { stdin: topic });
    expect(started.exitCode).toBe(0);
    project.write('PLAN.md', '# A plan\n');
    const fired = await project.stop();
    expect(fired.answer?.decision).toBe('block');
    const runner = fs
      .readdirSync(path.join(project.root, '.claude/claudex'))
      .find((name) => name.endsWith('-runner.sh'));
    const bin = path.join(path.dirname(project.root), 'bin');
    await run('sh', [path.join(project.root, '.claude/claudex', runner ?? '')], project.root, {
      env: { PATH: `${bin}:${process.env.PATH}` },
      timeoutMs: 240_000,
    });
    expect(codex()).toContain(topic.trim().replace(/\s*\n/g, ' ').split(' ')[0]);
    expect(codex()).toContain('exec');
    expect(project.started()).toEqual([]);
  });

  test('in a task, an issue and a filter are shown as they are and run nothing', async () => {
    for (const command of ['loop', 'issue', 'grind']) {
      const project = hostileProject();
      await project.cli(['idle', command, '--', METACHARACTERS]);
      const fired = await project.stop();
      if (fired.answer !== null) expect(fired.answer.reason).toContain('touch pwned');
      await project.stop({ hook_event_name: 'PreCompact' }, { args: ['pre-compact'] });
      expect(project.started()).toEqual([]);
    }
  });

  test('in the name of a model reach the reviewer as one word', async () => {
    const project = hostileProject();
    const claude = recorder(project, 'claude');
    const model = '$(touch<pwned>pwned);`touch>pwned`"\'';
    project.put(stageOf('taskie'), SESSION, {
      [stageOf('taskie').state]: JSON.stringify({ ...FULL_STATE, review_model: model }),
    });
    await project.stop();
    expect(claude().split('\n')).toContain(model);
    expect(project.started()).toEqual([]);
  });

  test('at the start of a model never become a flag of the reviewer', async () => {
    const project = hostileProject();
    const claude = recorder(project, 'claude');
    project.write('holdfast.config.json', '{"review":{"access":"sandboxed"}}');
    project.put(stageOf('taskie'), SESSION, {
      [stageOf('taskie').state]: JSON.stringify({
        ...FULL_STATE,
        review_model: '--dangerously-skip-permissions',
      }),
    });
    await project.stop();
    expect(claude()).not.toContain('dangerously');
    expect(claude().split('\n')).toContain('opus');
  });

  test('in every variable of ours run nothing, and garbage there stops no stop', async () => {
    const names = [
      'CLAUDEX_MAX_PLAN_ROUNDS',
      'CLAUDEX_MAX_REVIEW_ROUNDS',
      'CLAUDEX_STALE_MINUTES',
      'CLAUDEX_STATE_DIR',
      'IDLE_LOOP_DISABLE',
      'TASKIE_HOOK_SKIP',
      'CLAUDE_PROJECT_DIR',
      'HOLDFAST_LOCK',
      'HOLDFAST_NODE',
      'XDG_STATE_HOME',
      'XDG_CONFIG_HOME',
      'CLAUDE_CODE_SESSION_ID',
      'CODEX_SESSION_ID',
    ];
    for (const value of [
      METACHARACTERS,
      '-1',
      '99999999999999999999',
      '../../outside',
      '/dev/null',
      ' ',
      '\u001b[2J',
    ]) {
      const project = hostileProject();
      for (const stage of stages) project.put(stage, SESSION);
      const before = project.snapshot();
      const env = Object.fromEntries(names.map((name) => [name, value]));
      const fired = await project.stop({}, { env });
      expect({ value, exitCode: fired.exitCode, stderr: fired.stderr }).toEqual({
        value,
        exitCode: 0,
        stderr: '',
      });
      expect((await project.cli(['status'], { env })).exitCode).toBe(0);
      expect(project.started()).toEqual([]);
      // A folder the user names is the user's: only what it may not be is looked at here.
      if (value !== '../../outside') expect(project.snapshot()).toEqual(before);
    }
  });
});

const SECRET = 'sk-SECRET-4711';

describe('secrets', () => {
  test('in messages, topics, tasks, plans, findings and variables are in no journal, note or log of ours', async () => {
    const project = hostileProject();
    const long = 'word '.repeat(40);
    for (const stage of stages) project.put(stage, SESSION);
    const state = `.claude/claudex/${LOOP_ID}.state`;
    project.write(
      state,
      project.read(state).replace(/^topic: .*$/m, `topic: ${JSON.stringify(`${long}${SECRET}`)}`),
    );
    project.write('PLAN.md', `# ${SECRET}\n`);
    project.write('.taskie/plans/p/task-1.md', `# ${SECRET}\n`);
    const transcript_path = path.join(project.outside, 'transcript.jsonl');
    const line = {
      uuid: 'u1',
      type: 'assistant',
      message: {
        id: 'm1',
        content: [
          { type: 'text', text: SECRET },
          { type: 'tool_use', name: SECRET, input: SECRET },
        ],
      },
    };
    fs.writeFileSync(transcript_path, `${JSON.stringify(line)}\n`);
    const payload = {
      transcript_path,
      last_assistant_message: `${SECRET}\n<loop-done>STUCK</loop-done>`,
      background_tasks: [{ status: 'running', command: SECRET }],
    };
    const env = { SOME_TOKEN: SECRET, CLAUDEX_MAX_PLAN_ROUNDS: SECRET };
    for (let stops = 0; stops < 3; stops++) await project.stop(payload, { env });
    project.write(`.claude/claudex/${LOOP_ID}/findings-round-1.md`, `## High\n- ${SECRET}\n`);
    await project.stop(payload, { env });
    await project.cli(['claudex', 'cancel', LOOP_ID], { env });
    for (let stops = 0; stops < 2; stops++) await project.stop(payload, { env });
    await project.stop({ ...payload, hook_event_name: 'PreCompact' }, { args: ['pre-compact'], env });
    const ours = entriesOf(path.join(project.root, '.holdfast'));
    expect(ours.some((entry) => entry.includes('"answer":"hold"'))).toBe(true);
    expect(ours.filter((entry) => entry.includes(SECRET))).toEqual([]);
    const log = project.read('.claude/claudex/log');
    expect(log).toContain('hold ');
    expect(log).not.toContain(SECRET);
    expect(entriesOf(path.join(project.home)).filter((entry) => entry.includes(SECRET))).toEqual([]);
  });

  test('a hold is logged with its first 80 characters and no more', async () => {
    const project = hostileProject();
    project.put(stageOf('claudex'), SESSION);
    const fired = await project.stop();
    const [entry = ''] = project.read('.claude/claudex/log').split('\n');
    const logged = entry.slice(entry.indexOf(': ') + 2);
    expect(Array.from(logged)).toHaveLength(80);
    expect((fired.answer?.reason ?? '').replace(/\s+/g, ' ').startsWith(logged)).toBe(true);
  });
});

describe('files we make', () => {
  test.each([
    ['022', 0o022],
    ['027', 0o027],
    ['077', 0o077],
  ])('keep to the umask %s, and nobody else can write any', async (umask, bits) => {
    const project = hostileProject();
    const plugin =
      process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../../dist/holdfast');
    const under = (program: string, args: readonly string[], stdin = '') =>
      run('sh', ['-c', `umask ${umask}; exec "$0" "$@"`, path.join(plugin, program), ...args], project.root, {
        env: { CLAUDE_CODE_SESSION_ID: SESSION, HOME: project.home },
        stdin,
        timeoutMs: 40_000,
      });
    const made = entriesOf(project.root).map((entry) => entry.split(' ')[0]);
    expect((await under('bin/holdfast', ['claudex', 'plan', 'a topic'])).exitCode).toBe(0);
    expect((await under('bin/holdfast', ['idle', 'loop', 'a task'])).exitCode).toBe(0);
    const payload = JSON.stringify({ session_id: SESSION, prompt_id: 'p1', cwd: project.root });
    for (let stops = 0; stops < 2; stops++) {
      await under('hooks/stop', [], payload);
      project.write('PLAN.md', '# A plan\n');
    }
    const ours = [...entriesOf(project.root), ...entriesOf(project.home)].filter(
      (entry) => !made.includes(entry.split(' ')[0]) && !entry.includes('PLAN.md'),
    );
    expect(ours.length).toBeGreaterThan(12);
    const open = ours.filter(
      (entry) => (Number.parseInt(entry.split(' ')[1] ?? '', 8) & (bits | 0o002)) !== 0,
    );
    expect(open).toEqual([]);
    const notes = ours.filter(
      (entry) =>
        /\.holdfast\/(runs|sessions|journal|lock)/.test(entry) && /\.jsonl? |lock /.test(entry.slice(0, 200)),
    );
    expect(notes.length).toBeGreaterThan(3);
    expect(notes.filter((entry) => !/ 600 /.test(entry.slice(0, 250)))).toEqual([]);
  });
});
