// The skills that clients load.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const plugins = path.resolve(import.meta.dirname, '../../plugins');
const skill = (name: string): string =>
  fs.readFileSync(path.join(plugins, 'claudex/skills', name, 'SKILL.md'), 'utf8');

describe('the skills', () => {
  it.each(['plan', 'review', 'status', 'doctor', 'cancel', 'rollback'])('%s runs its command', (name) => {
    expect(skill(name)).toContain(`/bin/holdfast" claudex ${name}`);
  });

  it('plan asks for a missing topic, offers the interview and passes the topic by a file', () => {
    const text = skill('plan');
    expect(text).toContain('If there is no topic, ask the user for one');
    expect(text).toContain('--interviewed');
    expect(text).toContain('file-writing tool to `.holdfast/topic.txt`');
    expect(text).toContain('< .holdfast/topic.txt');
    expect(text).toContain('Then remove `.holdfast/topic.txt`');
  });
});
