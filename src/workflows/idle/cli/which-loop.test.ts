import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, projectIn, writeIn } from '../../../../test/support/bare-project.ts';
import type { Project } from '../../../engine/project.ts';
import { NO_GUARD_MEMORY, newSidecar, type Sidecar } from '../../../store/records.ts';
import { writeSidecar } from '../../../store/sidecars.ts';
import { FALLBACK_FILE, LOG_FILE } from '../files.ts';
import { isOutOfReach, isReleased, loopOf, loopToChange, refuseClosed, whoseIs } from './which-loop.ts';

let root: string;
let project: Project;
let terminal: Project;
beforeEach(() => {
  root = emptyFolder();
  terminal = projectIn(root);
  project = projectIn(root, { env: { CLAUDE_CODE_SESSION_ID: 'session-1' } });
});

const note = (over: Partial<Sidecar>): void => writeSidecar(root, { ...newSidecar('idle:r1'), ...over });
const TEXT = [
  { type: 'topic', id: 'T', name: 'loop:current' },
  { type: 'message', id: 'M', topic_id: 'T', body: '{"schema":1,"run_id":"r1"}' },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');
const linkToNowhere = (file: string): string => {
  const place = writeIn(project, file, '');
  fs.rmSync(place);
  fs.symlinkSync('nowhere', place);
  return place;
};

describe('the loop a command means', () => {
  it('is the project’s', () => {
    expect(loopOf(project).run).toBeNull();
    writeIn(project, LOG_FILE, TEXT);
    expect(loopOf(project).run).toBe('r1');
    expect(loopToChange(project)).toEqual(loopOf(project));
  });

  it('is found where a stop would not find it any more', () => {
    writeIn(project, LOG_FILE, TEXT);
    expect(isOutOfReach(project)).toBe(false);
    writeIn(project, LOG_FILE, `${TEXT}${' '.repeat(4 * 1024 * 1024)}\n`);
    expect(isOutOfReach(project)).toBe(true);
    expect(loopOf(project).run).toBe('r1');
  });
});

describe('before a command says that there is no loop', () => {
  it('nothing is refused where nothing is in the way', () => {
    expect(() => refuseClosed(project)).not.toThrow();
    writeIn(project, LOG_FILE, TEXT);
    expect(() => refuseClosed(project)).not.toThrow();
  });

  it.each([LOG_FILE, FALLBACK_FILE])('%s is refused where it cannot be read', (file) => {
    const place = linkToNowhere(file);
    expect(() => refuseClosed(project)).toThrow(
      expect.objectContaining({
        name: 'NotNow',
        message: `${place} is a link to nowhere; to fix it, run \`rm ${place}\``,
      }),
    );
  });

  it('a folder in the place of a file is refused', () => {
    fs.mkdirSync(path.join(root, LOG_FILE), { recursive: true });
    expect(() => refuseClosed(project)).toThrow('is a folder where a file belongs');
  });
});

describe('a loop', () => {
  it.each<[string, Partial<Sidecar> | null, string, string]>([
    ['without notes', null, "nobody's", "nobody's"],
    ['of no session', {}, "nobody's", "nobody's"],
    ['of no session, with what a start notes', { saved: { seen: null } }, "nobody's", 'ours'],
    ['of this session', { sessions: ['session-0', 'session-1'] }, 'ours', "another session's"],
    ['of another session', { sessions: ['session-2'], saved: {} }, "another session's", "another session's"],
  ])('%s is in a session and in a terminal', (_, notes, inSession, inTerminal) => {
    if (notes !== null) note(notes);
    expect([whoseIs(project, 'r1'), whoseIs(terminal, 'r1')]).toEqual([inSession, inTerminal]);
  });

  it('is let go where the guard let go of one of its sessions', () => {
    expect(isReleased(project, 'r1')).toBe(false);
    note({ guard: { a: NO_GUARD_MEMORY } });
    expect(isReleased(project, 'r1')).toBe(false);
    note({ guard: { a: NO_GUARD_MEMORY, b: { ...NO_GUARD_MEMORY, released: true } } });
    expect(isReleased(project, 'r1')).toBe(true);
    expect(isReleased(project, 'r2')).toBe(false);
  });
});
