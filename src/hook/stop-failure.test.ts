import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bareProject, budgetOf, giveBudget, writeIn } from '../../test/support/bare-project.ts';
import { recordedLines } from '../../test/support/recorded.ts';
import { journalIn, putToy, runtimeIn, SESSION, toysWith } from '../../test/support/stop-here.ts';
import { readBudget } from '../engine/budget/record.ts';
import type { Runtime } from '../engine/context.ts';
import type { Project } from '../engine/project.ts';
import type { Waiting } from '../store/records.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
import { SILENT } from './call.ts';
import { stopFailureHook } from './stop-failure.ts';

const HOUR = 3_600_000;
let project: Project;
beforeEach(() => {
  project = bareProject(1_794_800_000_000);
});

const fail = async (payload: object, runtime: Partial<Runtime> = {}): Promise<void> => {
  const input = JSON.stringify({ session_id: SESSION, cwd: project.root, prompt_id: 'p1', ...payload });
  const call = { input, named: 'claude-code', limitS: null, runtime: runtimeIn(project, runtime) };
  expect(await stopFailureHook(call)).toEqual(SILENT);
};
const waiting = (name = 'toy:a'): Waiting | undefined => readSidecar(project.root, name).waiting;
const wait = (waiting: Waiting): void =>
  writeSidecar(project.root, { ...readSidecar(project.root, 'toy:a'), waiting });
const limit = (what: string, more: Partial<Waiting> = {}): Waiting => ({
  ...{ for: 'limit', since: project.now, until: null, what },
  ...more,
});

/** The recorded transcript up to its error, which says that the limit ends at `resetsAt`. */
function transcript(resetsAt: number | null): string {
  const lines = recordedLines('claude-code/transcript-usage-limit-2.1.325.jsonl');
  const at = lines.findIndex((line) => line.includes('"isApiErrorMessage":true'));
  const { quotaLimits, ...error } = JSON.parse(lines[at] ?? '');
  const row =
    resetsAt === null ? error : { ...error, quotaLimits: { ...quotaLimits, resetsAt: resetsAt / 1000 } };
  const text = [...lines.slice(0, at), JSON.stringify(row)].join('\n');
  const file = path.join(path.dirname(project.root), 'transcript.jsonl');
  fs.writeFileSync(file, `${text}\n`);
  return file;
}

describe('a turn that an API error ended', () => {
  it.each(['rate_limit', 'server_error', 'authentication_failed', 'billing_error'])(
    'makes the session’s runs wait: %s',
    async (error) => {
      putToy(project, 'toy:a');
      putToy(project, 'toy2:b');
      await fail({ error });
      expect(waiting()).toEqual(limit(error));
      expect(waiting('toy2:b')).toEqual(limit(error));
      expect(journalIn(project)).toMatchObject([
        { event: 'wait', what: 'began', for: 'limit', until: null, workflow: 'toy', run: 'a' },
        { event: 'wait', what: 'began', for: 'limit', until: null, workflow: 'toy2', run: 'b' },
      ]);
    },
  );

  it.each([{ error: 'invalid_request' }, { error: '' }, { error: 7 }, {}])(
    'of another kind, %j, is none that ends by waiting',
    async (payload) => {
      putToy(project, 'toy:a');
      await fail(payload);
      expect(waiting()).toBeUndefined();
    },
  );

  it('is nothing where the input is no object', async () => {
    const call = { named: null, limitS: null, runtime: runtimeIn(project) };
    expect(await stopFailureHook({ ...call, input: null })).toEqual(SILENT);
    expect(await stopFailureHook({ ...call, input: '[]' })).toEqual(SILENT);
  });

  it('says nothing of runs that are not the session’s, or over', async () => {
    putToy(project, 'toy:a', {}, 'another');
    putToy(project, 'toy2:b', { phase: 'done' });
    await fail({ error: 'rate_limit' });
    expect(waiting()).toBeUndefined();
    expect(waiting('toy2:b')).toBeUndefined();
    expect(journalIn(project)).toEqual([]);
  });

  it('makes those wait that live, beside one that is over', async () => {
    putToy(project, 'toy:a', { phase: 'done' });
    putToy(project, 'toy:b');
    await fail({ error: 'server_error' });
    expect([waiting(), waiting('toy:b')]).toEqual([undefined, limit('server_error')]);
  });

  it('leaves the project alone where no run is near', async () => {
    await fail({ error: 'rate_limit' });
    expect(fs.readdirSync(project.root)).toEqual([]);
    fs.mkdirSync(path.join(project.root, '.toy'));
    await fail({ error: 'rate_limit' });
    expect(fs.readdirSync(project.root)).toEqual(['.toy']);
  });

  it('fails at nothing', async () => {
    putToy(project, 'toy:a');
    const unfinishedRuns = () => {
      throw new Error('nobody knows');
    };
    await fail({ error: 'rate_limit' }, { registry: toysWith({ unfinishedRuns }) });
    expect(waiting()).toBeUndefined();
  });

  it('of one run’s own trouble tells the journal, and the others wait', async () => {
    putToy(project, 'toy:a');
    putToy(project, 'toy2:b');
    writeIn(project, '.holdfast/runs/toy-a.json', 'broken');
    await fail({ error: 'rate_limit' });
    expect(waiting('toy2:b')).toEqual(limit('rate_limit'));
    expect(journalIn(project)[0]).toMatchObject({ run: 'a', error: expect.stringContaining('not readable') });
  });
});

