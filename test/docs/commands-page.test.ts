// docs/commands.md names every command that `holdfast help --all` lists, and every skill that it names is one.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../support/hook.ts';

const root = path.resolve(import.meta.dirname, '../..');
const page = fs.readFileSync(path.join(root, 'docs/commands.md'), 'utf8');

it('has the commands that help lists', async () => {
  const { stdout } = await runCli(root, ['help', '--all']);
  const listed = Array.from(stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2}/gm), ([, name]) => name);
  const named = Array.from(page.matchAll(/`holdfast ([a-z ]+)`/g), ([, name]) => name);
  expect(listed.length).toBeGreaterThan(30);
  expect(named.toSorted()).toEqual(listed.toSorted());
});

it('names skills that are there', () => {
  const skills = Array.from(page.matchAll(/`[/$]([a-z]+):([a-z-]+)/g), ([, plugin, skill]) =>
    path.join('plugins', plugin ?? '', 'skills', skill ?? '', 'SKILL.md'),
  );
  expect(skills.length).toBeGreaterThan(10);
  expect(skills.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
});
