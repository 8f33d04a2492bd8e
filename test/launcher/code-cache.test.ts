// The byte code that real stops and commands of the product leave for the next ones; its rules are entry.test.ts's.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fireHook, inRealProcesses, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';

inRealProcesses();

let temp: TempProject;
let folder: string;
beforeEach(async () => {
  temp = tempProject('project', { emptyHome: true });
  folder = path.join(temp.home, '.local', 'state', 'holdfast', 'code');
  await runCli(temp.root, ['idle', 'loop', 'a task'], { env: { CLAUDE_CODE_SESSION_ID: 's' } });
});
afterEach(() => temp.remove());

const stop = (session = 's') =>
  fireHook(temp.root, { session_id: session, cwd: temp.root, last_assistant_message: 'not yet' });
const files = (ending = ''): string[] =>
  fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort();
const bundles = (ending = ''): (string | undefined)[] => files(ending).map((name) => name.split('-')[0]);
const times = (): number[] => files().map((name) => fs.statSync(path.join(folder, name)).mtimeMs);

it('the byte code of a stop is kept for the next one: by workflow, and more of it for one that is held', async () => {
  expect(fs.existsSync(folder)).toBe(false);
  await stop('another');
  expect(bundles('-idle')).toContain('hook.cjs');
  await stop();
  expect(bundles('-idle-held')).toEqual(['hook.cjs', 'workflows']);
  const written = times();
  expect((await stop()).answer?.decision).toBe('block');
  await stop('another');
  expect(times()).toEqual(written);
  fs.mkdirSync(path.join(temp.root, '.taskie', 'plans'), { recursive: true });
  expect((await stop()).answer?.decision).toBe('block');
  expect(bundles('-taskie-held')).toEqual(['hook.cjs', 'workflows']);
  expect((await runCli(temp.root, ['status'])).stdout).toContain('idle:');
  expect(bundles()).toContain('cli.cjs');
});

/** A bad disk, a restored home. V8 itself takes code with another byte in it, and ends with SIGSEGV. */
it.each<[string, (whole: Buffer) => Buffer]>([
  ['empty', () => Buffer.of()],
  ['of another length', (whole) => whole.subarray(1)],
  ['cut in half', (whole) => whole.subarray(0, whole.length / 2)],
  [
    'different in its middle',
    (whole) => Buffer.from(whole).fill(0xab, whole.length >> 2, (whole.length >> 2) + 9_000),
  ],
])(
  'byte code that is %s is set aside and made again, costs no answer, and doctor says it',
  async (_, spoil) => {
    await stop();
    const names = files();
    for (const name of names) {
      const file = path.join(folder, name);
      const spoilt = spoil(fs.readFileSync(file));
      // The file is shared among homes: byte-code.ts.
      fs.rmSync(file);
      fs.writeFileSync(file, spoilt, { mode: 0o600 });
    }
    expect(await stop()).toMatchObject({ exitCode: 0, stderr: '', answer: { decision: 'block' } });
    expect(bundles('-idle-held')).toEqual(['damaged', 'damaged', 'hook.cjs', 'workflows']);
    const written = times();
    expect((await stop()).answer?.decision).toBe('block');
    expect(times()).toEqual(written);
    const { stdout } = await runCli(temp.root, ['doctor']);
    expect(stdout).toMatch(/^note {2}.*byte code .*was damaged.*$/m);
  },
);

it('byte code is done without where it cannot be written', async () => {
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  fs.writeFileSync(folder, 'a file in the place of the folder');
  expect(await stop()).toMatchObject({ exitCode: 0, stderr: '', answer: { decision: 'block' } });
});
