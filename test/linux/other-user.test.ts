// A project that two users have worked in: root in a devcontainer or by sudo and then its owner, or two of a group.
// With real users: what rights do is the kernel's to say.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HookAnswer, type Ran, run } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

const PLUGIN = process.env.HOLDFAST_TEST_PLUGIN ?? path.resolve(import.meta.dirname, '../../dist/holdfast');
const OWNER = 4711;
const OTHER = 4713;
const GROUP = 4712;
const SESSION = '5e551011-0000-4000-8000-000000000001';
const ELSE = '5e551011-0000-4000-8000-000000000002';

/** What must stand before a command for it to be root's here; without a root these tests would prove nothing. */
let asRoot: readonly string[];
/** Readable for every user, which a checkout need not be. */
let plugin: string;
/** Nobody but root may enter it. */
let closedFolder: string;
const projects: TempProject[] = [];

beforeAll(() => {
  asRoot = findRoot();
  const shared = tempProject('shared');
  projects.push(shared);
  plugin = path.join(path.dirname(shared.root), 'plugin');
  fs.cpSync(PLUGIN, plugin, { recursive: true });
  fs.chmodSync(path.dirname(shared.root), 0o755);
  closedFolder = path.join(path.dirname(shared.root), 'closed');
  rootRuns('install', '-d', '-o', '0', '-m', '0700', closedFolder);
});

afterAll(() => {
  for (const { root } of projects) rootRuns('rm', '-rf', path.dirname(root));
});

/** Whose folder the project is, with a home of the same user beside it. */
function projectOf(user: number): TempProject {
  const project = tempProject();
  projects.push(project);
  fs.chmodSync(path.dirname(project.root), 0o755);
  rootRuns('chown', '-R', `${user}:${user}`, project.root, project.home);
  return project;
}

function rootRuns(...command: string[]): string {
  const [program = '', ...args] = [...asRoot, ...command];
  return execFileSync(program, args, { encoding: 'utf8' });
}

type Who = { user: number; group?: number; umask?: string; home?: string };

function as({ user, group = user, umask = '022' }: Who, ...command: string[]): string[] {
  const script = `umask ${umask}; exec "$0" "$@"`;
  const groups = group === user ? ['--clear-groups'] : [`--groups=${group}`];
  const change = user === 0 ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, ...groups];
  return [...asRoot, ...change, 'sh', '-c', script, ...command];
}

function cli(project: TempProject, who: Who, ...args: string[]): Promise<Ran> {
  const [program = '', ...words] = as(who, path.join(plugin, 'bin/holdfast'), ...args);
  // As after sudo: a folder of root's stands in the user's PATH, which must cost no command anything.
  const PATH = `${closedFolder}:${process.env.PATH ?? ''}`;
  const env = { HOME: who.home ?? project.home, CLAUDE_CODE_SESSION_ID: SESSION, PATH };
  return run(program, words, project.root, { env });
}

async function stop(project: TempProject, who: Who, session = SESSION): Promise<HookAnswer | null> {
  const [program = '', ...words] = as(who, path.join(plugin, 'hooks/stop'));
  const payload = { session_id: session, cwd: project.root, prompt_id: 'p', hook_event_name: 'Stop' };
  const stdin = JSON.stringify(payload);
  const ran = await run(program, words, project.root, {
    env: { HOME: who.home ?? project.home },
    stdin,
    timeoutMs: 240_000,
  });
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  return ran.stdout === '' ? null : JSON.parse(ran.stdout);
}

/** Everything below a folder that is not this user's. */
function foreignIn(folder: string, user: number): string[] {
  return rootRuns('find', folder, '!', '-uid', String(user)).split('\n').filter(Boolean);
}

