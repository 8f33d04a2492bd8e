// What reads the output of a client without a terminal, in one bag: stream-defects.test.ts puts broken ones in its place.

import { ClaudeReader } from '../../src/clients/claude-code/headless/events.ts';
import { CodexReader } from '../../src/clients/codex/headless/events.ts';
import { CopilotReader } from '../../src/clients/copilot/headless/events.ts';
import { EventQueue } from '../../src/clients/headless/event-queue.ts';
import { Lines } from '../../src/clients/headless/lines.ts';
import { QwenReader } from '../../src/clients/qwen/headless/events.ts';

export const parts = { ClaudeReader, CodexReader, CopilotReader, QwenReader, EventQueue, Lines };
export type Parts = typeof parts;
