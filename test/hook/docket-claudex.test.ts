// The docket of a claudex loop, through the real hook: from the findings files, with the answers in PLAN.md's changelog.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LoopProject, loopProject } from '../fixtures/claudex/loop.ts';
import { runCli } from '../support/hook.ts';

let project: LoopProject;
beforeEach(() => {
  project = loopProject();
});
afterEach(() => project.remove());

type Entry = Record<string, unknown> & { id: string };

const docket = (id: string): Entry[] =>
  JSON.parse(project.read(`.claude/claudex/${id}/docket.json`)).findings;
const found = (id: string, round: number, text: string) =>
  project.write(`.claude/claudex/${id}/findings-round-${round}.md`, `# Round ${round} findings\n\n${text}\n`);

async function inReview(): Promise<string> {
  const id = await project.plan('a cache');
  project.write('PLAN.md', '# Plan\n');
  await project.stop();
  return id;
}

describe('the docket of a loop', () => {
  it('goes through its rounds: answers by id, what is raised again, and the accounts at the end', async () => {
    const id = await inReview();
    found(id, 1, '## High\n- the lock of the cache is never released\n\n## Low\n- a name\n');
    // Before any stop took them up their ids are known already.
    const shown = await runCli(project.root, ['findings', '--json']);
    expect(JSON.parse(shown.stdout).runs[0].findings).toMatchObject([
      { id: 'F1' },
      { id: 'F2', status: 'open' },
    ]);
    project.write(
      'PLAN.md',
      '# Plan\n\n## Changelog\n\n- F2 fixed: renamed\n\n## Notes\n\nF1 fixed: elsewhere\n',
    );
    const second = (await project.stop()).answer?.reason ?? '';
    expect(second).toContain('- F1 high: the lock of the cache is never released');
    expect(second).not.toContain('F2');
    expect(second).toContain('`F1 fixed: <what you changed>` or `F1 rejected: <why>`');
    expect(docket(id)).toMatchObject([
      { id: 'F1', review: 'findings-round-1.md', round: 1, by: 'codex', status: 'open' },
      { id: 'F2', status: 'fixed', answer: 'renamed' },
    ]);

    project.write(
      'PLAN.md',
      '# Plan\n\n## Changelog\n- F2 fixed: renamed\n- F1 rejected: it is released on exit\n',
    );
    found(id, 2, '## High\n- the lock of the cache is still never released\n');
    const third = (await project.stop()).answer?.reason ?? '';
    expect(third).toContain('raised again; earlier F1');
    expect(docket(id)).toMatchObject([
      { status: 'rejected' },
      { status: 'fixed' },
      { id: 'F3', earlier: ['F1'] },
    ]);

    found(id, 3, 'No substantive findings.\n');
    const end = (await project.stop()).answer?.reason ?? '';
    expect(end).toContain('stopped at max rounds');
    expect(end).toContain('Findings: 3 found: 1 fixed, 1 rejected, 1 open (high).');
    expect(end).toContain('Contested, for you to judge');
    expect(end).toContain('- F3 high: the lock of the cache is still never released');
    const status = await runCli(project.root, ['status']);
    expect(status.stdout).toContain('3 found: 1 fixed, 1 rejected, 1 open');
  });

  it('lies with the loop’s other files where CLAUDEX_STATE_DIR has moved them', async () => {
    const moved = path.join(project.home, 'loops');
    const env = { CLAUDEX_STATE_DIR: moved };
    const started = await project.claudex(['plan', '--skip-interview'], { env, stdin: 'a cache' });
    expect(started).toMatchObject({ exitCode: 0 });
    project.write('PLAN.md', '# Plan\n');
    await project.stop({}, { env });
    const id =
      fs
        .readdirSync(moved)
        .find((name) => name.endsWith('.state'))
        ?.slice(0, -6) ?? '';
    fs.mkdirSync(path.join(moved, id), { recursive: true });
    fs.writeFileSync(path.join(moved, id, 'findings-round-1.md'), '## High\n- the lock\n');
    expect((await project.stop({}, { env })).answer?.reason).toContain('F1 high: the lock');
    expect(fs.existsSync(path.join(moved, id, 'docket.json'))).toBe(true);
    expect(project.exists('.claude/claudex')).toBe(false);
  });
});