describe('when a limit ends', () => {
  it('is read from the transcript', async () => {
    putToy(project, 'toy:a');
    const resetsAt = project.now + 2 * HOUR;
    await fail({ error: 'rate_limit', transcript_path: transcript(resetsAt) });
    expect(waiting()).toEqual(limit('rate_limit', { until: resetsAt }));
    expect(journalIn(project)).toMatchObject([{ what: 'began', until: new Date(resetsAt).toISOString() }]);
  });

  it('is unknown where the transcript does not say so', async () => {
    putToy(project, 'toy:a');
    await fail({ error: 'rate_limit', transcript_path: transcript(null) });
    expect(waiting()).toEqual(limit('rate_limit'));
  });

  it('is not that of another error, nor of one that is over', async () => {
    putToy(project, 'toy:a');
    await fail({ error: 'server_error', transcript_path: transcript(project.now + HOUR) });
    expect(waiting()).toEqual(limit('server_error'));
    putToy(project, 'toy:b');
    await fail({ error: 'rate_limit', transcript_path: transcript(project.now) });
    expect(waiting('toy:b')).toEqual(limit('rate_limit'));
  });

  it('is waited for where it comes late into the transcript', async () => {
    putToy(project, 'toy:a');
    const file = path.join(path.dirname(project.root), 'transcript.jsonl');
    fs.writeFileSync(file, '');
    const resetsAt = project.now + HOUR;
    // The client writes once our first note is down.
    const { writeSync } = fs;
    let isWritten = false;
    vi.spyOn(fs, 'writeSync').mockImplementation(((...words: Parameters<typeof writeSync>) => {
      if (!isWritten && String(words[1]).includes('"event":"wait"')) {
        isWritten = true;
        setTimeout(() => transcript(resetsAt), 5);
      }
      return Reflect.apply(writeSync, fs, words);
    }) as typeof writeSync);
    try {
      await fail({ error: 'rate_limit', transcript_path: file });
    } finally {
      vi.restoreAllMocks();
    }
    expect(isWritten).toBe(true);
    expect(waiting()).toEqual(limit('rate_limit', { until: resetsAt }));
    expect(journalIn(project)).toHaveLength(1);
  });
});

describe('a run that waits already', () => {
  it('for the same limit goes on waiting since then, with what is known now', async () => {
    putToy(project, 'toy:a');
    wait(limit('server_error', { since: project.now - HOUR }));
    await fail({ error: 'billing_error' });
    expect(waiting()).toEqual(limit('billing_error', { since: project.now - HOUR }));
    expect(journalIn(project)).toEqual([]);
  });

  it('for a reviewer’s limit begins to wait for its own', async () => {
    putToy(project, 'toy:a');
    wait(limit('usage', { since: project.now - HOUR, reviewer: 'codex', until: project.now + HOUR }));
    await fail({ error: 'server_error' });
    expect(waiting()).toEqual(limit('server_error'));
  });

  it('for a person goes on with that, until it is over', async () => {
    putToy(project, 'toy:a');
    const question: Waiting = {
      ...{ for: 'person', since: project.now, until: project.now + HOUR, what: 'Which one?', shown: null },
    };
    wait(question);
    await fail({ error: 'server_error' });
    expect(waiting()).toEqual(question);
    wait({ ...question, since: project.now - 3 * HOUR, until: project.now - 2 * HOUR });
    await fail({ error: 'server_error' });
    expect(waiting()).toEqual(limit('server_error'));
  });
});

it('the hours of a budget do not count meanwhile', async () => {
  putToy(project, 'toy:a');
  putToy(project, 'toy2:b');
  giveBudget(project, budgetOf(project, 'toy:a', { limits: { timeMs: HOUR } }));
  const before = readBudget(project, 'toy:a');
  await fail({ error: 'server_error' });
  const after = readBudget(project, 'toy:a');
  expect(after?.clock).not.toEqual(before?.clock);
  expect(readBudget(project, 'toy2:b')).toBeNull();
});

it('somebody is called about it, where the user’s own settings say so', async () => {
  putToy(project, 'toy:a');
  const config = path.join(project.env.HOME ?? '', '.config/holdfast/holdfast.config.json');
  fs.mkdirSync(path.dirname(config), { recursive: true });
  fs.writeFileSync(config, JSON.stringify({ notify: [{ run: ['true'], on: ['limit'] }] }));
  const calls = (): string[] => {
    const folder = path.join(project.env.XDG_STATE_HOME ?? '', 'holdfast');
    const files = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
    return files.filter((file) => file.includes('call-'));
  };
  await fail({ error: 'server_error' });
  expect(calls()).toHaveLength(1);
  await fail({ error: 'server_error' });
  expect(calls()).toHaveLength(1);
});
