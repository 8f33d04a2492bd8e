// Calls somebody in one of the ways the user's settings name: a program with the news on its standard input, a webhook, the
// desktop. Five seconds at most, and never an error: what went wrong is the answer.

import { spawn } from 'node:child_process';
import type { Notifier } from '../../config/notify.ts';
import type { Call } from '../../engine/notify/types.ts';
import { messageOf } from '../../text/message-of.ts';
import { inOneParagraph } from '../../text/paragraph.ts';

const AT_MOST_MS = 5_000;

/** Null: it was sent. Else why not. */
export async function send(notifier: Notifier, call: Call): Promise<string | null> {
  try {
    switch (notifier.by) {
      case 'run':
        return await runProgram(notifier.run, `${JSON.stringify(call)}\n`);
      case 'webhook':
        return await post(notifier.webhook, call);
      case 'desktop':
        return await runProgram(desktopCommand(call), '');
    }
  } catch (error) {
    return reasonOf(error);
  }
}

/** As people read it, without a secret that an address may hold. */
export function nameOf(notifier: Notifier): string {
  switch (notifier.by) {
    case 'run':
      return inOneParagraph(notifier.run[0] ?? '', 60);
    case 'webhook':
      return `the webhook at ${new URL(notifier.webhook).host}`;
    case 'desktop':
      return 'the desktop';
  }
}

/** The same line under the names by which Slack, Discord and ntfy take it. */
async function post(address: string, call: Call): Promise<string | null> {
  const line = `${call.project}: ${call.text}`;
  const body = JSON.stringify({ ...call, text: line, content: line, message: line });
  const headers = { 'content-type': 'application/json', 'user-agent': 'holdfast' };
  const answer = await fetch(address, {
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.timeout(AT_MOST_MS),
  });
  await answer.body?.cancel();
  return answer.ok ? null : `it answered ${answer.status}`;
}

/** Words, never a script with the text in it. */
function desktopCommand({ project, text, event }: Call): readonly string[] {
  const title = `Holdfast: ${project}`;
  if (process.platform === 'darwin') {
    const script = 'on run {body, head}\ndisplay notification body with title head\nend run';
    return ['osascript', '-e', script, text, title];
  }
  const urgency = event === 'needs-you' ? 'critical' : 'normal';
  return ['notify-send', '--app-name=Holdfast', `--urgency=${urgency}`, '--', title, text];
}

/** With its own group, so that all it started ends with it. */
function runProgram([program = '', ...words]: readonly string[], input: string): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    const timer = setTimeout(() => {
      resolve(`it took longer than ${AT_MOST_MS / 1000} s`);
      endGroup(child.pid);
    }, AT_MOST_MS);
    const end = (why: string | null): void => {
      clearTimeout(timer);
      resolve(why);
    };
    child.on('error', (error) => end(reasonOf(error)));
    child.on('exit', (code, signal) =>
      end(code === 0 ? null : signal === null ? `exit code ${code}` : `it was ended by ${signal}`),
    );
    // One that reads nothing of it is not at fault.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `it took longer than ${AT_MOST_MS / 1000} s`;
  const cause = error instanceof Error ? error.cause : undefined;
  return inOneParagraph(messageOf(cause instanceof Error ? cause : error), 200);
}
