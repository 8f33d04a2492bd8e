import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject } from '../../../test/support/bare-project.ts';
import { SESSION, stoppedIn } from '../../../test/support/stop-here.ts';
import { toy } from '../../../test/toy/workflow.ts';
import { DRIVER_VARIABLE } from '../../store/environment.ts';
import { newSidecar, type Sidecar } from '../../store/records.ts';
import { leaveDriverToken } from '../driver/token.ts';
import type { Project } from '../project.ts';
import { handOver, noteDriver } from './hand-over.ts';
import type { Turn } from './turn.ts';

let project: Project;
beforeEach(() => {
  project = bareProject();
});

describe('a session', () => {
  const one = { workflow: toy, run: 'a' };
  const other = { workflow: toy, run: 'b' };
  const handsOver = async (
    {
      run = 'toy:a',
      fresh = true,
      session = SESSION,
    }: { run?: string | null; fresh?: boolean; session?: string },
    runs = [one],
    given: string | null = null,
  ): Promise<true | undefined> => {
    const { token } = leaveDriverToken(project, run, { session, fresh });
    const env = { ...project.env, [DRIVER_VARIABLE]: given ?? token };
    const context = stoppedIn({ ...project, env });
    const noted = await noteDriver(context, runs);
    expect(noted).toEqual(noted.handsOver ? { ...context, handsOver: true } : context);
    return noted.handsOver;
  };

  it('that is to be fresh hands its holds over', async () => {
    expect(await handsOver({})).toBe(true);
    expect(await handsOver({ run: null })).toBe(true);
  });

  it('is held as usual where it is not to be fresh, or the token is not for it', async () => {
    expect(await handsOver({ fresh: false })).toBeUndefined();
    expect(await handsOver({ run: 'toy:b' })).toBeUndefined();
    expect(await handsOver({ session: 'another' })).toBeUndefined();
    expect(await handsOver({}, [one], '0'.repeat(32))).toBeUndefined();
  });

  it('is held as usual with no run, or with another one', async () => {
    expect(await handsOver({}, [])).toBeUndefined();
    expect(await handsOver({}, [one, other])).toBeUndefined();
    expect(await handsOver({ run: null }, [one, other])).toBeUndefined();
  });

  it('is held as usual where no driver started it', async () => {
    leaveDriverToken(project, 'toy:a', { session: SESSION, fresh: true });
    const context = stoppedIn(project);
    expect(await noteDriver(context, [one])).toBe(context);
  });
});

describe('a turn', () => {
  const turn = (kind: 'hold' | 'allow', handover?: Sidecar['handover']): Turn =>
    ({
      kind: 'answer',
      served: { answer: { kind, reason: 'Go on.', notice: null }, quiet: false },
      writes: { sidecar: { ...newSidecar('toy:a'), handover }, held: true },
      forgetSignals: false,
    }) as unknown as Turn;
  const context = (handsOver: boolean, session: string | null = SESSION) => ({
    ...stoppedIn(project, { session }),
    ...(handsOver ? { handsOver: true as const } : {}),
  });
  const OLD = { session: 'old', text: 'Old.' };

  it('that holds is handed over with its text', () => {
    expect(handOver(turn('hold', OLD), context(true))).toEqual({
      kind: 'answer',
      served: {
        ...{ answer: { kind: 'hold', reason: 'Go on.', notice: null }, quiet: false, handedOver: true },
      },
      writes: {
        sidecar: { ...newSidecar('toy:a'), handover: { session: SESSION, text: 'Go on.' } },
        held: true,
      },
      forgetSignals: false,
    });
  });

  it('that holds as usual forgets what was handed over before', () => {
    for (const at of [context(false), context(true, null)])
      expect(handOver(turn('hold', OLD), at)).toEqual(turn('hold', undefined));
    const plain = turn('hold');
    expect(handOver(plain, context(false))).toBe(plain);
  });

  it('that does not hold stays as it is', () => {
    const others: Turn[] = [turn('allow', OLD), { kind: 'not-ours' }];
    for (const other of others)
      for (const hands of [true, false]) expect(handOver(other, context(hands))).toBe(other);
  });
});
