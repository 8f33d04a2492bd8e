import fs from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyFolder, NOW, projectIn, writeIn } from '../../../test/support/bare-project.ts';
import { fingerprint } from '../../store/fingerprint.ts';
import { FALLBACK_FILE, LOG_FILE } from './files.ts';
import { readLoop, stateHash } from './read-loop.ts';
import { NOTHING_SAVED } from './saved.ts';
import { HOOK_REACH } from './topic-log.ts';

let root: string;
beforeEach(() => {
  root = emptyFolder();
});

const TOPIC_LINE = '{"type":"topic","id":"T","name":"loop:current"}\n';
const message = (body: string): string =>
  `${JSON.stringify({ type: 'message', id: 'M', topic_id: 'T', body })}\n`;
const write = (file: string, text: string): string => writeIn(projectIn(root), file, text);
const writeFile = (text: string): void => {
  fs.utimesSync(write(FALLBACK_FILE, text), NOW / 1000, NOW / 1000);
};
const read = (reach = HOOK_REACH) => {
  const { log, ...found } = readLoop(root, NOTHING_SAVED, reach);
  return { ...found, log: log && { topic: log.topic, size: log.size } };
};
const nothing = { state: { kind: 'nothing' }, run: null, raw: null, source: 'topic', text: '', log: null };
const FILE = '---\nactive: true\niteration: 3\nmax_iterations: 9\n---\nFix the parser.\n';
const fromFile = {
  state: {
    ...{ kind: 'loop', event: 'STATE', updatedAt: NOW },
    stack: [{ mode: 'loop', iter: 3, max: 9, carryOn: false }],
  },
  run: 'local-file',
  raw: { fields: {}, stack: [{ mode: 'loop', iter: 3, max: 9 }] },
  source: 'file',
  text: FILE,
  log: null,
};

describe('the loop of a project', () => {
  it('is nothing where there is neither a log nor a file', () => {
    expect(read()).toEqual(nothing);
  });

  it('is the latest state of the topic, whatever the file says', () => {
    const body = '{"schema":1,"run_id":"r1","updated_at":"2026-01-31T09:30:00Z","stack":[{"iter":2}]}';
    const text = TOPIC_LINE + message('{"schema":1,"run_id":"r0"}') + message(body);
    write(LOG_FILE, text);
    writeFile(FILE);
    expect(read()).toEqual({
      state: {
        ...{ kind: 'loop', event: 'STATE', updatedAt: NOW },
        stack: [{ mode: 'unknown', iter: 2, max: 10, carryOn: false }],
      },
      run: 'r1',
      raw: { fields: JSON.parse(body), stack: [{ iter: 2 }] },
      source: 'topic',
      text: body,
      log: { topic: 'T', size: text.length },
    });
  });

  it('is that of the file where the topic has none, or something else', () => {
    writeFile(FILE);
    expect(read()).toEqual(fromFile);
    write(LOG_FILE, TOPIC_LINE);
    expect(read()).toEqual({ ...fromFile, log: { topic: 'T', size: TOPIC_LINE.length } });
    const text = TOPIC_LINE + message('{"hello":1}');
    write(LOG_FILE, text);
    expect(read()).toEqual({ ...fromFile, log: { topic: 'T', size: text.length } });
  });

  it('is nothing where the file is switched off, and the log is still known', () => {
    write(LOG_FILE, TOPIC_LINE);
    writeFile('---\nactive: false\n---\n');
    expect(read()).toEqual({ ...nothing, log: { topic: 'T', size: TOPIC_LINE.length } });
  });

  it('cannot be read where its file, or its message, cannot', () => {
    writeFile('no lines of a state\n');
    expect(read()).toEqual({ ...nothing, state: { kind: 'unreadable' }, source: 'file' });
    const text = TOPIC_LINE + message('{');
    write(LOG_FILE, text);
    const log = { topic: 'T', size: text.length };
    expect(read()).toEqual({ ...nothing, state: { kind: 'unreadable' }, text: '{', log });
  });

  it('is lost in a log that is too long', () => {
    const text = `${TOPIC_LINE}${message('{"schema":1}')}${' '.repeat(200)}\n`;
    write(LOG_FILE, text);
    writeFile(FILE);
    expect(read({ head: 100, tail: 100, appended: 100 })).toEqual({
      ...nothing,
      state: { kind: 'lost' },
      log: { topic: 'T', size: text.length },
    });
  });

  it('is found in a long log by what was noted of it', () => {
    const text = `${TOPIC_LINE}${' '.repeat(200)}\n`;
    write(LOG_FILE, text);
    const { ino } = fs.statSync(write(LOG_FILE, text + message('{"schema":1,"run_id":"r1"}')));
    const position = { topic: 'T', inode: ino, scanned: text.length };
    const reach = { head: 10, tail: 10, appended: 1000 };
    expect(readLoop(root, { ...NOTHING_SAVED, position }, reach).run).toBe('r1');
  });
});

it('the fingerprint of a state is that of its text', () => {
  expect(stateHash({ text: 'x' })).toBe(fingerprint('x'));
});
