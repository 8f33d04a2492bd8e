import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { openProject } from '../../../test/support/proof.ts';
import type { Project } from '../project.ts';
import {
  addTrust,
  giveTrust,
  isReachedByAgents,
  isTrustAhead,
  isTrusted,
  listTrust,
  noteReported,
  readTrust,
  revokeTrust,
  trustOf,
  unreportedTrust,
} from './trust.ts';

const OWN = { checks: { test: { run: 'npm test' }, types: { run: 'tsc' } } };

const MONTH = 30 * 24 * 3_600_000;

let temp: TempProject;
beforeEach(() => {
  temp = tempProject();
});
afterEach(() => {
  vi.restoreAllMocks();
  temp.remove();
});

const folder = (): string => path.join(temp.home, '.local/state/holdfast/trust');
const file = (): string => path.join(folder(), fs.readdirSync(folder())[0] ?? '');

async function trusting(now = 1000): Promise<Project> {
  const project = await openProject(temp, { own: OWN }, now);
  giveTrust(project, project.config.checks);
  return project;
}

const namesTrusted = (project: Project, before = 1e15): string[] =>
  project.config.checks.filter((check) => isTrusted(check, trustOf(project), before)).map(({ name }) => name);

describe('a check', () => {
  it('of the project is not trusted before a person said so', async () => {
    const project = await openProject(temp, { own: OWN });

    expect(trustOf(project)).toBeNull();
    expect(namesTrusted(project)).toEqual([]);
  });

  it('of the user’s own file always is', async () => {
    expect(namesTrusted(await openProject(temp, { user: OWN }))).toEqual(['test', 'types']);
  });

  it('of the project is trusted afterwards, for what begins later', async () => {
    const project = await trusting(1000);

    expect(namesTrusted(project, 1001)).toEqual(['test', 'types']);
    expect(namesTrusted(project, 1000)).toEqual([]);
    expect(namesTrusted(project, 0)).toEqual([]);
  });

  test.each([
    { run: 'npm test; rm -rf ~' },
    { run: ['npm', 'test'] },
    { run: 'npm test', timeout: 5 },
    { run: 'npm test', cwd: 'a' },
    { run: 'npm test', paths: ['nothing'] },
    { run: 'npm test', retries: 9 },
  ])('is not trusted when it is another: %j', async (changed) => {
    await trusting();
    fs.mkdirSync(path.join(temp.root, 'a'));
    const own = JSON.stringify({ checks: { test: changed, types: { run: 'tsc' } } });

    expect(namesTrusted(await openProject(temp, { own }))).toEqual(['types']);
  });

  it('is not trusted under another name', async () => {
    await trusting();

    expect(
      namesTrusted(await openProject(temp, { own: { checks: { other: { run: 'npm test' } } } })),
    ).toEqual([]);
  });
});

