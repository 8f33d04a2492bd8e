import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callIn } from '../../test/support/call.ts';
import { type TempProject, tempProject } from '../../test/support/project.ts';
import { openProject } from '../engine/stop/find-project.ts';
import { type Call, NotNow, WrongUsage } from '../engine/workflow-cli.ts';
import { runtimeHere } from '../hook/runtime.ts';
import { ensureHome, homeOf, journalFolder, journalPath } from '../store/home.ts';
import { appendToJournal, segmentPath } from '../store/journal.ts';
import type { JournalEntry, StopEntry } from '../store/journal-lines.ts';
import { log } from './log.ts';

let project: TempProject;

beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

const stop: StopEntry = {
  ...{ schema: 2, time: '2026-01-01T00:00:00.000Z', event: 'stop', client: 'claude-code', session: 's1' },
  ...{ turn: null, workflow: 'idle', run: 'a', state: {}, facts: {}, guard: null },
  step: { kind: 'hold', change: null, message: { name: 'continue', slots: {} }, notice: null },
  ...{ answer: 'hold', notice: false, error: null, milliseconds: 20 },
};
const start: JournalEntry = {
  ...{ schema: 2, time: '2026-01-01T00:00:00.000Z', session: null, event: 'start' },
  ...{ workflow: 'idle', run: 'a' },
};

/** The local time depends on where it is run. */
const untimed = (line: string): string => line.replace(/^2026-01-01 \d\d:00:\d\d {2}/, '');

async function shown(entries: readonly JournalEntry[], flags: Call['flags'] = {}): Promise<string[]> {
  ensureHome(project.root);
  if (entries.length > 0) appendToJournal(project.root, ...entries);
  return asked(flags);
}

async function asked(flags: Call['flags']): Promise<string[]> {
  const { call, printed } = callIn(project.root, {
    flags,
    existing: () => openProject(project.root, runtimeHere({ HOME: project.home })),
  });
  expect(await log.run(call)).toBe(0);
  return printed.map(untimed);
}

describe('a line of the log', () => {
  it('says what was answered, or what happened between stops, in the order of time', async () => {
    const at = (second: number) => ({ time: `2026-01-01T00:00:0${second}.000Z` });
    const proof = { claim: 'stands', worth: 'proven', why: [], checks: [], protectedChanged: 0 };
    const waiting = {
      ...{ now: 1000, step: 'hold', waiting: null, work: 'a build', answered: null, limits: { work: 1000 } },
      result: 'waits',
    };
    const lines = [
      start,
      { ...stop, ...at(2) },
      { ...stop, ...at(1), error: 'it broke', workflow: null, run: null },
      { ...stop, ...at(3), answer: 'allow', step: { kind: 'allow', change: null, notice: null } },
      { ...stop, ...at(4), facts: { proof: { ...proof, worth: 'unproven' } } },
      { ...stop, ...at(5), facts: { proof: { ...proof, claim: 'refused' } } },
      { ...stop, ...at(6), facts: { proof: { ...proof, worth: 'nonsense' } } },
      { ...stop, ...at(7), waiting },
      { ...start, ...at(8), event: 'end', outcome: 'completed' },
    ] as JournalEntry[];
    expect((await shown(lines)).join('\n')).toMatchFileSnapshot('snapshots/log.txt');
  });

  it('of a stop and of its end comes after the checks that they waited for', async () => {
    const at = (second: number) => ({ time: `2026-01-01T00:00:0${second}.000Z` });
    const end = { ...start, ...at(1), event: 'end', outcome: 'completed' };
    const work = {
      ...start,
      ...at(3),
      event: 'work',
      what: 'began',
      work: 'check',
      attempt: 'x',
      name: 'test',
    };
    const lines = [work, { ...stop, ...at(1) }, end, { ...stop, ...at(2) }] as JournalEntry[];
    const events = (await shown(lines, { json: true })).map((line) => JSON.parse(line).event);
    expect(events).toEqual(['stop', 'work', 'stop', 'end']);
  });

  it('is the whole entry as JSON', async () => {
    const lines = await shown([start, stop], { json: true });
    expect(lines.map((line) => JSON.parse(line))).toEqual([start, stop]);
  });
});

