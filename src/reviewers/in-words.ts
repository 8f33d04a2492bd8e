// For programs that take no schema: the prompt asks for the form in words, and the answer is read from the last message.
// Only what it ends with counts, since it may quote anything before that.

import { type Answer, answerIn, verdictIn } from './read-answer.ts';
import { LENIENT_SCHEMA } from './schema.ts';

export function askedInWords(prompt: string): string {
  return `${prompt}\n\nYour last message is this answer and nothing else: one JSON object, with no words and no code fence around it, that fits this schema: ${LENIENT_SCHEMA}`;
}

/** The whole message, or the object or the fenced block at its end; null: there is no verdict in it. */
export function answerInWords(message: unknown): Answer | null {
  if (typeof message !== 'string') return null;
  const text = message.trim();
  const places = [text, FENCED.exec(text)?.[1], BARE.exec(text)?.[1]].map(answerIn);
  return places.find((answer) => verdictIn(answer) !== null) ?? null;
}

const FENCED = /(?:^|\n)```(?:json)?[ \t]*\n((?:(?!\n```)[\s\S])*)\n```$/;
const BARE = /\n(\{[\s\S]*\})$/;
