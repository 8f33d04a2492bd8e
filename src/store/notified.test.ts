// What a session was notified of, where the project cannot be written.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject } from '../../test/support/bare-project.ts';
import type { Project } from '../engine/project.ts';
import { isFirstNotice, NOTIFIED } from './notified.ts';
import { userStateFolder } from './user-state.ts';

let project: Project;
beforeEach(() => {
  project = bareProject();
});
const isFirst = (session = 's1', notice = 'full', root = project.root): boolean =>
  isFirstNotice(root, session, notice, project.env);

describe('a notice', () => {
  it('is the first once for each session, project and notice', () => {
    expect([isFirst(), isFirst()]).toEqual([true, false]);
    expect([isFirst('s2'), isFirst('s1', 'other'), isFirst('s1', 'full', '/elsewhere')]).toEqual([
      true,
      true,
      true,
    ]);
    expect([isFirst(), isFirst('s2'), isFirst('s1', 'other')]).toEqual([false, false, false]);
  });

  it('leaves an empty file that a later start knows by its name', () => {
    isFirst();
    const [name = '', ...more] = fs.readdirSync(userStateFolder(project.env));
    expect([name.startsWith(NOTIFIED), more]).toEqual([true, []]);
    expect(name).not.toContain('s1');
    expect(fs.statSync(path.join(userStateFolder(project.env), name)).size).toBe(0);
  });

  it('is the first every time where that cannot be remembered', () => {
    const folder = userStateFolder(project.env);
    fs.mkdirSync(path.dirname(folder), { recursive: true });
    fs.writeFileSync(folder, 'in the way');
    expect([isFirst(), isFirst()]).toEqual([true, true]);
  });
});