describe('trust', () => {
  it('is shared by worktrees, and by nothing else', async () => {
    await trusting();
    const other = path.join(path.dirname(temp.root), 'other');
    const copy = path.join(path.dirname(temp.root), 'copy');
    const git = ['-C', temp.root, '-c', 'user.name=a', '-c', 'user.email=a@b'];
    execFileSync('git', [...git, 'commit', '--quiet', '--allow-empty', '-m', 'x']);
    execFileSync('git', [...git, 'worktree', 'add', '--quiet', other]);
    execFileSync('git', ['clone', '--quiet', temp.root, copy]);

    expect(namesTrusted(await openProject({ root: other, home: temp.home }, { own: OWN }))).toEqual([
      'test',
      'types',
    ]);
    expect(namesTrusted(await openProject({ root: copy, home: temp.home }, { own: OWN }))).toEqual([]);
  });

  it('given again keeps since when, forgets what is gone, and is taken back as a whole', async () => {
    await trusting(1000);
    const later = await openProject(
      temp,
      { own: { checks: { test: { run: 'npm test' }, lint: { run: 'lint' } } } },
      2000,
    );
    giveTrust(later, later.config.checks);

    expect(trustOf(later)?.checks.map(({ name, at }) => [name, at])).toEqual([
      ['test', 1000],
      ['lint', 2000],
    ]);
    expect(revokeTrust(later)).toEqual(['test', 'lint']);
    expect([trustOf(later), revokeTrust(later), listTrust(later.env)]).toEqual([null, [], []]);
  });

  it('is listed with where it was given', async () => {
    const { env } = await trusting();

    expect(listTrust(env).map(({ root, checks }) => [root, checks.length])).toEqual([[temp.root, 2]]);
  });

  it('is listed in the order of the places, whatever the records are called', async () => {
    const project = await trusting();
    const places = ['b', 'c', 'a', 'd'].map((name) => path.join(path.dirname(temp.root), name));
    for (const root of places) giveTrust({ ...project, root }, project.config.checks);

    const listed = listTrust(project.env).map(({ root }) => root);
    expect(listed).toEqual([temp.root, ...places].sort());
  });

  it('given to more leaves what there is as it is', async () => {
    const first = await openProject(temp, { own: OWN }, 1000);
    const [test, types] = first.config.checks;
    if (test === undefined || types === undefined) throw new Error('no checks');
    addTrust(first, [test]);
    expect(readTrust(first)).toEqual({
      repository: path.join(temp.root, '.git'),
      root: temp.root,
      checks: [{ name: 'test', definition: expect.any(String), at: 1000, reported: false }],
      reported: 0,
    });
    noteReported(first, unreportedTrust(trustOf(first)));
    const before = trustOf(first);
    addTrust({ ...first, now: 2000 }, [test, types]);

    expect(trustOf(first)).toEqual({
      ...before,
      checks: [
        { name: 'test', definition: expect.any(String), at: 1000, reported: true },
        { name: 'types', definition: expect.any(String), at: 2000, reported: false },
      ],
    });
    giveTrust({ ...first, now: 3000 }, [types]);
    expect(trustOf(first)?.checks.map(({ name, at }) => [name, at])).toEqual([['types', 2000]]);
    expect(unreportedTrust(trustOf(first)).map(({ name }) => name)).toEqual(['types']);
  });

  it('given to more beside another command of the same name counts for both', async () => {
    const project = await trusting(1000);
    const changed = { checks: { test: { run: 'make test' } } };
    const other = await openProject(temp, { own: changed }, 2000);
    addTrust(other, other.config.checks);

    expect(trustOf(other)?.checks.map(({ name, at }) => [name, at])).toEqual([
      ['test', 1000],
      ['types', 1000],
      ['test', 2000],
    ]);
    expect(namesTrusted(other)).toEqual(['test']);
    expect(namesTrusted(project)).toEqual(['test', 'types']);
  });

  test.each([giveTrust, addTrust])(
    'given over a record of another repository takes nothing from it',
    async (give) => {
      const project = await trusting(1000);
      const record = JSON.parse(fs.readFileSync(file(), 'utf8'));
      fs.writeFileSync(file(), JSON.stringify({ ...record, repository: '/elsewhere/.git', reported: 7 }));
      give({ ...project, now: 2000 }, project.config.checks.slice(0, 1));

      expect(readTrust(project)).toMatchObject({
        repository: record.repository,
        checks: [{ name: 'test', at: 2000 }],
        reported: 0,
      });
    },
  );

  it('given to nothing is none', async () => {
    const project = await trusting();
    giveTrust(project, []);

    expect([readTrust(project), listTrust(project.env)]).toEqual([null, []]);
  });

  it('is marked as reported only as it is there', async () => {
    const project = await openProject(temp, { own: OWN }, 1000);
    noteReported(project, [{ name: 'test', definition: 'x', at: 1000 }]);
    expect(readTrust(project)).toBeNull();
    giveTrust(project, project.config.checks);
    const [test, types] = trustOf(project)?.checks ?? [];
    if (test === undefined || types === undefined) throw new Error('no checks');
    const others = [
      { ...test, name: 'x' },
      { ...test, definition: 'x' },
      { ...test, at: 5000 },
    ];
    noteReported(project, others);
    expect(unreportedTrust(trustOf(project))).toHaveLength(2);
    noteReported(project, [types]);
    expect(unreportedTrust(trustOf(project))).toEqual([test]);
  });

  it('of an older version was reported up to the time that its record says', async () => {
    const project = await trusting(1000);
    const record = JSON.parse(fs.readFileSync(file(), 'utf8'));
    const checks = record.checks.map(({ reported: _, ...check }: object & { reported: boolean }) => check);
    for (const [reported, count] of [
      [999, 2],
      [1000, 0],
    ] as const) {
      fs.writeFileSync(file(), JSON.stringify({ ...record, checks, reported }));
      expect(unreportedTrust(trustOf(project))).toHaveLength(count);
    }
  });

  it('from a clock that was ahead does not count, is given again, and is reported then', async () => {
    const now = Date.now();
    const project = await openProject(temp, { own: OWN }, now);
    const { checks } = project.config;
    const [check] = checks;
    if (check === undefined) throw new Error('no checks');
    for (const give of [giveTrust, addTrust]) {
      revokeTrust(project);
      give({ ...project, now: now + MONTH }, checks);
      noteReported(project, unreportedTrust(trustOf(project)));
      expect([isTrusted(check, trustOf(project), now), isTrustAhead(check, trustOf(project))]).toEqual([
        ...[false, true],
      ]);
      give({ ...project, now: now - 1 }, checks);
      expect([isTrusted(check, trustOf(project), now), isTrustAhead(check, trustOf(project))]).toEqual([
        ...[true, false],
      ]);
      expect(unreportedTrust(trustOf(project)).map(({ name }) => name)).toEqual(['test', 'types']);
    }
    expect(isTrustAhead(check, null)).toBe(false);
  });

  test.each([
    ['EIO', true],
    ['EMFILE', true],
    ['EACCES', false],
  ])('that cannot be read for %s is an error at this stop: %s', async (code, isError) => {
    const project = await trusting();
    vi.spyOn(fs, 'openSync').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });

    if (isError) expect(() => trustOf(project)).toThrow(code);
    else expect(trustOf(project)).toBeNull();
  });

  it('is reported once, each', async () => {
    const project = await trusting(1000);
    expect(unreportedTrust(trustOf(project)).map(({ name }) => name)).toEqual(['test', 'types']);
    noteReported(project, unreportedTrust(trustOf(project)));
    expect(unreportedTrust(trustOf(project))).toEqual([]);

    const later = await openProject(temp, { own: { checks: { ...OWN.checks, lint: { run: 'x' } } } }, 2000);
    giveTrust(later, later.config.checks);
    expect(unreportedTrust(trustOf(later)).map(({ name }) => name)).toEqual(['lint']);
    expect(unreportedTrust(null)).toEqual([]);
  });
});

