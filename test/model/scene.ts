// A stop in a real folder, for the few tests that compare the model with what is really read and written.

import fs from 'node:fs';
import path from 'node:path';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import type { RunContext } from '../../src/engine/context.ts';
import type { Project } from '../../src/engine/project.ts';
import type { Commit } from '../../src/engine/workflow.ts';
import { homeOf } from '../../src/store/home.ts';
import type { Json } from '../../src/store/json.ts';
import type { TempProject } from '../support/project.ts';

export const NOW = 1_800_000_000_000;

export function sceneIn({ root, home }: TempProject, run: string, saved?: Json): RunContext {
  const project: Project = {
    root,
    home: homeOf(root),
    env: { HOME: home },
    now: NOW,
    cli: 'holdfast',
    config: DEFAULT_CONFIG,
  };
  const stop: RunContext['stop'] = {
    client: 'claude-code',
    session: 'session',
    turn: null,
    cwd: root,
    transcriptPath: null,
    lastMessage: null,
    planMode: false,
    backgroundTasks: [],
  };
  return { project, run, stop, now: NOW, saved };
}

/** The writes of a commit, without the fsyncs that make them safe: how they are carried out is tested elsewhere. */
export function carryOutAll({ writes }: Commit): void {
  for (const write of writes) {
    if (write.kind === 'replace' || write.kind === 'append')
      fs.mkdirSync(path.dirname(write.path), { recursive: true });
    if (write.kind === 'replace') fs.writeFileSync(write.path, write.content);
    if (write.kind === 'append') fs.appendFileSync(write.path, `${write.line}\n`);
  }
}
