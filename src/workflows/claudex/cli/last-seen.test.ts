import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ID, writeAt } from '../../../../test/fixtures/claudex/project.ts';
import { emptyFolder, NOW, projectIn } from '../../../../test/support/bare-project.ts';
import type { Project } from '../../../engine/project.ts';
import { journalPath, sessionPath, sidecarPath } from '../../../store/home.ts';
import { lastSeen } from './last-seen.ts';

const RUN = `claudex:${ID}`;

let project: Project;
beforeEach(() => {
  project = projectIn(emptyFolder());
});
const seen = (transcript: string | null = null): number => lastSeen(project, RUN, ['s1', 's2'], transcript);
const journal = (...lines: readonly object[]): void =>
  writeAt(journalPath(project.home), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

describe('when a session was last seen', () => {
  it('is never without a trace', () => {
    expect(seen()).toBe(0);
    expect(seen(path.join(project.root, 'nowhere'))).toBe(0);
  });

  it('is when the newest of its traces was written', () => {
    writeAt(sidecarPath(project.home, RUN), 'x', 1000);
    expect(seen()).toBe(1000);
    writeAt(sessionPath(project.home, 's2'), 'x', 3000);
    writeAt(sessionPath(project.home, 's1'), 'x', 2000);
    writeAt(sessionPath(project.home, 's3'), 'x', 9000);
    expect(seen()).toBe(3000);
    const transcript = path.join(project.root, 'transcript.jsonl');
    writeAt(transcript, 'x', 4000);
    expect([seen(), seen(transcript)]).toEqual([3000, 4000]);
  });

  it('does not fail by a journal that cannot be read', () => {
    fs.mkdirSync(journalPath(project.home), { recursive: true });
    writeAt(sidecarPath(project.home, RUN), 'x', NOW);
    expect(seen()).toBe(NOW);
  });

  it('is never by lines that are none of the journal’s', () => {
    journal({ session: 's1', time: 'today' }, { time: '2026-01-31T09:30:00Z' });
    expect(seen()).toBe(0);
  });
});
