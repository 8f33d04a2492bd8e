import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { carryOut } from '../../store/files.ts';
import { LOG_FILE } from './files.ts';
import { COMMAND_REACH, HOOK_REACH, latestOf, type Position, post } from './topic-log.ts';
import { ulid } from './ulid.ts';

const NOW = 1_794_000_000_000;
let root: string;
let log: string;

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-topics-')));
  log = path.join(root, LOG_FILE);
  fs.mkdirSync(path.dirname(log));
});

afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(root, { recursive: true, force: true });
});

const topic = (id: string, name = 'loop:current'): string =>
  `${JSON.stringify({ type: 'topic', id, name, description: '', created_at: NOW })}\n`;
const message = (id: string, body: string): string =>
  `${JSON.stringify({ type: 'message', id: ulid(NOW), topic_id: id, parent_id: null, body, created_at: NOW })}\n`;
const latest = (known: Position | null = null) => latestOf('loop:current', root, known, HOOK_REACH);
const bodyOf = (known: Position | null = null) => {
  const found = latest(known);
  return found.kind === 'message' ? found.body : found.kind;
};
const here = (scanned: number, id = 'T'): Position => ({ topic: id, inode: fs.statSync(log).ino, scanned });
const fill = (bytes: number): void => fs.truncateSync(log, fs.statSync(log).size + bytes);

describe('the latest message of a topic', () => {
  it('is none without a log, a topic or a message', () => {
    expect(latest()).toEqual({ kind: 'none', log: null });
    fs.writeFileSync(log, topic('other', 'chat') + message('other', 'x'));
    expect(latest()).toMatchObject({ kind: 'none', log: { topic: null } });
    fs.appendFileSync(log, topic('T'));
    expect(latest()).toMatchObject({ kind: 'none', log: { topic: 'T' } });
  });

  it('is the last one of that topic, whatever else is posted', { tags: ['I-source-1'] }, () => {
    fs.writeFileSync(
      log,
      topic('T') + message('T', 'one') + message('T', 'two') + topic('C', 'chat') + message('C', 'x'),
    );
    expect(latest()).toMatchObject({ body: 'two', sentAt: NOW });
  });

  it('is found where the topic was opened late', () => {
    fs.writeFileSync(log, message('C', 'x'.repeat(100_000)) + topic('T') + message('T', 'one'));
    expect(bodyOf()).toBe('one');
  });

  it('skips lines that are torn or broken', () => {
    fs.writeFileSync(
      log,
      `${topic('T')}${message('T', 'one')}nonsense\n{"type":"message","topic_id":"T","body":7}\n`,
    );
    fs.appendFileSync(log, message('T', 'torn').slice(0, 60));
    expect(bodyOf()).toBe('one');
  });

  it('counts when it lacks only its line end', () => {
    fs.writeFileSync(log, topic('T') + message('T', 'one') + message('T', 'two').trimEnd());
    expect(bodyOf()).toBe('two');
  });

  it('is read on from the position that is remembered', () => {
    fs.writeFileSync(log, topic('T') + message('T', 'one'));
    const scanned = fs.statSync(log).size;
    fs.appendFileSync(log, message('C', 'x') + message('T', 'two') + message('C', 'y'));
    expect(bodyOf(here(scanned))).toBe('two');
  });

  it('is found again when the remembered position fits no longer', () => {
    fs.writeFileSync(log, topic('T') + message('T', 'one'));
    expect(bodyOf({ topic: 'T', inode: 1, scanned: 0 })).toBe('one');
    expect(bodyOf(here(1_000_000))).toBe('one');
    expect(bodyOf(here(fs.statSync(log).size))).toBe('one');
    expect(bodyOf(here(5, 'gone'))).toBe('one');
  });

  it('is searched in another log that took the place of the remembered one', () => {
    fs.writeFileSync(log, topic('N') + message('N', 'new') + message('T', 'of another name'));
    expect(bodyOf({ topic: 'T', inode: fs.statSync(log).ino + 1, scanned: 5 })).toBe('new');
  });

  it('is found at the end of a log of 1 GB, without any position', () => {
    fs.writeFileSync(log, topic('T') + message('T', 'one'));
    fill(1024 ** 3);
    fs.appendFileSync(log, `\n${message('T', 'two')}`);
    expect(bodyOf()).toBe('two');
  });

  it('is found in a log of 1 GB whose end is full of other topics, from the position that is remembered', () => {
    fs.writeFileSync(log, topic('T'));
    fill(1024 ** 3);
    fs.appendFileSync(log, '\n');
    const scanned = fs.statSync(log).size;
    fs.appendFileSync(log, message('T', 'two') + message('C', 'z'.repeat(100_000)).repeat(60));
    expect(latest().kind).toBe('lost');
    expect(bodyOf(here(scanned))).toBe('two');
  });

  it('is lost, not none, where the log is too long to be read to its beginning', () => {
    fs.writeFileSync(log, topic('T') + message('T', 'one'));
    fill(5 * 1024 * 1024);
    fs.appendFileSync(log, '\n');
    expect(latest()).toMatchObject({ kind: 'lost', log: { topic: 'T' } });
    expect(latestOf('loop:current', root, null, COMMAND_REACH)).toMatchObject({
      kind: 'message',
      body: 'one',
    });
  });

  it('comes with where the log stands, found from its end or from the position', () => {
    fs.writeFileSync(log, topic('T') + message('T', 'one'));
    const { ino: inode, size } = fs.statSync(log);
    const found = { kind: 'message', body: 'one', sentAt: NOW, log: { topic: 'T', inode, size } };
    expect([latest(), latest(here(topic('T').length))]).toEqual([found, found]);
    fs.writeFileSync(log, topic('T'));
    expect(latest()).toEqual({ kind: 'none', log: { topic: 'T', inode, size: topic('T').length } });
  });

  it('is of the first topic that has one, where several have the name', () => {
    fs.writeFileSync(log, topic('T') + message('T', 'one') + topic('U'));
    expect(latest()).toMatchObject({ kind: 'message', body: 'one', log: { topic: 'T' } });
    fs.appendFileSync(log, message('U', 'two'));
    expect(latest()).toMatchObject({ kind: 'message', body: 'two', log: { topic: 'U' } });
  });

  it.each([
    { type: 'topic', id: 7, name: 'loop:current' },
    { type: 'note', id: 'X', name: 'loop:current', of: 'topic' },
    { type: 'note', topic_id: 'T', body: 'x' },
    { type: 'message', topic_id: 7, body: 'x' },
    { type: 'message', topic_id: 'T', body: null },
    [{ type: 'message', topic_id: 'T', body: 'x' }],
  ])('is not told by %j', (line) => {
    fs.writeFileSync(log, `${topic('T')}${message('T', 'one')}${JSON.stringify(line)}\n`);
    expect(bodyOf()).toBe('one');
    fs.writeFileSync(log, `${JSON.stringify(line)}\n`);
    expect(latest()).toMatchObject({ kind: 'none', log: { topic: null } });
  });

  it('is lost only where the log is longer than what is read of it', () => {
    fs.writeFileSync(log, topic('T'));
    const { length } = topic('T');
    const kindAt = (tail: number) =>
      latestOf('loop:current', root, null, { head: 1000, tail, appended: 1000 }).kind;
    expect([kindAt(length), kindAt(length - 1)]).toEqual(['none', 'lost']);
  });

  it('leaves the log closed', () => {
    fs.writeFileSync(log, topic('T'));
    const next = (): number => {
      const descriptor = fs.openSync(root, 'r');
      fs.closeSync(descriptor);
      return descriptor;
    };
    const before = next();
    latest();
    expect(next()).toBe(before);
  });

  it('is not read from a log that leads out of the project, nor from a folder', () => {
    const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-outside-'));
    fs.writeFileSync(path.join(outside, 'log'), topic('T'));
    fs.symlinkSync(path.join(outside, 'log'), log);
    expect(() => latest()).toThrow(/leads out/);
    fs.rmSync(log);
    fs.mkdirSync(log);
    expect(() => latest()).toThrow(/not a regular file/);
    fs.rmSync(outside, { recursive: true });
  });
});

