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

const HELP = `--check NAME: a check of your own config must pass too, beside the project's. --no-check: none is run, and what had checks ends unproven. --until NAME: this loop ends when that check passes at a stop, without a signal.
--tokens 2M, --hours 4, --reviews 12: what the run may spend; then it is paused until you grant more with \`holdfast resume\`.`;
const USAGE = '[--max N] [--check NAME]… [--no-check] [--until NAME] [--tokens N] [--hours N] [--reviews N]';
const START = {
  options: {
    max: { type: 'string' },
    check: { type: 'string', multiple: true },
    'no-check': { type: 'boolean' },
    until: { type: 'string' },
    tokens: { type: 'string' },
    hours: { type: 'string' },
    reviews: { type: 'string' },
  },
  ...{ writes: true, starts: true, words: { least: 0, most: Number.POSITIVE_INFINITY } },
};
const NO_WORDS = { words: { least: 0, most: 0 } };

describe('the commands of idle', () => {
  it('are these', () => {
    expect(cli.commands.map(({ run: _, ...rest }) => rest)).toEqual([
      {
        name: 'loop',
        summary: 'hold the agent at a task until it signals completion',
        usage: `${USAGE} [task]`,
        help: `Without words the task is read from standard input. 10 iterations unless --max says otherwise. Inside a loop of this session the new one is nested on top.\n${HELP}`,
        ...START,
      },
      {
        name: 'issue',
        summary: 'hold the agent at one issue until it is resolved',
        usage: `${USAGE} [id]`,
        help: `Without words the id is read from standard input. How an issue is read comes from the config (idle.issues.show).\n${HELP}`,
        ...START,
      },
      {
        name: 'grind',
        summary: 'hold the agent until no issue is left',
        usage: `${USAGE} [filter]`,
        help: `The filter says in words which issues are meant; without words it is read from standard input, and may be empty. 100 iterations unless --max says otherwise. How issues are listed comes from the config (idle.issues.list).\n${HELP}`,
        ...START,
      },
      {
        name: 'status',
        summary: 'show the loop and where it stands',
        usage: '[--json]',
        options: { json: { type: 'boolean' } },
        ...{ writes: false, ...NO_WORDS },
      },
      {
        name: 'cancel',
        summary: 'end the loop and all loops around it; the agent is let go at its next stop',
        usage: '[--top]',
        help: '--top ends the innermost loop only; the one around it goes on.',
        options: { top: { type: 'boolean' } },
        ...{ writes: true, ...NO_WORDS },
      },
      {
        name: 'resume',
        summary: 'go on with a loop that was let go, went stale, or was left under an inner one',
        usage: '',
        help: 'For a run that is paused since its budget is spent, there is `holdfast resume`: it grants more.',
        options: {},
        ...{ writes: true, ...NO_WORDS },
      },
    ]);
  });
});

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
