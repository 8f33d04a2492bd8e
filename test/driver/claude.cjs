#!/usr/bin/env node
// A scripted client with the command line and the output of Claude Code in stream-json (2.1.325). The hook it fires is
// the real one. What it does comes from a file, one action per line, shared by all its processes: a cursor says which is
// next, so that a crash repeats nothing.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const { STAGE, PLUGIN } = process.env;
const args = process.argv.slice(2);
const after = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : null);
const resumed = after('--resume');
const session = resumed ?? after('--session-id') ?? 'no-session';
const transcript = path.join(process.env.HOME, '.claude', 'projects', 'stage', `${session}.jsonl`);
const inStage = (name) => path.join(STAGE, name);
const note = (name, line) => fs.appendFileSync(inStage(name), `${line}\n`);

// Two at once are never right.
const other = Number(fs.existsSync(inStage('running')) ? fs.readFileSync(inStage('running'), 'utf8') : 0);
if (other > 0 && isAlive(other)) note('violations', `process ${process.pid} started beside ${other}`);
fs.writeFileSync(inStage('running'), String(process.pid));
note('starts', JSON.stringify({ session, resumed: resumed !== null, pid: process.pid, args }));
process.on('SIGINT', () => process.exit(0));

fs.mkdirSync(path.dirname(transcript), { recursive: true });
if (resumed !== null && !fs.existsSync(transcript)) {
  process.stderr.write(`No conversation found with session ID: ${resumed}\n`);
  process.exit(1);
}

let lines = 0;
let turns = 0;
let isHeld = false;
const spent = () =>
  (fs.existsSync(transcript) ? fs.readFileSync(transcript, 'utf8').split('\n').length : 0) / 100;
const say = (value) => fs.writeSync(1, `${JSON.stringify({ ...value, session_id: session })}\n`);
const keep = (value) =>
  fs.appendFileSync(
    transcript,
    `${JSON.stringify({ ...value, uuid: `${process.pid}-${++lines}`, isSidechain: false, sessionId: session })}\n`,
  );

let input = '';
process.stdin.on('data', (chunk) => {
  input += chunk;
  for (let end = input.indexOf('\n'); end !== -1; end = input.indexOf('\n')) {
    const line = input.slice(0, end);
    input = input.slice(end + 1);
    takeTurn(JSON.parse(line).message.content);
  }
});
process.stdin.on('end', () => process.exit(0));

function takeTurn(prompt) {
  turns++;
  note('prompts', JSON.stringify({ session, prompt }));
  say({ type: 'system', subtype: 'init' });
  keep({
    type: 'user',
    promptId: `${process.pid}-${turns}`,
    turnOrigin: 'sdk',
    message: { role: 'user', content: prompt },
  });
  for (;;) {
    const action = nextAction();
    if (act(action)) return;
  }
}

/** True: the turn is over. */
function act(action) {
  switch (action.do) {
    case 'crash':
      process.kill(process.pid, 'SIGKILL');
      return pause();
    case 'exit':
      process.exit(1);
      return true;
    case 'hang':
      note('hung', String(process.pid));
      return pause();
    case 'limit':
      say({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: action.resetsAt } });
      return failed(429, 'You have hit your limit', 'rate_limit');
    case 'error':
      return failed(529, 'Overloaded', 'server_error');
    case 'login':
      return failed(401, 'Please run /login', 'authentication_failed');
    case 'context':
      say({
        type: 'result',
        is_error: true,
        terminal_reason: 'prompt_too_long',
        result: 'Prompt is too long',
      });
      return true;
    case 'unheld':
      return ended('Nothing more.');
    case 'ask':
      tool('Bash');
      run(`${PLUGIN}/bin/holdfast`, ['ask', action.question]);
      return stop('I have asked.');
    case 'cap':
      fs.writeFileSync(inStage('cap'), String(action.holds));
      return false;
    case 'run':
      tool('Bash');
      run('/bin/sh', ['-c', action.line]);
      return false;
    case 'denied':
      say({
        type: 'system',
        subtype: 'permission_denied',
        tool_name: 'Bash',
        tool_use_id: `d${Math.random()}`,
      });
      return false;
    case 'idle':
      return stop('Still nothing.');
    case 'work':
      tool('Write');
      note('work', session);
      return stop('One more.');
    case 'done':
      tool('Write');
      return stop('All of it.\n\n<loop-done>COMPLETE</loop-done>');
  }
  throw new Error(`no such action: ${JSON.stringify(action)}`);
}

function nextAction() {
  const actions = fs.readFileSync(inStage('script'), 'utf8').trim().split('\n');
  const cursor = Number(fs.existsSync(inStage('cursor')) ? fs.readFileSync(inStage('cursor'), 'utf8') : 0);
  fs.writeFileSync(inStage('cursor'), String(cursor + 1));
  return JSON.parse(actions[cursor] ?? '{"do":"done"}');
}

function tool(name) {
  const block = { type: 'tool_use', id: `t${process.pid}-${lines}`, name, input: {} };
  keep({
    type: 'assistant',
    message: { id: `m${process.pid}-${lines}`, role: 'assistant', content: [block] },
  });
  say({ type: 'assistant', message: { content: [block] } });
}

/** The agent wants to end its turn. True: it may. */
function stop(text) {
  keep({
    type: 'assistant',
    message: { id: `m${process.pid}-${lines}`, role: 'assistant', content: [{ type: 'text', text }] },
  });
  const payload = {
    ...{
      session_id: session,
      transcript_path: transcript,
      cwd: process.cwd(),
      prompt_id: `${process.pid}-${turns}`,
    },
    ...{ hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: text },
    ...(mostHolds() === null ? {} : { crons: [], stop_hook_active: isHeld }),
  };
  const { stdout } = run(`${PLUGIN}/hooks/stop`, [], JSON.stringify(payload));
  const answer = stdout === '' ? {} : JSON.parse(stdout);
  isHeld = answer.decision === 'block';
  if (!isHeld) return ended(text);
  keep({
    type: 'user',
    isMeta: true,
    message: { role: 'user', content: `Stop hook feedback:\n${answer.reason}` },
  });
  return false;
}

/** With Qwen Code's mark at its stops it is a client with a cap, which the hook reads from its environment. */
function mostHolds() {
  return fs.existsSync(inStage('cap')) ? Number(fs.readFileSync(inStage('cap'), 'utf8')) : null;
}

function ended(text) {
  say({ type: 'result', is_error: false, subtype: 'success', result: text, total_cost_usd: spent() });
  return true;
}

function failed(status, text, error) {
  const row = {
    is_api_error_message: true,
    api_error_status: status,
    error,
    message: { content: [{ type: 'text', text }] },
  };
  say({ type: 'assistant', ...row });
  say({
    type: 'result',
    is_error: true,
    terminal_reason: 'api_error',
    api_error_status: status,
    result: text,
    total_cost_usd: spent(),
  });
  return true;
}

function run(program, words, stdin = '') {
  const env = {
    ...process.env,
    CLAUDE_CODE_SESSION_ID: session,
    CLAUDECODE: '1',
    CLAUDE_PROJECT_DIR: process.cwd(),
    ...(mostHolds() === null ? {} : { QWEN_CODE_STOP_HOOK_BLOCK_CAP: String(mostHolds() + 1) }),
  };
  return spawnSync(program, words, { input: stdin, env, encoding: 'utf8', cwd: process.cwd() });
}

function pause() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return true;
}

function isAlive(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/\) [ZX] /.test(stat);
  } catch {
    return false;
  }
}