describe('what root makes in the folder of another user', () => {
  const commands = [
    ['idle', 'loop', 'a task'],
    ['claudex', 'plan', 'a topic'],
  ];
  test.each(commands)('is that user’s: %s %s', async (...command) => {
    const project = projectOf(OWNER);
    expect(await cli(project, { user: 0 }, ...command)).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await stop(project, { user: 0 }))?.decision).toBe('block');
    expect(fs.existsSync(path.join(project.root, '.holdfast/journal.jsonl'))).toBe(true);
    expect(foreignIn(project.root, OWNER)).toEqual([]);
    // And the user goes on with it as if root had never been there.
    expect((await stop(project, { user: OWNER }))?.decision).toBe('block');
    expect((await cli(project, { user: OWNER }, 'cancel')).exitCode).toBe(0);
  });

  test('is that user’s also where the kernel’s lock cannot be had', async () => {
    const project = projectOf(OWNER);
    const [program = '', ...words] = as({ user: 0 }, path.join(plugin, 'bin/holdfast'), 'idle', 'loop', 'x');
    const env = { HOME: project.home, CLAUDE_CODE_SESSION_ID: SESSION, HOLDFAST_LOCK: 'lease' };
    expect((await run(program, words, project.root, { env })).exitCode).toBe(0);
    expect(fs.existsSync(path.join(project.root, '.holdfast/lock.lease'))).toBe(true);
    expect(foreignIn(project.root, OWNER)).toEqual([]);
  });

  test('in the user’s own state folder is the user’s: a ticket for the next session', async () => {
    const project = projectOf(OWNER);
    const [program = '', ...words] = as({ user: 0 }, path.join(plugin, 'bin/holdfast'), 'idle', 'loop', 'x');
    await run(program, words, project.root, { env: { HOME: project.home } });
    const state = path.join(project.home, '.local/state/holdfast/next-session');
    expect(fs.readdirSync(state)).toHaveLength(1);
    expect(foreignIn(path.join(project.home, '.local'), OWNER)).toEqual([]);
    expect((await stop(project, { user: OWNER }))?.decision).toBe('block');
  });

  test('is nothing in the user’s home at a hook, nor in a state folder that is there', async () => {
    const project = projectOf(OWNER);
    expect((await cli(project, { user: OWNER }, 'idle', 'loop', 'a task')).exitCode).toBe(0);
    expect((await stop(project, { user: 0 }))?.decision).toBe('block');
    expect(foreignIn(project.home, OWNER)).toEqual([]);
    // The user's own stops keep their byte code there, and root leaves it as it is.
    const code = path.join(project.home, '.local/state/holdfast/code');
    expect((await stop(project, { user: OWNER }))?.decision).toBe('block');
    const kept = rootRuns('ls', code);
    expect(kept).not.toBe('');
    expect((await stop(project, { user: 0 }))?.decision).toBe('block');
    expect(rootRuns('ls', code)).toBe(kept);
    expect(foreignIn(project.home, OWNER)).toEqual([]);
  });

  test.each([
    ['there is no node', null, 'node was not found'],
    ['node is too old', 'v18', 'needs Node 20'],
  ])('is nothing in the user’s home where %s', async (_, version, words) => {
    const project = projectOf(OWNER);
    expect((await cli(project, { user: OWNER }, 'idle', 'loop', 'a task')).exitCode).toBe(0);
    rootRuns('rm', '-rf', path.join(project.home, '.local'));
    const bin = path.join(path.dirname(project.root), 'bin');
    fs.mkdirSync(bin);
    for (const tool of ['mkdir', 'sh', 'setpriv', 'unshare'])
      fs.symlinkSync(
        execFileSync('/bin/sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim(),
        path.join(bin, tool),
      );
    if (version !== null) fs.writeFileSync(path.join(bin, 'node'), oldNode(), { mode: 0o755 });
    const told = async (user: number, home = project.home): Promise<string> => {
      const [program = '', ...words] = as({ user }, path.join(plugin, 'hooks/stop'));
      const stdin = JSON.stringify({ session_id: SESSION, cwd: project.root, prompt_id: 'p' });
      return (await run(program, words, project.root, { env: { HOME: home, PATH: bin }, stdin })).stdout;
    };
    expect(await told(0)).toContain(words);
    expect(fs.readdirSync(project.home)).toEqual([]);
    // The user is told once, and root in a home of its own too.
    expect(await told(OWNER)).toContain(words);
    expect(await told(OWNER)).toBe('');
    expect(foreignIn(project.home, OWNER)).toEqual([]);
    const rootsHome = path.join(path.dirname(project.root), 'roots-home');
    rootRuns('install', '-d', '-o', '0', rootsHome);
    expect(await told(0, rootsHome)).toContain(words);
    expect(await told(0, rootsHome)).toBe('');
  });

  /** The node that runs the tests, as an older one. */
  function oldNode(): string {
    const preload = path.join(path.dirname(plugin), 'old-node.cjs');
    fs.writeFileSync(
      preload,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.0.0' } });\n",
    );
    return `#!/bin/sh\nexec '${process.execPath}' --require '${preload}' "$@"\n`;
  }

  test('stays root’s in a folder of root', async () => {
    const project = projectOf(0);
    expect((await cli(project, { user: 0 }, 'idle', 'loop', 'x')).exitCode).toBe(0);
    expect(foreignIn(project.root, 0)).toEqual([]);
  });
});

