import { expect, it } from 'vitest';
import { geminiFolder } from '../gemini/folder.ts';
import { qwenFolder } from '../qwen/folder.ts';
import { copilotFolder } from './folder.ts';

it.each<[string, (env: Record<string, string>) => string, string, string, string]>([
  ['Copilot CLI', copilotFolder, 'COPILOT_HOME', '/h/.copilot', '/c'],
  ['Qwen Code', qwenFolder, 'QWEN_HOME', '/h/.qwen', '/c'],
  ['Gemini CLI', geminiFolder, 'GEMINI_CLI_HOME', '/h/.gemini', '/c/.gemini'],
])(
  '%s keeps its files in the home, or where its variable says as a whole path',
  (_, folder, name, usual, own) => {
    expect(folder({ HOME: '/h' })).toBe(usual);
    expect(folder({ HOME: '/h', [name]: '/c' })).toBe(own);
    expect(folder({ HOME: '/h', [name]: 'c' })).toBe(usual);
  },
);
