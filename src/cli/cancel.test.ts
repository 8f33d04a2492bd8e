import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callIn } from '../../test/support/call.ts';
import { startRun } from '../../test/support/cli-runs.ts';
import { cleanEnvironment } from '../../test/support/hook.ts';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { type Command, NotNow } from '../engine/workflow-cli.ts';
import { journalFromEnd } from '../store/journal.ts';
import { waitingRuns } from '../store/tickets.ts';
import { registry } from '../workflows/registry.ts';
import { adopt } from './adopt.ts';
import { ask } from './ask.ts';
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

const loop = () => startRun(project.root, ['idle', 'loop', 'a task'], 's1');
const flow = () => {
  project.write(
    'holdfast.flows/mine.yaml',
    'flow: mine\nstart: work\nstates:\n  work:\n    say: Work.\n    leave: [ { when: { signal: a }, to: b } ]\n  b: { end: completed }\n',
  );
  return startRun(project.root, ['flow', 'start', 'mine'], 's2');
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
      new NotNow('there is no run "nobody" in this project. `holdfast status --all` lists them.'),
    );
    expect(cancels()).toEqual([run.slice('idle:'.length)]);
  });

  it('without a name ends no other session’s run for an agent', async () => {
    const run = await flow();
    const another = { CLAUDE_CODE_SESSION_ID: 'another' };
    for (const command of [cancel, ofWorkflow('flow')])
      await expect(typed(command, [], another)).rejects.toThrow(
        new NotNow(`${run} is another session's. If the user wants it ended: \`holdfast cancel ${run}\``),
      );
    expect(await typed(cancel, [], { CLAUDE_CODE_SESSION_ID: 's2' })).toHaveLength(1);
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
    const others = await loop();
    expect(await typed(ofWorkflow('idle'), [others])).toHaveLength(1);
    expect(cancels()).toHaveLength(3);
    await expect(typed(cancel, [runs[1] ?? ''])).rejects.toThrow(
      new NotNow(`${runs[1]} has ended already, so there is nothing to cancel.`),
    );
    expect(cancels()).toHaveLength(3);
  });

  it('of one workflow says whose runs it means', () => {
    const { run: _, ...general } = cancel;
    const { run: __, ...ofIdle } = ofWorkflow('idle');
    expect(ofIdle).toEqual({
      ...general,
      help: 'Without a name it ends the one live run of idle; with several it lists them.',
    });
  });

  it('is refused for what is there and is not used, in that workflow alone', async () => {
    project.write('.taskie/plans/.not a plan/plan.md', '# Plan\n');
    const unused = /^taskie:.not a plan is there, but is not used: .+\. To use it, .+\.$/;
    for (const [command, name] of [
      [cancel, '.not a plan'],
      [cancel, 'taskie:.not a plan'],
      [ofWorkflow('taskie'), '.not a plan'],
      [ofWorkflow('taskie'), 'taskie:.not a plan'],
    ] as const)
      await expect(typed(command, [name])).rejects.toThrow(unused);
    await expect(typed(ofWorkflow('idle'), ['.not a plan'])).rejects.toThrow(
      new NotNow('there is no run ".not a plan" in this project. `holdfast status --all` lists them.'),
    );
  });

  it('takes the run from the next session', async () => {
    await startRun(project.root, ['idle', 'loop', 'a task'], null);
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
    await typed(adopt, [run], { CLAUDE_CODE_SESSION_ID: 's9' });
    await typed(ask, ['Which one?'], { CLAUDE_CODE_SESSION_ID: 's9' });
    const [asks = ''] = await typed(adopt, [run], { CLAUDE_CODE_SESSION_ID: 's8' });
    expect(asks).toMatch(
      /\. The next stop shows the user its question, and it goes on when they have answered: Which one\?$/,
    );
    await typed(cancel, [run]);
    const [over = ''] = await typed(adopt, [run], { CLAUDE_CODE_SESSION_ID: 's7' });
    expect(over).toMatch(/\. It is .+, so no stop will be held by it\.$/);
  });
});
