// What a nested loop may ask of the checks of the run it is nested in.

import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject } from '../../../../test/support/bare-project.ts';
import { DEFAULT_CONFIG } from '../../../config/config.ts';
import type { Project } from '../../../engine/project.ts';
import type { ProofFlags } from '../../../engine/proof/at-start.ts';
import { makePin, readPin } from '../../../engine/proof/pin.ts';
import type { ProofNotes } from '../../../store/records.ts';
import { bind, readSidecar, writeSidecar } from '../../../store/sidecars.ts';
import { notesWhenNested } from './nested-proof.ts';

const NAME = 'idle:loop-1-1';
const NOTES: ProofNotes = {
  ...{ asked: { checks: null, off: false }, definitions: '', content: null, startedAt: 1, pinned: false },
  ...{ refusals: 0, cannotRunSaid: false, protectedSaid: false },
};
const NEW: ProofNotes = { ...NOTES, startedAt: 2 };

let project: Project;
beforeEach(() => {
  const plain = { run: 'true', timeout: 5, retries: 0, paths: null, cwd: null, from: 'user' as const };
  const checks = ['test', 'lint'].map((name) => ({ name, ...plain }));
  project = { ...bareProject(), config: { ...DEFAULT_CONFIG, checks } };
  bind(project.root, NAME, ['session-1']);
});

const note = (proof: ProofNotes): void =>
  writeSidecar(project.root, { ...readSidecar(project.root, NAME), proof });

const nested = (flags: Partial<ProofFlags>) =>
  notesWhenNested(
    project,
    NAME,
    { checks: [], off: false, acceptRed: [], until: null, ...flags },
    { notes: NEW, firstLine: null, lines: [] },
  );

describe('a loop that is nested in another', () => {
  it.each([{ checks: ['test'] }, { off: true }, { acceptRed: ['test'] }])(
    'may not change those of the whole run: %j',
    (flags) => {
      expect(() => nested({ ...flags, until: null })).toThrow('are for a whole run');
    },
  );

  it('brings its own notes where the run has none', () => {
    expect(nested({})).toBe(NEW);
    expect(nested({ until: 'test' })).toBe(NEW);
  });

  it('leaves the run’s notes as they are where it asks for nothing', () => {
    note(NOTES);
    expect(nested({})).toBeNull();
  });

  it('adds the check that it goes on until to what the run asked for, once', () => {
    note(NOTES);
    expect(nested({ until: 'test' })).toEqual({ ...NOTES, asked: { checks: ['test'], off: false } });
    const asked = { checks: ['lint', 'test'], off: false };
    note({ ...NOTES, asked });
    expect(nested({ until: 'test' })).toEqual({ ...NOTES, asked });
  });

  it('goes on until a check that was pinned, and no other', async () => {
    await makePin(project, NAME, { ...NOTES, asked: { checks: ['lint'], off: false } });
    expect(readPin(project, NAME)).not.toBeNull();
    expect([nested({}), nested({ until: 'lint' }), nested({ until: 'test' })]).toEqual([null, null, null]);
    expect(() => nested({ until: 'other' })).toThrow(
      `--until other: the checks of ${NAME} were pinned at its first stop, and this one is not among those that may run. End that run first: \`holdfast idle cancel\`.`,
    );
  });
});