describe('a forged record', () => {
  it('in the project is not read', async () => {
    const project = await trusting();
    const record = fs.readFileSync(file());
    const name = path.basename(file());
    revokeTrust(project);
    for (const place of ['.holdfast/trust', '.local/state/holdfast/trust', 'trust']) {
      fs.mkdirSync(path.join(temp.root, place), { recursive: true });
      fs.writeFileSync(path.join(temp.root, place, name), record);
    }

    expect(namesTrusted(project)).toEqual([]);
  });

  it('of another repository under this one’s name does not count', async () => {
    const project = await trusting();
    const record = JSON.parse(fs.readFileSync(file(), 'utf8'));
    fs.writeFileSync(file(), JSON.stringify({ ...record, repository: '/elsewhere/.git' }));

    expect(namesTrusted(project)).toEqual([]);
  });

  test.each(['', '{', '[]', '{"checks":[]}', 'null'])('that is broken trusts nothing: %s', async (text) => {
    const project = await trusting();
    fs.writeFileSync(file(), text);

    expect([trustOf(project), namesTrusted(project)]).toEqual([null, []]);
  });

  it('behind a link trusts nothing, and doctor can say why', async () => {
    const project = await trusting();
    fs.renameSync(file(), path.join(temp.root, 'record.json'));
    fs.symlinkSync(
      path.join(temp.root, 'record.json'),
      path.join(folder(), path.basename(recordName(project))),
    );

    expect(trustOf(project)).toBeNull();
    expect(() => readTrust(project)).toThrow('is behind a link and is not read');
  });

  it('is not believed where the user’s own folders lie in the project', async () => {
    const inside = { HOME: temp.root, PATH: process.env.PATH };
    const project = await openProject(temp, { own: OWN }, 1000, inside);
    giveTrust(project, project.config.checks);

    expect(isReachedByAgents(project)).toBe(true);
    expect(readTrust(project)).not.toBeNull();
    expect(trustOf(project)).toBeNull();
    expect(isReachedByAgents({ root: temp.root, env: { HOME: temp.home } })).toBe(false);
    expect(
      isReachedByAgents({ root: temp.root, env: { HOME: temp.home, XDG_STATE_HOME: `${temp.root}/a/b` } }),
    ).toBe(true);
    expect(isReachedByAgents({ root: temp.root, env: { HOME: temp.home, XDG_CONFIG_HOME: temp.root } })).toBe(
      true,
    );
  });
});

it('is not believed either where the way to the user’s folders is a link into the project', () => {
  const link = path.join(temp.home, 'link');
  fs.symlinkSync(temp.root, link);

  expect(isReachedByAgents({ root: temp.root, env: { HOME: link } })).toBe(true);
  expect(isReachedByAgents({ root: path.join(temp.root, 'deeper'), env: { HOME: link } })).toBe(false);
});

/** The place it would be written to. */
function recordName(project: Project): string {
  giveTrust(project, project.config.checks);
  const name = file();
  fs.rmSync(name);
  return name;
}
