// The proof that the suite on streams can fail: defects planted into the source, one at a time.

import { afterAll, expect, test } from 'vitest';
import type { Defect } from '../crash/plant.ts';
import { partsWith, removePlanted } from './planting.ts';
import { properties } from './stream-properties.ts';

afterAll(removePlanted);

const CLAUDE = 'clients/claude-code/headless';
const CODEX = 'clients/codex/headless';
const LINES = 'clients/headless/lines.ts';

const defects: readonly (Defect & { foundBy: string })[] = [
  {
    name: 'a broken line is an error',
    file: `${CLAUDE}/events.ts`,
    from: 'const entry = parseObject(line);',
    to: 'void parseObject; const entry = JSON.parse(line) as Payload | null;',
    foundBy: 'whatever a line says, its events are ours, and their texts are short and plain',
  },
  {
    name: 'what a server says is shown as it is',
    file: 'clients/headless/trouble.ts',
    from: 'inOneParagraph(said.slice(0, 4000), 300)',
    to: '(void inOneParagraph, said)',
    foundBy: 'whatever a line says, its events are ours, and their texts are short and plain',
  },
  {
    name: 'a tool names itself at any length',
    file: `${CLAUDE}/events.ts`,
    from: "const name = inOneParagraph(textField(tool, 'name') ?? 'a tool', 80);",
    to: "const name = textField(tool, 'name') ?? 'a tool';",
    foundBy: 'whatever a line says, its events are ours, and their texts are short and plain',
  },
  {
    name: 'every line may name the session',
    file: `${CLAUDE}/events.ts`,
    from: " && entry.type === 'system'",
    to: '',
    foundBy: 'noise between its lines changes nothing that is said',
  },
  {
    name: 'letters are cut in two',
    file: LINES,
    from: "(others.length === 0 ? only : Buffer.concat(this.#parts)).toString('utf8')",
    to: "[only, ...others].map((part) => part.toString('utf8')).join('')",
    foundBy: 'the same bytes are the same lines, however they come',
  },
  {
    name: 'a line is kept, however long it is',
    file: LINES,
    from: 'this.#tooLong = this.#length > this.#most;',
    to: 'this.#tooLong = this.#length < 0 && this.#most > 0;',
    foundBy: 'a line without end is not kept',
  },
  {
    name: 'a flood fills the memory',
    file: 'clients/headless/event-queue.ts',
    from: 'if (this.#isBounded && this.#events.length >= MANY) this.#flow.pause();',
    to: 'void this.#isBounded;',
    foundBy: 'a driver that is slow makes the client wait',
  },
  {
    name: 'a reset in seconds',
    file: `${CLAUDE}/trouble.ts`,
    from: 'const time = Math.round(resetsAt * 1000);',
    to: 'const time = Math.round(resetsAt);',
    foundBy: 'a limit ends when the client says',
  },
  {
    name: 'a reset in the other half of the day',
    file: `${CODEX}/trouble.ts`,
    from: "(half?.toLowerCase() === 'p' ? 12 : 0)",
    to: "(half?.toLowerCase() === 'a' ? 12 : 0)",
    foundBy: 'a limit ends when the client says',
  },
  {
    name: 'a full context is a refusal',
    file: `${CLAUDE}/trouble.ts`,
    from: "if (result.terminal_reason === 'prompt_too_long') return troubleOf('context', said);",
    to: '',
    foundBy: 'each failure that was recorded is called what it is',
  },
  {
    name: 'no connection is the server’s fault',
    file: `${CLAUDE}/trouble.ts`,
    from: "return typeof failure?.api_error_status === 'number' ? 'server' : 'network';",
    to: "return 'server';",
    foundBy: 'each failure that was recorded is called what it is',
  },
  {
    name: 'a quota is a limit that ends',
    file: `${CODEX}/trouble.ts`,
    from: 'usage limit|last status: 429',
    to: 'usage limit|quota|last status: 429',
    foundBy: 'each failure that was recorded is called what it is',
  },
  {
    name: 'what the client tries again is a failed turn',
    file: `${CODEX}/events.ts`,
    from: 'only a turn that failed is trouble.\n        return [ALIVE];',
    to: "only a turn that failed is trouble.\n        return this.#failed('waiting for network');",
    foundBy: 'what ended by our own hand, or goes on by itself, is no trouble',
  },
  {
    name: 'an interrupted turn has failed',
    file: `${CLAUDE}/trouble.ts`,
    from: '/^aborted/',
    to: '/^never/',
    foundBy: 'what ended by our own hand, or goes on by itself, is no trouble',
  },
  {
    name: 'a denial is named twice',
    file: `${CLAUDE}/events.ts`,
    from: 'if (this.#denied.has(key)) return [];',
    to: '',
    foundBy: 'each call is counted once, and each denial named once',
  },
  {
    name: 'a command is counted when it begins and when it ends',
    file: `${CODEX}/events.ts`,
    from: 'const isKnown = this.#begun.has(id);',
    to: 'const isKnown = this.#begun.has(id.repeat(2));',
    foundBy: 'each call is counted once, and each denial named once',
  },
];

test.each(defects)('finds: $name', async ({ foundBy, ...defect }) => {
  const broken = await partsWith(defect);
  const property = properties[foundBy];
  if (property === undefined) throw new Error(`there is no property "${foundBy}"`);
  await expect(async () => await property(broken)).rejects.toThrow();
});
