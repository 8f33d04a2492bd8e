import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { disk } from '../../store/disk.ts';
import type { Project } from '../project.ts';
import { reportTrust } from './report-trust.ts';
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
import type { Check } from './types.ts';

const NOW = 1000;
const HOUR = 3_600_000;
const check = (name: string, more: Partial<Check> = {}): Check => ({
  ...{ name, run: 'true', timeout: 30, retries: 0, paths: null, cwd: null, from: 'project' },
  ...more,
});
const [unit, types] = [check('unit'), check('types')];

let project: Project;
beforeEach(() => {
  project = bareProject(NOW);
});
afterEach(() => vi.restoreAllMocks());
const at = (now: number): Project => ({ ...project, now });
const folder = (): string => path.join(project.env.XDG_STATE_HOME ?? '', 'holdfast/trust');
const file = (): string => path.join(folder(), fs.readdirSync(folder())[0] ?? '');
const times = (of = project) => trustOf(of)?.checks.map((each) => `${each.name} ${each.at}`);
const unreported = () => unreportedTrust(trustOf(project)).map(({ name }) => name);

describe('a check of the project', () => {
  it('is trusted once a person said so, for what begins later; one of the user’s own always is', () => {
    expect([trustOf(project), isTrusted(unit, null, 1e15)]).toEqual([null, false]);
    expect(isTrusted({ ...unit, from: 'user' }, null, 0)).toBe(true);
    giveTrust(project, [unit]);
    expect([NOW + 1, NOW, 0].map((before) => isTrusted(unit, trustOf(project), before))).toEqual([
      true,
      false,
      false,
    ]);
    for (const other of [check('other'), check('unit', { run: ['true'] }), check('unit', { timeout: 5 })])
      expect(isTrusted(other, trustOf(project), 1e15)).toBe(false);
  });

  it('given trust again keeps since when; what is not given is forgotten, and all is taken back at once', () => {
    giveTrust(project, [unit, types]);
    giveTrust(at(2000), [unit, check('lint')]);
    expect(times()).toEqual(['unit 1000', 'lint 2000']);
    addTrust(at(3000), [unit, types, check('unit', { run: 'make' })]);
    expect(times()).toEqual(['unit 1000', 'lint 2000', 'types 3000', 'unit 3000']);
    expect(revokeTrust(project)).toEqual(['unit', 'lint', 'types', 'unit']);
    expect([trustOf(project), revokeTrust(project), listTrust(project.env)]).toEqual([null, [], []]);
    giveTrust(project, [unit]);
    giveTrust(project, []);
    expect([readTrust(project), listTrust(project.env)]).toEqual([null, []]);
  });

  it.each([giveTrust, addTrust])(
    'from a clock that was ahead does not count, and is given again: %o',
    (give) => {
      const now = Date.now();
      give(at(now + HOUR), [unit]);
      noteReported(project, unreportedTrust(trustOf(project)));
      expect([isTrusted(unit, trustOf(project), now), isTrustAhead(unit, trustOf(project))]).toEqual([
        false,
        true,
      ]);
      give(at(now - 1), [unit]);
      expect([isTrusted(unit, trustOf(project), now), isTrustAhead(unit, trustOf(project))]).toEqual([
        true,
        false,
      ]);
      expect([unreported(), isTrustAhead(unit, null)]).toEqual([['unit'], false]);
    },
  );
});

