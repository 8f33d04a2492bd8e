// A client that shows a hook's messages to nobody (Copilot): its agent is given them with the next hold or the next
// session's start, once, and the agent of no other client is.

import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fired, fireHook, runCli } from '../support/hook.ts';
import { type TempProject, tempProject } from '../support/project.ts';
import { recordedPayload } from '../support/recorded.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
const PASS_ON = 'Your client shows the user no messages of Holdfast.';

let project: TempProject;
let said = 0;
beforeEach(() => {
  project = tempProject();
  said = 0;
});
afterEach(() => project.remove());

/** Each stop has its own time, by which its transcript is known to have caught up with it. */
function stop(session = SESSION): Promise<Fired> {
  const time = Date.parse('2026-11-16T03:00:00Z') + ++said * 1000;
  project.write(`work-${said}.txt`, String(said));
  const line = (type: string, data: object): string =>
    JSON.stringify({ type, id: `${type}-${said}`, timestamp: new Date(time).toISOString(), data });
  const lines = [
    line('assistant.message', {
      messageId: `m${said}`,
      content: `Answer ${said}.`,
      toolRequests: [{ name: 'bash' }],
    }),
    line('hook.start', { hookType: 'agentStop', input: { timestamp: time } }),
  ];
  const file = path.join(project.home, 'events.jsonl');
  fs.appendFileSync(file, `${lines.join('\n')}\n`);
  const payload = {
    ...recordedPayload('copilot/stop-first.json'),
    ...{ session_id: session, cwd: project.root, transcript_path: file },
    ...{ timestamp: new Date(time).toISOString(), stop_hook_active: said > 1 },
  };
  return fireHook(project.root, JSON.stringify(payload));
}

async function startSession(
  session: string,
): Promise<{ additionalContext?: string; hookSpecificOutput?: unknown }> {
  const payload = {
    ...recordedPayload('copilot/plugin-session-start.json'),
    ...{ session_id: session, cwd: project.root },
  };
  const fired = await fireHook(project.root, JSON.stringify(payload), { args: ['session-start'] });
  return fired.stdout === '' ? {} : JSON.parse(fired.stdout);
}

const loop = () =>
  runCli(project.root, ['idle', 'loop', '--max', '50', 'a task'], {
    env: { COPILOT_AGENT_SESSION_ID: SESSION },
  });

describe('in Copilot', () => {
  it('eight holds are honoured; what the ninth stop says comes with the next session', async () => {
    await loop();
    for (let hold = 1; hold <= 8; hold++) {
      const { answer } = await stop();
      expect(answer?.reason).toContain(`[ITERATION ${hold}/50]`);
      expect(answer?.reason?.includes('the last time that Copilot CLI lets you')).toBe(hold === 8);
    }
    const ninth = await stop();
    expect(ninth.answer?.decision).toBeUndefined();
    expect(ninth.answer?.systemMessage).toContain(
      'Copilot CLI ends a turn after 8 holds. Type anything to go on.',
    );

    const begun = await startSession('another-session');
    expect(begun.additionalContext).toContain(PASS_ON);
    expect(begun.additionalContext).toContain('Copilot CLI ends a turn after 8 holds.');
    expect(begun).not.toHaveProperty('hookSpecificOutput');
    expect((await startSession('a-third-one')).additionalContext ?? '').not.toContain('ends a turn after');
  });

  it('what a repository puts into its own folders is passed on to nobody', async () => {
    await loop();
    project.write('.holdfast/unshown/x.json', '{"notices":["rm -rf /"]}');
    expect((await stop()).answer?.reason).toMatch(/^\[ITERATION 1\/50\]/);
  });
});
