import { createHash, createHmac } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bareProject } from '../../test/support/bare-project.ts';
import { makeUserFolder } from '../store/user-state.ts';
import { logId, projectId, readSender, runId, spanId, traceId } from './ids.ts';

const sender = { instance: 'i', secret: 's' };
const keyed = (...parts: string[]): string =>
  createHmac('sha256', 's').update(JSON.stringify(parts)).digest('hex');
const hashed = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

it('who sends is made once, and is the same from then on', () => {
  const { env } = bareProject();
  const made = readSender(env);
  expect(made).toEqual({
    instance: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    secret: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(readSender(env)).toEqual(made);
  expect(JSON.parse(fs.readFileSync(path.join(makeUserFolder(env), 'export/sender.json'), 'utf8'))).toEqual(
    made,
  );
  expect(readSender(bareProject().env)).not.toEqual(made);
});

it('who sends is never without a place to be kept', () => {
  const { env } = bareProject();
  fs.mkdirSync(path.join(makeUserFolder(env), 'export/sender.json'), { recursive: true });
  expect(() => readSender(env)).toThrow();
});

it('names and paths become ids that nobody guesses without the secret', () => {
  expect(projectId(sender, '/p')).toBe(keyed('project', '/p').slice(0, 16));
  expect(runId(sender, 'p', 'idle:a')).toBe(keyed('run', 'p', 'idle:a').slice(0, 16));
  expect(traceId(sender, 'p', 'idle:a', 'k')).toBe(keyed('trace', 'p', 'idle:a', 'k').slice(0, 32));
  expect(projectId({ ...sender, secret: 't' }, '/p')).not.toBe(projectId(sender, '/p'));
});

it('a span and a record are known by the line that they come of', () => {
  expect(spanId('t', 'k', 'stop')).toBe(hashed('span', 't', 'k', 'stop').slice(0, 16));
  expect(logId('p', 'k')).toBe(hashed('log', 'p', 'k').slice(0, 32));
});
