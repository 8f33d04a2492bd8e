import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TranscriptLine } from '../clients/client.ts';
import { clientNamed } from '../clients/index.ts';
import { type Asked, lastMessageNow, readLastMessage } from './last-message.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
const readClaude = clientNamed('claude-code').readTranscriptLine;
const readCodex = clientNamed('codex').readTranscriptLine;
let folder: string;
let file: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-last-message-'));
  file = path.join(folder, 'transcript.jsonl');
});

afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

let counted = 0;
const line = (fields: object): string =>
  `${JSON.stringify({ uuid: `line-${++counted}`, sessionId: SESSION, isSidechain: false, ...fields })}\n`;
const said = (id: string, text: string, more: object = {}): string =>
  line({ type: 'assistant', message: { id, content: [{ type: 'text', text }] }, ...more });
const called = (id: string): string =>
  line({ type: 'assistant', message: { id, content: [{ type: 'tool_use', name: 'Bash', input: {} }] } });
const result = (content: string): string =>
  line({ type: 'user', message: { content: [{ type: 'tool_result', content }] } });
const prompt = (content: string): string => line({ type: 'user', message: { content } });

const ask = (more: Partial<Asked> = {}): Asked => ({
  file,
  session: SESSION,
  lastBlock: null,
  since: 'x',
  ...more,
});
const read = (more: Partial<Asked> = {}) => readLastMessage(ask(more), readClaude);

describe("the agent's last message", () => {
  it('is all text blocks that share the id of the last one', async () => {
    fs.writeFileSync(file, prompt('Go') + said('m1', 'First.') + said('m1', 'Second.'));
    expect((await read({ lastBlock: 'Second.' })).blocks).toEqual(['First.', 'Second.']);
  });

  it('does not reach back before the prompt of the turn', async () => {
    fs.writeFileSync(file, said('m1', 'Earlier.') + prompt('Go') + said('m2', 'Now.'));
    expect((await read({ lastBlock: 'Now.' })).blocks).toEqual(['Now.']);
  });

  it("does not reach back before Holdfast's own hold", async () => {
    const hold = line({ type: 'user', isMeta: true, message: { content: 'Stop hook feedback:\nGo on.' } });
    fs.writeFileSync(file, said('m1', 'Done.') + hold);
    expect((await read({ lastBlock: 'Done.' })).blocks).toEqual([]);
  });

  it('does not take in what was said before a tool call', async () => {
    fs.writeFileSync(
      file,
      prompt('Go') + said('m1', 'Looking.') + called('m1') + result('ok') + said('m2', 'Seen.'),
    );
    expect((await read({ lastBlock: 'Seen.' })).blocks).toEqual(['Seen.']);
    expect((await read({ lastBlock: null })).blocks).toEqual(['Seen.']);
  });

  it('is empty when the last thing on record is a tool call', async () => {
    fs.writeFileSync(file, prompt('Go') + said('m1', 'Looking.') + called('m1') + result('ok'));
    expect((await read()).blocks).toEqual([]);
  });

  it('is found without the last block when that was thinking', async () => {
    const thought = line({
      type: 'assistant',
      message: { id: 'm1', content: [{ type: 'thinking', thinking: 'Hm.' }] },
    });
    fs.writeFileSync(file, prompt('Go') + said('m1', 'All done.') + thought);
    expect((await read()).blocks).toEqual(['All done.']);
  });

  it('is waited for while the transcript lags', async () => {
    fs.writeFileSync(file, prompt('Go'));
    setTimeout(() => fs.appendFileSync(file, said('m1', 'First.') + said('m1', 'Second.')), 60);
    expect((await read({ lastBlock: 'Second.' })).blocks).toEqual(['First.', 'Second.']);
  });

  it('is waited for when the file itself comes late at the first stop', async () => {
    setTimeout(() => fs.writeFileSync(file, said('m1', 'Hello.')), 60);
    expect((await read({ lastBlock: 'Hello.', since: null })).blocks).toEqual(['Hello.']);
  });

  it('is not waited for at a later stop when there never was a file', async () => {
    setTimeout(() => fs.writeFileSync(file, said('m1', 'Hello.')), 60);
    expect(await read({ lastBlock: 'Hello.', since: '' })).toEqual({ blocks: [], newest: '' });
  });

  it('is not an older message with the same words', async () => {
    const first = said('m1', 'Done.');
    fs.writeFileSync(file, prompt('Go') + first);
    const since = JSON.parse(first).uuid;
    expect((await read({ lastBlock: 'Done.', since })).blocks).toEqual([]);
  });

  it('is not taken from a transcript that holds another message than the client spoke of', async () => {
    fs.writeFileSync(file, prompt('Go') + said('m1', '<loop-done>COMPLETE</loop-done>'));
    expect((await read({ lastBlock: 'Still at it.' })).blocks).toEqual([]);
  });

  it('passes over lines of another session and of subagents', async () => {
    const lines = [
      prompt('Go'),
      said('m1', 'Mine.'),
      said('m2', 'Not mine.', { sessionId: 'another' }),
      said('m3', 'A subagent.', { isSidechain: true }),
    ];
    fs.writeFileSync(file, lines.join(''));
    expect((await read()).blocks).toEqual(['Mine.']);
  });

  it('passes over broken and torn lines', { tags: ['I-note-3.a'] }, async () => {
    fs.writeFileSync(file, `${prompt('Go')}{"uuid": broken\n${said('m1', 'Whole.')}\n\n{"uuid":"torn`);
    expect((await read({ lastBlock: 'Whole.' })).blocks).toEqual(['Whole.']);
  });

  it('is found behind a tool result of 10 MB', async () => {
    fs.writeFileSync(
      file,
      prompt('Go') + called('m1') + result('x'.repeat(10_000_000)) + said('m2', 'Seen.'),
    );
    expect((await read({ lastBlock: 'Seen.' })).blocks).toEqual(['Seen.']);
  });

  it('may itself be 10 MB long', async () => {
    const text = 'y'.repeat(10_000_000);
    fs.writeFileSync(file, prompt('Go') + said('m1', 'Before.') + said('m1', text));
    expect((await read({ lastBlock: text })).blocks).toEqual(['Before.', text]);
  });

  it('is found at the end of a transcript of 1 GB', async () => {
    fs.writeFileSync(file, '');
    fs.truncateSync(file, 1024 ** 3);
    fs.appendFileSync(file, `\n${prompt('Go')}${said('m1', 'First.')}${said('m1', 'Second.')}`);
    expect((await read({ lastBlock: 'Second.' })).blocks).toEqual(['First.', 'Second.']);
  });

  it('tells the newest line, so that it is known at the next stop', async () => {
    const last = said('m1', 'Done.');
    fs.writeFileSync(file, prompt('Go') + last);
    expect((await read({ lastBlock: 'Done.' })).newest).toBe(JSON.parse(last).uuid);
  });

  it('is empty when there is no transcript, or it cannot be read', async () => {
    expect(await read({ file: null })).toEqual({ blocks: [], newest: '' });
    expect(await read({ file: folder })).toEqual({ blocks: [], newest: '' });
  });
});

