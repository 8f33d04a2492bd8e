// The commands of idle as `--help` shows them, and what a start says where jwz's lock cannot be had.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { bareProject, projectIn, writeIn } from '../../../../test/support/bare-project.ts';
import { called } from '../../../../test/support/call.ts';
import { programs } from '../../../../test/support/programs.ts';
import type { Project } from '../../../engine/project.ts';
import { FALLBACK_FILE, LOG_FILE, TOPIC } from '../files.ts';
import { nextBody } from '../state-format.ts';
import { post } from '../topic-log.ts';
import { cli } from './index.ts';
import { loop } from './loop.ts';

describe('a loop that is started where jwz is used', () => {
  it.each([true, false])('is told of its lock, flock being on PATH: %s', async (isThere) => {
    const made = programs({ flock: {} });
    const PATH = isThere ? process.env.PATH : path.join(made.folder, 'nowhere');
    const project = projectIn(made.project, { env: { CLAUDE_CODE_SESSION_ID: 'session-1', PATH } });
    writeIn(project, '.jwz/lock', '');
    const [code, ...lines] = await called(loop, project, { words: ['Fix it.'] });
    expect([code, ...lines.slice(1)]).toEqual([
      '0',
      ...(isThere
        ? []
        : [
            'Note: the program flock is not on PATH, so the lock of the jwz tool (.jwz/lock) cannot be taken. Do not post to loop:current with jwz while the loop goes on.',
          ]),
    ]);
  });
});

describe('the loop of a project among all runs', () => {
  let project: Project;
  beforeEach(() => {
    project = bareProject(1_794_000_000_000);
  });
  const at = (file: string): string => path.join(project.root, file);
  const put = (body: string): void => {
    const made = post(project.root, TOPIC, null, body, project.now);
    writeIn(project, LOG_FILE, made.kind === 'append' ? `${made.line}\n` : '');
  };
  const state = (more: Partial<Parameters<typeof nextBody>[1]> = {}): string =>
    nextBody(
      { schema: 1, run_id: 'loop-1-1' },
      {
        ...{ event: 'STATE', reason: null, now: project.now },
        stack: [{ id: 'f', mode: 'loop', iter: 2, max: 10 }],
        ...more,
      },
    );
  const listed = () => cli.runs(project).map(({ shown: _, ...run }) => run);
  const unreadable = (stage: string, why: string, file: string | null) => [
    {
      ...{ run: 'current', live: false, stage, ...(file === null ? {} : { file: at(file) }) },
      detail: expect.objectContaining({ unreadable: why }),
    },
  ];

  it('is none where there is no state', () => {
    expect(listed()).toEqual([]);
    writeIn(project, LOG_FILE, '');
    expect(listed()).toEqual([]);
    writeIn(project, LOG_FILE, '{"type":"topic","id":"C","name":"chat"}\nx\n');
    expect(listed()).toEqual([]);
  });

  it('is listed with where it stands', () => {
    put(state());
    expect(listed()).toEqual([
      {
        ...{ run: 'loop-1-1', file: at(LOG_FILE), live: true, stage: 'loop, iteration 2/10' },
        detail: expect.not.objectContaining({ unreadable: expect.anything() }),
      },
    ]);
    expect(cli.runs(project)[0]?.shown?.()).toMatchObject({ progress: { at: 2, of: 10 } });
    put(state({ event: 'DONE', reason: 'COMPLETE', stack: [] }));
    expect(listed()).toMatchObject([{ run: 'loop-1-1', live: false, stage: 'ended' }]);
  });

  it.each(['text\n', '[]\n'])('cannot be read where the log holds %j', (text) => {
    writeIn(project, LOG_FILE, text);
    expect(listed()).toEqual(
      unreadable('its state cannot be read', 'it holds no line of a topic store', LOG_FILE),
    );
  });

  it('cannot be read where its last message is no state', () => {
    put(state().replace('"stack":[', '"stack":7,"was":['));
    expect(listed()).toEqual(
      unreadable(
        'its state cannot be read',
        'the last message of the topic loop:current is no state of a loop',
        LOG_FILE,
      ),
    );
  });

  it('cannot be read where its file has no beginning', () => {
    writeIn(project, FALLBACK_FILE, 'active: true\n');
    expect(listed()).toEqual(
      unreadable(
        'its state cannot be read',
        'it does not begin with the lines between `---` that tell the state',
        FALLBACK_FILE,
      ),
    );
  });

  it('cannot be read where a folder is in the log’s place', () => {
    fs.mkdirSync(at(LOG_FILE), { recursive: true });
    expect(listed()).toEqual(
      unreadable('its state cannot be read', `${at(LOG_FILE)} is not a regular file`, null),
    );
  });

  it('is taken up again once it is stale, and no other is', () => {
    put(state());
    const stands = (hours: number, run = 'loop-1-1') =>
      cli.driven?.stands?.({ ...project, now: project.now + hours * 3_600_000 }, run).kind;
    expect([stands(2), stands(2.001), stands(2.001, 'other')]).toEqual(['active', 'stale', 'active']);
  });

  it('is kept in one of these places', () => {
    expect(cli.places?.(project)).toEqual(
      [LOG_FILE, FALLBACK_FILE].map((file) => ({ path: at(file), kind: 'file' })),
    );
  });
});
