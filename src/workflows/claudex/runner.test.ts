import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ID, projectAt, putLoop, sceneAt, tempFolder } from '../../../test/fixtures/claudex/project.ts';
import type { Config } from '../../config/config.ts';
import { carryOut } from '../../store/files.ts';
import { commit } from './commit.ts';
import { observe } from './observe.ts';
import { filesOf, placeOf } from './place.ts';
import { planPrompt } from './prompt.ts';
import { writeRunner } from './runner.ts';
import { normaliseTopic } from './state.ts';

const FAKES = path.resolve(import.meta.dirname, '../../../test/fixtures/claudex/bin');

let root: string;
let record: string;
beforeEach(() => {
  root = tempFolder();
  record = tempFolder();
});
afterEach(() => {
  for (const folder of [root, record]) fs.rmSync(folder, { recursive: true, force: true });
});

/** Commits round 1 of a loop and answers with its files and the prompt its runner must pass on. */
function makeRunner(topic: string, review: Partial<Config['review']> = {}, env = {}) {
  const plain = projectAt(root, { env });
  const config = { ...plain.config, review: { ...plain.config.review, ...review } };
  const project = { ...plain, config };
  const { files } = putLoop(project, {}, { topic: normaliseTopic(topic) });
  const scene = sceneAt(project);
  const seen = observe(scene);
  if (seen === null) throw new Error('the loop is gone');
  const { writes, within } = commit(
    {
      log: { answer: 'hold', message: { name: 'round', slots: { round: 1, max: 3 } } },
      swap: { from: 'drafting', to: 'reviewing' },
      runner: { round: 1, owedFrom: 1 },
    },
    seen.world,
    scene,
  );
  for (const write of writes) carryOut(write, within ?? root);
  return { files, prompt: planPrompt(seen.world, 1, 1) };
}

const environment = (behaviour: string, more: Record<string, string> = {}) => ({
  PATH: `${FAKES}:${process.env.PATH}`,
  FAKE_CODEX: behaviour,
  FAKE_CODEX_RECORD: record,
  ...more,
});

