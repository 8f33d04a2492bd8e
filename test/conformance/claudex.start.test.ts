// Starting a loop: flags, refusals, the sweep before it, many starts at once. Through the real command line.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoopProject, loopProject } from '../fixtures/claudex/loop.ts';
import { type Ran, runCli } from '../support/hook.ts';

let project: LoopProject;
beforeEach(() => {
  project = loopProject();
});
afterEach(() => project.remove());

const ID = '20260131-093000-1a2b3c';
const plugin = process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');

/** A loop written by hand that last moved so many minutes ago. */
function handWritten(phase: string, minutes: number, id = ID): void {
  const file = project.write(`.claude/claudex/${id}.state`, `mode: plan\nphase: ${phase}\nround: 1\n`);
  const time = Date.now() / 1000 - minutes * 60;
  fs.utimesSync(file, time, time);
}

describe('what a start makes and says', () => {
  it('writes the first state and the lock, and says to draft PLAN.md and end the turn', {
    tags: ['C2.2.h', 'C2.2.i', 'C2.2.j'],
  }, async () => {
    const started = await project.claudex(['plan', '--rounds', '2', 'Add', 'a', 'cache']);
    expect(started.exitCode).toBe(0);
    expect(started.stdout).toContain(`draft the plan in ${project.root}/PLAN.md`);
    expect(started.stdout).toContain('end your turn');
    const id = project.id();
    expect(started.stdout).toContain(id);
    expect(project.field('topic')).toBe('"Add a cache"');
    expect(project.field('max_rounds')).toBe('2');
    expect(project.field('repo_root')).toBe(project.root);
    expect(project.field('session_id')).toBe('s1');
    expect(project.field('phase')).toBe('drafting');
    expect(project.read(`.claude/claudex/${id}.lock`)).toMatch(/^\d+\n$/);
  });

  it.each(['swept', 'log'])('sets a stray %s.state aside alone, and starts', async (name) => {
    project.write(`.claude/claudex/${name}.state`, 'phase: drafting\n');
    project.write('.claude/claudex/log', 'a line\n');
    project.write('.claude/claudex/swept/earlier/x.state', 'phase: drafting\n');
    expect(await project.claudex(['plan', 'a cache'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(project.exists(`.claude/claudex/${name}.state`)).toBe(false);
    expect(project.exists(`.claude/claudex/swept/${name}/${name}.state`)).toBe(true);
    expect(project.exists('.claude/claudex/swept/earlier/x.state')).toBe(true);
    expect(project.read('.claude/claudex/log')).toMatch(/^a line\n\[/);
  });

  it('makes a review by the same start, and says just to end the turn', {
    tags: ['C2.2', 'C2.2.k'],
  }, async () => {
    const started = await project.claudex(['review']);
    expect(started.exitCode).toBe(0);
    expect(started.stdout).toContain('Just end your turn now');
    expect(project.field('mode')).toBe('review');
    expect(project.field('phase')).toBe('reviewing');
    expect(project.exists(`.claude/claudex/${project.id()}.lock`)).toBe(true);
    expect((await project.claudex(['plan', 'x'])).exitCode).toBe(1);
  });

  it('reads its options before, among and after the words of the topic', { tags: ['C2.2.a'] }, async () => {
    project.write('PLAN.md', '# Plan\n');
    const unknown = await project.claudex(['plan', 'use', '--force']);
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no option --force') });
    const args = [
      'plan',
      '--rounds=4',
      'use',
      '--from-draft',
      '-x',
      '--skip-interview',
      '--interviewed',
      '--',
      '--force',
    ];
    const started = await project.claudex(args);
    expect(started.exitCode).toBe(0);
    expect(started.stdout).toContain(`read ${project.root}/PLAN.md`);
    expect(project.field('topic')).toBe('"use -x --force"');
    expect(project.field('max_rounds')).toBe('4');
    expect(project.field('from_draft')).toBe('true');
    expect(project.field('interview_used')).toBe('true');
  });

  it('reads the same flags for a review', { tags: ['C2.2.a'] }, async () => {
    project.write('PLAN.md', '# Plan\n');
    const flags = ['--rounds', '2', '--from-draft', '--skip-interview', '--interviewed'];
    expect(await project.claudex(['review', ...flags])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(project.field('mode')).toBe('review');
    expect(project.field('max_rounds')).toBe('2');
    expect(project.field('from_draft')).toBe('true');
    expect(project.field('interview_used')).toBe('true');
  });

  it('takes the topic from standard input, on one line, with everything that a shell would read', async () => {
    const topic = 'say "hi" & wave | $(rm -rf x) `y`\r\nthen \\n \'z\' 🙂\n';
    const started = await project.claudex(['plan'], { stdin: topic });
    expect(started.exitCode).toBe(0);
    expect(JSON.parse(project.field('topic'))).toBe('say "hi" & wave | $(rm -rf x) `y` then \\n \'z\' 🙂');
  });

  it('takes 100 kB of topic and still holds with less than 8 kB', async () => {
    const topic = 'cache everything 🙂 '.repeat(5000);
    expect((await project.claudex(['plan'], { stdin: topic })).exitCode).toBe(0);
    expect(JSON.parse(project.field('topic'))).toBe(topic.trim());
    const held = await project.stop();
    expect(Buffer.byteLength(held.answer?.reason ?? '')).toBeLessThan(8192);
  });

  it('belongs, outside of any client, to the next session that stops here', async () => {
    const started = await runCli(project.root, ['claudex', 'plan', 'x'], { env: { HOME: project.home } });
    expect(started.stdout).toContain('the next session here');
    expect((await project.stop()).answer?.decision).toBe('block');
    expect((await project.stop({ session_id: 's2' })).answer?.decision).toBeUndefined();
  });
});

describe('without a reviewer', () => {
  const FAKES = path.resolve(import.meta.dirname, '../fixtures/claudex/bin');

  /** PATH with node and sh alone, and folders in front of it. */
  function pathWith(...folders: string[]): string {
    const tools = path.join(project.home, 'tools');
    fs.mkdirSync(tools, { recursive: true });
    for (const [name, at] of [
      ['node', process.execPath],
      ['sh', '/bin/sh'],
    ] as const)
      if (!fs.existsSync(path.join(tools, name))) fs.symlinkSync(at, path.join(tools, name));
    return [...folders, tools].join(':');
  }

  it.each([[['plan', 'x']], [['review']]])('%j starts and says so at once, with what to do', async (args) => {
    const started = await project.claudex(args, { env: { PATH: pathWith() } });
    expect(started.exitCode).toBe(0);
    expect(started.stdout).toMatch(
      /^Note: codex is not on the PATH of this shell, so no reviewer can be started/,
    );
    expect(started.stdout).toContain('Tell the user now.');
    expect(started.stdout).toContain('claudex doctor');
    expect(started.stdout).toContain('login shell');
  });

  it('a file that cannot be run and a folder do not count as one', async () => {
    for (const name of ['file', 'folder']) fs.mkdirSync(path.join(project.home, name));
    fs.writeFileSync(path.join(project.home, 'file/codex'), '', { mode: 0o644 });
    fs.mkdirSync(path.join(project.home, 'folder/codex'));
    const folders = ['file', 'folder'].map((name) => path.join(project.home, name));
    const started = await project.claudex(['review'], { env: { PATH: pathWith(...folders) } });
    expect(started.stdout).toContain('codex is not on the PATH');
  });

  it('nothing is said when there is one', async () => {
    const started = await project.claudex(['review'], { env: { PATH: pathWith(FAKES) } });
    expect(started.exitCode).toBe(0);
    expect(started.stdout).not.toContain('Note:');
  });
});

describe('what a start refuses', () => {
  it('--rounds 0, with a clear line, exit 2 and nothing written', { tags: ['C2.2.b'] }, async () => {
    const refused = await project.claudex(['plan', '--rounds', '0', 'x']);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toBe('holdfast: claudex plan: --rounds takes a whole number above 0, not "0".\n');
    expect(fs.readdirSync(project.root)).toEqual(['.git']);
  });

  it.each(['two', '1.5', '-1', '', '1e1'])(
    '--rounds %j, which is no whole number',
    { tags: ['C2.2.c'] },
    async (rounds) => {
      // Apart, a value that begins with a dash is taken for a flag.
      const apart = rounds.startsWith('-') ? [] : [['plan', '--rounds', rounds, 'x']];
      for (const args of [['plan', `--rounds=${rounds}`, 'x'], ...apart]) {
        const refused = await project.claudex(args);
        expect(refused).toEqual({
          exitCode: 2,
          stdout: '',
          stderr: `holdfast: claudex plan: --rounds takes a whole number above 0, not "${rounds}".\n`,
        });
        expect(fs.readdirSync(project.root)).toEqual(['.git']);
      }
    },
  );

  it.each([
    ['plan', ['--rounds', '-1', 'x']],
    ['plan', ['--rounds=-1', 'x']],
    ['review', ['--rounds', '-1']],
    ['review', ['--rounds=-1']],
  ])('a number of rounds below zero, in %s %j', { tags: ['C2.2.c'] }, async (mode, args) => {
    const refused = await project.claudex([mode, ...args]);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toBe(
      `holdfast: claudex ${mode}: --rounds takes a whole number above 0, not "-1".\n`,
    );
    expect(fs.readdirSync(project.root)).toEqual(['.git']);
  });

  it('--from-draft without a PLAN.md', { tags: ['C2.2.d'] }, async () => {
    for (const args of [
      ['plan', '--from-draft', 'x'],
      ['review', '--from-draft'],
    ]) {
      const refused = await project.claudex(args);
      expect(refused.exitCode).toBe(2);
      expect(refused.stderr).toContain(`claudex ${args[0]}: --from-draft needs a draft, and there is no `);
      expect(fs.readdirSync(project.root)).toEqual(['.git']);
    }
  });

  it.each([
    ['an unknown flag', ['plan', '--depth', '3', 'x'], ''],
    ['--rounds without a value', ['plan', '--rounds'], ''],
    ['an empty topic', ['plan'], ' \n\t'],
    ['a topic with NUL', ['plan'], 'a\0b'],
    ['a topic for a review', ['review', 'x'], ''],
  ])('%s', async (_, args, stdin) => {
    const refused = await project.claudex(args, { stdin });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(/^holdfast: claudex [^\n]+\n$/);
    expect(fs.readdirSync(project.root)).toEqual(['.git']);
  });

  it('a start inside a reviewer', async () => {
    const refused = await project.claudex(['plan', 'x'], { env: { HOLDFAST_DISABLE: '1' } });
    expect(refused.exitCode).toBe(1);
    expect(project.exists('.claude')).toBe(false);
  });
});

describe('one loop at a time', () => {
  it.each(['drafting', 'reviewing', 'summarizing', 'dreaming', ''])(
    'a loop in the phase "%s" is in the way, and is named with the command that ends it',
    { tags: ['C2.2.e'] },
    async (phase) => {
      handWritten(phase, 1);
      const refused = await project.claudex(['plan', 'x']);
      expect(refused.exitCode).toBe(1);
      expect(refused.stderr).toContain(ID);
      expect(refused.stderr).toContain(`claudex cancel ${ID}`);
      expect(project.id()).toBe(ID);
    },
  );

  it.each(['done', 'cancelled', 'errored'])(
    'one that is %s hinders nobody and stays for audit',
    { tags: ['C2.2.f'] },
    async (phase) => {
      handWritten(phase, 600);
      expect((await project.claudex(['plan', 'x'])).exitCode).toBe(0);
      expect(project.read(`.claude/claudex/${ID}.state`)).toContain(`phase: ${phase}\n`);
    },
  );

  it('of 32 starts at the same instant one wins, and 31 are refused and name it', {
    tags: ['C2.2.e'],
  }, async () => {
    const starts = await startAtOnce(32);
    const id = project.id();
    expect(starts.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
    const refused = starts.filter(({ exitCode }) => exitCode === 1);
    expect(refused).toHaveLength(31);
    for (const { stderr } of refused) expect(stderr).toContain(id);
    const winner = starts.findIndex(({ exitCode }) => exitCode === 0);
    expect(project.field('topic')).toBe(`"topic ${winner}"`);
    expect((await project.stop({ session_id: `s${winner}` })).answer?.decision).toBe('block');
  });
});

describe('the sweep before a start', () => {
  it('moves an abandoned loop to swept/ before the check for another', { tags: ['C2.2.g'] }, async () => {
    handWritten('reviewing', 16);
    const started = await project.claudex(['plan', 'x']);
    expect(started.exitCode).toBe(0);
    expect(started.stdout).toContain(`the abandoned loop ${ID} was moved to swept/`);
    expect(project.exists(`.claude/claudex/swept/${ID}/${ID}.state`)).toBe(true);
  });

  it('goes by CLAUDEX_STALE_MINUTES', { tags: ['C2.1.k'] }, async () => {
    handWritten('reviewing', 16);
    expect((await project.claudex(['plan', 'x'], { env: { CLAUDEX_STALE_MINUTES: '60' } })).exitCode).toBe(1);
    expect((await project.claudex(['plan', 'x'], { env: { CLAUDEX_STALE_MINUTES: '10' } })).exitCode).toBe(0);
  });

  it('spares a loop whose review is still running', { tags: ['C2.1.k'] }, async () => {
    handWritten('reviewing', 30);
    project.write(`.claude/claudex/${ID}/running`, '1\n');
    expect((await project.claudex(['plan', 'x'])).exitCode).toBe(1);
    expect(project.id()).toBe(ID);
  });

  it('refuses beside an old loop of another session instead of sweeping it', async () => {
    const id = await project.plan();
    const time = Date.now() / 1000 - 3600;
    fs.utimesSync(project.ours(`${id}.state`), time, time);
    const refused = await project.claudex(['plan', 'x'], { env: { CLAUDE_CODE_SESSION_ID: 's2' } });
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain(`claudex cancel ${id}`);
    expect((await project.claudex(['plan', 'x'])).exitCode).toBe(0);
  });

  it('sweeps the loop of another session of which nothing was seen for two hours', {
    tags: ['C2.1.k'],
  }, async () => {
    const id = await project.plan();
    const transcript_path = project.write('../transcript.jsonl', '{"uuid":"u1","type":"user"}\n');
    expect((await project.stop({ transcript_path })).answer?.decision).toBe('block');
    const home = path.join(project.root, '.holdfast');
    const journal = path.join(home, 'journal.jsonl');
    /** As if every trace of that session were so old. */
    const age = (minutes: number): void => {
      const time = Date.now() / 1000 - minutes * 60;
      for (const folder of ['runs', 'sessions'])
        for (const name of fs.readdirSync(path.join(home, folder)))
          fs.utimesSync(path.join(home, folder, name), time, time);
      for (const file of [project.ours(`${id}.state`), transcript_path]) fs.utimesSync(file, time, time);
      const stopped = new Date(time * 1000).toISOString();
      const lines = fs.readFileSync(journal, 'utf8').trimEnd().split('\n');
      fs.writeFileSync(
        journal,
        lines.map((line) => `${JSON.stringify({ ...JSON.parse(line), time: stopped })}\n`).join(''),
      );
    };
    const start = () => project.claudex(['plan', 'x'], { env: { CLAUDE_CODE_SESSION_ID: 's2' } });
    age(119);
    expect((await start()).exitCode).toBe(1);
    age(121);
    fs.utimesSync(transcript_path, new Date(), new Date());
    expect((await start()).exitCode).toBe(1);
    age(121);
    const started = await start();
    expect(started).toMatchObject({ exitCode: 0, stderr: '' });
    expect(started.stdout).toContain(`the abandoned loop ${id} was moved to swept/`);
    expect(project.exists(`.claude/claudex/swept/${id}/${id}.state`)).toBe(true);
    expect((await project.stop()).answer?.decision).toBeUndefined();
    expect((await project.stop({ session_id: 's2' })).answer?.decision).toBe('block');
  });
});

describe('the environment', () => {
  it('sets the rounds of a plan and of a review', async () => {
    const env = { CLAUDEX_MAX_PLAN_ROUNDS: '5', CLAUDEX_MAX_REVIEW_ROUNDS: '7' };
    await project.claudex(['plan', 'x'], { env });
    expect(project.field('max_rounds')).toBe('5');
    await project.claudex(['rollback']);
    await project.claudex(['review'], { env });
    expect(project.field('max_rounds')).toBe('7');
  });

  it('falls back from garbage with a notice, at the start and at a stop', async () => {
    const env = { CLAUDEX_MAX_PLAN_ROUNDS: 'lots', CLAUDEX_STALE_MINUTES: '-1' };
    const started = await project.claudex(['plan', 'x'], { env });
    expect(started.stdout).toContain(
      'Note: CLAUDEX_MAX_PLAN_ROUNDS is not a whole number above 0; 3 is used.',
    );
    expect(started.stdout).toContain(
      'Note: CLAUDEX_STALE_MINUTES is not a whole number above 0; 15 is used.',
    );
    expect(project.field('max_rounds')).toBe('3');
    const held = await project.stop({}, { env });
    expect(held.answer?.decision).toBe('block');
    expect(held.answer?.systemMessage).toContain('CLAUDEX_MAX_PLAN_ROUNDS is not a whole number');
    expect((await project.stop({}, { env })).answer?.systemMessage).toBeUndefined();
  });

  it('tells garbage at an allowed stop too, once', async () => {
    await project.plan();
    await project.claudex(['cancel']);
    const env = { CLAUDEX_STALE_MINUTES: 'soon' };
    const allowed = await project.stop({}, { env });
    expect(allowed.answer?.decision).toBeUndefined();
    expect(allowed.answer?.systemMessage).toContain('CLAUDEX_STALE_MINUTES is not a whole number');
    expect((await project.stop({}, { env })).stdout).toBe('');
  });

  it('moves the whole loop with CLAUDEX_STATE_DIR, for the hook too', async () => {
    const folder = path.join(project.home, 'loops');
    const env = { CLAUDEX_STATE_DIR: folder };
    await project.claudex(['plan', 'x'], { env });
    expect(project.exists('.claude')).toBe(false);
    expect((await project.stop({}, { env })).answer?.reason).toContain('draft the plan first');
    project.write('PLAN.md', '# Plan\n');
    const held = await project.stop({}, { env });
    expect(held.answer?.reason).toContain(`sh ${folder}/`);
    const names = fs.readdirSync(folder).map((name) => name.replace(/^[\d-]+-[0-9a-f]{6}/, 'ID'));
    expect(names.sort()).toEqual(['ID-runner.sh', 'ID.lock', 'ID.state', 'log']);
    expect((await project.claudex(['status'], { env })).stdout).toContain('reviewing');
    expect((await project.claudex(['cancel'], { env })).stdout).toContain('is cancelled');
    expect((await project.stop({}, { env })).answer?.decision).toBeUndefined();
    expect((await project.claudex(['rollback'], { env })).stdout).toContain('Removed 1 loop');
    expect(fs.readdirSync(folder)).toEqual(['log']);
  });

  it('uses .claude/claudex, with a notice, when CLAUDEX_STATE_DIR is no folder', async () => {
    const env = { CLAUDEX_STATE_DIR: project.write('file', '') };
    const started = await project.claudex(['plan', 'x'], { env });
    expect(started.stdout).toContain('Note: CLAUDEX_STATE_DIR is not a folder; .claude/claudex is used.');
    expect(project.field('phase')).toBe('drafting');
    expect((await project.stop({}, { env })).answer?.systemMessage).toContain(
      'CLAUDEX_STATE_DIR is not a folder',
    );
  });
});

/** Each process waits for its topic on standard input; they all get it at the same moment. */
async function startAtOnce(count: number): Promise<Ran[]> {
  const cli = path.join(plugin, 'bin/holdfast');
  const children = Array.from({ length: count }, (_, number) =>
    spawn(cli, ['claudex', 'plan'], {
      cwd: project.root,
      env: { PATH: process.env.PATH, HOME: project.home, CLAUDE_CODE_SESSION_ID: `s${number}` },
    }),
  );
  const ended = children.map(
    (child) =>
      new Promise<Ran>((resolve, reject) => {
        const ran: Ran = { exitCode: null, stdout: '', stderr: '' };
        child.stdout.on('data', (chunk) => {
          ran.stdout += chunk;
        });
        child.stderr.on('data', (chunk) => {
          ran.stderr += chunk;
        });
        child.on('error', reject);
        child.on('close', (exitCode) => resolve({ ...ran, exitCode }));
      }),
  );
  await new Promise((resolve) => setTimeout(resolve, 4000));
  for (const [number, child] of children.entries()) child.stdin.end(`topic ${number}`);
  return Promise.all(ended);
}
