// The Chat Completions API as Qwen Code (0.24.4), Copilot CLI (1.0.102), opencode (1.18.33)
// and Droid (0.225.2) speak it to a model of the user's own.

import type { ServerResponse } from 'node:http';
import { type Api, errorOf, sendJson } from './model-server.ts';
import { type Heard, type Reply, structuredAnswer } from './script.ts';

export const chatApi: Api = {
  read(request) {
    if (request.method !== 'POST' || !request.path.endsWith('/chat/completions')) return null;
    const body = request.body as Body;
    return { heard: hear(body), body, background: backgroundKind(body) };
  },

  other(request, response) {
    if (request.path.endsWith('/models'))
      return sendJson(response, 200, { object: 'list', data: [{ id: 'scripted', object: 'model' }] });
    return sendJson(response, 404, { error: { message: 'not here' } });
  },

  answer(reply, question, id, response) {
    const { fails } = reply;
    if (fails !== undefined) {
      for (const [name, value] of Object.entries(fails.headers ?? {})) response.setHeader(name, value);
      return sendJson(response, fails.status, { error: errorOf(fails) });
    }
    const { model, stream, tools = [] } = question.body as Body;
    const call = callOf(reply, tools);
    const said = [...(reply.say === undefined ? [] : [reply.say].flat()), ...verdictInWords(reply, tools)];
    const message: Message = {
      content: said.join('\n\n'),
      calls: call === null ? [] : [{ index: 0, id: `call_${id}`, type: 'function', function: call }],
    };
    const head = { id: `chatcmpl-${id}`, created: 1, model };
    const isSummary = question.background === 'summary';
    const input = reply.tokens ?? (isSummary ? lastInput : 100);
    lastInput = input;
    const usage = { prompt_tokens: input, completion_tokens: 20, total_tokens: input + 20 };
    if (stream) return streamMessage(head, message, usage, response);
    const whole = { role: 'assistant', content: message.content, tool_calls: message.calls };
    const choice = { index: 0, finish_reason: endOf(message), message: whole };
    return sendJson(response, 200, { ...head, object: 'chat.completion', choices: [choice], usage });
  },
};

/** What is summed up is the conversation as it was: Qwen Code takes no summary that, by its count, makes it no shorter. */
let lastInput = 100;

type Content = string | null | readonly { text?: string }[];
type Body = {
  model: string;
  stream?: boolean;
  tools?: readonly { function: { name: string } }[];
  messages: readonly { role: string; content?: Content; tool_calls?: readonly unknown[] }[];
};
type Call = { name: string; arguments: string };
type Message = {
  content: string;
  calls: readonly { index: number; id: string; type: string; function: Call }[];
};

function hear(body: Body): Heard {
  const said = body.messages.filter(({ role }) => role !== 'system' && role !== 'developer');
  const texts = said.map(({ role, content }) => ({ role, text: textOf(content) }));
  const firstReply = texts.findIndex(({ role }) => role === 'assistant');
  const lastReply = texts.findLastIndex(({ role }) => role === 'assistant');
  const join = (some: typeof texts): string => some.map(({ text }) => text).join('\n');
  return {
    part: '',
    model: body.model,
    session: '',
    opening: join(texts.slice(0, firstReply < 0 ? undefined : firstReply)),
    last: join(texts.slice(lastReply + 1)),
    holds: texts.filter(({ role }) => role === 'user').flatMap(({ text }) => holdIn(text) ?? []),
    tools: (body.tools ?? []).map((tool) => tool.function.name),
    whole: JSON.stringify(body),
  };
}

/**
 * What the client asks for itself: a summary to go on from; a title, which has no tools; Qwen Code looks for what it should
 * remember when it ends.
 */
function backgroundKind({ tools = [], messages }: Body): string | null {
  const last = textOf(messages.at(-1)?.content);
  if (/respond only with the summary text|state_snapshot/i.test(last)) return 'summary';
  if (tools.length === 0) return SUMMARY.test(last) ? 'summary' : 'title';
  return last.startsWith('Managed memory has') ? 'memory' : null;
}

/** Of opencode, and of Droid. */
const SUMMARY = /^(?:Here is the conversation so far|Please summarize the following conversation)/;

function textOf(content: Content | undefined): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text }) => text ?? '').join('\n');
}

/** These clients give the bare reason, as if the user had said it; ours all end with how to ask. Copilot adds the time. */
function holdIn(text: string): string | undefined {
  const isHold = /(?:ask "<question>"`, then end your turn\.|ASSUMPTIONS\.md, go on\.)\s*$/.test(text);
  return isHold ? text.replace(/^<current_datetime>[^<]*<\/current_datetime>\s*/, '') : undefined;
}

function callOf(reply: Reply, tools: NonNullable<Body['tools']>): Call | null {
  const has = (name: string): boolean => tools.some((tool) => tool.function.name === name);
  const call = (name: string, input: object): Call => ({ name, arguments: JSON.stringify(input) });
  const description = 'A scripted command';
  if (reply.run !== undefined)
    return has('run_shell_command')
      ? call('run_shell_command', { command: reply.run, description, is_background: false })
      : call(has('Execute') ? 'Execute' : 'bash', {
          command: reply.run,
          description,
          ...ofDroid(has('Execute')),
        });
  if (reply.write !== undefined) {
    const { file, text } = reply.write;
    if (has('write') || has('Create'))
      return call(has('write') ? 'write' : 'Create', {
        ...(has('write') ? { filePath: file } : { file_path: file }),
        content: text,
      });
    return has('write_file')
      ? call('write_file', { file_path: file, content: text })
      : call('create', { path: file, file_text: text });
  }
  if (reply.call !== undefined) return call(reply.call.tool, reply.call.input);
  if (reply.verdict !== undefined && has(STRUCTURED)) return call(STRUCTURED, structuredAnswer(reply));
  return null;
}

/** The tool of Qwen Code for it. */
const STRUCTURED = 'structured_output';

/** A client without such a tool asks for it in words. */
function verdictInWords(reply: Reply, tools: NonNullable<Body['tools']>): string[] {
  if (reply.verdict === undefined || tools.some((tool) => tool.function.name === STRUCTURED)) return [];
  return [JSON.stringify(structuredAnswer(reply))];
}

/** Droid's tool wants to know how much its command may do. */
const ofDroid = (isDroid: boolean): object =>
  isDroid
    ? { summary: 'a scripted command', riskLevel: 'low', riskLevelReason: 'scripted', timeout: 60 }
    : {};

const endOf = ({ calls }: Message): string => (calls.length > 0 ? 'tool_calls' : 'stop');

function streamMessage(
  head: object,
  { content, calls }: Message,
  usage: object,
  response: ServerResponse,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (delta: object, finish_reason: string | null = null, extra = {}): void => {
    const choices = [{ index: 0, delta, finish_reason }];
    const chunk = { ...head, object: 'chat.completion.chunk', choices, ...extra };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  send({ role: 'assistant', content: '' });
  if (content !== '') send({ content });
  for (const call of calls) send({ tool_calls: [call] });
  send({}, endOf({ content, calls }), { usage });
  response.end('data: [DONE]\n\n');
}
