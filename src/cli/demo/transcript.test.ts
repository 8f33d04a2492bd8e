import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { emptyFolder } from '../../../test/support/bare-project.ts';
import { makeTranscript } from './transcript.ts';

it('a turn is a tool call and a text, each a message of its own', () => {
  const file = path.join(emptyFolder(), 'transcript.jsonl');
  const transcript = makeTranscript(file);
  expect(transcript.file).toBe(file);
  transcript.add('Writes a file', 'Done.');
  transcript.add('Looks again', 'Really done.');
  const line = (number: number, block: object): object => ({
    ...{ type: 'assistant', uuid: `demo-${number}`, isSidechain: false },
    message: { id: `msg_demo_${number}`, role: 'assistant', content: [block] },
  });
  const tool = (number: number, description: string): object => ({
    ...{ type: 'tool_use', id: `toolu_demo_${number}`, name: 'Bash', input: { description } },
  });
  const text = fs.readFileSync(file, 'utf8');
  expect(text.endsWith('}\n')).toBe(true);
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each)),
  ).toEqual([
    line(1, tool(0, 'Writes a file')),
    line(2, { type: 'text', text: 'Done.' }),
    line(3, tool(2, 'Looks again')),
    line(4, { type: 'text', text: 'Really done.' }),
  ]);
});
