import fs from 'node:fs';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { disk } from '../../store/disk.ts';
import { reportTrust } from './report-trust.ts';
import { giveTrust, revokeTrust, trustOf } from './trust.ts';
import type { Check } from './types.ts';

const check = (name: string): Check => ({
  ...{ name, run: 'true', timeout: 30, retries: 0, paths: null, cwd: null, from: 'project' },
});
const notified = (names: string, cli = 'holdfast'): string =>
  `Holdfast: these commands were trusted here since the last notice: ${names}. If that was not you, run \`${cli} trust --revoke\`.`;

it('tells nothing where nothing was trusted', () => {
  const project = bareProject();
  expect(reportTrust(project)).toBeNull();
  expect(fs.existsSync(path.join(project.env.XDG_STATE_HOME ?? '', 'holdfast'))).toBe(false);
});

it('tells of each trust once, with the command as the user calls it', () => {
  const project = { ...bareProject(1000), cli: 'npx holdfast' };
  giveTrust(project, [check('unit'), check('types')]);
  expect(reportTrust(project)).toBe(notified('unit and types', 'npx holdfast'));
  expect(reportTrust(project)).toBeNull();
  expect(trustOf(project)?.checks.every(({ reported }) => reported)).toBe(true);
  giveTrust({ ...project, now: 2000 }, [check('unit'), check('types'), check('lint')]);
  expect(reportTrust({ ...project, cli: 'holdfast' })).toBe(notified('lint'));
});

it('tells of trust from a time to come each time, until it is given again', () => {
  const ahead = check('unit');
  const now = Date.now();
  const project = {
    ...bareProject(now),
    config: { ...bareProject().config, checks: [ahead, check('types')] },
  };
  giveTrust({ ...project, now: now + 3_600_000 }, [ahead]);
  giveTrust(project, [ahead, check('types')]);
  expect(reportTrust(project)).toBe(notified('unit and types'));
  revokeTrust(project);
  giveTrust({ ...project, now: now + 3_600_000 }, [ahead]);
  const said =
    'Holdfast: Trust in unit was given at a time that is still to come: the clock was ahead then, or is behind now, so it does not count. A person gives it again with `holdfast trust` in a terminal.';
  expect(reportTrust(project)).toBe(`${notified('unit')}\n${said}`);
  expect(reportTrust(project)).toBe(said);
  giveTrust(project, [ahead]);
  expect(reportTrust(project)).toBe(notified('unit'));
  expect(reportTrust(project)).toBeNull();
});

it('tells of it, and once more, where that cannot be noted', () => {
  const project = bareProject(1000);
  giveTrust(project, [check('unit')]);
  const full = vi.spyOn(disk, 'rename').mockImplementation(() => {
    throw new Error('a full disk');
  });
  try {
    expect(reportTrust(project)).toBe(notified('unit'));
    expect(full).toHaveBeenCalled();
  } finally {
    full.mockRestore();
  }
  expect(reportTrust(project)).toBe(notified('unit'));
});