/** As a version that gave nothing away left it: a loop of the user's session, the notes root's. */
async function withRootsNotes(): Promise<TempProject> {
  const project = projectOf(OWNER);
  expect((await cli(project, { user: OWNER }, 'idle', 'loop', 'a task')).exitCode).toBe(0);
  expect((await stop(project, { user: OWNER }))?.decision).toBe('block');
  rootRuns('chown', '-R', '0:0', path.join(project.root, '.holdfast'));
  return project;
}

describe('notes that belong to root', () => {
  const me = { user: OWNER };
  const command = (project: TempProject): string => `sudo chown -R ${OWNER} ${project.root}/.holdfast`;

  test('cost the run’s own session one line, which names the owner and the command', async () => {
    const project = await withRootsNotes();
    const answer = await stop(project, me);
    expect(Object.keys(answer ?? {})).toEqual(['systemMessage']);
    expect(answer?.systemMessage).toMatch(
      /^Holdfast: [^\n]*\.holdfast\/[^\n]* belongs to user root, [^\n]*$/,
    );
    expect(answer?.systemMessage).toContain(`\`${command(project)}\``);
    for (let stops = 0; stops < 2; stops++) expect(await stop(project, me)).toBeNull();
  });

  test('the lock alone, too', async () => {
    const project = await withRootsNotes();
    rootRuns('chown', '-R', `${OWNER}:${OWNER}`, path.join(project.root, '.holdfast'));
    rootRuns('chown', '0:0', path.join(project.root, '.holdfast/lock'));
    const answer = await stop(project, me);
    expect(answer?.systemMessage).toContain(`${project.root}/.holdfast/lock cannot be read: it belongs to`);
    expect(answer?.systemMessage).toContain(`\`${command(project)}\``);
    expect(await stop(project, me)).toBeNull();
  });

  test('cost other sessions nothing but the word on the unfinished run, once', async () => {
    const project = await withRootsNotes();
    const answer = await stop(project, me, ELSE);
    expect(answer?.systemMessage).toMatch(/^Holdfast: idle:\S+ is unfinished here/);
    expect(answer?.systemMessage).not.toMatch(/EACCES|belongs/);
    for (let stops = 0; stops < 2; stops++) expect(await stop(project, me, ELSE)).toBeNull();
  });

  test('refuse a start in one line with the command, and after the command it starts', async () => {
    const project = await withRootsNotes();
    for (const words of [
      ['idle', 'loop', 'more'],
      ['claudex', 'plan', 'x'],
      ['cancel'],
      ['idle', 'cancel'],
    ]) {
      const ran = await cli(project, me, ...words);
      expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
      expect(ran.stderr).toMatch(/^holdfast: [^\n]* belongs to user root, [^\n]*\n$/);
      expect(ran.stderr).toContain(`\`${command(project)}\``);
    }
    rootRuns(...command(project).split(' ').slice(1));
    expect((await cli(project, me, 'idle', 'loop', 'more')).exitCode).toBe(0);
    expect((await stop(project, me))?.decision).toBe('block');
  });

  test('are told by status and doctor, and the run is called neither finished nor nobody’s', async () => {
    const project = await withRootsNotes();
    const listed = await cli(project, me, 'status');
    expect(listed.stdout).toMatch(
      /! idle:\S+ {2}needs you: loop, iteration 1\/10 {2}whose it is cannot be read: /,
    );
    expect(listed.stdout).not.toMatch(/finished|nobody's/);
    expect(listed.stdout).toContain(`\`${command(project)}\``);
    const examined = await cli(project, me, 'doctor');
    expect(examined.exitCode).toBe(1);
    expect(examined.stdout).toContain(`to fix it: run \`${command(project)}\``);
    expect(examined.stdout).not.toContain('remove');
    for (const words of ['why', 'log']) {
      const ran = await cli(project, me, words);
      expect(ran.stderr).toContain(`journal.jsonl cannot be read: it belongs to user root`);
      expect(ran.stderr).toContain(`\`${command(project)}\``);
    }
  });
});

test('a loop whose log is another user’s is not called finished', async () => {
  const project = projectOf(OWNER);
  await cli(project, { user: OWNER }, 'idle', 'loop', 'a task');
  const log = path.join(project.root, '.jwz/messages.jsonl');
  rootRuns('chown', '0:0', log);
  rootRuns('chmod', '600', log);
  const listed = await cli(project, { user: OWNER }, 'status');
  expect(listed.stdout).toContain(`its state cannot be read: ${log} cannot be read: it belongs to user root`);
  expect(listed.stdout).toContain(`\`sudo chown -R ${OWNER} ${log}\``);
  expect(listed.stdout).not.toContain('finished');
});

describe('a folder that is shared with a group on purpose', () => {
  const one = { user: OWNER, group: GROUP, umask: '002' };

  async function shared(umask: string): Promise<{ project: TempProject; two: Who }> {
    const project = projectOf(OWNER);
    rootRuns('chgrp', '-R', String(GROUP), project.root);
    rootRuns('chmod', '-R', 'g+rwXs', project.root);
    const home = path.join(path.dirname(project.root), 'other-home');
    rootRuns('install', '-d', '-o', String(OTHER), home);
    expect((await cli(project, { ...one, umask }, 'idle', 'loop', 'a task')).exitCode).toBe(0);
    expect((await stop(project, { ...one, umask }))?.decision).toBe('block');
    return { project, two: { user: OTHER, group: GROUP, umask, home } };
  }

  test('has notes that the group can use', async () => {
    const { project, two } = await shared('002');
    const listed = await cli(project, two, 'status');
    expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(listed.stdout).not.toMatch(/cannot be/);
    expect((await cli(project, two, 'log')).stdout).toContain('held');
    // A colleague who goes on with it is told what it is about.
    for (const who of [two, one]) expect((await stop(project, who))?.reason).toContain('a task');
  });

  test('keeps to a umask that shuts the group out', async () => {
    const { project } = await shared('077');
    const open = rootRuns('find', path.join(project.root, '.holdfast'), '-type', 'f', '-perm', '/077');
    expect(open).toBe('');
  });

  test('and no other has notes that anybody else can read', async () => {
    const project = projectOf(OWNER);
    for (const umask of ['022', '002']) await cli(project, { user: OWNER, umask }, 'idle', 'loop', 'x');
    await stop(project, { user: OWNER, umask: '002' });
    const notes = ['lock', 'journal.jsonl', 'runs', 'sessions'].map((name) =>
      path.join(project.root, '.holdfast', name),
    );
    expect(rootRuns('find', ...notes, '-type', 'f', '-perm', '/077')).toBe('');
  });
});

function findRoot(): string[] {
  const tries = [[], ['unshare', '--user', '--map-auto', '--map-root-user']].map((prefix) => {
    const [program = '', ...args] = [
      ...prefix,
      'setpriv',
      `--reuid=${OWNER}`,
      `--regid=${OWNER}`,
      '--clear-groups',
      'true',
    ];
    const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
    return { prefix, status, said: error?.message ?? stderr.trim() };
  });
  const working = tries.find(({ status }) => status === 0);
  if (working !== undefined) return working.prefix;
  throw new Error(
    `These tests need two users, and there is no way to be a second one here (${tries.map(({ said }) => said).join('; ')}). Run them as root, or allow user namespaces with ids in /etc/subuid.`,
  );
}
