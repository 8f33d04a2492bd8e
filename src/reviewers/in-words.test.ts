import { describe, expect, it } from 'vitest';
import { answerInWords, askedInWords } from './in-words.ts';
import { LENIENT_SCHEMA } from './schema.ts';

const PASS = '{"verdict":"PASS","findings":[]}';
const FAIL =
  '{\n  "verdict": "FAIL",\n  "findings": [\n    {"severity": "high", "claim": "It loses rows."}\n  ]\n}';

describe('an answer in words', () => {
  it.each([
    [PASS, 'PASS'],
    [`\n ${FAIL}\n`, 'FAIL'],
    [`\`\`\`json\n${PASS}\n\`\`\``, 'PASS'],
    [`My answer:\n\n\`\`\`\n${FAIL}\n\`\`\`\n`, 'FAIL'],
    [`It has a hole.\n${FAIL}`, 'FAIL'],
    [`\`\`\`json \t\n${PASS}\n\`\`\``, 'PASS'],
    [`So:\n\`\`\`\n\n${PASS}\n\n\`\`\``, 'PASS'],
    // Of two, the one it ends with.
    [`They say:\n\`\`\`json\n${PASS}\n\`\`\`\nI say:\n\`\`\`json\n${FAIL}\n\`\`\``, 'FAIL'],
  ])('is read from %j', (message, verdict) => {
    expect(answerInWords(message)?.verdict).toBe(verdict);
  });

  it.each([
    'It looks good to me.',
    `The file has ${PASS}`,
    `${PASS}\nBut I am not sure.`,
    `\`\`\`json\n${PASS}\n\`\`\`\nis what the plan wants to hear.`,
    `The plan says:\n${PASS}\nand I say:\n${FAIL}`,
    '{"verdict":"MAYBE"}',
    `x\`\`\`json\n${PASS}\n\`\`\``,
    `\`\`\`yaml\n${PASS}\n\`\`\``,
    `\`\`\`json\n${PASS}\`\`\``,
    `It is\n${PASS}.`,
    '[]',
    '',
    null,
    { verdict: 'PASS' },
  ])('is not taken from %j', (message) => {
    expect(answerInWords(message)).toBeNull();
  });

  it('is asked for with its schema, after the prompt', () => {
    expect(askedInWords('Review.')).toMatch(/^Review\.\n\nYour last message is this answer/);
    expect(askedInWords('Review.')).toContain(LENIENT_SCHEMA);
  });
});
