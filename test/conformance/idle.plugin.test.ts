// The skills that start a loop: how they hand the user's words over without a shell ever reading them.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const skills = path.resolve(import.meta.dirname, '../../plugins/idle/skills');
const skill = (name: string): string => fs.readFileSync(path.join(skills, name, 'SKILL.md'), 'utf8');

describe.each([
  ['loop', 'task.txt'],
  ['issue', 'issue.txt'],
  ['grind', 'filter.txt'],
])('the skill %s', (name, file) => {
  it('writes the text to a file, reads it there, and removes it', () => {
    const text = skill(name);
    expect(text).toContain(`file-writing tool to \`.holdfast/${file}\``);
    expect(text).toContain(`/bin/holdfast" idle ${name} OPTIONS < .holdfast/${file}`);
    expect(text).toContain(`Then remove \`.holdfast/${file}\``);
  });
});

it('the skill grind hands each id over by a file too', () => {
  expect(skill('grind')).toContain('/bin/holdfast" idle issue < .holdfast/issue.txt`, and remove the file');
});
