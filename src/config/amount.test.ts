import { expect, it } from 'vitest';
import { type Amount, parseAmount, tokensIn } from './amount.ts';

it.each<[Amount, string, number]>([
  ['tokens', '2M', 2_000_000],
  ['tokens', '500k', 500_000],
  ['tokens', '1.5M', 1_500_000],
  ['tokens', '1.5m', 1_500_000],
  ['tokens', '2000000', 2_000_000],
  ['tokens', ' 7 ', 7],
  ['tokens', '1000000M', 1e12],
  ['hours', '4', 4],
  ['hours', '0.5', 0.5],
  ['hours', '8760', 8760],
  ['reviews', '12', 12],
  ['usd', '2.50', 2.5],
])('%s: "%s" is %d', (what, text, amount) => {
  expect(parseAmount(what, text)).toBe(amount);
});

it.each<[Amount, string]>([
  ...['', '0', '-1', '2G', '1e6', 'M', '2 M', 'NaN', 'Infinity', '0x10', '2,5M', '1000001M'].map(
    (text): [Amount, string] => ['tokens', text],
  ),
  ['tokens', '9'.repeat(400)],
  ['hours', '0'],
  ['hours', '4h'],
  ['hours', '2k'],
  ['hours', '8761'],
  ['reviews', '1.5'],
  ['reviews', '3k'],
  ['reviews', '10000'],
  ['usd', '0.001'],
  ['usd', '$5'],
])('%s: "%s" is nothing that can be understood', (what, text) => {
  expect(parseAmount(what, text)).toBeNull();
});

it('a config file says tokens as a number or as a text', () => {
  expect([tokensIn(5), tokensIn('2M'), tokensIn('much'), tokensIn(undefined)]).toEqual([
    5,
    2_000_000,
    undefined,
    undefined,
  ]);
});