describe('posting', () => {
  const postBody = (body: string): void => {
    const { log: end } = latest();
    carryOut(post(root, 'loop:current', end, body, NOW), root);
  };

  it('opens the topic once, then adds a line for each message', () => {
    postBody('{"one":1}');
    postBody('{"two":2}');
    const lines = fs.readFileSync(log, 'utf8').trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line));
    expect(entries.map((entry) => entry.type)).toEqual(['topic', 'message', 'message']);
    expect(entries[0]).toEqual({
      type: 'topic',
      id: expect.any(String),
      name: 'loop:current',
      description: '',
      created_at: NOW,
    });
    expect(entries[2]).toEqual({
      type: 'message',
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      topic_id: entries[0].id,
      parent_id: null,
      body: '{"two":2}',
      created_at: NOW,
    });
  });

  it('heals a torn last line and leaves it in the log', () => {
    postBody('one');
    fs.appendFileSync(log, '{"type":"message","topic_id":"');
    postBody('two');
    expect(bodyOf()).toBe('two');
    expect(fs.readFileSync(log, 'utf8')).toContain('{"type":"message","topic_id":"\n{"type":"message"');
  });

  it('never rewrites what stands in the log', () => {
    postBody('one');
    const before = fs.readFileSync(log, 'utf8');
    postBody('two');
    expect(fs.readFileSync(log, 'utf8').startsWith(before)).toBe(true);
  });
});

describe('a ULID', () => {
  it('is 26 digits that sort by time and do not repeat', () => {
    expect(ulid(0)).toMatch(/^0{10}[0-9A-HJKMNP-TV-Z]{16}$/);
    expect(ulid(1_469_918_176_385).slice(0, 10)).toBe('01ARYZ6S41');
    expect(ulid(NOW) < ulid(NOW + 1)).toBe(true);
    expect(new Set(Array.from({ length: 1000 }, () => ulid(NOW))).size).toBe(1000);
  });
});