const recorded = (name: string): string =>
  path.resolve(import.meta.dirname, '../../test/fixtures/recorded', name);

/** Lines that say by themselves what a client would read in them. */
const readPlain = (text: string): TranscriptLine => ({
  ...{ marker: '', toolCall: false, startsTurn: false, said: null },
  ...JSON.parse(text),
});
const plain = (...lines: readonly object[]): void =>
  fs.writeFileSync(
    file,
    lines.map((each, at) => `${JSON.stringify({ marker: `l${at}`, ...each })}\n`).join(''),
  );
const readPlainly = (more: Partial<Asked>) => readLastMessage(ask({ session: null, ...more }), readPlain, 0);
const saying = (text: string, messageId = 'm') => ({ said: { text, messageId } });

describe('the last message by its last block', () => {
  it('is found past blocks of nothing but space', async () => {
    plain({ startsTurn: true }, saying('Done.'), saying(' \n'));
    expect(await readPlainly({ lastBlock: 'Done.' })).toEqual({ blocks: ['Done.'], newest: 'l2' });
  });

  it('is not looked for past other words', async () => {
    plain({ startsTurn: true }, saying('Done.'), saying('More.'));
    expect(await readPlainly({ lastBlock: 'Done.' })).toEqual({ blocks: [], newest: 'l2' });
  });

  it.each([
    ['the same', 'Done.', 'Done.', true],
    ['the same but for blanks around it', ' Done.\n', '\nDone. ', true],
    ['its last line', 'First.\nDone.', 'Done.', true],
    ['the end of its last line only', 'All Done.', 'Done.', false],
    ['the same but for line breaks', 'a\nb\n\nc', 'ab\nc', true],
    ['a part of it', 'Done.\nMore', 'Done.', false],
  ])('is known by %s', async (_, text, lastBlock, isIt) => {
    plain(saying(text));
    expect((await readPlainly({ lastBlock })).blocks).toEqual(isIt ? [text] : []);
  });

  it('ends where another message begins, whichever lines stand between', async () => {
    plain(saying('a', 'm1'), saying('b', 'm2'), {}, saying('c', 'm2'));
    expect((await readPlainly({ lastBlock: 'c' })).blocks).toEqual(['b', 'c']);
    expect((await readPlainly({ lastBlock: null })).blocks).toEqual(['b', 'c']);
  });

  it('is waited for no longer than it is told to, and not at all where the file cannot be looked at', async () => {
    expect(await readPlainly({ file: '\0', since: null })).toEqual({ blocks: [], newest: '' });
    expect(await readPlainly({ file: path.join(file, 'below-a-file'), since: null })).toEqual({
      ...{ blocks: [], newest: '' },
    });
  });
});

