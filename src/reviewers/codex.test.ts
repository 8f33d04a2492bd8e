// The folder of a review, of which a sandboxed Codex may write nothing that is there; all else is in reviewers.test.ts.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { codex } from './codex.ts';

const plan = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-codex-'));
afterAll(() => fs.rmSync(plan, { recursive: true }));

const task = {
  model: 'gpt-5.2-codex',
  prompt: '-Read and review.',
  file: path.join(plan, 'plan-review-1.md'),
  folder: '/p/.holdfast/attempts/a1-2-c3',
};

it('sandboxed may read, and write beside what is in the folder of its review', () => {
  fs.writeFileSync(path.join(plan, 'plan.md'), '');
  fs.writeFileSync(path.join(plan, 'state.json'), '{}');
  const { args } = codex.call({ ...task, access: 'sandboxed' });
  expect(args).not.toContain('--dangerously-bypass-approvals-and-sandbox');
  const profile = 'holdfast-a1-2-c3';
  expect(args).toContain(`default_permissions="${profile}"`);
  expect(args).toContain(
    `permissions.${profile}={filesystem={":root"="read","${plan}"="write","${plan}/docket.json"="read","${plan}/state.json"="read","${plan}/plan.md"="read"},network={enabled=false}}`,
  );
});

it('sandboxed may write its own review, whatever is there, and is given no more names than an argument takes', () => {
  const folder = path.join(plan, 'many');
  fs.mkdirSync(folder);
  for (let at = 100; at < 450; at++) fs.writeFileSync(path.join(folder, `${'ü'.repeat(100)}${at}.md`), '');
  for (const name of ['state.json', 'plan-review-1.md']) fs.writeFileSync(path.join(folder, name), '');
  const file = path.join(folder, 'plan-review-1.md');
  const { args } = codex.call({ ...task, file, access: 'sandboxed' });
  const profile = args.find((each) => each.startsWith('permissions.')) ?? '';
  expect(profile).toContain(`"${folder}/state.json"="read"`);
  expect(profile).not.toContain('plan-review-1.md');
  expect(Buffer.byteLength(profile)).toBeGreaterThan(60 * 1024);
  expect(Buffer.byteLength(profile)).toBeLessThan(66 * 1024);
});

it('sandboxed is given 400 names at most, those that are no text first, each as TOML has it', () => {
  const folder = path.join(plan, 'short');
  fs.mkdirSync(folder);
  for (let at = 0; at < 400; at++) fs.writeFileSync(path.join(folder, `${at}.md`), '');
  fs.writeFileSync(path.join(folder, 'x"\u007f'), '');
  const file = path.join(folder, 'r.md');
  const { args } = codex.call({ ...task, file, access: 'sandboxed' });
  const profile = args.find((each) => each.startsWith('permissions.')) ?? '';
  const places = [...profile.matchAll(/"=?"read"/g)];
  expect(places).toHaveLength(1 + 400);
  expect(profile.match(/\.md"="read"/g)).toHaveLength(398);
  expect(profile).toContain(`"${folder}/x\\"\\u007f"="read"`);
});
