// Gemini's API as Gemini CLI speaks it (0.61.0), whole and streamed.

import type { ServerResponse } from 'node:http';
import { type Api, sendJson } from './model-server.ts';
import { type Heard, type Reply, structuredAnswer } from './script.ts';

const QUESTION = /\/models\/([^/:]+):(streamGenerateContent|generateContent)$/;

export const geminiApi: Api = {
  read(request) {
    const model = QUESTION.exec(request.path)?.[1];
    if (model === undefined) return null;
    const body = request.body as Body;
    return {
      heard: hear(body, model),
      body: { ...body, path: request.path },
      background: backgroundKind(body),
    };
  },

  other(request, response) {
    if (request.path.endsWith(':countTokens')) return sendJson(response, 200, { totalTokens: 100 });
    return sendJson(response, 404, { error: { code: 404, message: 'not here', status: 'NOT_FOUND' } });
  },

  answer(reply, question, id, response) {
    const { fails } = reply;
    if (fails !== undefined) {
      const error = { code: fails.status, message: fails.message, status: fails.type, ...fails.details };
      return sendJson(response, fails.status, { error });
    }
    const parts = partsOf(reply, id);
    const { path } = question.body as { path: string };
    if (path.endsWith(':generateContent')) return sendJson(response, 200, chunk(parts, reply, true));
    return streamParts(parts, reply, response);
  },
};

type PartOf = {
  text?: string;
  functionCall?: { id: string; name: string; args: object };
  functionResponse?: { response?: object };
};
type Body = {
  contents: readonly { role: string; parts: readonly PartOf[] }[];
  tools?: readonly { functionDeclarations?: readonly { name: string }[] }[];
};

function hear(body: Body, model: string): Heard {
  const texts = body.contents.map(({ role, parts }) => ({ role, text: parts.map(textOf).join('\n') }));
  const firstReply = texts.findIndex(({ role }) => role === 'model');
  const lastReply = texts.findLastIndex(({ role }) => role === 'model');
  const join = (some: typeof texts): string => some.map(({ text }) => text).join('\n');
  return {
    part: '',
    model,
    session: '',
    opening: join(texts.slice(0, firstReply < 0 ? undefined : firstReply)),
    last: join(texts.slice(lastReply + 1)),
    holds: firstReply < 0 ? [] : body.contents.slice(firstReply).flatMap(holdsIn),
    tools: (body.tools ?? []).flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name }) => name),
    ),
    whole: JSON.stringify(body),
  };
}

function textOf({ text, functionResponse }: PartOf): string {
  return text ?? (functionResponse === undefined ? '' : JSON.stringify(functionResponse.response));
}

/** The bare reason is a user's message there: whatever a user says after the first reply and no tool answers. */
function holdsIn({ role, parts }: Body['contents'][number]): string[] {
  if (role !== 'user' || parts.some(({ functionResponse }) => functionResponse !== undefined)) return [];
  return [parts.map(textOf).join('\n')];
}

/** Requests the client makes for itself have no tools: a summary to go on from, which model to take. */
function backgroundKind(body: Body): string | null {
  if ((body.tools ?? []).length > 0) return null;
  return JSON.stringify(body).includes('state_snapshot') ? 'summary' : 'title';
}

function partsOf(reply: Reply, id: number): PartOf[] {
  const texts = reply.say === undefined ? [] : [reply.say].flat();
  const parts: PartOf[] = texts.map((text) => ({ text }));
  if (reply.verdict !== undefined) parts.push({ text: JSON.stringify(structuredAnswer(reply)) });
  const call = callOf(reply);
  if (call !== null) parts.push({ functionCall: { id: `call_${id}`, ...call } });
  return parts;
}

function callOf(reply: Reply): { name: string; args: object } | null {
  if (reply.run !== undefined)
    return { name: 'run_shell_command', args: { command: reply.run, description: 'A scripted command' } };
  if (reply.write !== undefined)
    return { name: 'write_file', args: { file_path: reply.write.file, content: reply.write.text } };
  return reply.call === undefined ? null : { name: reply.call.tool, args: reply.call.input };
}

function chunk(parts: readonly PartOf[], { tokens = 100 }: Reply, isLast: boolean): object {
  return {
    candidates: [
      { content: { role: 'model', parts }, index: 0, ...(isLast ? { finishReason: 'STOP' } : {}) },
    ],
    usageMetadata: { promptTokenCount: tokens, candidatesTokenCount: 20, totalTokenCount: tokens + 20 },
    modelVersion: 'scripted',
  };
}

function streamParts(parts: readonly PartOf[], reply: Reply, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (value: object): void => void response.write(`data: ${JSON.stringify(value)}\r\n\r\n`);
  for (const [index, part] of parts.entries()) send(chunk([part], reply, index === parts.length - 1));
  if (parts.length === 0) send(chunk([], reply, true));
  response.end();
}
