// The command `holdfast` that `install` puts on the user's PATH: the built command line, the script it writes, and a
// real shell that calls it.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Machine, machine } from '../fixtures/install/machine.ts';
import { run } from '../support/hook.ts';

const LIMIT = { timeout: 600_000 };

let here: Machine;
afterEach(() => here.project.remove());

const usual = (): string => here.inHome('.local/bin/holdfast');
/** The machine's own PATH and these folders of HOME before it. */
const onPath = (...folders: string[]): string => [...folders.map(here.inHome), here.bin].join(':');

describe('install', () => {
  it('writes the command where the user has a folder on PATH, and it works', LIMIT, async () => {
    here = machine(['claude']);
    const PATH = onPath('.local/bin');
    const { stdout, exitCode } = await here.cli(['install'], { env: { PATH } });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`The command \`holdfast\` is ${usual()}.`);
    expect(stdout).not.toContain('export PATH');
    const called = await run(usual(), ['--version'], here.project.root, {
      env: { PATH: `${PATH}:/usr/bin:/bin`, HOME: here.project.home },
    });
    expect(called).toMatchObject({ exitCode: 0, stderr: '' });
    expect(called.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await here.cli(['install'], { env: { PATH } })).stdout).not.toContain('The command');
  });

  it('says the line to add where no folder of the user is on PATH', LIMIT, async () => {
    here = machine(['claude']);
    const { stdout } = await here.cli(['install']);
    expect(stdout).toContain('export PATH="$HOME/.local/bin:$PATH"');
    expect(fs.statSync(usual()).mode & 0o111).toBe(0o111);
  });

  it('takes another folder of the user on PATH, but none that npm or a client put there', LIMIT, async () => {
    here = machine(['claude']);
    const folders = ['x/node_modules/.bin', '.c/plugins/bin', 'tools'];
    for (const folder of folders) fs.mkdirSync(here.inHome(folder), { recursive: true });
    const pluginBin = path.join(here.marketplace, 'holdfast/bin');
    const PATH = `${pluginBin}:${onPath(...folders)}`;
    await here.cli(['install'], { env: { PATH } });
    expect(fs.existsSync(here.inHome('tools/holdfast'))).toBe(true);
    expect(fs.existsSync(usual())).toBe(false);
  });

  it('never replaces what is not its own', LIMIT, async () => {
    here = machine(['claude']);
    fs.mkdirSync(path.dirname(usual()), { recursive: true });
    fs.writeFileSync(usual(), '#!/bin/sh\necho mine\n', { mode: 0o755 });
    const PATH = onPath('.local/bin');
    const { stdout } = await here.cli(['install'], { env: { PATH } });
    expect(stdout).toContain(`${usual()} is there and is not Holdfast's, so it was left alone.`);
    await here.cli(['uninstall'], { env: { PATH } });
    expect(fs.readFileSync(usual(), 'utf8')).toBe('#!/bin/sh\necho mine\n');
  });

  it('needs none where npm has put the command on PATH', LIMIT, async () => {
    here = machine(['claude']);
    fs.symlinkSync(path.join(here.marketplace, 'holdfast/bin/holdfast'), path.join(here.bin, 'holdfast'));
    expect((await here.cli(['install'])).stdout).not.toContain('The command');
    expect(fs.existsSync(usual())).toBe(false);
  });

  it('follows a marketplace folder that was moved', LIMIT, async () => {
    here = machine(['claude']);
    await here.cli(['install']);
    const moved = `${here.marketplace}-moved`;
    fs.renameSync(here.marketplace, moved);
    await here.cli(['install'], { plugin: path.join(moved, 'holdfast') });
    expect(fs.readFileSync(usual(), 'utf8')).toContain(`command=${moved}/holdfast/bin/holdfast\n`);
  });

  it('shows it in a dry run and writes nothing', LIMIT, async () => {
    here = machine(['claude']);
    const { stdout } = await here.cli(['install', '--dry-run']);
    expect(stdout).toContain(`${usual()} would be the command \`holdfast\`.`);
    expect(fs.existsSync(here.inHome('.local'))).toBe(false);
  });
});

describe('the command', () => {
  it('finds the newest copy in a client when the folder it came from is gone', LIMIT, async () => {
    here = machine(['claude']);
    await here.cli(['install']);
    fs.renameSync(here.marketplace, `${here.marketplace}-gone`);
    for (const version of ['0.9.0', '0.10.0']) {
      const bin = here.inHome(`.anything/plugins/cache/holdfast/holdfast/${version}/bin`);
      fs.mkdirSync(bin, { recursive: true });
      fs.writeFileSync(path.join(bin, 'holdfast'), `#!/bin/sh\necho "${version}: $*"\n`, { mode: 0o755 });
    }
    const env = { PATH: '/usr/bin:/bin', HOME: here.project.home };
    const called = await run(usual(), ["it's", '$(fine)'], here.project.root, { env });
    expect(called).toMatchObject({ exitCode: 0, stdout: "0.10.0: it's $(fine)\n" });
    fs.rmSync(here.inHome('.anything'), { recursive: true });
    expect((await run(usual(), [], here.project.root, { env })).exitCode).toBe(127);
  });
});

describe('uninstall', () => {
  it('removes the command with the rest, and says so before and after', LIMIT, async () => {
    here = machine(['claude']);
    await here.cli(['install']);
    expect((await here.cli(['uninstall', '--dry-run'])).stdout).toContain(`${usual()} would be removed.`);
    expect(fs.existsSync(usual())).toBe(true);
    expect((await here.cli(['uninstall'])).stdout).toContain(`Removed ${usual()}.`);
    expect(fs.existsSync(path.dirname(usual()))).toBe(false);
  });

  it('keeps it while a client has the plugin', LIMIT, async () => {
    here = machine();
    await here.cli(['install']);
    await here.cli(['uninstall', '--client', 'claude']);
    expect(fs.existsSync(usual())).toBe(true);
  });
});

describe('doctor', () => {
  it('says whether the command on PATH is ours', LIMIT, async () => {
    here = machine(['claude']);
    const PATH = onPath('.local/bin');
    const said = async (env: Record<string, string> = {}) => (await here.cli(['doctor'], { env })).stdout;
    expect(await said()).toContain('note  the command `holdfast` is not on PATH');
    await here.cli(['install']);
    expect(await said()).toContain(`note  ${usual()} is there, but its folder is not on PATH`);
    expect(await said({ PATH })).toContain(`ok    the command \`holdfast\` on PATH is ours: ${usual()}`);
    fs.writeFileSync(usual(), '#!/bin/sh\necho mine\n');
    expect(await said({ PATH })).toContain('note  the command `holdfast` on PATH is another program');
  });
});
