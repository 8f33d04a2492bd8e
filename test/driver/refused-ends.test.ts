// Every command that ends a run, of each workflow: refused to the agent that is driven for it, by what its session's id
// says alone; a person's is put down in the driver's record.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRecord, recordName, saveRecord } from '../../src/driver/record.ts';
import { type Ran, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { newRecord } from './records.ts';

const SESSION = 'the-driven-one';

let project: TempProject;
beforeEach(() => {
  project = tempProject();
  project.write('PLAN.md', '# Plan\n');
  project.write(
    'holdfast.flows/mine.yaml',
    'flow: mine\nstart: work\nstates:\n  work:\n    say: Work.\n    leave: [ { when: { signal: a }, to: b } ]\n  b: { end: completed }\n',
  );
});
afterEach(() => project.remove());

const run = (args: readonly string[], session: string | null = null): Promise<Ran> =>
  runCli(project.root, args, { env: session === null ? {} : { CLAUDE_CODE_SESSION_ID: session } });
const env = () => ({ HOME: project.home });

/** A record of a driver whose client runs, as far as it says. */
async function driven(start: readonly string[]): Promise<ReturnType<typeof newRecord>> {
  if (start[0] === 'taskie') project.write('.taskie/plans/p/plan.md', '# Plan\n');
  const { stdout, stderr } = await run(start, SESSION);
  const [workflow = ''] = start;
  const { runs } = JSON.parse((await run(['status', '--json'])).stdout) as { runs: { run: string }[] };
  const name = runs.find((each) => each.run.startsWith(`${workflow}:`))?.run;
  if (name === undefined) throw new Error(`${stdout}${stderr}`);
  const record = newRecord({
    ...{ root: project.root, workflow, run: name, session: SESSION },
    client: { pid: 4_000_000, start: '1' },
  });
  saveRecord(env(), recordName(record), record);
  return record;
}

const RUNS: readonly [string, string[], string[][]][] = [
  [
    'idle',
    ['idle', 'loop', 'x'],
    [
      ['idle', 'cancel'],
      ['idle', 'cancel', '--top'],
    ],
  ],
  ['flow', ['flow', 'start', 'mine'], [['flow', 'cancel']]],
  [
    'taskie',
    ['taskie', 'record', 'new-plan', '--plan', 'p'],
    [
      ['taskie', 'cancel'],
      ['taskie', 'cancel', 'p'],
    ],
  ],
  [
    'claudex',
    ['claudex', 'plan', 'x'],
    [
      ['claudex', 'cancel'],
      ['claudex', 'rollback'],
    ],
  ],
];

describe.each(RUNS)('a run of %s that is driven', (_, start, own) => {
  it('is ended by a person alone', async () => {
    const record = await driven(start);
    const name = record.run ?? '';
    for (const args of [['cancel'], ['cancel', name], ...own]) {
      const refused = await run(args, SESSION);
      expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
      expect(refused.stderr).toContain(
        `${name} is driven by \`holdfast run\`, and this shell is its agent's`,
      );
    }
    const taken = await run(['adopt', name], 'another');
    expect(taken.exitCode).toBe(0);
    const [last = []] = own;
    expect(await run(last)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readRecord(env(), recordName(record))?.cancelled).toBeGreaterThan(0);
  });
});
