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
});
