// A loop for those who look from outside: whether it goes on, by its own clock, and in a few letters.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, NOW, projectIn, writeIn } from '../../../test/support/bare-project.ts';
import type { Project } from '../../engine/project.ts';
import { NO_WAITS, newSidecar } from '../../store/records.ts';
import { writeSidecar } from '../../store/sidecars.ts';
import { loopClock } from './clock.ts';
import { LOG_FILE } from './files.ts';
import { liveRuns } from './short.ts';
import { NAMELESS, newestRun, unfinishedRuns } from './unfinished-runs.ts';

let root: string;
let project: Project;
beforeEach(() => {
  root = emptyFolder();
  project = projectIn(root);
});
const frame = { mode: 'loop', iter: 2, max: 10 };
const put = (state: object): void => {
  const fresh = { schema: 1, run_id: 'r1', updated_at: '2026-01-31T09:30:00Z', stack: [{}, frame] };
  const lines = [
    { type: 'topic', id: 'T', name: 'loop:current' },
    { type: 'message', id: 'M', topic_id: 'T', body: JSON.stringify({ ...fresh, ...state }) },
  ];
  writeIn(project, LOG_FILE, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
};
const seen = () => [newestRun(project), unfinishedRuns(project), liveRuns(project)];
const GOES_ON = [
  'r1',
  [{ run: 'idle:r1', adopt: 'holdfast adopt idle:r1' }],
  [{ run: 'r1', stands: '2/10' }],
];

describe('the loop of a project, from outside', () => {
  it('is none where there is none', () => {
    expect(seen()).toEqual([null, [], []]);
  });

  it('goes on while it is active', () => {
    put({});
    expect(seen()).toEqual(GOES_ON);
  });

  it.each([[{ event: 'DONE' }], [{ stack: [] }], [{ updated_at: '2026-01-31T07:29:59Z' }]])(
    'is the newest although it does not go on: %j',
    (state) => {
      put(state);
      expect(seen()).toEqual(['r1', [], []]);
    },
  );

  it('has no name where its state cannot be read', () => {
    put({ event: 'NEW' });
    expect(seen()).toEqual([NAMELESS, [], []]);
    expect(NAMELESS).toBe('current');
  });

  it('has no name where its log is no file', () => {
    fs.mkdirSync(path.join(root, LOG_FILE), { recursive: true });
    expect([newestRun(project), unfinishedRuns(project)]).toEqual([NAMELESS, []]);
  });

  it('goes on by its own clock', () => {
    put({ updated_at: '2026-01-31T07:29:59Z' });
    writeSidecar(root, { ...newSidecar('idle:r1'), waits: { ...NO_WAITS, waited: 1000 } });
    expect(seen()).toEqual(GOES_ON);
  });
});

describe('the clock of a loop', () => {
  it('is what it waited behind, and else that of everybody', () => {
    writeSidecar(root, { ...newSidecar('idle:r1'), waits: { ...NO_WAITS, waited: 1000 } });
    expect([loopClock(project, 'r1'), loopClock(project, 'r2'), loopClock(project, null)]).toEqual([
      NOW - 1000,
      NOW,
      NOW,
    ]);
  });

  it('is that of everybody where the notes cannot be read', () => {
    writeSidecar(root, { ...newSidecar('idle:r1'), waits: { ...NO_WAITS, waited: 1000 } });
    const notes = path.join(root, '.holdfast/runs');
    for (const name of fs.readdirSync(notes)) fs.writeFileSync(path.join(notes, name), '{');
    expect(loopClock(project, 'r1')).toBe(NOW);
  });
});