describe('how many lines there are', () => {
  const timed = (second: number): StopEntry => ({
    ...stop,
    time: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`,
  });
  const many = Array.from({ length: 25 }, (_, at) => timed(at));
  const seconds = (lines: readonly string[]): number[] =>
    lines.map((line) => new Date(JSON.parse(line).time).getSeconds());

  it('is twenty, the newest, the oldest of them first', async () => {
    expect(seconds(await shown(many, { json: true }))).toEqual(Array.from({ length: 20 }, (_, at) => at + 5));
  });

  it.each([
    ['1', 1],
    ['3', 3],
    ['25', 25],
    ['9999999', 25],
  ])('is what --limit %s says', async (limit, count) => {
    const lines = seconds(await shown(many, { limit, json: true }));
    expect(lines).toHaveLength(count);
    expect(lines.at(-1)).toBe(24);
  });

  it.each(['0', '-1', '1.5', 'x', '', '10000000', true])('is not --limit %j', async (limit) => {
    await expect(shown(many, { limit })).rejects.toThrow(
      new WrongUsage('log: --limit takes a whole number from 1.'),
    );
  });

  it('is those of one run, by its name or its id', async () => {
    const other = { ...stop, run: 'b' };
    await shown([stop, other, start]);
    expect(await asked({ run: 'idle:a' })).toHaveLength(2);
    expect(await asked({ run: 'b' })).toEqual(['held      idle:b  continue']);
    expect(await asked({ run: 'b', limit: '1' })).toHaveLength(1);
    await expect(asked({ run: 'c' })).rejects.toThrow(
      new NotNow('there is no run "c" in this project. `holdfast status --all` lists them.'),
    );
  });
});

describe('where there is nothing to show', () => {
  it('there are no runs', async () => {
    const { call } = callIn(project.root);
    await expect(log.run(call)).rejects.toThrow(new NotNow('there are no runs here, so there is no log.'));
  });

  it('or the hook has answered none', async () => {
    expect(await shown([])).toEqual(['No stops yet: the hook has answered none here.']);
    expect(await asked({ json: true })).toEqual([]);
    fs.mkdirSync(`${project.root}/.taskie/plans/p`, { recursive: true });
    project.write('.taskie/plans/p/plan.md', '# Plan\n');
    expect(await asked({ run: 'p' })).toEqual(['No stops of taskie:p yet: the hook has answered none here.']);
  });
});

describe('the log with --follow', () => {
  const journal = (): string => journalPath(homeOf(project.root));
  const of = (run: string): StopEntry => ({ ...stop, run });
  const line = (run: string): string => `held      idle:${run}  continue`;
  const text = (...runs: string[]): string => runs.map((run) => `${JSON.stringify(of(run))}\n`).join('');

  /** What was there is printed, and it waits to look again. */
  async function firstPause(): Promise<void> {
    for (let turns = 0; turns < 10_000 && vi.getTimerCount() === 0; turns++)
      await new Promise((resolve) => setImmediate(resolve));
    expect(vi.getTimerCount()).toBe(1);
  }

  /** Follows until it has printed the run `end`; `goOn` lets it look once more. */
  async function following(
    flags: Call['flags'],
    play: (goOn: () => Promise<string[]>) => Promise<void>,
  ): Promise<string[]> {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const printed: string[] = [];
      const { call } = callIn(project.root, {
        flags: { follow: true, ...flags },
        existing: () => openProject(project.root, runtimeHere({ HOME: project.home })),
        print: (each) => {
          if (each.includes('"end"') || each.includes('idle:end ')) throw new Error('the end');
          printed.push(untimed(each));
        },
      });
      const ended = expect(log.run(call)).rejects.toThrow('the end');
      await firstPause();
      await play(async () => {
        await vi.advanceTimersByTimeAsync(299);
        const before = printed.length;
        await vi.advanceTimersByTimeAsync(1);
        return printed.slice(before);
      });
      if (!fs.existsSync(journal())) fs.writeFileSync(journal(), '');
      fs.appendFileSync(journal(), text('end'));
      await vi.advanceTimersByTimeAsync(300);
      await ended;
      return printed;
    } finally {
      vi.useRealTimers();
    }
  }

  beforeEach(() => {
    ensureHome(project.root);
  });

  it('prints what was there, then what comes in, each once', async () => {
    fs.writeFileSync(journal(), text('a', 'b'));
    expect(
      await following({ limit: '1' }, async (goOn) => {
        expect(await goOn()).toEqual([]);
        fs.appendFileSync(journal(), text('c', 'd'));
        expect(await goOn()).toEqual([line('c'), line('d')]);
        expect(await goOn()).toEqual([]);
      }),
    ).toEqual([line('b'), line('c'), line('d')]);
  });

  it('waits for the whole line, and passes over what is none', async () => {
    fs.writeFileSync(journal(), text('a'));
    const bytes = Buffer.from(text('b').replace('"s1"', '"ü"'));
    const half = bytes.indexOf('ü') + 1;
    await following({}, async (goOn) => {
      fs.appendFileSync(journal(), bytes.subarray(0, half));
      expect(await goOn()).toEqual([]);
      fs.appendFileSync(journal(), bytes.subarray(half));
      expect(await goOn()).toEqual([line('b')]);
      fs.appendFileSync(journal(), `nonsense\n${text('c')}`);
      expect(await goOn()).toEqual([line('c')]);
    });
  });

  it('is JSON where that is asked for', async () => {
    fs.writeFileSync(journal(), text('a', 'b'));
    const asJson = (run: string): string => JSON.stringify(of(run));
    const printed: string[] = [];
    await following({ json: true }, async (goOn) => {
      fs.appendFileSync(journal(), text('c'));
      printed.push(...(await goOn()));
    });
    expect(printed).toEqual([asJson('c')]);
  });

  it('leaves out the other runs', async () => {
    fs.writeFileSync(journal(), text('mine', 'other'));
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const printed: string[] = [];
    const { call } = callIn(project.root, {
      flags: { follow: true, run: 'mine' },
      existing: () => openProject(project.root, runtimeHere({ HOME: project.home })),
      print: (each) => {
        printed.push(untimed(each));
        if (printed.length === 2) throw new Error('the end');
      },
    });
    const ended = expect(log.run(call)).rejects.toThrow('the end');
    await firstPause();
    fs.appendFileSync(journal(), text('other', 'mine'));
    await vi.advanceTimersByTimeAsync(300);
    await ended;
    vi.useRealTimers();
    expect(printed).toEqual([line('mine'), line('mine')]);
  });

  it('goes on over two segments that were begun between two looks', async () => {
    fs.writeFileSync(journal(), text('a'));
    const folder = journalFolder(homeOf(project.root));
    fs.mkdirSync(folder);
    await following({}, async (goOn) => {
      fs.appendFileSync(journal(), text('b'));
      fs.renameSync(journal(), segmentPath(folder, 1));
      fs.writeFileSync(segmentPath(folder, 2), text('c'));
      fs.writeFileSync(journal(), text('d'));
      expect(await goOn()).toEqual([line('b'), line('c'), line('d')]);
    });
  });

  it('begins again where the file was emptied', async () => {
    fs.writeFileSync(journal(), text('a', 'b'));
    await following({}, async (goOn) => {
      fs.truncateSync(journal(), 0);
      expect(await goOn()).toEqual([]);
      fs.appendFileSync(journal(), text('c'));
      expect(await goOn()).toEqual([line('c')]);
    });
  });

  it('waits for a file that is not there yet, and says nothing of that', async () => {
    expect(
      await following({}, async (goOn) => {
        expect(await goOn()).toEqual([]);
        fs.mkdirSync(journal());
        expect(await goOn()).toEqual([]);
        fs.rmdirSync(journal());
        fs.writeFileSync(journal(), text('a'));
        expect(await goOn()).toEqual([line('a')]);
      }),
    ).toEqual([line('a')]);
  });
});
