// The Messages API as Claude Code speaks it (2.1.197 and 2.1.325).

import type { ServerResponse } from 'node:http';
import { type Api, errorOf, openStream, sendJson } from './model-server.ts';
import { type Heard, type Reply, structuredAnswer } from './script.ts';

export const messagesApi: Api = {
  read(request) {
    if (request.method !== 'POST' || !request.path.endsWith('/v1/messages')) return null;
    const body = request.body as Body;
    return { heard: hear(body), body, background: backgroundKind(body) };
  },

  other(request, response) {
    if (request.path.includes('count_tokens')) return sendJson(response, 200, { input_tokens: 100 });
    if (request.path.includes('/v1/models')) return sendJson(response, 200, { data: [], has_more: false });
    return sendJson(response, 200, {});
  },

  answer(reply, question, id, response) {
    const { fails } = reply;
    if (fails !== undefined) {
      response.setHeader('x-should-retry', 'false');
      for (const [name, value] of Object.entries(fails.headers ?? {})) response.setHeader(name, value);
      return sendJson(response, fails.status, { type: 'error', error: errorOf(fails) });
    }
    const blocks = contentOf(reply, id);
    const stop = blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
    const { model, stream } = question.body as Body;
    const usage = { ...NO_USAGE, input_tokens: reply.tokens ?? 100, output_tokens: 20 };
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model,
      stop_sequence: null,
      usage,
    };
    if (stream) return streamMessage(message, blocks, stop, response);
    return sendJson(response, 200, { ...message, content: blocks, stop_reason: stop });
  },
};

const NO_USAGE = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: object };
type Content = string | readonly { type: string; text?: string; content?: Content }[];
type Body = {
  model: string;
  max_tokens: number;
  stream?: boolean;
  tools?: readonly { name: string }[];
  messages: readonly { role: string; content: Content }[];
  metadata?: { user_id?: string };
};

function hear(body: Body): Heard {
  const texts = body.messages.map(({ role, content }) => ({ role, text: textOf(content) }));
  const firstReply = texts.findIndex(({ role }) => role === 'assistant');
  const lastReply = texts.findLastIndex(({ role }) => role === 'assistant');
  const opening = texts.slice(0, firstReply < 0 ? undefined : firstReply);
  const join = (some: typeof texts): string => some.map(({ text }) => text).join('\n');
  return {
    part: '',
    model: body.model,
    session: /"session_id":"([^"]+)"/.exec(body.metadata?.user_id ?? '')?.[1] ?? '',
    opening: join(opening),
    last: join(texts.slice(lastReply + 1)),
    holds: body.messages.filter(({ role }) => role === 'user').flatMap(({ content }) => holdsIn(content)),
    tools: (body.tools ?? []).map(({ name }) => name),
    whole: JSON.stringify(body),
  };
}

function textOf(content: Content | undefined): string {
  if (content === undefined) return '';
  if (typeof content === 'string') return content;
  return content.map((block) => block.text ?? textOf(block.content)).join('\n');
}

/** A hold comes as a message, or as a reminder where it was said as feedback. */
const HOLD =
  /^Stop hook feedback:\n([\s\S]*)$|^<system-reminder>\nStop hook additional context: ([\s\S]*)\n<\/system-reminder>$/;

function holdsIn(content: Content): string[] {
  const texts = typeof content === 'string' ? [content] : content.map((block) => block.text ?? '');
  return texts.flatMap((text) => {
    const [, message, reminder] = HOLD.exec(text) ?? [];
    return message ?? reminder ?? [];
  });
}

/** Requests the client makes for itself. A reviewer has tools, so it is never taken for one. */
function backgroundKind(body: Body): string | null {
  const last = textOf(body.messages.at(-1)?.content);
  if (body.max_tokens === 1) return 'quota';
  if (/create a detailed summary|CRITICAL: Respond with TEXT ONLY/i.test(last)) return 'summary';
  if ((body.tools ?? []).length === 0) return 'title';
  return null;
}

function contentOf(reply: Reply, id: number): Block[] {
  const texts = reply.say === undefined ? [] : [reply.say].flat();
  const blocks: Block[] = texts.map((text) => ({ type: 'text', text }));
  const tool = toolOf(reply);
  if (tool !== null) blocks.push({ type: 'tool_use', id: `toolu_${id}`, ...tool });
  if (reply.afterwards !== undefined) blocks.push({ type: 'text', text: reply.afterwards });
  return blocks;
}

function toolOf(reply: Reply): { name: string; input: object } | null {
  if (reply.run !== undefined)
    return {
      name: 'Bash',
      input: {
        command: reply.run,
        description: 'A scripted command',
        ...(reply.background ? { run_in_background: true } : {}),
      },
    };
  if (reply.write !== undefined)
    return { name: 'Write', input: { file_path: reply.write.file, content: reply.write.text } };
  if (reply.call !== undefined) return { name: reply.call.tool, input: reply.call.input };
  if (reply.verdict !== undefined) return { name: 'StructuredOutput', input: structuredAnswer(reply) };
  return null;
}

function streamMessage(
  message: { usage: { output_tokens: number } },
  blocks: readonly Block[],
  stop: string,
  response: ServerResponse,
): void {
  const send = openStream(response) as (event: { type: string; [key: string]: unknown }) => void;
  send({ type: 'message_start', message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of blocks.entries()) {
    const empty = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
    send({ type: 'content_block_start', index, content_block: empty });
    const delta =
      block.type === 'text'
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    send({ type: 'content_block_delta', index, delta });
    send({ type: 'content_block_stop', index });
  }
  send({ type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: message.usage });
  send({ type: 'message_stop' });
  response.end();
}
