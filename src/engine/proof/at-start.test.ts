import { describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { newSidecar } from '../../store/records.ts';
import { readSidecar, writeSidecar } from '../../store/sidecars.ts';
import { changeUserRecord } from '../../store/user-state.ts';
import type { Project } from '../project.ts';
import { WrongUsage } from '../workflow-cli.ts';
import { NO_NOTES } from './asked.ts';
import {
  isProofAsked,
  PROOF_HELP,
  PROOF_OPTIONS,
  PROOF_USAGE,
  type ProofFlags,
  proofAtStart,
  proofFlags,
  UNTIL_OPTION,
  writeProofNotes,
} from './at-start.ts';

const NONE: ProofFlags = { checks: [], off: false, until: null };

describe('the flags', () => {
  it.each<[object, Partial<ProofFlags>]>([
    [{}, {}],
    [{ check: 'test' }, { checks: ['test'] }],
    [{ check: ['test', 'types'] }, { checks: ['test', 'types'] }],
    [{ check: [] }, {}],
    [{ 'no-check': true }, { off: true }],
    [{ 'no-check': true, check: [] }, { off: true }],
    [
      { 'no-check': false, check: ['test'], until: 'types' },
      { checks: ['test'], until: 'types' },
    ],
    [{ until: 'test' }, { until: 'test' }],
    [{ until: true, 'no-check': 'yes' }, {}],
  ])('are read: %j', (flags, expected) => {
    expect(proofFlags(flags as Parameters<typeof proofFlags>[0])).toEqual({ ...NONE, ...expected });
  });

  it.each([
    [{ check: ['test'], 'no-check': true }, '--check and --no-check exclude each other.'],
    [{ until: 'test', 'no-check': true }, '--until and --no-check exclude each other.'],
    [{ until: '', 'no-check': true }, '--until and --no-check exclude each other.'],
  ])('are refused that exclude each other: %j', (flags, message) => {
    expect(() => proofFlags(flags)).toThrow(new WrongUsage(message));
    expect(() => proofFlags(flags)).toThrow(WrongUsage);
  });

  it('ask for proof, each of them', () => {
    expect(isProofAsked(NONE)).toBe(false);
    expect(isProofAsked({ ...NONE, checks: ['test'] })).toBe(true);
    expect(isProofAsked({ ...NONE, off: true })).toBe(true);
    expect(isProofAsked({ ...NONE, until: 'test' })).toBe(true);
  });

  it('are known to a command line and in its help', () => {
    expect({ ...PROOF_OPTIONS, ...UNTIL_OPTION }).toEqual({
      check: { type: 'string', multiple: true },
      'no-check': { type: 'boolean' },
      until: { type: 'string' },
    });
    expect(PROOF_USAGE).toBe('[--check NAME]… [--no-check]');
    expect(PROOF_HELP).toBe(
      "--check NAME: a check of your own config must pass too, beside the project's. --no-check: none is run, and what had checks ends unproven.",
    );
  });
});

describe('a start', () => {
  /** What is noted; null: nothing. */
  const noted = async (project: Project, flags: Partial<ProofFlags> = {}) =>
    (await proofAtStart(project, { ...NONE, ...flags }, []))?.notes ?? null;
  const withConfig = (config: Partial<Project['config']>): Project => ({
    ...bareProject(7),
    config: { ...DEFAULT_CONFIG, ...config },
  });
  const empty = { ...NO_NOTES, startedAt: 7 };

  it('notes nothing where nobody asks for anything', async () => {
    expect(await noted(bareProject())).toBeNull();
    expect(await noted(withConfig({ project: { checks: {} } }))).toBeNull();
  });

  it('notes what is protected', async () => {
    const protect = { ...DEFAULT_CONFIG.protect, paths: ['tests/**'] };
    expect(await noted(withConfig({ protect }))).toEqual(empty);
  });

  it('notes that checks are switched off', async () => {
    const asked = { checks: null, off: true };
    expect(await noted(withConfig({}), { off: true })).toEqual({ ...empty, asked });
  });

  it.each([{ checks: ['gone'] }, { until: 'gone' }])('looks for a check that is named: %j', async (flags) => {
    await expect(noted(bareProject(), flags)).rejects.toThrow('gone');
  });

  it('looks at the checks of the project, also of one that is not valid any more', async () => {
    // A check that stands in the file alone is none that could be required.
    const project = withConfig({ project: { checks: { test: { run: 'npm test' } } } });
    const asked: string[] = [];
    const config = new Proxy(project.config, {
      get(target, name, self) {
        asked.push(String(name));
        return Reflect.get(target, name, self);
      },
    });
    await noted({ ...project, config });
    expect(asked).toContain('checks');
  });

  it('looks where the user trusts checks of any repository', async () => {
    const project = bareProject();
    const asked: string[] = [];
    const config = new Proxy(project.config, {
      get(target, name, self) {
        asked.push(String(name));
        return Reflect.get(target, name, self);
      },
    });
    await noted({ ...project, config });
    expect(asked).not.toContain('checks');
    changeUserRecord(
      project.env,
      'trust/x.json',
      (known): known is object => known !== undefined,
      () => ({}),
    );
    await noted({ ...project, config });
    expect(asked).toContain('checks');
  });

  it('has the files that are no content left out of what it notes', async () => {
    const project = bareProject();
    expect(await proofAtStart(project, { ...NONE, off: true }, ['x'])).toMatchObject({ firstLine: null });
  });

  it('writes its notes into the run’s sidecar and leaves the rest of it', () => {
    const project = bareProject();
    writeSidecar(project.root, { ...newSidecar('idle:a'), paused: 5 });
    writeProofNotes(project, 'idle:a', { ...NO_NOTES, refusals: 3 });
    expect(readSidecar(project.root, 'idle:a')).toEqual({
      ...newSidecar('idle:a'),
      paused: 5,
      proof: { ...NO_NOTES, refusals: 3 },
    });
  });
});