describe('the end of a turn that the client names', () => {
  it('is seen, or is an error, or is not there', async () => {
    const end = async (...lines: object[]) => {
      plain(...lines);
      return (await readPlainly({ endMark: 'e1' })).end;
    };
    expect(await end(saying('a'), { endMark: 'e1' })).toBe('seen');
    expect(await end(saying('a'), { endMark: 'e1', failed: true })).toBe('failed');
    expect(await end({ endMark: 'e1', failed: true }, { endMark: 'e1' })).toBe('seen');
    expect(await end(saying('a'), { endMark: 'e2' })).toBeUndefined();
    expect(await end({ endMark: 'e1' }, { startsTurn: true })).toBeUndefined();
    plain(saying('a'), {});
    expect((await readPlainly({})).end).toBeUndefined();
  });

  it('tells that the message is whole, whatever its last block', async () => {
    plain(saying('a'), { endMark: 'e1' });
    expect(await readPlainly({ endMark: 'e1' })).toEqual({ blocks: ['a'], newest: 'l1', end: 'seen' });
  });
});

describe('a line of another session', () => {
  it.each([
    ['the session itself', 's1', '{"sessionId":"s1"}', 1],
    ['a session that names none', null, '{"sessionId":"s2"}', 1],
    ['another one', 's1', '{"sessionId":"s2"}', 0],
    ['one that is no text', 's1', '{"sessionId":2}', 1],
    ['none', 's1', '{}', 1],
  ])('is passed over: %s', async (_, session, fields, count) => {
    plain({ ...saying('a'), ...JSON.parse(fields) });
    expect((await readPlainly({ session, lastBlock: 'a' })).blocks).toHaveLength(count);
  });
});

describe('a glance', () => {
  it('reads 256 kilobytes at most', () => {
    const most = 256 * 1024;
    const lineOf = (size: number) => {
      plain(saying('x'));
      const rest = size - fs.statSync(file).size;
      plain(saying('x'.repeat(rest + 1)));
      expect(fs.statSync(file).size).toBe(size);
      return lastMessageNow(ask({ session: null, lastBlock: 'x'.repeat(rest + 1) }), readPlain);
    };
    expect(lineOf(most)?.blocks).toHaveLength(1);
    expect(lineOf(most + 1)).toBeNull();
  });

  it('knows that a message begins after another one', () => {
    plain(saying('y'.repeat(300_000)), saying('a', 'm1'), saying('b', 'm2'));
    expect(lastMessageNow(ask({ session: null, lastBlock: 'b' }), readPlain)?.blocks).toEqual(['b']);
    plain(saying('y'.repeat(300_000)), saying('a', 'm2'), saying('b', 'm2'));
    expect(lastMessageNow(ask({ session: null, lastBlock: 'b' }), readPlain)).toBeNull();
    plain(saying('y'.repeat(300_000)), { marker: 'x' }, saying('b', 'm2'));
    expect(lastMessageNow(ask({ session: null, lastBlock: 'b' }), readPlain)?.blocks).toEqual(['b']);
  });
});

