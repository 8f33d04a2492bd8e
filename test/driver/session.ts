// Sessions as `holdfast run` starts them, without a client: the token is left, the session's start is fired with it.

import { bindToSession } from '../../src/engine/driver/bind.ts';
import { leaveDriverToken } from '../../src/engine/driver/token.ts';
import type { Project } from '../../src/engine/project.ts';
import { openProject } from '../../src/engine/stop/find-project.ts';
import { runtimeHere } from '../../src/hook/runtime.ts';
import { withLock } from '../../src/store/lock.ts';
import type { Fired } from '../support/hook.ts';
import { recordedPayload } from '../support/recorded.ts';
import type { ToyScene } from '../toy/scene.ts';

export const RUN = 'toy:a';

export function projectOf(scene: ToyScene): Promise<Project> {
  return openProject(scene.root, runtimeHere(scene.env));
}

/** The variables for a client that is about to be started. */
export async function leave(
  scene: ToyScene,
  {
    session = null,
    fresh = false,
    run = RUN,
    forks = false,
  }: { session?: string | null; fresh?: boolean; run?: string; forks?: boolean } = {},
): Promise<Record<string, string>> {
  const { token } = leaveDriverToken(await projectOf(scene), run, { session, fresh, forks });
  return { HOLDFAST_DRIVER: token };
}

/** As Codex fires it; `source` is what began the session. */
export function sessionStarts(
  scene: ToyScene,
  session: string,
  env: Record<string, string>,
  source = 'startup',
): Promise<Fired> {
  const recorded = recordedPayload('codex/session-start-startup.json');
  return scene.stop({
    args: ['session-start'],
    payload: { ...recorded, session_id: session, cwd: scene.root, source, prompt_id: undefined },
    env,
  });
}

/** What the driver does for a client whose session it can choose. */
export async function bindTo(scene: ToyScene, session: string): Promise<void> {
  const project = await projectOf(scene);
  await withLock(project.home, 15_000, () => bindToSession(project, RUN, session));
}
