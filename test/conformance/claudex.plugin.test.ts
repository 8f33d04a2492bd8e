// The plugin that clients load: its skills, and the shim by which a skill finds the command in Codex.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

const plugins = path.resolve(import.meta.dirname, '../../plugins');
const skill = (name: string): string =>
  fs.readFileSync(path.join(plugins, 'claudex/skills', name, 'SKILL.md'), 'utf8');

let project: TempProject;
beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

describe('the skills', () => {
  it('are one for each command a user starts', () => {
    expect(fs.readdirSync(path.join(plugins, 'claudex/skills')).sort()).toEqual([
      'cancel',
      'doctor',
      'plan',
      'review',
      'rollback',
      'status',
    ]);
  });

  it.each(['plan', 'review', 'status', 'doctor', 'cancel', 'rollback'])(
    '%s names itself, its command, and where the command is in Codex',
    (name) => {
      const text = skill(name);
      expect(text).toMatch(new RegExp(`^---\nname: ${name}\ndescription: \\S.*\n`));
      expect(text).toContain(`holdfast claudex ${name}`);
      expect(text).toContain('`bin/holdfast` two folders above the folder of this file');
    },
  );

  it.each(['plan', 'review', 'status', 'doctor', 'cancel', 'rollback'])(
    "%s puts no words of the user's into a shell line",
    (name) => {
      const shellLines = skill(name)
        .split('\n')
        .filter((line) => /^ {4}|^```|`holdfast/.test(line));
      expect(shellLines.length).toBeGreaterThan(0);
      for (const line of shellLines) expect(line).not.toMatch(/\$ARGUMENTS|<topic>|"\$/);
    },
  );

  it('plan asks for a missing topic, offers the interview and passes the topic by a file', () => {
    const text = skill('plan');
    expect(text).toContain('If there is no topic, ask the user for one');
    expect(text).toContain('--skip-interview');
    expect(text).toContain('--interviewed');
    expect(text).toContain('< .holdfast/topic.txt');
    expect(text).toContain("what the user typed after the skill's name");
  });
});

describe('the text file that plan hands over', () => {
  it('is written to a file, read from there, and removed afterwards', () => {
    const text = skill('plan');
    expect(text).toContain('file-writing tool to `.holdfast/topic.txt`');
    expect(text).toContain('Then remove `.holdfast/topic.txt`');
  });
});

describe('the shim', () => {
  const shim = path.resolve(plugins, '../dist/claudex/bin/holdfast');

  /** A plugin folder with a command that says where it is and what it was given. */
  function install(folder: string): void {
    project.write(`${folder}/bin/holdfast`, `#!/bin/sh\necho ${folder} "$@"\n`);
    fs.chmodSync(path.join(project.root, folder, 'bin/holdfast'), 0o755);
  }

  function installShim(folder: string): string {
    fs.mkdirSync(path.join(project.root, folder, 'bin'), { recursive: true });
    const installed = path.join(project.root, folder, 'bin/holdfast');
    fs.copyFileSync(shim, installed);
    return installed;
  }

  it('finds the command beside it in a marketplace folder, and passes all words on', async () => {
    install('market place/holdfast');
    const ran = await run(installShim('market place/claudex'), ['claudex', 'a b', '$x'], project.root, {});
    expect(ran.stdout).toBe('market place/holdfast claudex a b $x\n');
  });

  it("finds the highest version in a client's cache where its own is not there", async () => {
    for (const version of ['0.8.0', '0.10.2', '0.10.10', '0.1.0']) install(`cache/holdfast/${version}`);
    const ran = await run(installShim('cache/claudex/0.9.0'), ['status'], project.root, {});
    expect(ran.stdout).toBe('cache/holdfast/0.10.10 status\n');
  });

  it('says what to install when there is none', async () => {
    const ran = await run(installShim('alone/claudex'), [], project.root, {});
    expect(ran.exitCode).toBe(127);
    expect(ran.stderr).toContain('install it from the same marketplace');
  });
});
