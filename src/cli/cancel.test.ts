import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callIn } from '../../test/support/call.ts';
import { cleanEnvironment, runCli } from '../../test/support/hook.ts';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { type Command, NotNow } from '../engine/workflow-cli.ts';
import { journalFromEnd } from '../store/journal.ts';
import { waitingRuns } from '../store/tickets.ts';
import { registry } from '../workflows/registry.ts';
import { adopt } from './adopt.ts';
import { cancel, cancelIn } from './cancel.ts';

let project: TempProject;

beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

async function typed(command: Command, words: readonly string[] = [], env = {}): Promise<string[]> {
  const all = { ...cleanEnvironment(project.root), ...env };
  const { call, printed } = callIn(project.root, { words, env: all });
  expect(await command.run(call)).toBe(0);
  return printed;
}

const ofWorkflow = (name: string): Command => {
  const entry = registry.find((each) => each.name === name);
  if (entry === undefined) throw new Error(name);
  return cancelIn(entry);
};

async function started(...args: string[]): Promise<string> {
  const { stdout, stderr } = await runCli(project.root, args, { env: { CLAUDE_CODE_SESSION_ID: args[0] } });
  const [run] = /(?:idle|flow):[\w-]+/.exec(stdout) ?? [];
  if (run === undefined) throw new Error(stderr);
  return run;
}

const loop = () => started('idle', 'loop', 'a task');
const flow = () => {
  project.write(
    'holdfast.flows/mine.yaml',
    'flow: mine\nstart: work\nstates:\n  work:\n    say: Work.\n    leave: [ { when: { signal: a }, to: b } ]\n  b: { end: completed }\n',
  );
  return started('flow', 'start', 'mine');
};
const cancels = (): unknown[] =>
  [...journalFromEnd(project.root)].filter(({ event }) => event === 'cancel').map(({ run }) => run);

describe('holdfast cancel', () => {
  it('is refused where there is nothing to cancel', async () => {
    await expect(typed(cancel)).rejects.toThrow(
      new NotNow('there are no runs here, so there is nothing to cancel.'),
    );
    const run = await loop();
    expect(await typed(cancel)).toHaveLength(1);
    await expect(typed(cancel)).rejects.toThrow(
      new NotNow('no run is live here, so there is nothing to cancel.'),
    );
    await expect(typed(ofWorkflow('idle'))).rejects.toThrow(
      new NotNow('no run of idle is live here, so there is nothing to cancel.'),
    );
    await expect(typed(cancel, ['nobody'])).rejects.toThrow(
      new NotNow('there is no run "nobody" in this project. `holdfast status` lists them.'),
    );
    expect(cancels()).toEqual([run.slice('idle:'.length)]);
  });

  it('ends the one that is meant, and lists them where several are live', async () => {
    const runs = [await loop(), await flow()];
    await expect(typed(cancel)).rejects.toThrow(NotNow);
    await expect(typed(cancel)).rejects.toThrow(
      new RegExp(
        `^several runs are live: (${runs.join(', ')}|${[...runs].reverse().join(', ')})\\. Name one\\.$`,
      ),
    );
    expect(cancels()).toEqual([]);
    await expect(typed(ofWorkflow('flow'), [runs[0] ?? ''])).rejects.toThrow(/^there is no run "idle:/);
    expect((await typed(ofWorkflow('idle')))[0]).toContain((runs[0] ?? '').slice('idle:'.length));
    expect(await typed(cancel, [(runs[1] ?? '').slice('flow:'.length)])).toHaveLength(1);
    expect(cancels()).toHaveLength(2);
    await expect(typed(cancel, [runs[1] ?? ''])).rejects.toThrow(
      new NotNow(`${runs[1]} has ended already, so there is nothing to cancel.`),
    );
    expect(cancels()).toHaveLength(2);
  });

  it('takes the run from the next session', async () => {
    const { stdout } = await runCli(project.root, ['idle', 'loop', 'a task']);
    expect(stdout).not.toBe('');
    const env = cleanEnvironment(project.root);
    expect(waitingRuns(project.root, Date.now(), env)).toHaveLength(1);
    await typed(cancel);
    expect(waitingRuns(project.root, Date.now(), env)).toEqual([]);
  });
});

describe('holdfast adopt', () => {
  it('is refused where there is no such run', async () => {
    await expect(typed(adopt, ['x'])).rejects.toThrow(
      new NotNow('there are no runs here, so there is nothing to adopt.'),
    );
    await loop();
    await expect(typed(adopt, ['x'])).rejects.toThrow(/^there is no run "x" in this project/);
  });

  it('says whose it is now and what comes next', async () => {
    const run = await loop();
    expect(await typed(adopt, [run], { CLAUDE_CODE_SESSION_ID: 's9' })).toEqual([
      `${run} now belongs to this session. It goes on at the next stop.`,
    ]);
    const [next = ''] = await typed(adopt, [run.slice('idle:'.length)]);
    expect(next).toMatch(
      new RegExp(`^${run} now belongs to the next session.*\\. It goes on at the next stop\\.$`),
    );
    await runCli(project.root, ['adopt', run], { env: { CLAUDE_CODE_SESSION_ID: 's9' } });
    await runCli(project.root, ['ask', 'Which one?'], { env: { CLAUDE_CODE_SESSION_ID: 's9' } });
    const [asks = ''] = await typed(adopt, [run], { CLAUDE_CODE_SESSION_ID: 's8' });
    expect(asks).toMatch(
      /\. The next stop shows the user its question, and it goes on when they have answered: Which one\?$/,
    );
    await runCli(project.root, ['cancel', run]);
    const [over = ''] = await typed(adopt, [run], { CLAUDE_CODE_SESSION_ID: 's7' });
    expect(over).toMatch(/\. It is .+, so no stop will be held by it\.$/);
  });
});