describe('the record of trust', () => {
  it('is listed by the places in which trust was given', () => {
    const places = ['b', 'c', 'a', 'd'].map((name) => path.join(path.dirname(project.root), name));
    for (const root of places) giveTrust({ ...project, root }, [unit]);
    expect(listTrust(project.env).map(({ root }) => root)).toEqual([...places].sort());
  });

  it.each([giveTrust, addTrust])(
    'of another repository under this one’s name counts for nothing: %o',
    (give) => {
      giveTrust(project, [unit]);
      const record = JSON.parse(fs.readFileSync(file(), 'utf8'));
      fs.writeFileSync(file(), JSON.stringify({ ...record, repository: '/elsewhere/.git', reported: 7 }));
      expect(trustOf(project)).toBeNull();
      give(at(2000), [types]);
      expect(readTrust(project)).toMatchObject({
        repository: record.repository,
        checks: [{ name: 'types' }],
        reported: 0,
      });
    },
  );

  it.each(['', '{', '{"checks":[]}', 'null'])('that is broken trusts nothing: %s', (text) => {
    giveTrust(project, [unit]);
    fs.writeFileSync(file(), text);
    expect(trustOf(project)).toBeNull();
  });

  it('behind a link trusts nothing, and doctor can say why', () => {
    giveTrust(project, [unit]);
    const record = path.join(project.root, 'record.json');
    const place = file();
    fs.renameSync(place, record);
    fs.symlinkSync(record, place);
    expect(trustOf(project)).toBeNull();
    expect(() => readTrust(project)).toThrow('is behind a link and is not read');
  });

  it.each([
    ['EIO', true],
    ['EACCES', false],
  ])('that cannot be read for %s is an error at this stop: %s', (code, isError) => {
    giveTrust(project, [unit]);
    vi.spyOn(fs, 'openSync').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
    if (isError) expect(() => trustOf(project)).toThrow(code);
    else expect(trustOf(project)).toBeNull();
  });

  it('is not believed where the user’s folders, or a way to them, lie in the project', () => {
    const { root, env } = project;
    const link = path.join(path.dirname(root), 'link');
    fs.symlinkSync(root, link);
    const reached = [{ XDG_STATE_HOME: `${root}/a/b` }, { XDG_CONFIG_HOME: root }, { XDG_STATE_HOME: link }];
    for (const more of reached) expect(isReachedByAgents({ root, env: { ...env, ...more } })).toBe(true);
    expect([
      isReachedByAgents(project),
      isReachedByAgents({ root: `${root}/deeper`, env: { HOME: link } }),
    ]).toEqual([false, false]);
    const inside = { ...project, env: { ...env, XDG_STATE_HOME: root } };
    giveTrust(inside, [unit]);
    expect([readTrust(inside) === null, trustOf(inside)]).toEqual([false, null]);
  });
});

describe('trust that was given', () => {
  it('is reported once, each, and as it is there', () => {
    expect(reportTrust(project)).toBeNull();
    giveTrust(project, [unit, types]);
    const [first] = trustOf(project)?.checks ?? [];
    if (first === undefined) throw new Error('nothing is trusted');
    noteReported(project, [
      { ...first, name: 'x' },
      { ...first, definition: 'x' },
      { ...first, at: 5 },
    ]);
    expect(unreported()).toEqual(['unit', 'types']);
    expect(reportTrust({ ...project, cli: 'npx holdfast' })).toContain(
      'unit and types. If that was not you, run `npx holdfast trust',
    );
    expect([reportTrust(project), unreportedTrust(null)]).toEqual([null, []]);
    addTrust(at(2000), [unit, check('lint')]);
    expect(reportTrust(project)).toContain('notice: lint. ');
  });

  it('by an older version was reported up to the time that its record says', () => {
    giveTrust(project, [unit]);
    const record = JSON.parse(fs.readFileSync(file(), 'utf8'));
    const checks = record.checks.map(({ name, definition }: Check & { definition: string }) => ({
      name,
      definition,
      at: NOW,
    }));
    for (const [reported, names] of [
      [NOW - 1, ['unit']],
      [NOW, []],
    ] as const) {
      fs.writeFileSync(file(), JSON.stringify({ ...record, checks, reported }));
      expect(unreported()).toEqual(names);
    }
  });

  it('is reported again where that cannot be noted, and each time while it is from a time to come', () => {
    giveTrust(project, [types]);
    const full = vi.spyOn(disk, 'rename').mockImplementation(() => {
      throw new Error('a full disk');
    });
    expect(reportTrust(project)).toContain('notice: types. ');
    expect(full).toHaveBeenCalled();
    vi.restoreAllMocks();
    expect(reportTrust(project)).toContain('notice: types. ');
    const here = { ...at(Date.now()), config: { ...project.config, checks: [unit, types] } };
    addTrust(at(Date.now() + HOUR), [unit]);
    for (const isFirst of [true, false]) {
      const said = reportTrust(here);
      expect([said?.includes('notice: unit. '), said?.includes('Trust in unit was given at a time')]).toEqual(
        [isFirst, true],
      );
    }
    giveTrust(here, [unit]);
    expect(reportTrust(here)).not.toContain('Trust in unit');
  });
});
