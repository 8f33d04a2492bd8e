// The words of waiting's scenarios: what an agent waits for, and how a run that waits stands.

import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Stage } from './clients/stage.ts';
import { opening, runCli } from './scenario.ts';
import { type Reply, run, say } from './servers/script.ts';

const ERRAND = 'Count the files of this project.';
export const FOUND = 'There are 7 files.';

/** Sends a subagent off, and does not wait for it. */
export const sendSubagent: Reply = {
  say: 'I let somebody else count.',
  call: {
    tool: 'Agent',
    input: {
      description: 'count files',
      prompt: ERRAND,
      subagent_type: 'general-purpose',
      run_in_background: true,
    },
  },
};

/** Without lines of its own it is busy until `finish` is called. */
export function subagent(stage: Stage, ...lines: Reply[]): void {
  const counts = lines.length > 0 ? lines : [run(BUSY), say(FOUND)];
  stage.part({ name: 'subagent', hears: opening(ERRAND), lines: counts });
}

/** Ends by itself once there is a file, so that a scenario says when. */
export const BUSY = 'until [ -e finished ]; do sleep 0.1; done';

export const finish = (stage: Stage): string => stage.write('finished', '');

export const inBackground = (command: string): Reply => ({ ...run(command), background: true });

/** A timer that fires once, at this time of the stage's clock. */
export function setTimer(at: number): Reply {
  const when = new Date(at);
  const cron = `${when.getUTCMinutes()} ${when.getUTCHours()} ${when.getUTCDate()} ${when.getUTCMonth() + 1} *`;
  const input = { cron, prompt: REMINDER, recurring: false };
  return { say: 'I look again later.', call: { tool: 'CronCreate', input } };
}

export const REMINDER = 'Look whether the build is there.';

export const QUESTION = 'Which database shall it be?';
export const ANSWER = 'Take the small one.';

export const ask = (cli: string, question = QUESTION): Reply => run(`${cli} ask '${question}'`);

export type ShownWait = { for: string; since: number; until: number | null; what: string };

/** What `holdfast status` says that the only run here waits for. */
export function waitingFor(stage: Stage): ShownWait | null {
  const { runs }: { runs: { live: boolean; waiting: ShownWait | null }[] } = JSON.parse(
    runCli(stage, 'status', '--json'),
  );
  expect(runs).toMatchObject([{ live: true }]);
  return runs[0]?.waiting ?? null;
}

/** The user's own settings. */
export function setUserConfig(stage: Stage, config: object): void {
  const folder = path.join(stage.home, '.config', 'holdfast');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'holdfast.config.json'), JSON.stringify(config));
}
