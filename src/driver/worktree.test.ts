import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newRecord } from '../../test/driver/records.ts';
import { end, start, stop } from '../../test/export/lines.ts';
import { type Programs, programs } from '../../test/support/programs.ts';
import { DEFAULT_CONFIG } from '../config/config.ts';
import { holdRun, isDriven, namesOfLocks } from './one-driver.ts';
import { recordName, saveRecord } from './record.ts';
import { summarise } from './summary.ts';
import { howToMerge, makeWorktree } from './worktree.ts';

const run = ({ project }: Programs, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: project,
    encoding: 'utf8',
  }).trim();

const branchAt = (folder: string): string =>
  execFileSync('git', ['branch', '--show-current'], { cwd: folder, encoding: 'utf8' }).trim();

/** A user's machine with a repository, with one commit in it unless it is to have none. */
function repository(hasCommit = true): Programs {
  const here = programs({});
  run(here, 'init', '--quiet', '--initial-branch=main');
  if (hasCommit) commit(here, 'a.txt');
  return here;
}

function commit(here: Programs, file: string): void {
  fs.writeFileSync(path.join(here.project, file), file);
  run(here, 'add', '.');
  run(here, 'commit', '--quiet', '-m', file);
}

describe('a work tree for a run', () => {
  it('lies beside the repository, on a branch of its own', () => {
    const here = repository();
    const made = makeWorktree(here.project, 'fix', null, here.env);
    expect(made).toEqual({
      ...{ path: path.join(here.folder, 'project-fix'), branch: 'holdfast/fix', from: here.project },
    });
    expect(fs.readdirSync(made.path)).toContain('a.txt');
    expect(branchAt(made.path)).toBe('holdfast/fix');
  });

  it('begins at the top of the repository, wherever it is asked for', () => {
    const here = repository();
    fs.mkdirSync(path.join(here.project, 'below'));
    const { from, path: place } = makeWorktree(path.join(here.project, 'below'), 'fix', null, here.env);
    expect([from, place]).toEqual([here.project, path.join(here.folder, 'project-fix')]);
  });

  it('takes the next place that is free, and the branch that was named', () => {
    const here = repository();
    fs.mkdirSync(path.join(here.folder, 'project-fix'));
    fs.symlinkSync('nowhere', path.join(here.folder, 'project-fix-2'));
    expect(makeWorktree(here.project, 'fix', 'mine', here.env)).toMatchObject({
      ...{ path: path.join(here.folder, 'project-fix-3'), branch: 'mine' },
    });
  });

  it('goes on with a branch that is there', () => {
    const here = repository();
    run(here, 'branch', 'mine');
    commit(here, 'later.txt');
    const { path: place } = makeWorktree(here.project, 'fix', 'mine', here.env);
    expect(fs.existsSync(path.join(place, 'later.txt'))).toBe(false);
    expect(branchAt(place)).toBe('mine');
  });

  it('needs a repository with a commit', () => {
    const none = programs({});
    expect(() => makeWorktree(none.project, 'fix', null, none.env)).toThrow(
      `--worktree needs a git repository, and ${none.project} is in none. Leave it out, or run \`git init\`.`,
    );
    const empty = repository(false);
    expect(() => makeWorktree(empty.project, 'fix', null, empty.env)).toThrow(
      `--worktree needs a commit to begin with, and ${empty.project} has none yet.`,
    );
  });

  it('says in git’s last words why it could not be made', () => {
    const here = repository();
    expect(() => makeWorktree(here.project, 'fix', 'main', here.env)).toThrow(
      /^the work tree could not be made: fatal: 'main' is already [^\n]*$/,
    );
  });

  it('is merged and removed by its user', () => {
    expect(howToMerge({ path: '/w/a b', branch: 'holdfast/x', from: '/w/p' })).toEqual([
      'The work is in /w/a b, on the branch holdfast/x. To take it over: cd /w/p && git merge holdfast/x',
      "Afterwards: git worktree remove '/w/a b' && git branch -d holdfast/x",
    ]);
  });
});

