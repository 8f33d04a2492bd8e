import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fireHook, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

const SESSION = 'a-session';
const env = { CLAUDE_CODE_SESSION_ID: SESSION };

let temp: TempProject;
beforeEach(() => {
  temp = tempProject();
});
afterEach(() => temp.remove());

const stop = () =>
  fireHook(temp.root, { session_id: SESSION, cwd: temp.root, last_assistant_message: 'done' });

describe('cancel', () => {
  it('lets go of a plan that holds for its structure alone', async () => {
    temp.write('.taskie/plans/a-plan/plan.md', '# Plan\n');
    await runCli(temp.root, ['taskie', 'record', '--plan', 'a-plan', 'new-plan'], { env });
    const state = JSON.parse(temp.read('.taskie/plans/a-plan/state.json'));
    temp.write('.taskie/plans/a-plan/state.json', JSON.stringify({ ...state, next_phase: null }));
    temp.write('.taskie/plans/a-plan/stray.md', '');
    expect((await stop()).answer?.decision).toBe('block');

    const cancelled = await runCli(temp.root, ['cancel'], { env });

    expect(cancelled).toMatchObject({ exitCode: 0, stderr: '' });
    expect((await stop()).answer?.decision).toBeUndefined();
  });

  it('leaves a run that belongs to no session', async () => {
    temp.write('.taskie/plans/a-plan/stray.md', '');
    await runCli(temp.root, ['adopt', 'taskie:a-plan'], { env });
    const notes = () => JSON.parse(temp.read('.holdfast/runs/taskie-a-plan.json'));
    expect(notes().sessions).toEqual([SESSION]);

    await runCli(temp.root, ['cancel', 'taskie:a-plan'], { env });

    expect(notes()).toMatchObject({ sessions: [], guard: {} });
  });

  it('lets go of a plan without a state', async () => {
    temp.write('.taskie/plans/a-plan/stray.md', '');
    await runCli(temp.root, ['adopt', 'taskie:a-plan'], { env });
    expect((await stop()).answer?.decision).toBe('block');

    const cancelled = await runCli(temp.root, ['cancel', 'taskie:a-plan'], { env });

    expect(cancelled.exitCode).toBe(0);
    expect((await stop()).answer?.decision).toBeUndefined();
  });

  it('is also there as taskie cancel, and knows plans only', async () => {
    temp.write('.taskie/plans/a-plan/plan.md', '# Plan\n');
    await runCli(temp.root, ['taskie', 'record', '--plan', 'a-plan', 'new-plan'], { env });
    await runCli(temp.root, ['idle', 'loop', 'a task'], { env });

    const cancelled = await runCli(temp.root, ['taskie', 'cancel'], { env });

    expect(cancelled).toMatchObject({ exitCode: 0, stderr: '' });
    expect(cancelled.stdout).toContain("Plan 'a-plan': next_phase is null now");
    expect((await stop()).answer?.reason).toContain('a task');
  });
});
