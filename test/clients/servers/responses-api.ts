// The Responses API as Codex speaks it (0.166.0), with function tools and in code mode.

import { type Api, errorOf, openStream, sendJson } from './model-server.ts';
import { type Heard, type Reply, structuredAnswer } from './script.ts';

export const responsesApi: Api = {
  read(request) {
    if (request.method !== 'POST' || !request.path.endsWith('/responses')) return null;
    const body = request.body as Body;
    return { heard: hear(body), body, background: backgroundKind(body) };
  },

  other: (_request, response) => sendJson(response, 404, { error: { message: 'not here' } }),

  answer(reply, question, id, response) {
    const { fails } = reply;
    if (fails !== undefined && fails.status !== 200)
      return sendJson(response, fails.status, { error: errorOf(fails) });
    const send = openStream(response) as (event: { type: string; [key: string]: unknown }) => void;
    const begun = { id: `resp_${id}`, object: 'response', status: 'in_progress' };
    send({ type: 'response.created', response: begun });
    if (fails !== undefined) {
      send({ type: 'response.failed', response: { ...begun, status: 'failed', error: errorOf(fails) } });
      response.end();
      return;
    }
    const items = itemsOf(reply, id, question.body as Body);
    for (const [output_index, item] of items.entries()) {
      send({ type: 'response.output_item.added', output_index, item });
      send({ type: 'response.output_item.done', output_index, item });
    }
    const input = reply.tokens ?? 100;
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + 20,
    };
    const done = { id: `resp_${id}`, object: 'response', status: 'completed', output: items, usage };
    send({ type: 'response.completed', response: done });
    response.end();
  },
};

type Item = {
  type: string;
  role?: string;
  content?: readonly { text?: string }[];
  output?: string | readonly { text?: string }[];
};
type Body = {
  model: string;
  input: readonly Item[];
  tools?: readonly { type: string; name?: string }[];
  prompt_cache_key?: string;
  text?: { format?: { type?: string } };
};

function hear(body: Body): Heard {
  const isReply = (item: Item): boolean => item.role === 'assistant' || /_call$/.test(item.type);
  const firstReply = body.input.findIndex(isReply);
  const lastReply = body.input.findLastIndex(isReply);
  const said = body.input.filter((item) => item.role === 'user').map(textOf);
  const join = (items: readonly Item[]): string => items.map(textOf).join('\n');
  return {
    part: '',
    model: body.model,
    session: body.prompt_cache_key ?? '',
    opening: join(body.input.slice(0, firstReply < 0 ? undefined : firstReply)),
    last: join(body.input.slice(lastReply + 1)),
    holds: said.flatMap((text) => reasonIn(text) ?? []),
    tools: (body.tools ?? []).map((tool) => tool.name ?? tool.type),
    whole: JSON.stringify(body),
  };
}

/** The client wraps a reason in a tag and escapes what is in it, as XML asks for (0.166.0); a model reads through that. */
function reasonIn(text: string): string | undefined {
  const escaped = /^<hook_prompt[^>]*>([\s\S]*)<\/hook_prompt>$/.exec(text)?.[1];
  return escaped
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}

function textOf(item: Item): string {
  const parts = item.content ?? item.output ?? [];
  return typeof parts === 'string' ? parts : parts.map((part) => part.text ?? '').join('\n');
}

/** What the client asks for itself, in a last user message of its own: a summary to go on from, the session's title. */
function backgroundKind(body: Body): string | null {
  const last = body.input.at(-1);
  if (last?.role !== 'user') return null;
  if (/CONTEXT CHECKPOINT COMPACTION/i.test(textOf(last))) return 'summary';
  if (/Do not answer the request\.\s+User prompt:/.test(textOf(last))) return 'title';
  return null;
}

function itemsOf(reply: Reply, id: number, body: Body): object[] {
  const said = reply.say === undefined ? [] : [reply.say].flat();
  // The API holds its whole answer to the schema; nothing else is said with it.
  const texts =
    reply.verdict === undefined ? said : [JSON.stringify({ findings: null, ...structuredAnswer(reply) })];
  const content = texts.map((text) => ({ type: 'output_text', text, annotations: [] }));
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', status: 'completed', content };
  const items: object[] = texts.length === 0 ? [] : [message];
  if (reply.call !== undefined)
    items.push({
      ...{ id: `fc_${id}`, type: 'function_call', call_id: `call_${id}` },
      ...{
        name: reply.call.tool,
        namespace: reply.call.namespace,
        arguments: JSON.stringify(reply.call.input),
      },
    });
  const command = commandOf(reply);
  if (command !== null) items.push(callOf(command, reply.background === true ? 500 : 30_000, id, body));
  return items;
}

function commandOf(reply: Reply): string | null {
  if (reply.run !== undefined) return reply.run;
  if (reply.write === undefined) return null;
  const { file, text } = reply.write;
  const quoted = `'${file.replaceAll("'", `'\\''`)}'`;
  return `mkdir -p "$(dirname ${quoted})" && cat >${quoted} <<'END_OF_FILE'\n${text}\nEND_OF_FILE`;
}

/** Older models have `exec_command` as a function; newer ones only a script, which calls it (code mode). */
function callOf(command: string, patienceMs: number, id: number, body: Body): object {
  const call_id = `call_${id}`;
  const options = { cmd: command, yield_time_ms: patienceMs };
  if ((body.tools ?? []).some((tool) => tool.name === 'exec_command'))
    return {
      id: `fc_${id}`,
      type: 'function_call',
      call_id,
      name: 'exec_command',
      arguments: JSON.stringify(options),
    };
  const input = `const r = await tools.exec_command(${JSON.stringify(options)}); text(r.output);`;
  return { id: `ctc_${id}`, type: 'custom_tool_call', call_id, name: 'exec', input };
}
