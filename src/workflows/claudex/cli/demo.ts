// claudex for `holdfast demo`: a plan that is drafted, attacked in two rounds, revised and summed up.

import fs from 'node:fs';
import path from 'node:path';
import type { Demo, Stage } from '../../../engine/demo.ts';

// Stands in for Codex: reads the prompt it is given and writes the findings file the prompt names.
const CODEX = `#!/bin/sh
file=$(grep -o '[^\` ]*findings-round-[0-9]*[.]md' | tail -n 1)
mkdir -p "\${file%/*}"
case $file in
  *round-1.md) printf '# Round 1 findings\\n\\n## High\\n- No way back when the migration stops halfway (make each step repeatable)\\n\\n## Low\\n- Name the owner of the roll-out (add a line)\\n' >"$file" ;;
  *) printf '# Round 2 findings\\n\\nNo substantive findings.\\n' >"$file" ;;
esac
echo "wrote $file"
`;

const DRAFT =
  '# Plan: move the sessions to Redis\n\n1. Write to both stores.\n2. Migrate.\n3. Read from Redis.\n';
const REVISION = `${DRAFT}\nEach step can be repeated and undone.\n\n## Changelog\n- Round 1: every step made repeatable; the owner is named elsewhere.\n`;

export const demo: Demo = {
  about: 'another model attacks the plan in rounds, under changing personas, until nothing material is left',
  programs: { codex: CODEX },
  turns: [
    {
      does: 'is asked to plan how the sessions move to Redis, in at most three rounds of review',
      act: async (stage) => {
        await stage.cli(
          ['claudex', 'plan', '--rounds', '3', '--skip-interview'],
          'Move the sessions to Redis',
        );
      },
      says: 'I will draft the plan next.',
    },
    {
      does: 'drafts PLAN.md',
      act: (stage) => stage.write('PLAN.md', DRAFT),
      says: 'The draft is there.',
    },
    {
      does: 'runs the first round’s reviewer, reads the findings, revises the plan',
      act: async (stage) => {
        await stage.shell('sh .claude/claudex/*-runner.sh');
        stage.write('PLAN.md', REVISION);
      },
      says: 'I took over the finding about repeatable steps.',
    },
    {
      does: 'runs the second round, which finds nothing, and says so with `claudex done`',
      act: async (stage) => {
        await stage.shell('sh .claude/claudex/*-runner.sh');
        await stage.cli(['claudex', 'done', idOf(stage)]);
      },
      says: 'The reviewer has nothing material left.',
    },
    { does: 'passes the summary on to the user', act: () => {}, says: 'The plan stood two rounds.' },
  ],
};

function idOf({ root }: Stage): string {
  const names = fs.readdirSync(path.join(root, '.claude', 'claudex'));
  return path.basename(names.find((name) => name.endsWith('.state')) ?? '', '.state');
}
