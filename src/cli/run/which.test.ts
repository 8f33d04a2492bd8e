import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newRecord } from '../../../test/driver/records.ts';
import { cleanEnvironment, runCli } from '../../../test/support/hook.ts';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { takeRun } from '../../driver/kept.ts';
import { type DriverRecord, type KnownRecord, recordName } from '../../driver/record.ts';
import { NotNow } from '../../engine/workflow-cli.ts';
import { chosen } from './which.ts';

let project: TempProject;
let env: Record<string, string>;

beforeEach(() => {
  project = tempProject();
  env = cleanEnvironment(project.root);
});
afterEach(() => project.remove());

/** A loop that goes on. */
async function loop(): Promise<string> {
  const { stdout, stderr } = await runCli(project.root, ['idle', 'loop', 'a task'], {
    env: { CLAUDE_CODE_SESSION_ID: 's1' },
  });
  const [run] = /idle:[\w-]+/.exec(stdout) ?? [];
  if (run === undefined) throw new Error(stderr);
  return run;
}

const known = (given: Partial<DriverRecord> & Pick<DriverRecord, 'run'>): KnownRecord => {
  const record = newRecord({ root: project.root, ...given });
  return { name: recordName(record), record };
};

describe('which one goes on', () => {
  it('is none where there is none, and where all are over', async () => {
    expect(await chosen([], undefined, env)).toBeNull();
    expect(await chosen([known({ run: 'idle:gone' })], undefined, env)).toBeNull();
  });

  it('is the only one that is not over', async () => {
    const open = known({ run: await loop() });
    const all = [known({ run: 'idle:gone' }), open, known({ run: null, root: '/nowhere/at/all' })];
    expect(await chosen(all, undefined, env)).toBe(open);
  });

  it('may be one whose agent has begun no run, or of a workflow that nobody knows', async () => {
    const begun = known({ run: null, id: 'i1' });
    expect(await chosen([begun], undefined, env)).toBe(begun);
    const newer = known({ run: 'other:a', workflow: 'other' });
    expect(await chosen([newer], undefined, env)).toBe(newer);
  });

  it('has to be named where several could', async () => {
    const run = await loop();
    const all = [known({ run }), known({ run: null, id: 'i1', asked: 'taskie Build it' })];
    await expect(chosen(all, undefined, env)).rejects.toThrow(
      new NotNow(
        `several could go on: ${run}, i1 (taskie Build it). Name one: holdfast run --continue <run>`,
      ),
    );
  });

  it('is one that nobody drives now, and else one that is driven, which then says so', async () => {
    const [first, second] = [known({ run: await loop() }), known({ run: null, id: 'i2' })];
    const held = takeRun(env, first.record);
    try {
      expect(await chosen([first, second], undefined, env)).toBe(second);
      expect(await chosen([first], undefined, env)).toBe(first);
    } finally {
      held.release();
    }
  });

  it('is the one that is named: in full, by its last part, or by its own id', async () => {
    const all = [
      known({ run: 'idle:a', id: 'i1' }),
      known({ run: 'idle:ab', id: 'i2' }),
      known({ run: null, id: 'i3' }),
    ];
    const named = async (name: string) => (await chosen(all, name, env))?.record.id ?? null;
    expect(await named('idle:a')).toBe('i1');
    expect(await named('a')).toBe('i1');
    expect(await named('ab')).toBe('i2');
    expect(await named('i2')).toBe('i2');
    expect(await named('i3')).toBe('i3');
    expect(await named('b')).toBeNull();
    expect(await named('idle')).toBeNull();
  });
});
