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
  ['tokens', '1', 1],
  ['tokens', '0.001k', 1],
  ['tokens', '1.4', 1],
  ['tokens', '1.5', 2],
  ['tokens', '500K', 500_000],
  ['tokens', '1000000000000', 1e12],
  ['tokens', '1.000001M', 1_000_001],
  ['hours', '0.001', 0.001],
  ['hours', '1.23', 1.23],
  ['reviews', '1', 1],
  ['reviews', '9999', 9999],
  ['usd', '0.01', 0.01],
  ['usd', '1000000', 1e6],
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
  ['tokens', '0.4'],
  ['tokens', '1.0000001M'],
  ['tokens', '0000000000000001'],
  ['tokens', '1000000000001'],
  ['tokens', 'x1'],
  ['tokens', '1kk'],
  ['tokens', '.5'],
  ['tokens', '5.'],
  ['hours', '0.0009'],
  ['hours', '4M'],
  ['reviews', '0'],
  ['reviews', '1.0'],
  ['usd', '1000000.01'],
  ['usd', '5m'],
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