describe('in recorded transcripts', () => {
  it('is the last one after a compaction in Claude Code', async () => {
    const asked = { ...ask(), file: recorded('claude-code/transcript-compaction.jsonl') };
    const { blocks } = await readLastMessage({ ...asked, lastBlock: 'After compaction.' }, readClaude);
    expect(blocks).toEqual(['After compaction.']);
  });

  it('is the last one after a hold in Claude Code', async () => {
    const asked = { ...ask(), file: recorded('claude-code/transcript-hold.jsonl') };
    const { blocks } = await readLastMessage({ ...asked, lastBlock: 'Now it is really done.' }, readClaude);
    expect(blocks).toEqual(['Now it is really done.']);
  });

  it('is found in Codex, which hands the blocks of a message over with nothing in between', async () => {
    const content = ['First.\n\nA signal', 'Second.'].map((text) => ({ type: 'output_text', text }));
    const payload = { type: 'message', role: 'assistant', id: 'm1', content };
    fs.writeFileSync(file, `${JSON.stringify({ type: 'response_item', payload })}\n`);
    const { blocks } = await readLastMessage(ask({ lastBlock: 'First.\n\nA signalSecond.' }), readCodex);
    expect(blocks).toEqual(['First.\n\nA signal', 'Second.']);
  });

  it('is found by the last of several blocks on one line, however it begins, and past blank ones', async () => {
    const content = ['First.', '  Second.', ' \n'].map((text) => ({ type: 'output_text', text }));
    const payload = { type: 'message', role: 'assistant', id: 'm1', content };
    fs.writeFileSync(file, `${JSON.stringify({ type: 'response_item', payload })}\n`);
    const { blocks } = await readLastMessage(ask({ lastBlock: 'Second.' }), readCodex);
    expect(blocks).toEqual(['First.', '  Second.', ' \n']);
    expect((await readLastMessage(ask({ lastBlock: 'Third.' }), readCodex)).blocks).toEqual([]);
  });

  it('is the last one after a hold and a compaction in Codex', async () => {
    const asked = { ...ask(), file: recorded('codex/transcript-compaction.jsonl') };
    const { blocks } = await readLastMessage({ ...asked, lastBlock: 'After the hold.' }, readCodex);
    expect(blocks).toEqual(['After the hold.']);
  });
});

describe('a glance at the last message', () => {
  const glance = (more: Partial<Asked> = {}) =>
    lastMessageNow(ask({ lastBlock: 'last', ...more }), readClaude);

  it('sees all its blocks when it is there', () => {
    fs.writeFileSync(file, prompt('go') + said('m1', 'first') + said('m1', 'last'));

    expect(glance()?.blocks).toEqual(['first', 'last']);
  });

  it('sees it at the very beginning of a file too', () => {
    fs.writeFileSync(file, said('m1', 'first') + said('m1', 'last'));

    expect(glance()?.blocks).toEqual(['first', 'last']);
  });

  it.each([
    ['has not come yet', () => prompt('go') + called('m1')],
    ['is another than the client spoke of', () => prompt('go') + said('m1', 'something else')],
    [
      'begins too far back to be seen at once',
      () => said('m1', 'first') + said('m1', `${'x'.repeat(300_000)}\nlast`),
    ],
    [
      'begins behind a block that fits',
      () =>
        said('m1', 'first') +
        line({ type: 'user', isMeta: true, message: { content: 'x'.repeat(300_000) } }) +
        said('m1', 'last'),
    ],
  ])('does not tell when it %s', (_, content) => {
    fs.writeFileSync(file, content());

    expect(glance()).toBeNull();
  });

  it('does not tell without a file or a last block to compare with', () => {
    fs.writeFileSync(file, prompt('go') + said('m1', 'last'));

    expect(glance({ file: null })).toBeNull();
    expect(glance({ lastBlock: null })).toBeNull();
  });
});

describe('a transcript that is read', () => {
  it('is read again only when something was added', async () => {
    fs.writeFileSync(file, prompt('Go') + said('m1', 'Not yet.'));
    let lines = 0;
    const counting = (text: string): TranscriptLine | null => {
      lines++;
      return readClaude(text);
    };
    expect((await readLastMessage(ask({ lastBlock: 'Done.' }), counting, 2)).blocks).toEqual([]);
    expect(lines).toBe(1);
  });

  it('is not left open', async () => {
    fs.writeFileSync(file, prompt('Go') + said('m1', 'Done.'));
    const opened = (): number =>
      fs.readdirSync('/dev/fd').filter((name) => {
        try {
          return fs.fstatSync(Number(name)).ino === fs.statSync(file).ino;
        } catch {
          return false;
        }
      }).length;
    await read({ lastBlock: 'Done.' });
    expect(lastMessageNow(ask({ lastBlock: 'Done.' }), readClaude)?.blocks).toEqual(['Done.']);
    expect(opened()).toBe(0);
  });
});
