// Being called: by the real hook, through a process that outlives it, into a program or a webhook of the test's own.

import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ViewScene, viewScene } from './scene.ts';

/** A program that keeps what it is sent, one line each. */
function recorder(scene: ViewScene, more = ''): { run: string[]; said(): Record<string, string>[] } {
  const file = path.join(scene.home, 'said.jsonl');
  const program = path.join(scene.home, 'record.sh');
  fs.writeFileSync(program, `#!/bin/sh\n${more}\ncat >> "$1"\n`, { mode: 0o755 });
  const said = () =>
    fs.existsSync(file)
      ? fs
          .readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line))
      : [];
  return { run: [program, file], said };
}

async function until<T>(look: () => T, isThere: (found: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 200; tries++) {
    const found = look();
    if (isThere(found)) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return look();
}

const journal = (scene: ViewScene): { event: string }[] =>
  scene
    .read('.holdfast/journal.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('somebody is called', () => {
  it('about a question and about the end, once each, and about no hold', async () => {
    const scene = viewScene();
    const { run, said } = recorder(scene);
    scene.userConfig({ notify: [{ run }] });
    await scene.done(['idle', 'loop', 'a task']);
    await scene.stop();
    await scene.done(['ask', 'Which database?']);
    await scene.stop('I asked.', { prompt_id: 'p1' });
    await scene.stop('I wait.', { prompt_id: 'p1' });
    const [question] = await until(said, (list) => list.length > 0);
    expect(question).toMatchObject({ event: 'needs-you', project: 'project' });
    expect(question?.text).toContain('asks: Which database?');
    await scene.stop('<loop-done>COMPLETE</loop-done>', { prompt_id: 'p2' });
    const all = await until(said, (list) => list.length > 1);
    expect(all.map(({ event }) => event)).toEqual(['needs-you', 'done']);
  });

  it('only about what was asked for', async () => {
    const scene = viewScene();
    const { run, said } = recorder(scene);
    scene.userConfig({ notify: [{ run, on: ['done'] }] });
    await scene.done(['idle', 'loop', 'a task']);
    await scene.done(['ask', 'Which?']);
    await scene.stop('I asked.', { prompt_id: 'p1' });
    await scene.stop('<loop-done>COMPLETE</loop-done>', { prompt_id: 'p2' });
    const all = await until(said, (list) => list.length > 0);
    expect(all.map(({ event }) => event)).toEqual(['done']);
  });

  it('in words that Slack, Discord and ntfy show, by a webhook', async () => {
    const scene = viewScene();
    const bodies: string[] = [];
    const server = http.createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        bodies.push(body);
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    try {
      scene.userConfig({ notify: [{ webhook: `http://127.0.0.1:${port}/hook` }] });
      await scene.done(['idle', 'loop', 'a task']);
      await scene.stop('<loop-done>COMPLETE</loop-done>');
      await until(
        () => bodies,
        (list) => list.length > 0,
      );
      const sent = JSON.parse(bodies[0] ?? '{}');
      expect(sent).toMatchObject({ event: 'done', project: 'project' });
      expect(new Set([sent.text, sent.content, sent.message]).size).toBe(1);
    } finally {
      server.close();
    }
  });

  it('without the hook waiting for it, and what fails is in the journal alone', async () => {
    const scene = viewScene();
    const slow = recorder(scene, 'sleep 60');
    scene.userConfig({ notify: [{ run: slow.run }, { run: ['/nowhere/to/be-found'] }] });
    await scene.done(['idle', 'loop', 'a task']);
    const stopped = await scene.stop('<loop-done>COMPLETE</loop-done>');
    expect(stopped).toMatchObject({ exitCode: 0, stderr: '' });
    // The hook has ended, and the slow program has not.
    expect(slow.said()).toEqual([]);
    const failed = await until(
      () => journal(scene).filter(({ event }) => event === 'notify'),
      (list) => list.length > 1,
    );
    expect(failed).toMatchObject([
      { what: 'failed', on: 'done', why: expect.stringContaining('ENOENT') },
      { what: 'failed', on: 'done', why: 'it took longer than 5 s' },
    ]);
    expect((await scene.done(['log'])).stdout).toContain('nobody was called by');
  });

  it('never by what a repository says', async () => {
    const scene = viewScene();
    const { run, said } = recorder(scene);
    scene.write('holdfast.config.json', JSON.stringify({ notify: [{ run }] }));
    const started = await scene.cli(['idle', 'loop', 'a task']);
    expect(started.stderr).toContain('notify: only your own file may set this; it is ignored');
    await scene.stop('<loop-done>COMPLETE</loop-done>');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(said()).toEqual([]);
  });
});

/** Outside of any client's shell. */
const asPerson = { env: { CLAUDE_CODE_SESSION_ID: undefined } };

describe('holdfast notify --test', () => {
  it('says for each way whether it reached somebody', async () => {
    const scene = viewScene();
    const { run, said } = recorder(scene);
    scene.userConfig({ notify: [{ run, on: ['done'] }, { run: ['/nowhere/to/be-found'] }] });
    const { exitCode, stdout } = await scene.cli(['notify', '--test'], asPerson);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('record.sh: sent (on done)');
    expect(stdout).toContain('be-found: not sent: ');
    expect(said()).toMatchObject([{ event: 'test' }]);
  });

  it('says how to set it where nobody is to be called, and refuses bad settings in one line', async () => {
    const scene = viewScene();
    const none = await scene.cli(['notify', '--test'], asPerson);
    expect(none).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('{ "notify": [{ "desktop": true }] }'),
    });
    scene.userConfig({ notify: [{ webhook: 'file:///etc/passwd' }] });
    const bad = await scene.cli(['notify', '--test'], asPerson);
    expect(bad).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('notify: expected a list of') });
    expect(await scene.cli(['notify'], asPerson)).toMatchObject({ exitCode: 2 });
    expect(await scene.cli(['notify', '--send'], { ...asPerson, stdin: 'no json' })).toMatchObject({
      exitCode: 2,
    });
  });
});
