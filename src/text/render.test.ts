import { describe, expect, it } from 'vitest';
import { render } from './render.ts';

describe('rendering a message', () => {
  it('fills each slot wherever it stands', () => {
    expect(render('{{a}} of {{b}}, {{a}}\n', { a: 1, b: 'three' })).toBe('1 of three, 1');
  });

  it('never reads slots out of a value', () => {
    expect(render('{{topic}}', { topic: '{{secret}} $& $1' })).toBe('{{secret}} $& $1');
  });

  it('fails on a slot that nobody filled', () => {
    expect(() => render('{{missing}}', {}, 'hold-draft')).toThrow(
      'hold-draft: nothing was given for the slot {{missing}}',
    );
    expect(() => render('{{toString}}', {})).toThrow('{{toString}}');
  });

  it('fails on a value that has no slot', () => {
    expect(() => render('text', { extra: 1 })).toThrow('has no slot for extra');
  });

  it('names itself, and every value that has no slot', () => {
    expect(() => render('{{a}}', { a: 1, b: 2, c: 3 }, 'hold')).toThrow(/^hold: has no slot for b, c$/);
    expect(() => render('{{a}}', {})).toThrow(/^message: nothing was given for the slot \{\{a\}\}$/);
  });

  it('leaves what is no slot as it is, and ends without blanks', () => {
    expect(render(' {{1a}} {a} {{a b}} {{ a }} {{}}\n\n', {})).toBe(' {{1a}} {a} {{a b}} {{ a }} {{}}');
    expect(render('{{a_1B}}{{Z}}', { a_1B: 0, Z: '' })).toBe('0');
  });
});
