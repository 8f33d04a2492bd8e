import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, writeIn } from '../../test/support/bare-project.ts';
import { heldBy, putToy, reviewing, runtimeIn, SESSION } from '../../test/support/stop-here.ts';
import type { Runtime } from '../engine/context.ts';
import type { Project } from '../engine/project.ts';
import { type HookResult, SILENT } from './call.ts';
import { stopHook } from './stop.ts';

let project: Project;
beforeEach(() => {
  project = bareProject(Date.now());
});

const fire = (input: string | null, runtime: Partial<Runtime> = {}, limitS: number | null = 7200) =>
  stopHook({ input, named: 'claude-code', limitS, runtime: runtimeIn(project, runtime) });
const stop = (payload: object = {}, runtime: Partial<Runtime> = {}): Promise<HookResult> =>
  fire(JSON.stringify({ session_id: SESSION, cwd: project.root, prompt_id: 'p1', ...payload }), runtime);
const refused = (what: string): HookResult => ({
  ...{ stdout: '', stderr: `Holdfast: ${what} The stop is allowed.\n`, exitCode: 1 },
});

describe('the Stop hook', () => {
  it.each([
    [null, 'it is larger than any client sends.'],
    ['', 'it is empty. Clients send the stop as one JSON object.'],
    [' \n', 'it is empty. Clients send the stop as one JSON object.'],
    ['{"a":', 'a stop is one JSON object, as clients send it.'],
    ['[]', 'a stop is one JSON object, as clients send it.'],
  ])('says what is wrong with %j', async (input, what) => {
    expect(await fire(input)).toEqual(refused(`Invalid JSON on standard input: ${what}`));
  });

  it('takes no mark of a byte order for trouble', async () => {
    expect(await fire(`\uFEFF{"session_id":"s","cwd":${JSON.stringify(project.root)}}`)).toMatchObject({
      ...{ stdout: '', stderr: '', exitCode: 0, held: false },
    });
    // Anywhere else it is part of a text.
    expect(await stop({ cwd: '/gone\uFEFF' })).toEqual(
      refused("Cannot change to the stop's folder /gone\uFEFF: it is not there."),
    );
  });

  it.each([
    ['is not there', 'gone'],
    ['is a file', 'file'],
  ])('says that the stop’s folder %s', async (_, name) => {
    writeIn(project, 'file', '');
    const folder = path.join(project.root, name);
    expect(await stop({ cwd: folder })).toEqual(
      refused(`Cannot change to the stop's folder ${folder}: it is not there.`),
    );
  });

  it('goes by where it runs, where the stop names no folder', async () => {
    putToy(project, 'toy:a');
    expect(await stop({ cwd: undefined })).toMatchObject({ held: true });
  });

  it('holds in its client’s words', async () => {
    putToy(project, 'toy:a');
    const { stdout, ...rest } = await stop();
    expect(JSON.parse(stdout)).toMatchObject({
      decision: 'block',
      reason: heldBy('go-on {"left":9} a note'),
    });
    expect(rest).toEqual({ stderr: '', exitCode: 0, held: true });
  });

  it('allows in its client’s words, with its complaints beside them', async () => {
    putToy(project, 'toy:a', { phase: 'reviewing' });
    const { stdout, ...rest } = await stop({}, reviewing({ does: 'exit 3' }));
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: 'no-verdict {"file":".toy/review-1.md"} a note',
    });
    expect(rest).toEqual({
      stderr:
        'Holdfast: toy:a: the review into .toy/review-1.md ended without a verdict: it ended with exit code 3.\n',
      ...{ exitCode: 0, held: false },
    });
  });

  it('has somebody called about it afterwards, where there is news', async () => {
    putToy(project, 'toy:a');
    expect(await stop()).not.toHaveProperty('afterwards');
    const config = path.join(project.env.HOME ?? '', '.config/holdfast/holdfast.config.json');
    fs.mkdirSync(path.dirname(config), { recursive: true });
    fs.writeFileSync(config, JSON.stringify({ notify: [{ run: ['true'], on: ['done'] }] }));
    const finished = await stop({ last_assistant_message: 'FINISHED' });
    expect(finished).toMatchObject({ held: false, afterwards: expect.any(Function) });
  });

  it('passes on how long the client lets it run', async () => {
    putToy(project, 'toy:a', { phase: 'reviewing' });
    const payload = JSON.stringify({ session_id: SESSION, cwd: project.root, prompt_id: 'p1' });
    const { stdout } = await fire(payload, {}, 60);
    expect(JSON.parse(stdout).systemMessage).toContain('Claude Code ends this hook after 60 s.');
  });

  it('is silent where its client ends it', async () => {
    putToy(project, 'toy:a', { phase: 'reviewing' });
    const ended = { ...reviewing({ does: 'sleep 50' }), whenAskedToEnd: (end: () => void) => end() };
    expect(await stop({}, ended)).toEqual(SILENT);
  });

  it('allows with a line about any other trouble of ours', async () => {
    putToy(project, 'toy:a');
    const { stdout, ...rest } = await stop({}, { registry: null as never });
    expect(JSON.parse(stdout)).toEqual({
      systemMessage:
        "Holdfast: hit an error, so this stop was allowed: Cannot read properties of null (reading 'flatMap'). Run `holdfast doctor` to see what is wrong.",
    });
    expect(rest).toEqual({ stderr: '', exitCode: 0 });
  });
});
