// A hold that was said as feedback, in the transcript that the next stop reads (recorded).

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TempProject, tempProject } from '../../../test/support/project.ts';
import { recordedLines } from '../../../test/support/recorded.ts';
import { lastMessageNow } from '../../text/last-message.ts';
import { activitySince } from '../../text/transcript.ts';
import { readTranscriptLine } from './transcript.ts';

const lines = recordedLines('claude-code/transcript-feedback-2.1.325.jsonl');
const isHold = (line: string) => line.includes('"type":"hook_additional_context"');
const says = (line: string) => line.includes('"text":"Next stop."');

let project: TempProject;
beforeEach(() => {
  project = tempProject();
});
afterEach(() => project.remove());

const file = (...rows: readonly string[]) => project.write('transcript.jsonl', `${rows.join('\n')}\n`);
const asked = { session: null, lastBlock: 'Next stop.', since: null };

describe('after a hold as feedback', () => {
  const hold = lines.findIndex((line, at) => isHold(line) && lines.slice(0, at).some(says));
  const next = lines.findIndex((line, at) => at > hold && says(line));

  it('the message before it is not taken for the one that is still to come', () => {
    const soFar = file(...lines.slice(0, hold + 1));
    expect(lastMessageNow({ ...asked, file: soFar }, readTranscriptLine)).toBeNull();
  });

  it('the next message is read, and nothing before the hold', () => {
    const whole = file(...lines.slice(0, next + 1));
    expect(lastMessageNow({ ...asked, file: whole }, readTranscriptLine)?.blocks).toEqual(['Next stop.']);
  });

  it('what the agent did since is told, from the last line before it', () => {
    const marker = readTranscriptLine(lines[hold] ?? '')?.marker ?? '';
    const whole = file(...lines.slice(0, next + 1));
    expect(activitySince(whole, marker, readTranscriptLine)).toMatchObject({
      tools: 'no',
      marker: readTranscriptLine(lines[next] ?? '')?.marker,
    });
  });
});
