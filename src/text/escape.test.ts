import { describe, expect, it } from 'vitest';
import { escapeHtml, escapeMarkdown } from './escape.ts';
import { messageOf } from './message-of.ts';

describe('text of others in Markdown', () => {
  it.each([...'\\`*_{}[]<>|~!&$'])('%s is escaped wherever it stands', (character) => {
    expect(escapeMarkdown(`a${character}b${character}`)).toBe(`a\\${character}b\\${character}`);
  });

  it.each([
    ['plain text, (so): #a 1+1=2 - "x"', 'plain text, (so): #a 1+1=2 - "x"'],
    ['@me and @you', '@<!-- -->me and @<!-- -->you'],
    ['#12, # 12', '#<!-- -->12, # 12'],
    ['http://a a:b :/', 'http:<!-- -->//a a:b :/'],
    ['www.a WWW.b awww.c www', 'www<!-- -->.a WWW<!-- -->.b awww.c www'],
    ['GH-1 gh-2 GH 3 XGH-4', 'GH<!-- -->-1 gh<!-- -->-2 GH 3 XGH-4'],
  ])('%s calls nobody and leads nowhere', (text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped);
  });
});

describe('text of others in HTML', () => {
  it('is text in an element and in an attribute', () => {
    expect(escapeHtml(`<a b="c" d='e'>f & g\`</a>`)).toBe(
      '&#60;a b=&#34;c&#34; d=&#39;e&#39;&#62;f &#38; g&#96;&#60;/a&#62;',
    );
    expect(escapeHtml('plain; é /')).toBe('plain; é /');
  });
});

describe('what was thrown, in words', () => {
  it.each([
    [new TypeError('no'), 'no'],
    ['no', 'no'],
    [7, '7'],
    [undefined, 'undefined'],
  ])('%s', (thrown, words) => {
    expect(messageOf(thrown)).toBe(words);
  });
});
