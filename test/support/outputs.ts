// Puts what a program would have printed where it would have printed it.

import fs from 'node:fs';
import { makeOutputFolder, type OutputName, type OutputsOf, outputFolder } from '../../src/store/outputs.ts';

/** Answers with the file. */
export function putOutput(
  whose: OutputsOf,
  attempt: string,
  text: string,
  name: OutputName = 'stdout',
): string {
  makeOutputFolder(whose, attempt);
  const file = `${outputFolder(whose, attempt)}/${name}`;
  fs.writeFileSync(file, text, { mode: 0o600 });
  return file;
}
