// When the checks of a plan are noted, and what becomes of those of an earlier plan.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject } from '../../../../test/support/bare-project.ts';
import { callIn } from '../../../../test/support/call.ts';
import type { Project } from '../../../engine/project.ts';
import type { ProofAtStart, ProofFlags } from '../../../engine/proof/at-start.ts';
import { pinPlace } from '../../../engine/proof/pin-place.ts';
import { ensureHome, homeOf, sidecarPath } from '../../../store/home.ts';
import { newSidecar, type ProofNotes } from '../../../store/records.ts';
import { writeSidecar } from '../../../store/sidecars.ts';
import { printProof, proofOfPlan } from './proof.ts';

const NAME = 'taskie:my-plan';
const UNASKED: ProofFlags = { checks: [], off: false, until: null, acceptRed: [] };
const OFF: ProofFlags = { ...UNASKED, off: true };
const NOTES: ProofNotes = {
  ...{ asked: { checks: null, off: true }, definitions: '', content: null, pinned: false, refusals: 0 },
  ...{ cannotRunSaid: false, protectedSaid: false },
};

let project: Project;
let pin: string;
beforeEach(() => {
  const plain = bareProject();
  // So that there is always something to note.
  const protect = { ...plain.config.protect, paths: ['secret'] };
  project = { ...plain, config: { ...plain.config, protect } };
  pin = path.join(project.env.XDG_STATE_HOME ?? '', 'holdfast', pinPlace(project.root, NAME));
  ensureHome(project.root);
});
afterEach(() => vi.restoreAllMocks());

const pinIt = (): void => {
  fs.mkdirSync(path.dirname(pin), { recursive: true });
  fs.writeFileSync(pin, '{}');
};
const note = (): void => writeSidecar(project.root, { ...newSidecar(NAME), proof: NOTES });
const asked = async (flags: ProofFlags, isNew: boolean) =>
  (await proofOfPlan(project, NAME, flags, isNew))?.notes.asked ?? null;
const NOT_OFF = { checks: null, off: false };
const IS_OFF = { checks: null, off: true };

describe('the checks of a plan', () => {
  it('are noted when it is made, and when one without notes is continued', async () => {
    expect(await asked(UNASKED, true)).toEqual(NOT_OFF);
    expect(await asked(UNASKED, false)).toEqual(NOT_OFF);
    expect(await asked(OFF, true)).toEqual(IS_OFF);
  });

  it('are noted once, unless they are asked for again', async () => {
    note();
    expect(await asked(UNASKED, false)).toBeNull();
    expect(await asked(OFF, false)).toEqual(IS_OFF);
    expect(await asked(UNASKED, true)).toEqual(NOT_OFF);
  });

  it('are noted again where the notes cannot be read', async () => {
    note();
    fs.writeFileSync(sidecarPath(homeOf(project.root), NAME), '{');
    expect(await asked(UNASKED, false)).toEqual(NOT_OFF);
  });

  it('stay as they were pinned, and are told so where they are asked for', async () => {
    pinIt();
    expect(await asked(UNASKED, false)).toBeNull();
    await expect(proofOfPlan(project, NAME, OFF, false)).rejects.toThrow('come too late');
    expect(fs.existsSync(pin)).toBe(true);
  });

  it('of an earlier plan of that name are dropped', async () => {
    pinIt();
    expect(await asked(OFF, true)).toEqual(IS_OFF);
    expect(fs.existsSync(pin)).toBe(false);
  });

  it('of an earlier plan stay where they cannot be dropped', async () => {
    pinIt();
    const refuse = (): never => {
      throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
    };
    vi.spyOn(fs, 'unlinkSync').mockImplementation(refuse);
    vi.spyOn(fs, 'openSync').mockImplementation(refuse);
    expect(await asked(UNASKED, true)).toBeNull();
    expect(fs.existsSync(pin)).toBe(true);
  });
});

describe('what is printed of them', () => {
  const printed = (atStart: ProofAtStart | null): string[] => {
    const { call, printed: lines } = callIn(project.root);
    printProof(call, atStart, () => call.print('the command’s own'));
    return lines;
  };

  it('is one line before all else, and the others after what the command says', () => {
    expect(printed({ notes: NOTES, firstLine: 'first', lines: ['one', 'two'] })).toEqual([
      'first',
      'the command’s own',
      'one',
      'two',
    ]);
  });

  it('is nothing where there is nothing to say', () => {
    expect(printed({ notes: NOTES, firstLine: null, lines: [] })).toEqual(['the command’s own']);
    expect(printed(null)).toEqual(['the command’s own']);
  });
});
