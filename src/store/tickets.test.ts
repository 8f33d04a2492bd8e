import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import type { Environment } from './environment.ts';
import { Refused } from './files.ts';
import { dropTicket, hasTickets, isRunWaiting, leaveTicket, takeTickets, waitingRuns } from './tickets.ts';
import { userStateFolder } from './user-state.ts';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

let project: TempProject;
let root: string;
let env: Environment;

beforeEach(() => {
  project = tempProject('project', { emptyHome: true });
  root = project.root;
  env = { HOME: project.home };
});

afterEach(() => project.remove());

const folder = (): string => path.join(project.home, '.local', 'state', 'holdfast', 'next-session');

function theOnlyTicket(): string {
  const [name = ''] = fs.readdirSync(folder());
  return path.join(folder(), name);
}

describe('a ticket', () => {
  it('is taken once', () => {
    expect(hasTickets(root, env)).toBe(false);
    leaveTicket(root, 'toy:a', NOW, env);

    expect(hasTickets(root, env)).toBe(true);
    expect(takeTickets(root, NOW + 1, env)).toEqual(['toy:a']);
    expect(hasTickets(root, env)).toBe(false);
    expect(takeTickets(root, NOW + 2, env)).toEqual([]);
  });

  it('waits with others, each run once, in the order they were left', () => {
    for (const run of ['toy:a', 'toy:b', 'toy:a']) leaveTicket(root, run, NOW, env);

    expect(takeTickets(root, NOW, env)).toEqual(['toy:b', 'toy:a']);
  });

  it('is dropped for one run alone, and goes with the last', () => {
    dropTicket(root, 'toy:a', NOW, env);
    expect(hasTickets(root, env)).toBe(false);
    for (const run of ['toy:a', 'toy:b', 'toy:c']) leaveTicket(root, run, NOW, env);

    dropTicket(root, 'toy:b', NOW, env);
    expect(takeTickets(root, NOW, env)).toEqual(['toy:a', 'toy:c']);
    leaveTicket(root, 'toy:a', NOW, env);
    dropTicket(root, 'toy:a', NOW, env);
    expect(hasTickets(root, env)).toBe(false);
  });

  it('lasts ten minutes and not longer, and is thrown away when it is found too late', () => {
    leaveTicket(root, 'toy:a', NOW, env);
    expect(takeTickets(root, NOW + 10 * MINUTE, env)).toEqual(['toy:a']);

    leaveTicket(root, 'toy:a', NOW, env);
    expect(takeTickets(root, NOW + 10 * MINUTE + 1, env)).toEqual([]);
    expect(hasTickets(root, env)).toBe(false);
  });

  it('that has expired does not come back with a newer one', () => {
    leaveTicket(root, 'toy:old', NOW, env);
    leaveTicket(root, 'toy:new', NOW + 11 * MINUTE, env);

    expect(takeTickets(root, NOW + 11 * MINUTE, env)).toEqual(['toy:new']);
  });

  it('keeps its own ten minutes, whatever is left after it', () => {
    leaveTicket(root, 'toy:old', NOW, env);
    leaveTicket(root, 'toy:mid', NOW + 6 * MINUTE, env);
    leaveTicket(root, 'toy:new', NOW + 9 * MINUTE, env);

    expect(takeTickets(root, NOW + 10 * MINUTE + 1, env)).toEqual(['toy:mid', 'toy:new']);
  });

  it('left again for the same run counts from then', () => {
    leaveTicket(root, 'toy:a', NOW, env);
    leaveTicket(root, 'toy:a', NOW + 9 * MINUTE, env);

    expect(takeTickets(root, NOW + 19 * MINUTE, env)).toEqual(['toy:a']);
  });

  it('of an older Holdfast, with one time for all its runs, is still taken, and not renewed by a new one', () => {
    leaveTicket(root, 'toy:a', NOW, env);
    const old = { root, runs: ['toy:x', 'toy:y'], expires: NOW + MINUTE };
    fs.writeFileSync(theOnlyTicket(), JSON.stringify(old));
    expect(takeTickets(root, NOW + MINUTE, env)).toEqual(['toy:x', 'toy:y']);

    leaveTicket(root, 'toy:a', NOW, env);
    fs.writeFileSync(theOnlyTicket(), JSON.stringify(old));
    leaveTicket(root, 'toy:new', NOW, env);
    expect(takeTickets(root, NOW + 2 * MINUTE, env)).toEqual(['toy:new']);
  });

  it('is seen without being taken, as long as it lasts', () => {
    expect([isRunWaiting(root, NOW, env), waitingRuns(root, NOW, env)]).toEqual([false, []]);
    leaveTicket(root, 'toy:a', NOW, env);
    leaveTicket(root, 'toy:b', NOW + MINUTE, env);

    const seen = (minutes: number) => {
      const now = NOW + minutes * MINUTE;
      return [isRunWaiting(root, now, env), ...waitingRuns(root, now, env)];
    };
    expect([seen(10), seen(11), seen(12)]).toEqual([[true, 'toy:a', 'toy:b'], [true, 'toy:b'], [false]]);
    expect(takeTickets(root, NOW, env)).toEqual(['toy:a', 'toy:b']);
  });

  it('stays when a run cannot be given away', () => {
    for (const run of ['toy:a', 'toy:b']) leaveTicket(root, run, NOW, env);
    const given: string[] = [];

    expect(() =>
      takeTickets(root, NOW, env, (run) => {
        if (run === 'toy:b') throw new Error('no');
        given.push(run);
      }),
    ).toThrow('no');
    expect(given).toEqual(['toy:a']);
    expect(waitingRuns(root, NOW, env)).toEqual(['toy:a', 'toy:b']);
  });

  it('is for one project alone', () => {
    const other = tempProject('other');
    try {
      leaveTicket(root, 'toy:a', NOW, env);

      expect(hasTickets(other.root, env)).toBe(false);
      expect(takeTickets(other.root, NOW, env)).toEqual([]);
      expect(takeTickets(root, NOW, env)).toEqual(['toy:a']);
    } finally {
      other.remove();
    }
  });

  it('lies in the user’s state folder, readable by nobody else, and not in the project', () => {
    leaveTicket(root, 'toy:a', NOW, env);

    expect((fs.statSync(theOnlyTicket()).mode & 0o777).toString(8)).toBe('600');
    expect(fs.readdirSync(root)).toEqual(['.git']);
  });

  test.each([
    '',
    '{',
    '[]',
    '{"root":"/elsewhere","runs":["toy:a"],"expires":9e15}',
    '{"runs":["toy:a"]}',
    '{"root":"/elsewhere","waiting":[{"run":"toy:a","expires":9e15}]}',
    '{"waiting":[{"run":"toy:a","expires":9e15}]}',
  ])('that is broken or another’s counts as none: %j', (text) => {
    leaveTicket(root, 'toy:a', NOW, env);
    fs.writeFileSync(theOnlyTicket(), text);

    expect(takeTickets(root, NOW, env)).toEqual([]);
  });

  it('that is a FIFO or a link out of the folder is refused', () => {
    leaveTicket(root, 'toy:a', NOW, env);
    const ticket = theOnlyTicket();
    fs.renameSync(ticket, path.join(project.home, 'ticket'));
    fs.symlinkSync(path.join(project.home, 'ticket'), ticket);
    expect(() => takeTickets(root, NOW, env)).toThrow(Refused);

    fs.rmSync(ticket);
    execFileSync('mkfifo', [ticket]);
    expect(() => takeTickets(root, NOW, env)).toThrow(Refused);
  });
});

describe('the user’s state folder', () => {
  test.each([
    [{ HOME: '/home/u' }, '/home/u/.local/state/holdfast'],
    [{ HOME: '/home/u', XDG_STATE_HOME: '/state' }, '/state/holdfast'],
    [{ HOME: '/home/u', XDG_STATE_HOME: 'relative' }, '/home/u/.local/state/holdfast'],
    [{ HOME: '/home/u', XDG_STATE_HOME: '../up' }, '/home/u/.local/state/holdfast'],
    [{ HOME: '/home/u', XDG_STATE_HOME: '' }, '/home/u/.local/state/holdfast'],
  ])('for %j is %s', (variables, expected) => {
    expect(userStateFolder(variables)).toBe(expected);
  });

  it('may be a link, for it is the user’s own', () => {
    fs.mkdirSync(path.join(project.home, 'elsewhere'));
    fs.symlinkSync('elsewhere', path.join(project.home, '.local'));

    leaveTicket(root, 'toy:a', NOW, env);

    expect(takeTickets(root, NOW, env)).toEqual(['toy:a']);
  });
});
