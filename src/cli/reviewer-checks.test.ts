import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { callIn } from '../../test/support/call.ts';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { loadConfig } from '../config/config.ts';
import { fair, good } from './finding.ts';
import { checkReviewers } from './reviewer-checks.ts';

let project: TempProject;
let env: Record<string, string>;

beforeEach(() => {
  project = tempProject();
  const bin = path.join(path.dirname(project.root), 'bin');
  fs.mkdirSync(bin);
  env = { HOME: project.home, PATH: bin };
});
afterEach(() => project.remove());

const program = (name: string, script: string): void =>
  fs.writeFileSync(path.join(env.PATH ?? '', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
const settings = (review: object): void => {
  project.write('../home/.config/holdfast/holdfast.config.json', JSON.stringify({ review }));
};
const checked = async () =>
  checkReviewers(callIn(project.root, { env }).call, await loadConfig(project.root, env));

const CLAUDE = 'npm install -g @anthropic-ai/claude-code';
const CODEX = 'npm install -g @openai/codex';

it('each program that the settings name is asked once', async () => {
  program('claude', 'echo "2.1.0 (Claude Code)"; echo more');
  program('codex', 'echo codex-cli 0.5');
  expect(await checked()).toEqual([
    good('the reviewer claude (review.models) answers: 2.1.0 (Claude Code)'),
    good('the reviewer codex (review.claudex) answers: codex-cli 0.5'),
  ]);
  settings({ models: ['codex/a', 'codex/b'] });
  expect(await checked()).toEqual([
    good('the reviewer codex (review.models, review.claudex) answers: codex-cli 0.5'),
  ]);
});

it('one that is missing cannot review, and how it is installed is said', async () => {
  expect(await checked()).toEqual([
    fair('the reviewer claude (review.models) is not on PATH: it cannot review', CLAUDE),
    fair('the reviewer codex (review.claudex) is not on PATH: it cannot review', CODEX),
  ]);
});

it('another stands in for Claude Code where the user chose nobody', async () => {
  program('qwen', 'echo 1');
  expect(await checked()).toEqual([
    fair('the reviewer claude (review.models) is not on PATH: qwen reviews in its place', CLAUDE),
    fair('the reviewer codex (review.claudex) is not on PATH: it cannot review', CODEX),
  ]);
  settings({ models: ['opus', 'codex/x'] });
  const [first] = await checked();
  expect(first).toEqual(fair('the reviewer claude (review.models) is not on PATH: it cannot review', CLAUDE));
});

it('one that fails says why', async () => {
  program('claude', 'exit 3');
  program('codex', 'echo 1');
  const [first] = await checked();
  expect(first?.what).toMatch(
    /^the reviewer claude \(review\.models\) is there, but `claude --version` failed: Command failed: claude --version$/,
  );
  expect(first).toMatchObject({ result: 'fair', fix: null });
});
