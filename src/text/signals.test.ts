import { describe, expect, it } from 'vitest';
import { COMPLETE, corpus, escaped, STUCK, withEscapedSignals } from '../../test/fixtures/idle/corpus.ts';
import { fc } from '../../test/support/property.ts';
import { signalsOf } from '../workflows/idle/modes.ts';
import {
  findSignal,
  findSignalByScan,
  mentionsSignal,
  type NearMiss,
  readSignal,
  readSignalByScan,
} from './signals.ts';

describe('a completion signal', () => {
  it('has a corpus of at least 120 messages, each with a name of its own', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(120);
    expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
  });

  it.each(corpus)(
    '$name',
    { tags: ['I-invariant-4', 'I-edge-1', 'I-note-3', 'I-note-3.c', 'I-note-3.d'] },
    async ({ mode, text, finds }) => {
      expect(await findSignal(text, signalsOf(mode))).toBe(finds);
    },
  );

  it.each(corpus)('$name, found by the scanner', ({ mode, text, finds }) => {
    expect(findSignalByScan(text, signalsOf(mode))).toBe(finds);
  });

  it.each(corpus.map(withEscapedSignals))('$name, escaped as in XML', async ({ mode, text, finds }) => {
    expect(await findSignal(text, signalsOf(mode))).toBe(finds);
    expect(findSignalByScan(text, signalsOf(mode))).toBe(finds);
  });

  it('is mentioned in code as well as outside: the parser is loaded only then', () => {
    expect(mentionsSignal(`\`${COMPLETE}\``, signalsOf('loop'))).toBe(true);
    expect(mentionsSignal(`\`${escaped(COMPLETE)}\``, signalsOf('loop'))).toBe(true);
    expect(mentionsSignal('<loop-done>complete</loop-done>', signalsOf('loop'))).toBe(false);
  });
});

describe('a near miss of a signal', () => {
  const samples: readonly [string, string, NearMiss][] = [
    ['bold', `**${COMPLETE}**`, 'place'],
    ['as a list item', `- ${COMPLETE}`, 'place'],
    ['with a full stop', `${COMPLETE}.`, 'place'],
    ['with text before it', `Finally: ${COMPLETE}`, 'place'],
    ['quoted', `> ${COMPLETE}`, 'place'],
    ['in inline code', `\`${COMPLETE}\``, 'place'],
    ['as a heading', `# ${COMPLETE}`, 'place'],
    ['four spaces in', `So:\n\n    ${COMPLETE}`, 'place'],
    ['escaped, with a full stop', `${escaped(COMPLETE)}.`, 'place'],
    ['in a fence', `\`\`\`\n${COMPLETE}\n\`\`\``, 'code'],
    ['in a comment', `<!--\n${COMPLETE}\n-->`, 'code'],
    ['in inline code over lines', `\`\n${COMPLETE}\n\``, 'code'],
    ['escaped, in a fence', `~~~\n${escaped(COMPLETE)}\n~~~`, 'code'],
    ['in a fence and in a line of text', `\`\`\`\n${COMPLETE}\n\`\`\`\nSo ${COMPLETE}.`, 'code'],
    ['in lower case', COMPLETE.toLowerCase(), 'spelling'],
    ['in upper case, escaped', escaped('<LOOP-DONE>COMPLETE</LOOP-DONE>'), 'spelling'],
    ['with blanks in it', '<loop-done> COMPLETE </loop-done>', 'spelling'],
    ['over three lines', '<loop-done>\nCOMPLETE\n</loop-done>', 'spelling'],
    ['with only its beginning escaped', '&lt;loop-done&gt;COMPLETE</loop-done>', 'spelling'],
    ['escaped by number', '&#60;loop-done&#62;COMPLETE&#60;/loop-done&#62;', 'spelling'],
    ['of another mode', '<grind-done>NO_MORE_ISSUES</grind-done>', 'none'],
    ['a tag of another name', '<b>COMPLETE</b> & more', 'none'],
    ['the words alone', 'loop-done COMPLETE', 'none'],
    ['nothing at all', '', 'none'],
    ['beside a signal that counts', `I write **${COMPLETE}** now:\n\n${COMPLETE}`, 'none'],
  ];

  it.each(samples)('%s', async (_, text, nearMiss) => {
    expect((await readSignal(text, signalsOf('loop'))).nearMiss).toBe(nearMiss);
    expect(readSignalByScan(text, signalsOf('loop')).nearMiss).toBe(nearMiss);
  });

  it.each(corpus)('is reported nowhere where a signal counts: $name', async ({ mode, text, finds }) => {
    const { nearMiss } = await readSignal(text, signalsOf(mode));
    if (finds !== null) expect(nearMiss).toBe('none');
    else expect(nearMiss === 'none').toBe(!mentionsSignal(text, signalsOf(mode)) && nearMiss !== 'spelling');
  });
});

describe('parser and scanner', () => {
  const marks = [
    '```',
    '````',
    '~~~',
    '~~~~',
    '``` js',
    '`',
    '``',
    '`code`',
    '\\',
    '<!--',
    '-->',
    '<!-->',
    '> ',
    '>',
    '- ',
    '-',
    '* ',
    '+',
    '1. ',
    '2. ',
    '10) ',
    '---',
    '***',
    '===',
    '# h',
    '    ',
    '  ',
    ' ',
    '\t',
    'a',
    'text',
  ];
  const word = fc.constantFrom(...marks, ...marks, COMPLETE, STUCK, escaped(COMPLETE), escaped(STUCK));
  const line = fc.array(word, { maxLength: 4 }).map((words) => words.join(''));
  const ownLine = fc.constantFrom(COMPLETE, `  ${COMPLETE}`, escaped(COMPLETE), `  ${escaped(COMPLETE)}`);
  const end = fc.constantFrom('\n', '\n', '\n', '\n\n', '\r\n', '\r');
  const message = fc
    .array(fc.tuple(fc.oneof(line, line, ownLine), end), { maxLength: 10 })
    .map((lines) => lines.flat().join(''));

  // The same messages in every run: once in some 24,000 the parser itself errs (`* 10)` after indented code, and a fence
  // further down is none to it), where the scanner keeps to CommonMark.
  it('agree on every message made of fences, lists, quotes, comments, code and signals', {
    tags: ['I-note-3'],
  }, async () => {
    const check = async (text: string): Promise<void> => {
      expect(readSignalByScan(text, signalsOf('loop'))).toEqual(await readSignal(text, signalsOf('loop')));
    };
    await fc.assert(fc.asyncProperty(message, check), { numRuns: 3000 });
  });

  it('agree when the message is longer than what is parsed, whatever stands before', async () => {
    const padding = `${'word '.repeat(20_000)}\n\n`;
    const check = async (text: string): Promise<void> => {
      expect(await findSignal(padding + text, signalsOf('loop'))).toBe(
        await findSignal(text, signalsOf('loop')),
      );
    };
    await fc.assert(fc.asyncProperty(message, check), { numRuns: 300 });
  });
});
