// Questions to a person at the terminal. One reader for all of them, so that no answer typed ahead is lost.

import { createInterface } from 'node:readline';

export type Questions = {
  /** Anything but a yes is a no, and so is the end of the input. */
  isYes(question: string): Promise<boolean>;
  close(): void;
};

export function openQuestions(): Questions {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answers: string[] = [];
  let isClosed = false;
  let answered: (() => void) | null = null;
  terminal.on('line', (line) => {
    answers.push(line);
    answered?.();
  });
  terminal.on('close', () => {
    isClosed = true;
    answered?.();
  });
  return {
    async isYes(question) {
      terminal.setPrompt(`\n${question} [y/N] `);
      if (!isClosed) terminal.prompt();
      if (answers.length === 0 && !isClosed)
        await new Promise<void>((resolve) => {
          answered = resolve;
        });
      answered = null;
      return /^\s*y(?:es)?\s*$/i.test(answers.shift() ?? '');
    },
    close: () => terminal.close(),
  };
}
