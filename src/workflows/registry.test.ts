// All workflows as the rest of Holdfast knows them before one is loaded, and what is loaded by each name.

import { describe, expect, it } from 'vitest';
import { cli as claudexCli } from './claudex/cli/index.ts';
import { workflow as claudex } from './claudex/index.ts';
import { liveRuns as claudexShort } from './claudex/short.ts';
import { cli as flowCli } from './flow/cli/index.ts';
import { workflow as flow } from './flow/index.ts';
import { liveRuns as flowShort } from './flow/short.ts';
import { cli as idleCli } from './idle/cli/index.ts';
import { workflow as idle } from './idle/index.ts';
import { liveRuns as idleShort } from './idle/short.ts';
import { registry } from './registry.ts';
import { cli as taskieCli } from './taskie/cli/index.ts';
import { workflow as taskie } from './taskie/index.ts';
import { liveRuns as taskieShort } from './taskie/short.ts';

describe('the workflows', () => {
  it('are known in their order of precedence, by what begins them and the traces they leave', () => {
    expect(registry.map(({ load: _load, cli: _cli, short: _short, ...known }) => known)).toEqual([
      {
        name: 'claudex',
        description:
          'Drafts a plan and has another model attack it in rounds until it holds; also reviews a diff once.',
        begin: 'plan',
        traces: ['.claude/claudex'],
        movedBy: 'CLAUDEX_STATE_DIR',
      },
      {
        name: 'taskie',
        description:
          'Plan, tasks and code in stages, each reviewed by fresh reviewers until two reviews in a row are clean.',
        begin: 'new-plan',
        traces: ['.taskie/plans'],
      },
      {
        name: 'flow',
        description:
          "A team's own loop, written in twenty lines of YAML and proven to end before it runs; five are built in.",
        begin: 'start',
        traces: ['.holdfast/flow'],
      },
      {
        name: 'idle',
        description:
          'Loops inside loops that keep the agent at a task, an issue or all issues until a completion signal.',
        begin: 'loop',
        traces: ['.claude/idle-loop.local.md', '.jwz'],
      },
    ]);
  });

  it.each([
    ['claudex', claudex, claudexCli, claudexShort],
    ['taskie', taskie, taskieCli, taskieShort],
    ['flow', flow, flowCli, flowShort],
    ['idle', idle, idleCli, idleShort],
  ])('are loaded when they are needed: %s', async (name, workflow, cli, short) => {
    const entry = registry.find((each) => each.name === name);
    expect(await entry?.load()).toBe(workflow);
    expect(await entry?.cli()).toBe(cli);
    expect(await entry?.short?.()).toBe(short);
  });
});