function run(runner: string, behaviour: string, shell = 'sh') {
  const ran = spawnSync(shell, [runner], {
    cwd: record,
    env: environment(behaviour),
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { code: ran.status, said: ran.stdout, complained: ran.stderr };
}

const recorded = (name: string): string => fs.readFileSync(path.join(record, name), 'utf8');

/** Everything below a folder, apart from what changes with each run. */
function listing(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

describe('the runner', () => {
  it('is a script of its own that names persona and round in its header and its first line', () => {
    const { files } = makeRunner('a cache');
    const script = fs.readFileSync(files.runner, 'utf8');
    expect(path.relative(root, files.runner)).toBe(`.claude/claudex/${ID}-runner.sh`);
    expect(script.split('\n').slice(0, 2)).toEqual([
      '#!/bin/sh',
      `# Claudex round 1 of 3: Senior-engineer review (loop ${ID})`,
    ]);
    expect(run(files.runner, 'findings').said.split('\n')[0]).toBe(
      `Claudex round 1 of 3: Senior-engineer review (loop ${ID})`,
    );
    expect(fs.statSync(files.runner).mode & 0o111).not.toBe(0);
    expect(script).not.toContain('/plugin/bin/holdfast');
  });

  it('calls codex with the prompt on stdin, hooks off, in the project', () => {
    const { files, prompt } = makeRunner('a cache');
    expect(run(files.runner, 'findings').code).toBe(0);
    expect(fs.readFileSync(files.runner, 'utf8')).toContain(
      'codex exec --dangerously-bypass-approvals-and-sandbox',
    );
    expect(recorded('arguments').trim().split('\n')).toEqual([
      'exec',
      '--dangerously-bypass-approvals-and-sandbox',
      '--skip-git-repo-check',
      '--disable',
      'hooks',
    ]);
    expect(recorded('disable')).toBe('1\n');
    expect(recorded('cwd')).toBe(`${root}\n`);
    expect(recorded('stdin')).toBe(prompt);
    expect(fs.readFileSync(files.prompt, 'utf8')).toBe(prompt);
  });

  it('gives codex a sandbox instead when the config asks for one', () => {
    const { files } = makeRunner('a cache', { access: 'sandboxed' });
    expect(run(files.runner, 'findings').code).toBe(0);
    expect(recorded('arguments').trim().split('\n').slice(0, 3)).toEqual(['exec', '-s', 'workspace-write']);
  });

  it('lets a sandboxed codex write to a state folder outside of the project', () => {
    const outside = tempFolder();
    const { files } = makeRunner('a cache', { access: 'sandboxed' }, { CLAUDEX_STATE_DIR: outside });
    expect(run(files.runner, 'findings').code).toBe(0);
    expect(recorded('arguments')).toContain(`--add-dir\n${outside}\n`);
    expect(fs.existsSync(files.findings(1))).toBe(true);
    fs.rmSync(outside, { recursive: true });
  });

  it('passes exactly the normalised prompt for any topic, and executes nothing else', () => {
    const nasty = fc.constantFrom(
      '"',
      "'",
      '`touch pwned`',
      '$(touch pwned)',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell that must not read this
      '${HOME:=pwned}',
      '\n',
      '\r\n',
      'PROMPTEOF',
      '\nPROMPTEOF\ntouch pwned\n',
      '\nPROMPTEOF_\n',
      '\\',
      '\\n',
      '%s',
      '; touch pwned;',
      '&& touch pwned',
      '| tee pwned',
      '!!',
      '🙂',
      '\u202eright to left',
      'مرحبا',
      '\u0081\u0088',
      '{{topic}}',
      '\t',
      '\x1b[31m',
      '\x7f',
    );
    const topic = fc
      .array(fc.oneof(nasty, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), {
        maxLength: 8,
      })
      .map((parts) => parts.join('').replaceAll('\0', ''));
    const examples: [string, string][] = [
      ['x'.repeat(100_000), 'sh'],
      [`${'🙂$(touch pwned)`touch pwned`\n'.repeat(3000)}`, 'bash'],
    ];
    fc.assert(
      fc.property(topic, fc.constantFrom('sh', 'bash'), (text, shell) => {
        const { files, prompt } = makeRunner(text);
        expect(prompt).toContain(`\nTopic: ${normaliseTopic(text)}\nRound: 1 of 3\n`);
        const before = listing(root);
        expect(run(files.runner, 'nothing', shell).code).toBe(0);
        expect(recorded('stdin')).toBe(prompt);
        const made = listing(root).filter((file) => !before.includes(file));
        const expected = [`${ID}`, `${ID}-prompt.txt`, `${ID}/exit-round-1`, `${ID}/output-round-1.txt`];
        expect(made).toEqual(expected.map((file) => `.claude/claudex/${file}`));
        expect(listing(record)).toEqual(['arguments', 'cwd', 'disable', 'pid', 'stdin']);
        fs.rmSync(path.join(root, '.claude'), { recursive: true });
      }),
      { numRuns: 60, examples },
    );
  }, 60_000);

  it('cannot be left early by a line of the prompt, whatever it is', () => {
    const place = placeOf(projectAt(root));
    const files = filesOf(place, ID);
    const prompt = 'a\nPROMPTEOF\ntouch pwned\nPROMPTEOF_\n';
    const task = { title: 't', place, files, round: 1, prompt, expected: [], access: 'full' } as const;
    fs.mkdirSync(place.folder, { recursive: true });
    fs.writeFileSync(files.runner, writeRunner({ ...task, deadlineSeconds: 60 }));
    expect(run(files.runner, 'nothing').code).toBe(0);
    expect(recorded('stdin')).toBe(prompt);
    expect(fs.existsSync(path.join(root, 'pwned'))).toBe(false);
  });

  it.each(['sh', 'bash'])(
    'keeps the exit code of a codex that crashes, and shows its last words (%s)',
    (shell) => {
      const { files } = makeRunner('a cache');
      const { code, complained, said } = run(files.runner, 'crash', shell);
      expect(code).toBe(7);
      expect(fs.readFileSync(files.exit(1), 'utf8')).toBe('7\n');
      expect(complained).toContain('codex: stream disconnected');
      expect(said).toContain(`Not written: ${files.findings(1)}`);
    },
  );

  it('says when codex wrote no findings', () => {
    const { files } = makeRunner('a cache');
    const { code, said } = run(files.runner, 'nothing');
    expect(code).toBe(0);
    expect(said).toContain(`Not written: ${files.findings(1)}`);
  });

  it("keeps what codex prints out of the agent's way, however much it is", () => {
    const { files } = makeRunner('a cache');
    const { code, said } = run(files.runner, 'flood');
    expect(code).toBe(0);
    expect(said.length).toBeLessThan(1000);
    expect(fs.statSync(files.output(1)).size).toBeGreaterThan(4_000_000);
    expect(fs.existsSync(files.findings(1))).toBe(true);
  });

  it('ends with 127 and a clear line when there is no codex', () => {
    const { files } = makeRunner('a cache');
    const tools = path.join(record, 'tools');
    fs.mkdirSync(tools);
    for (const tool of ['mkdir', 'rm', 'cat', 'sh'])
      fs.symlinkSync(spawnSync('which', [tool], { encoding: 'utf8' }).stdout.trim(), path.join(tools, tool));
    const ran = spawnSync('sh', [files.runner], { env: { PATH: tools }, encoding: 'utf8', timeout: 20_000 });
    expect(ran.status).toBe(127);
    expect(ran.stderr).toContain('codex was not found on PATH');
    expect(fs.readFileSync(files.exit(1), 'utf8')).toBe('127\n');
    expect(fs.existsSync(files.heartbeat)).toBe(false);
  });

  it.each(['hang', 'stubborn'])('ends a codex that does not end by itself: %s', async (behaviour) => {
    const { files } = makeRunner('a cache', { timeoutMs: 1000 });
    const { code, complained } = run(files.runner, behaviour);
    expect(code).toBe(124);
    expect(complained).toContain('took longer than 1 seconds');
    expect(fs.readFileSync(files.exit(1), 'utf8')).toBe('124\n');
    expect(fs.existsSync(files.heartbeat)).toBe(false);
    await until(() => !isAlive('pid') && (behaviour !== 'stubborn' || !isAlive('child')));
  });

  it('beats while it runs, and ends codex when its loop is ended', async () => {
    const { files } = makeRunner('a cache');
    const ending = background(files.runner, 'hang');
    await until(() => fs.existsSync(path.join(record, 'pid')));
    expect(fs.readFileSync(files.heartbeat, 'utf8')).toBe('1\n');
    const first = fs.statSync(files.heartbeat).mtimeMs;
    await until(() => fs.statSync(files.heartbeat).mtimeMs > first);
    fs.rmSync(files.runner);
    expect(await ending.code).toBe(125);
    await until(() => !isAlive('pid'));
  });

  it('ends codex and leaves an exit code when it is told to end', async () => {
    const { files } = makeRunner('a cache');
    const ending = background(files.runner, 'hang');
    await until(() => fs.existsSync(path.join(record, 'pid')));
    ending.child.kill('SIGTERM');
    expect(await ending.code).toBe(143);
    expect(fs.readFileSync(files.exit(1), 'utf8')).toBe('143\n');
    await until(() => !isAlive('pid'));
  });

  it('stops beating and ends codex when it is killed', async () => {
    const { files } = makeRunner('a cache');
    const ending = background(files.runner, 'hang');
    await until(() => fs.existsSync(path.join(record, 'pid')));
    ending.child.kill('SIGKILL');
    await ending.code;
    await until(() => !isAlive('pid') && !fs.existsSync(files.heartbeat));
    expect(fs.existsSync(files.exit(1))).toBe(false);
  });
});

function background(runner: string, behaviour: string) {
  const child = spawn('sh', [runner], { env: environment(behaviour), stdio: 'ignore' });
  const code = new Promise<number | null>((resolve) => child.on('exit', resolve));
  return { child, code };
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 600) throw new Error('it never came to pass');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function isAlive(name: string): boolean {
  try {
    process.kill(Number(recorded(name)), 0);
    return true;
  } catch {
    return false;
  }
}
