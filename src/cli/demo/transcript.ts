// The scripted agent's transcript, line by line as Claude Code writes it (2.1.197).

import { writeTemporary } from '../../store/open.ts';

export function makeTranscript(file: string): { file: string; add(does: string, says: string): void } {
  let lines = 0;
  const line = (block: object): string => {
    lines++;
    const message = { id: `msg_demo_${lines}`, role: 'assistant', content: [block] };
    return `${JSON.stringify({ type: 'assistant', uuid: `demo-${lines}`, isSidechain: false, message })}\n`;
  };
  return {
    file,
    add(does, says) {
      const worked = line({
        type: 'tool_use',
        id: `toolu_demo_${lines}`,
        name: 'Bash',
        input: { description: does },
      });
      writeTemporary(file, worked + line({ type: 'text', text: says }), { flag: 'a' });
    },
  };
}
