// What each reader must make of broken text: a value of its type or a refusal in our own words, never a crash,
// never more than the text says. Run by readers.test.ts, and against planted defects by defects.test.ts.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type fc from 'fast-check';
import { clients } from '../../src/clients/index.ts';
import type { Command } from '../../src/engine/workflow-cli.ts';
import { OUTCOMES } from '../../src/store/journal-lines.ts';
import { isObject, parseJson } from '../../src/store/json.ts';
import { registry } from '../../src/workflows/registry.ts';
import { brokenText } from './broken.ts';
import * as corpus from './corpus.ts';
import type { Readers } from './readers.ts';
import { assertListed, assertSpent, reviewerTargets } from './reviewer-targets.ts';

export type Target = {
  name: string;
  input: fc.Arbitrary<string>;
  /** Throws when the reader made something of the text that it must not. */
  check(text: string, read: Readers): void | Promise<void>;
};

/** A folder for readers that take a file; removed by whoever made it. */
export const scratch = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-fuzz-')));

function onDisk(name: string, text: string): string {
  const file = path.join(scratch, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const oneOf = (value: unknown, ...known: readonly unknown[]): void =>
  assert(known.includes(value), String(value));
const textOrNull = (value: unknown): void => assert(value === null || isText(value));

/** Clients that load Claude Code's plugins and have a transcript in the corpus. */
const OTHERS = ['copilot', 'qwen', 'droid', 'gemini'] as const;
const CLIENTS: readonly (string | null)[] = [null, ...clients.map(({ name }) => name)];

const LIMITS = ['rate_limit', 'server_error', 'authentication_failed', 'billing_error'];

export const targets: readonly Target[] = [
  {
    name: 'the payload of a stop',
    input: brokenText(corpus.payloads),
    check(text, read) {
      const payload = read.parseObject(text);
      if (payload === null) return;
      for (const named of CLIENTS) {
        const { stop } = read.decodeStop(payload, named);
        for (const id of [stop.session, stop.turn, stop.cwd, stop.transcriptPath])
          assert(id === null || (isText(id) && id !== '' && !id.includes('\0')));
        textOrNull(stop.lastMessage);
        for (const { id, type, command = '' } of stop.backgroundTasks)
          assert([id, type, command].every(isText));
        assert.equal(typeof stop.planMode, 'boolean');
        if (stop.session !== null && named !== 'generic')
          assert(text.includes('ession') || text.includes('conversation'));
      }
    },
  },
  {
    name: 'the answer to a stop, whatever its text',
    input: brokenText([...corpus.messages, ...corpus.names]),
    check(text, read) {
      for (const name of ['claude-code', 'codex', 'generic'] as const) {
        const { stdout, exitCode } = read
          .clientNamed(name)
          .encode({ kind: 'hold', reason: text, notice: text }, read.decodeStop({}, name).stop, {});
        const answer: unknown = JSON.parse(stdout);
        assert.deepEqual(
          Object.keys(answer as object).sort(),
          text === '' ? ['decision', 'reason'] : ['decision', 'reason', 'systemMessage'],
        );
        assert(!stdout.trimEnd().includes('\n') && stdout.endsWith('\n'));
        assert(
          !/\\ud[89a-f]/i.test(JSON.stringify((answer as { reason: string }).reason)),
          'half a surrogate pair',
        );
        assert.equal(exitCode, name === 'generic' ? 2 : 0);
      }
    },
  },
  ...(['claude-code', 'codex'] as const).map(
    (client): Target => ({
      name: `a line of the transcript of ${client}`,
      input: brokenText(client === 'codex' ? corpus.codexLines : corpus.claudeLines),
      check(text, read) {
        const line = read.clientNamed(client).readTranscriptLine(text);
        if (line === null) return;
        assert(isText(line.marker) && line.marker !== '');
        assert.equal(typeof line.toolCall, 'boolean');
        assert.equal(typeof line.startsTurn, 'boolean');
        assert(line.said === null || (isText(line.said.text) && isText(line.said.messageId)));
        if (line.toolCall)
          assert(
            /tool_use|function_call|custom_tool_call|local_shell_call/.test(
              JSON.stringify(parseJson(text.trim())),
            ),
          );
      },
    }),
  ),
  ...OTHERS.map(
    (client): Target => ({
      name: `a line of the transcript of ${client}`,
      input: brokenText(corpus.otherLines(client)),
      check(text, read) {
        for (const reader of [client, 'generic'] as const) {
          const line = read.clientNamed(reader).readTranscriptLine(text);
          if (line === null) continue;
          assert(isText(line.marker) && line.marker !== '');
          assert.equal(typeof line.toolCall, 'boolean');
          assert.equal(typeof line.startsTurn, 'boolean');
          assert(line.said === null || (isText(line.said.text) && isText(line.said.messageId)));
          assert(line.endMark === undefined || isText(line.endMark));
          if (line.toolCall && reader === client)
            assert(
              /tool_use|functionCall|toolRequests|toolCalls/.test(JSON.stringify(parseJson(text.trim()))),
            );
        }
      },
    }),
  ),
  ...(['claude-code', 'codex'] as const).map(
    (client): Target => ({
      name: `the transcript of ${client}, from its end`,
      input: brokenText(client === 'codex' ? corpus.codexTranscripts : corpus.claudeTranscripts),
      async check(text, read) {
        const file = onDisk('transcript.jsonl', text);
        const readLine = read.clientNamed(client).readTranscriptLine;
        const { tools, marker } = read.activitySince(file, 'a marker that is gone', readLine);
        assert.equal(tools, 'unknown');
        textOrNull(marker);
        assert.equal(read.personBegan(file, 'a marker that is gone', readLine), 'unknown');
        // From a line that is there, by a naive reading of all that follow.
        const entries = text.split('\n').flatMap((line) => readLine(line.replace(/\r$/, '')) ?? []);
        const from = entries.at(Math.floor(entries.length / 2))?.marker;
        if (from !== undefined && Buffer.from(text).toString() === text) {
          const last = entries.findLastIndex((entry) => entry.marker === from);
          const began = entries
            .slice(last + 1)
            .some(
              ({ startsTurn, startedBy }) => startsTurn && startedBy !== 'hook' && startedBy !== 'background',
            );
          assert.equal(read.personBegan(file, from, readLine), began ? 'yes' : 'no');
        }
        const now = Date.parse('2027-01-01T00:00:00Z');
        const away = read.timeAtLimits(file, { marker: null, time: 0 }, now, readLine);
        assert(away >= 0 && away <= now, String(away));
        const limit = read.limitAtEnd(file, readLine);
        if (limit !== null) oneOf(limit.what, ...LIMITS);
        // A message that is not there is waited for: only a few texts may take that long.
        if (!read.fingerprint(text).startsWith('00')) return;
        const said = await read.readLastMessage(
          { file, session: null, lastBlock: null, since: '' },
          (line) => (line.length > 50_000 ? null : readLine(line)),
        );
        assert(said.blocks.every(isText) && isText(said.newest));
      },
    }),
  ),
  {
    name: 'lines of a file, from its end',
    input: brokenText(['one\ntwo\n\nthree', '\n\n', `${'x'.repeat(70_000)}\ny\n`]),
    check(text, read) {
      const file = onDisk('lines', text);
      const descriptor = fs.openSync(file, 'r');
      try {
        const found = [...read.linesFromEnd(descriptor)].map((line) => line.text);
        const wellFormed = Buffer.from(text).toString();
        assert.deepEqual(
          found,
          wellFormed
            .split('\n')
            .filter((line) => line !== '')
            .reverse(),
        );
        const limited = [...read.linesFromEnd(descriptor, 100)].map((line) => Buffer.byteLength(line.text));
        assert(limited.reduce((sum, length) => sum + length, 0) <= 100, 'more than was asked for');
      } finally {
        fs.closeSync(descriptor);
      }
    },
  },
  {
    name: "claudex's state",
    input: brokenText(corpus.claudexStates),
    check(text, read) {
      const loop = read.readLoop(text);
      oneOf(loop.mode, 'plan', 'review', 'unknown');
      oneOf(loop.phase, 'drafting', 'reviewing', 'summarizing', 'done', 'cancelled', 'errored', 'unknown');
      oneOf(loop.signal, 'none', 'no-material-findings', 'max-reached');
      assert(isCount(loop.round) && loop.round > 0);
      assert(loop.maxRounds === null || (isCount(loop.maxRounds) && loop.maxRounds > 0));
      assert(!/[\r\n\0\u2028]/.test(loop.topic));
      if (loop.phase !== 'unknown')
        assert(new RegExp(`phase[^\\n]*${loop.phase}`).test(text), 'a phase that nobody wrote');
      const stepped = read.setField(text, 'round', 7, corpus.NOW);
      assert.equal(read.readLoop(stepped).round, 7);
      assert.equal(read.readLoop(stepped).phase, loop.phase);
      assert(stepped.split('\n').length >= text.split('\n').length, 'a line was lost');
    },
  },
  {
    name: "claudex's findings",
    input: brokenText(corpus.findings),
    check(text, read) {
      const counts = read.countFindings(text);
      if (counts === null) return assert.equal(text.trim(), '');
      assert.deepEqual(Object.keys(counts).sort(), ['high', 'low', 'medium']);
      assert(Object.values(counts).every(isCount), JSON.stringify(counts));
      assert(counts.high + counts.medium + counts.low <= text.split(/[\r\n]/).length);
    },
  },
  {
    name: "idle's state in the topic",
    input: brokenText(corpus.idleBodies),
    check(text, read) {
      const body = read.readBody(text);
      if (body.kind !== 'state') return oneOf(body.kind, 'not-a-state', 'unreadable');
      assert.match(body.run, /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/);
      oneOf(body.loop.event, 'STATE', 'DONE', 'ABORT');
      assert(body.loop.updatedAt === null || Number.isFinite(body.loop.updatedAt));
      for (const { mode, iter, max, carryOn } of body.loop.stack) {
        oneOf(mode, 'loop', 'issue', 'grind', 'unknown');
        assert((iter === 'corrupt' || isCount(iter)) && (max === 'corrupt' || isCount(max)));
        assert.equal(typeof carryOn, 'boolean');
      }
      const next = read.nextBody(body.raw.fields, {
        event: 'DONE',
        reason: null,
        stack: [],
        now: corpus.NOW,
      });
      const again = read.readBody(next);
      assert(again.kind === 'state' && again.loop.event === 'DONE' && again.run === body.run);
    },
  },
  {
    name: "idle's topic log",
    input: brokenText(corpus.idleLogs),
    check(text, read) {
      const log = onDisk('log/.jwz/messages.jsonl', text);
      const root = path.join(scratch, 'log');
      const found = read.latestOf('loop:current', root, null, read.HOOK_REACH);
      oneOf(found.kind, 'message', 'none');
      if (found.kind === 'message') assert(isText(found.body));
      // However broken the log: what is posted next is what is read next.
      const write = read.post(root, 'loop:current', found.log, '{"schema":1}', corpus.NOW);
      assert(write.kind === 'append');
      read.appendLine(log, write.line, root, { durable: false });
      const after = read.latestOf('loop:current', root, null, read.HOOK_REACH);
      assert(
        after.kind === 'message' && after.body === '{"schema":1}',
        `lost what was posted: ${after.kind}`,
      );
    },
  },
  {
    name: "idle's fallback file",
    input: brokenText(corpus.fallbacks),
    check(text, read) {
      const root = path.join(scratch, 'fallback');
      const put = (content: string) => onDisk('fallback/.claude/idle-loop.local.md', content);
      put(text);
      const file = read.readFallback(root);
      if (file.kind !== 'file') return oneOf(file.kind, 'none', 'unreadable');
      assert(isText(file.frame.mode));
      put(read.withIteration(file.text, 41));
      const stepped = read.readFallback(root);
      assert(stepped.kind === 'file' && stepped.frame.iter === 41, 'the iteration does not go up');
      assert.equal(stepped.frame.max, file.frame.max);
    },
  },
  {
    name: "taskie's state.json",
    input: brokenText(corpus.taskieStates),
    check(text, read) {
      const state = read.readTaskieState(text);
      if (state.kind !== 'known') return oneOf(state.kind, 'broken', 'absent');
      assert(
        isCount(state.maxReviews) &&
          isCount(state.clean) &&
          (state.iteration === null || isCount(state.iteration)),
      );
      assert(state.currentTask === null || /^\d{1,50}$/.test(state.currentTask));
      assert.match(state.model, /^[!-,.-~][!-~]*$/, 'no command line can carry this model');
      assert.equal(typeof state.tdd, 'boolean');
      const before = JSON.parse(text.replace(/^\uFEFF/, ''));
      const after = JSON.parse(
        read.editStateText(text, { phase: 'complete' }, { tdd: true }).replace(/^\uFEFF/, ''),
      );
      assert.equal(after.phase, 'complete');
      for (const key of Object.keys(before).filter((name) => name !== 'phase')) {
        const [was, is] = [Reflect.get(before, key), Reflect.get(after, key)];
        // A task given as a number is written back as the string that it is.
        const isTask = key === 'current_task' && typeof was === 'number' && /^\d{1,50}$/.test(is);
        assert.deepEqual(isTask ? Number(is) : is, was, `${key} changed`);
      }
    },
  },
  {
    name: "taskie's tasks.md",
    input: brokenText(corpus.taskTables),
    check(text, read) {
      const { rows, leftOut } = read.parseTasks(text);
      for (const { id, status } of leftOut) assert(isText(id) && isText(status));
      for (const { id, status } of rows) {
        assert.match(id, /^\d{1,50}$/);
        assert(isText(status) && status === status.toLowerCase());
      }
      const violations = read.findViolations({ files: ['plan.md', 'tasks.md'], nested: false, tasks: text });
      if (rows.length > 0) assert(!violations.includes('tasks.md has no table rows'));
    },
  },
  {
    name: "taskie's task files",
    input: brokenText(corpus.taskFiles),
    check(text, read) {
      for (const { name, status } of read.parseSubtasks(text))
        assert(isText(name) && name !== '' && /^[a-z-]*$/.test(status));
    },
  },
  {
    name: 'names of files in a plan folder',
    input: brokenText([...corpus.names, 'plan-review-1.md', 'task-1-post-review-2.md']),
    check(text, read) {
      const files = ['plan.md', text, `${text}.md`, `task-${text}.md`];
      assert(read.findViolations({ files, nested: false, tasks: null }).every(isText));
    },
  },
  {
    name: 'ids before they touch a path',
    input: brokenText(corpus.names),
    check(text, read) {
      const home = '/project/.holdfast';
      for (const made of [
        read.sidecarPath(home, `idle:${text}`),
        read.sessionPath(home, text),
        read.attemptFolder(home, text),
      ]) {
        assert.equal(made, path.normalize(made));
        assert.match(
          made,
          /^\/project\/\.holdfast\/(runs|sessions|attempts)\/[A-Za-z0-9][A-Za-z0-9_-]{0,130}(\.json)?$/,
        );
      }
      assert.notEqual(read.sessionPath(home, text), read.sessionPath(home, `${text}x`));
      if (read.isId(text)) assert.match(text, /^[0-9a-f-]{22}$/);
      if (read.isPlanId(text)) assert.match(text, /^(?!\.)[^/\p{Cc}\p{Cs}\p{Bidi_Control}]+$/u);
      assert.match(read.fingerprint(text), /^[0-9a-f]{28}$/);
    },
  },
  {
    name: "a reviewer's output",
    input: brokenText(corpus.envelopes),
    check(text, read) {
      for (const reviewer of [read.claude, read.codex]) {
        for (const code of [0, 1, 130, null]) {
          const verdict = reviewer.readVerdict(text, code);
          oneOf(verdict, 'clean', 'findings', 'none', 'failed');
          if (verdict === 'clean')
            assert(text.includes('PASS') && (code === 0 || code === null), 'clean out of nothing');
          if (verdict === 'findings') assert(text.includes('FAIL') && (code === 0 || code === null));
        }
        const cause = reviewer.readNoVerdict?.(text, Date.parse('2026-11-16T18:46:00Z')) ?? null;
        if (cause !== null) assert(cause.code === null || isCount(cause.code), String(cause.code));
        assertListed(reviewer.readFindings?.(text) ?? null, read);
        assertSpent(reviewer.readSpend?.(text) ?? null);
      }
    },
  },
  ...reviewerTargets,
  {
    name: 'what a reviewer is called with',
    input: brokenText(corpus.names),
    check(text, read) {
      const { program, args } = read.claude.call({
        model: text,
        prompt: text,
        file: '/p/r.md',
        folder: '/p/.holdfast/attempts/a1',
        access: 'sandboxed',
      });
      assert.equal(program, 'claude');
      assert.equal(args.at(-1), text);
      if (text !== '') assert.equal(args[args.indexOf('--model') + 1], text);
      assert(!args.slice(3, -1).includes('--dangerously-skip-permissions'));
      const folder = '/p/.holdfast/attempts/a1';
      const given = {
        model: 'm',
        prompt: text,
        file: `${scratch}/r.md`,
        folder,
        access: 'sandboxed',
      } as const;
      const other = read.codex.call(given);
      assert.equal(other.program, 'codex');
      assert.deepEqual(other.args.slice(-2), ['--', text]);
      assert(!other.args.includes('--dangerously-bypass-approvals-and-sandbox'));
    },
  },
  {
    name: 'the config',
    input: brokenText(corpus.configs),
    async check(text, read) {
      const { file, problems } = read.parseConfig(text, 'holdfast.config.json');
      assert(problems.length <= 5 && problems.every((line) => !/\p{Cc}/u.test(line) && line.length < 500));
      const again = read.parseConfig(JSON.stringify(file), 'holdfast.config.json');
      assert.deepEqual(again, { file, problems: [], unknown: [] }, 'what was taken is not sound');
      const value = parseJson(text);
      const review = isObject(value) ? value.review : { access: 'unreadable' };
      const asked = isObject(review) ? review.access : review;
      if (asked !== undefined && asked !== 'full')
        assert.equal(file.review?.access, 'sandboxed', 'the sandbox was lost');
      onDisk('config/holdfast.config.json', text);
      const config = await read.loadConfig(path.join(scratch, 'config'), {
        HOME: path.join(scratch, 'nobody'),
      });
      assert(
        config.review.timeoutMs > 0 && config.review.timeoutMs <= 600_000,
        'a repository made reviews longer',
      );
      for (const workflow of [...registry.map(({ name }) => name), 'constructor', '__proto__']) {
        const limits = read.guardLimits(config, workflow, { unmoved: 3, tools: 12 });
        assert(
          limits.unmoved <= 3 && limits.tools !== null && limits.tools <= 12,
          'a repository loosened a limit',
        );
      }
    },
  },
  {
    name: "a run's sidecar",
    input: brokenText(corpus.sidecars),
    check(text, read) {
      const value = parseJson(text);
      const parsed = read.parseSidecar(value);
      if (parsed.kind !== 'ok') return oneOf(parsed.kind, 'broken', 'newer');
      const { sessions, guard, attempts, saved, waiting, waits } = parsed.record;
      assert(sessions.every(isText));
      if (waiting !== undefined) {
        oneOf(waiting.for, 'work', 'person', 'limit');
        assert(
          isText(waiting.what) && waiting.since >= 0 && Number.isFinite(waiting.since + (waiting.until ?? 0)),
        );
        if (waiting.shown) for (const each of Object.values(waiting.shown)) textOrNull(each);
      }
      if (waits !== undefined)
        assert([waits.waited, waits.questions, waits.calls, waits.called, waits.callsAtHold].every(isCount));
      assert.deepEqual(
        Object.keys(guard),
        Object.keys(Reflect.get(value as object, 'guard')),
        'a session was forgotten',
      );
      for (const memory of Object.values(guard))
        assert([memory.noProgress, memory.noTools, memory.toolsUnknown].every(isCount));
      for (const attempt of attempts) {
        assert(isText(attempt.id));
        if (attempt.work === 'check') assert(isText(attempt.check) && isText(attempt.definition));
        else assert(isText(attempt.file) && isCount(attempt.number));
      }
      const claudex = read.readClaudexSaved(saved);
      assert(claudex.warned.every(isText));
      textOrNull(claudex.plan);
      const idle = read.readIdleSaved(saved);
      textOrNull(idle.seen);
      assert(idle.position === null || isCount(idle.position.scanned));
      const { keptSignal } = idle;
      const reason = keptSignal === null ? null : read.reasonOf('loop', keptSignal.signal);
      oneOf(reason, null, 'COMPLETE', 'MAX_ITERATIONS', 'STUCK');
      const { review } = read.readTaskieSaved(saved);
      assert(review === null || (isCount(review.number) && isCount(review.iteration)));
    },
  },
  {
    name: "a session's index",
    input: brokenText(corpus.sessions),
    check(text, read) {
      const parsed = read.parseSession(parseJson(text));
      if (parsed.kind !== 'ok') return oneOf(parsed.kind, 'broken', 'newer');
      assert(parsed.record.runs.every(isText) && parsed.record.notified.every(isText));
      const { holds } = parsed.record;
      if (holds !== undefined) textOrNull(holds.turn);
      assert(holds === undefined || isCount(holds.count));
    },
  },
  {
    name: 'a line of the journal',
    input: brokenText(corpus.journals),
    check(text, read) {
      const entry = read.parseJournalLine(text);
      if (entry === null) return;
      assert(isText(entry.time) && entry.schema === 2);
      for (const field of [entry.session, entry.workflow, entry.run]) textOrNull(field);
      if (entry.event !== 'stop') {
        assert(isText(entry.workflow) && isText(entry.run));
        oneOf(entry.event, 'start', 'adopt', 'cancel', 'end');
        if (entry.event === 'end') oneOf(entry.outcome, null, ...OUTCOMES);
        return;
      }
      textOrNull(entry.error);
      assert(isText(entry.client) && typeof entry.milliseconds === 'number');
      oneOf(entry.answer, 'hold', 'allow');
      for (const redecide of [read.redecideClaudex, read.redecideIdle]) {
        const step = redecide(entry.state, entry.facts);
        assert(step === null || typeof step === 'object');
      }
      read.readTaskieRecord(entry.state, entry.facts);
    },
  },
  {
    name: 'a step in the journal, explained',
    input: brokenText(corpus.steps),
    check(text, read) {
      const step = read.readRecordedStep(parseJson(text));
      if (step === null) return;
      assert(isText(step.kind));
      for (const explain of [read.explainClaudex, read.explainIdle, read.explainTaskie])
        textOrNull(explain(step));
    },
  },
  {
    name: "a lock's record",
    input: brokenText(corpus.lockRecords),
    check(text, read) {
      assert.equal(typeof read.isAbandoned(text, 3, () => 0), 'boolean');
      assert.equal(typeof read.isAbandoned(text, null, () => 1e9), 'boolean');
    },
  },
  {
    name: 'a signal in a message',
    input: brokenText(corpus.messages),
    async check(text, read) {
      const signals = ['<loop-done>COMPLETE</loop-done>', '<loop-done>STUCK</loop-done>'];
      for (const signal of [await read.findSignal(text, signals), read.findSignalByScan(text, signals)]) {
        if (signal === null) continue;
        const escaped = signal.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
        const own = text
          .split(/[\r\n]/)
          .some((line) => [signal, escaped].includes(line.trim()) && /^ {0,3}[<&]/.test(line));
        assert(own, 'a signal that is not on a line of its own');
      }
    },
  },
  {
    name: 'a text in a slot of a message',
    input: brokenText([...corpus.messages, ...corpus.names]),
    check(text, read) {
      assert.equal(read.render('a {{x}} b {{y}} c.', { x: text, y: 1 }), `a ${text} b 1 c.`);
    },
  },
  {
    name: 'the command line',
    input: brokenText([
      '--rounds 3 a topic',
      '--rounds=x',
      '-- --rounds',
      '--plan my-plan --json',
      '--__proto__ x',
      '-r',
    ]),
    check(text, read) {
      const command: Command = {
        name: 'plan',
        summary: '',
        usage: '',
        options: { rounds: { type: 'string' }, json: { type: 'boolean' } },
        writes: false,
        words: { least: 0, most: 1000 },
        run: () => 0,
      };
      try {
        const { words, flags } = read.parseCommandLine(text.split(' '), command, 'claudex plan');
        assert(words.every(isText));
        assert(Object.keys(flags).every((flag) => flag === 'rounds' || flag === 'json'));
      } catch (error) {
        assert(error instanceof Error && error.name === 'WrongUsage', String(error));
      }
    },
  },
];