describe('one driver for a run', () => {
  it('keeps others away, and says who has it', () => {
    const { env, project } = programs({});
    const record = newRecord({
      root: project,
      run: 'idle:a',
      startedAt: Date.UTC(2026, 10, 17, 8, 30),
      asked: 'idle loop',
    });
    const name = recordName(record);
    expect(isDriven(env, name)).toBe(false);
    const held = holdRun(env, name, 'idle:a');
    expect(isDriven(env, name)).toBe(true);
    expect(() => holdRun(env, name, 'idle:a')).toThrow(
      'idle:a is driven already. It can be driven by one at a time.',
    );
    saveRecord(env, name, { ...record, driver: { pid: 77, start: null } });
    expect(() => holdRun(env, name, 'idle:a')).toThrow(
      'idle:a is driven already by process 77 (`holdfast run`, asked for at 2026-11-17 08:30 UTC: idle loop). It can be driven by one at a time.',
    );
    expect(namesOfLocks(env)).toEqual([name]);
    held.release();
    expect(isDriven(env, name)).toBe(false);
    holdRun(env, name, 'idle:a').release();
  });
});

describe('the end of a drive', () => {
  const RUN = 'idle:loop-1794782641-17581';
  const T0 = Date.UTC(2026, 10, 16, 8);
  const summary = (
    here: Programs,
    lines: readonly object[],
    more: Parameters<typeof newRecord>[0] | object = {},
  ) => {
    fs.mkdirSync(path.join(here.project, '.holdfast'), { recursive: true });
    fs.writeFileSync(path.join(here.project, '.holdfast/.gitignore'), '*\n');
    fs.writeFileSync(
      path.join(here.project, '.holdfast/journal.jsonl'),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    const record = newRecord({ root: here.project, run: RUN, startedAt: T0, ...more });
    const project = {
      root: here.project,
      home: `${here.project}/.holdfast`,
      env: here.env,
      now: T0 + 5000,
      cli: 'holdfast',
    };
    return summarise(record, 'completed', { ...project, config: DEFAULT_CONFIG });
  };

  it('counts what its run did since it began, and nothing of others', async () => {
    const facts = (verdict: string) => ({ facts: { verdict } });
    const found = await summary(programs({}), [
      stop(-1, 'hold', facts('findings')),
      start(0),
      stop(0, 'hold'),
      stop(1, 'hold', facts('findings')),
      stop(2, 'hold', facts('none')),
      stop(3, 'allow', facts('clean')),
      stop(3, 'hold', { ...facts('findings'), run: 'other' }),
      stop(3, 'hold', { ...facts('findings'), workflow: 'flow' }),
      stop(3, 'allow', { workflow: null, run: null }),
      end(3, 'completed', { proof: 'proven', run: 'other' }),
      end(3, 'completed', { proof: 'proven' }),
      end(4, 'completed', { proof: 'unproven', why: ['failed'] }),
    ]);
    expect(found).toEqual({
      ...{ asked: 'idle loop Do it all', run: RUN, outcome: 'completed', proof: 'unproven (failed)' },
      ...{ iterations: 3, reviews: 2, findings: 1, tokens: null, usd: null, elapsedMs: 5000 },
      ...{ workedMs: 0, waitedMs: 0, sessions: 0, turns: 0, tools: 0, files: null, commits: null },
    });
  });

  it('says nothing of a run that was never begun, and no time before it began', async () => {
    const found = await summary(programs({}), [stop(1)], { run: null, startedAt: T0 + 9000 });
    expect(found).toMatchObject({ run: null, proof: null, iterations: 0, tokens: null, elapsedMs: 0 });
  });

  it('has no proof where nobody asked for checks', async () => {
    expect((await summary(programs({}), [end(1, 'completed')])).proof).toBeNull();
  });

  it.each([
    [0, null, null],
    [0, 0.5, 0.5],
    [1.5, null, 1.5],
    [1.5, 0.5, 2],
  ])('adds up what its sessions cost: %s and %s', async (usdBefore, usdHere, usd) => {
    const { spent } = newRecord({ root: '/', run: null });
    expect((await summary(programs({}), [], { spent: { ...spent, usdBefore, usdHere } })).usd).toBe(usd);
  });

  it('counts the files that differ, new ones among them, and the commits', async () => {
    const here = repository();
    const first = run(here, 'rev-parse', 'HEAD');
    expect(await summary(here, [], { commit: first })).toMatchObject({ files: 0, commits: 0 });
    commit(here, 'b.txt');
    commit(here, 'c.txt');
    fs.writeFileSync(path.join(here.project, 'a.txt'), 'changed');
    fs.writeFileSync(path.join(here.project, 'new.txt'), '');
    expect(await summary(here, [], { commit: first })).toMatchObject({ files: 4, commits: 2 });
    expect(await summary(here, [], { commit: '0'.repeat(40) })).toMatchObject({ files: null, commits: null });
  });
});
