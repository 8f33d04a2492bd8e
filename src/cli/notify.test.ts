import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callIn } from '../../test/support/call.ts';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { type Call, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { journalFromEnd } from '../store/journal.ts';
import { notify } from './notify.ts';

let project: TempProject;

beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

const at = (name: string): string => path.join(path.dirname(project.root), name);
const settings = (list: unknown): void => {
  project.write('../home/.config/holdfast/holdfast.config.json', JSON.stringify({ notify: list }));
};
/** Keeps what it is sent in a file of its name. */
function recorder(name: string): string {
  fs.writeFileSync(at(name), `#!/bin/sh\ncat >> '${at(name)}.said'\n`, { mode: 0o755 });
  return at(name);
}
const said = (name: string): Record<string, unknown>[] =>
  fs.existsSync(at(`${name}.said`))
    ? fs
        .readFileSync(at(`${name}.said`), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];

async function called(flags: Call['flags'], stdin = '', now = 0) {
  const { call, printed } = callIn(project.root, { flags, now, stdin: () => stdin });
  return { code: await notify.run(call), printed };
}

describe('notify --test', () => {
  it('calls in each way, and says what came of it', async () => {
    settings([{ run: [recorder('one')] }, { run: [recorder('two')], on: ['done', 'limit'] }]);
    expect(await called({ test: true }, '', Date.UTC(2026, 0, 2))).toEqual({
      code: 0,
      printed: [
        `${at('one')}: sent (on needs-you, let-go, done, limit)`,
        `${at('two')}: sent (on done, limit)`,
      ],
    });
    const sent = {
      ...{ event: 'test', project: 'project', run: 'test', text: 'a test: you are called like this' },
      ...{ why: 'a test: you are called like this.', time: '2026-01-02T00:00:00.000Z' },
    };
    expect(said('one')).toEqual([sent]);
    expect(said('two')).toEqual([sent]);
  });

  it('ends with 1 where one of them failed', async () => {
    settings([{ run: ['/nowhere/x'] }, { run: [recorder('one')] }]);
    expect(await called({ test: true })).toEqual({
      code: 1,
      printed: [
        '/nowhere/x: not sent: spawn /nowhere/x ENOENT (on needs-you, let-go, done, limit)',
        `${at('one')}: sent (on needs-you, let-go, done, limit)`,
      ],
    });
  });

  it('is refused where nobody is to be called, and where the setting is wrong', async () => {
    await expect(called({ test: true })).rejects.toThrow(
      new NotNow(
        `nobody is to be called. Put { "notify": [{ "desktop": true }] } into ${path.join(project.home, '.config/holdfast/holdfast.config.json')}, then try again.`,
      ),
    );
    settings([{ webhook: 'file:///etc/passwd' }]);
    await expect(called({ test: true })).rejects.toThrow(NotNow);
    await expect(called({ test: true })).rejects.toThrow(/notify: expected a list of/);
    await expect(async () => called({})).rejects.toThrow(
      new WrongUsage('notify: `holdfast notify --test` calls you once in each way that your settings name.'),
    );
  });
});

describe('notify --send', () => {
  const news = (event: string, text: string) => ({
    ...{ event, project: 'project', run: 'flow:a:b', text, why: 'why', time: '2026-01-02T00:00:00.000Z' },
  });
  const sending = (...calls: object[]): string => JSON.stringify({ root: project.root, calls });

  it('calls each who wants to hear of it, and says nothing', async () => {
    settings([{ run: [recorder('all')] }, { run: [recorder('done')], on: ['done'] }]);
    const sent = sending(news('done', 'one'), news('let-go', 'two'));
    expect(await called({ send: true }, sent)).toEqual({ code: 0, printed: [] });
    expect(
      said('all')
        .map(({ text }) => text)
        .sort(),
    ).toEqual(['one', 'two']);
    expect(said('done')).toEqual([news('done', 'one')]);
    expect(project.exists('.holdfast')).toBe(false);
  });

  it('has what failed in the journal alone', async () => {
    settings([{ run: ['/nowhere/x'], on: ['limit'] }]);
    expect(await called({ send: true }, sending(news('limit', 'one'), news('done', 'two')))).toEqual({
      ...{ code: 0, printed: [] },
    });
    expect([...journalFromEnd(project.root)]).toEqual([
      {
        ...{ schema: 2, time: expect.any(String), session: null, event: 'notify', workflow: 'flow' },
        ...{ run: 'a:b', what: 'failed', on: 'limit', by: '/nowhere/x', why: 'spawn /nowhere/x ENOENT' },
      },
    ]);
  });

  it('leaves a project gone that was removed meanwhile', async () => {
    settings([{ run: ['/nowhere/x'] }, { run: [recorder('one')] }]);
    const sent = sending(news('done', 'text'));
    fs.rmSync(project.root, { recursive: true });

    expect(await called({ send: true }, sent)).toEqual({ code: 0, printed: [] });

    expect(fs.existsSync(project.root)).toBe(false);
    expect(said('one')).toEqual([news('done', 'text')]);
  });

  it('goes on with the other calls where the journal cannot be written', async () => {
    settings([{ run: ['/nowhere/x'] }, { run: [recorder('one')] }]);
    project.write('.holdfast', 'a file where a folder belongs');

    expect(await called({ send: true }, sending(news('done', 'text')))).toEqual({ code: 0, printed: [] });

    expect(said('one')).toEqual([news('done', 'text')]);
  });

  it.each(['', 'no json', '{}', '{"root":"/p"}', '{"root":"/p","calls":[{}]}'])(
    'is for the hook alone: %j',
    async (stdin) => {
      await expect(called({ send: true }, stdin)).rejects.toThrow(
        new WrongUsage('notify: --send is for the hook; to try it, `holdfast notify --test`.'),
      );
    },
  );

  it('takes no news but those that a setting can name', async () => {
    await expect(called({ send: true }, sending(news('test', 'x')))).rejects.toThrow(WrongUsage);
  });
});
