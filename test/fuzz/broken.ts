// Makes broken text out of sound text: what a crash, a bad disk, another program or an attacker leaves in a file.
// Knows no format; what a reader must make of it is targets.ts.

import fc from 'fast-check';

/** How many inputs each property gets, in all; a long run asks for more: HOLDFAST_FUZZ_RUNS=200000. */
export const RUNS = Number(process.env.HOLDFAST_FUZZ_RUNS ?? 4500);

/** Fixed, so that a red run is red again; a long run may ask for another. */
export const SEED = Number(process.env.HOLDFAST_FUZZ_SEED ?? 20261115);

/** Sound texts, broken a little; now and then something that was never sound. */
export function brokenText(sound: readonly string[]): fc.Arbitrary<string> {
  const mutated = fc
    .tuple(fc.constantFrom(...sound), fc.array(blow, { maxLength: 4 }))
    .map(([text, blows]) => blows.reduce(strike, text));
  return fc.oneof(
    { weight: 12, arbitrary: mutated },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString()) },
    { weight: 1, arbitrary: fc.json() },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', ' ', '{}', '[]', 'null', '"', '{', '\uFEFF', '\0', '\ud83d'),
    },
  );
}

/** One thing that goes wrong, and where: `at` and `size` are parts of a thousand. */
type Blow = { kind: (typeof KINDS)[number]; at: number; size: number; pick: number };

const KINDS = ['cut', 'drop', 'repeat', 'insert', 'flip', 'swap', 'rename', 'shuffle'] as const;

const blow: fc.Arbitrary<Blow> = fc.record({
  kind: fc.constantFrom(...KINDS),
  at: fc.nat(1000),
  size: fc.nat(1000),
  pick: fc.nat(9999),
});

const LONGEST = 100_000;

function strike(text: string, { kind, at, size, pick }: Blow): string {
  const from = Math.floor((text.length * at) / 1000);
  const to = Math.min(text.length, from + Math.ceil(((text.length - from) * size) / 1000));
  switch (kind) {
    case 'cut':
      return text.slice(0, from);
    case 'drop':
      return text.slice(0, from) + text.slice(to);
    case 'repeat':
      return (text.slice(0, to) + text.slice(from, to).repeat(1 + (pick % 50)) + text.slice(to)).slice(
        0,
        LONGEST,
      );
    case 'insert':
      return text.slice(0, from) + pickOf(ODDITIES, pick) + text.slice(from);
    case 'flip':
      return text.slice(0, from) + String.fromCharCode(pick) + text.slice(from + 1);
    case 'swap':
      return inJson(text, at, (holder, key) => setOwn(holder, key, pickOf(VALUES, pick)()));
    case 'rename':
      return inJson(text, at, (holder, key) => {
        const value = Reflect.get(holder, key);
        Reflect.deleteProperty(holder, key);
        setOwn(holder, pickOf(KEYS, pick), value);
      });
    case 'shuffle':
      return text.split('\n').reverse().join('\n');
  }
}

export const ODDITIES = [
  '\0',
  '\uFEFF',
  '\ud800',
  '\udc00',
  '\u2028',
  '\u0085',
  '\r',
  '\n',
  '\r\n\r\n',
  '\u001b[2J',
  '"',
  '\\',
  "'",
  '`',
  '$(touch pwned)',
  '; touch pwned; ',
  '../../../../etc/passwd',
  '/etc/passwd',
  '__proto__',
  'constructor',
  '{{slot}}',
  '$&$1',
  '-->',
  '<!--',
  '```',
  '|',
  '---\n',
  ':',
  '#',
  '{"__proto__":{"verdict":"PASS"}}',
  ' '.repeat(3000),
  '['.repeat(3000),
  '{"a":'.repeat(1000),
  '9'.repeat(400),
  '1e999',
  '-1',
  'x'.repeat(20_000),
];

const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  '\0',
  '0',
  'schema',
  'x'.repeat(300),
];

const VALUES: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => false,
  () => 0,
  () => -1,
  () => 1.5,
  () => 2 ** 53,
  () => 1e308,
  () => '',
  () => '0',
  () => '..',
  () => '../../outside',
  () => '/etc/passwd',
  () => '\0',
  () => '\ud800',
  () => 'constructor',
  () => '__proto__',
  () => 'x'.repeat(5000),
  () => [],
  () => [null],
  () => ({}),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'),
  () => nested(500),
];

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Changes one place of the JSON in a text: all of it, or one of its lines. What is no JSON stays. */
function inJson(text: string, at: number, change: (holder: object, key: string) => void): string {
  const lines = isJson(text) ? [text] : text.split('\n');
  const candidates = lines.map((line, index) => (isJson(line) ? index : -1)).filter((index) => index >= 0);
  const chosen = candidates[at % Math.max(1, candidates.length)];
  if (chosen === undefined) return text;
  const value: unknown = JSON.parse(lines[chosen] ?? '');
  const places = placesIn(value);
  const place = places[(at * 7919) % Math.max(1, places.length)];
  if (place === undefined) return text;
  change(place.holder, place.key);
  return lines.with(chosen, JSON.stringify(value)).join('\n');
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

type PlaceIn = { holder: object; key: string };

function placesIn(value: unknown, depth = 0): PlaceIn[] {
  if (typeof value !== 'object' || value === null || depth > 12) return [];
  return Object.keys(value).flatMap((key) => [
    { holder: value, key },
    ...placesIn(Reflect.get(value, key), depth + 1),
  ]);
}

/** As JSON.parse does it: `__proto__` becomes a key like any other. */
function setOwn(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

function pickOf<Item>(items: readonly Item[], pick: number): Item {
  const item = items[pick % items.length];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}
