import { describe, expect, it } from 'vitest';
import { addressOf, isOpenToOthers, readSettings, type Settings } from './settings.ts';

const NOW = Date.UTC(2026, 10, 17, 12);
const read = (flags: object = {}, env: Record<string, string> = {}): Settings =>
  readSettings({ flags: { otlp: 'http://c:4318', ...flags }, env, now: NOW });

/** What it says of input that it refuses. */
function refusal(flags: object, env: Record<string, string> = {}): string {
  try {
    read(flags, env);
  } catch (error) {
    return String(error);
  }
  return 'taken';
}

it('has its usual values where nothing is said', () => {
  expect(read()).toEqual({
    base: 'http://c:4318',
    signals: ['traces', 'logs', 'metrics'],
    headers: {},
    attributes: {},
    since: null,
    follow: false,
    paths: false,
    timeoutMs: 10_000,
    tries: 7,
  });
});

it('is what flags and variables say', () => {
  const flags = { signals: 'logs', header: ['X-A=1'], since: '30m', follow: true, paths: true };
  const env = {
    HOLDFAST_OTLP_ENDPOINT: 'http://elsewhere',
    HOLDFAST_OTLP_HEADERS: 'x-a=0,x-b=2',
    HOLDFAST_OTLP_ATTRIBUTES: 'team=a%20b , x = 1',
    HOLDFAST_OTLP_TIMEOUT: '600',
    HOLDFAST_OTLP_TRIES: '100',
  };
  expect(read(flags, env)).toEqual({
    base: 'http://c:4318',
    signals: ['logs'],
    headers: { 'x-a': '1', 'x-b': '2' },
    attributes: { team: 'a b', x: '1' },
    since: NOW - 30 * 60_000,
    follow: true,
    paths: true,
    timeoutMs: 600_000,
    tries: 100,
  });
});

it('takes no text for a switch, and nothing else for a text', () => {
  const env = { HOLDFAST_OTLP_ENDPOINT: 'http://elsewhere' };
  expect(read({ otlp: true, signals: true, since: true, follow: 'yes', paths: 'yes' }, env)).toEqual({
    ...read(),
    base: 'http://elsewhere',
  });
  expect(read({ header: 'x-a=1' }).headers).toEqual({});
});

describe('the address', () => {
  it.each([
    ['http://c', 'http://c'],
    ['https://c:1/a/', 'https://c:1/a'],
    ['https://c/a//', 'https://c/a'],
    ['https://c/v1/traces', 'https://c'],
    ['https://c/v1/metrics/', 'https://c'],
    ['https://c/a/v1/logs//', 'https://c/a'],
    ['https://c/a//v1/logs', 'https://c/a'],
    ['https://c/v1/profiles', 'https://c/v1/profiles'],
    ['https://c/v1/logs/x', 'https://c/v1/logs/x'],
    ['https://c/av1/logs', 'https://c/av1/logs'],
  ])('%s is %s', (otlp, base) => {
    expect(read({ otlp }).base).toBe(base);
  });

  it('of a signal is below it', () => {
    expect(addressOf('http://c/a', 'metrics')).toBe('http://c/a/v1/metrics');
  });

  const NONE =
    'WrongUsage: export: where to? Name the collector: `holdfast export --otlp http://127.0.0.1:4318`, or set HOLDFAST_OTLP_ENDPOINT.';
  const NO_HTTP =
    'WrongUsage: export: the collector’s address must begin with http:// or https://, such as http://127.0.0.1:4318 (OTLP over HTTP, no gRPC).';
  const SECRET =
    'WrongUsage: export: a name or password in the address can be read by everybody on this machine; put them into HOLDFAST_OTLP_HEADERS="authorization=Basic …".';
  const QUERY =
    'WrongUsage: export: the collector’s address has no "?" or "#"; what belongs there goes into HOLDFAST_OTLP_HEADERS.';

  it.each([
    [undefined, NONE],
    ['', NONE],
    ['  ', NONE],
    ['c:4318', NO_HTTP],
    ['//c', NO_HTTP],
    ['grpc://c', NO_HTTP],
    ['xhttp://c', NO_HTTP],
    ['httpsx://c', NO_HTTP],
    ['http://me@c', SECRET],
    ['http://:word@c', SECRET],
    ['http://me:word@c', SECRET],
    ['http://c/?a', QUERY],
    ['http://c/#a', QUERY],
  ])('cannot be %j', (otlp, says) => {
    expect(refusal({ otlp })).toBe(says);
  });
});

describe('signals', () => {
  it('are named in any order', () => {
    expect(read({ signals: ' metrics ,traces' }).signals).toEqual(['traces', 'metrics']);
  });

  it.each([
    ['spans', 'spans'],
    ['', ''],
    ['logs,', ''],
    ['logs, Traces', 'Traces'],
  ])('cannot be %j', (signals, wrong) => {
    expect(refusal({ signals })).toBe(
      `WrongUsage: export: --signals knows traces, logs, metrics, not "${wrong}".`,
    );
  });
});

describe('headers', () => {
  it('keep a value as a flag gives it, and decode one of the variable', () => {
    expect(read({ header: [' a = b%20=c '] }, { HOLDFAST_OTLP_HEADERS: ', ,d=e%20=f,' }).headers).toEqual({
      a: 'b%20=c',
      d: 'e =f',
    });
  });

  it('may have every letter that a header can have', () => {
    const name = "!#$%&'*+.^_`|~09az-";
    const value = 'a\tb ~\u0080\u00ff';
    expect(read({ header: [`${name}=${value}`, 'empty='] }).headers).toEqual({ [name]: value, empty: '' });
  });

  it.each([
    ['content-type', 'content-length', 'content-encoding', 'host', 'connection', 'transfer-encoding'],
    ['expect', 'upgrade', 'te', 'trailer', 'keep-alive', 'user-agent'],
  ])('that are ours cannot be set: %s …', (...names) => {
    for (const name of names)
      expect(refusal({ header: [`${name.toUpperCase()}=1`] })).toBe(
        `WrongUsage: export: the header ${name} is not yours to set.`,
      );
  });

  it('that only begin or end like ours can', () => {
    expect(read({ header: ['x-host=1', 'hosted=2'] }).headers).toEqual({ 'x-host': '1', hosted: '2' });
  });

  it.each([
    ['a b=1', 'a b'],
    ['é=1', 'é'],
    ['a:=1', 'a:'],
  ])('cannot have the name of %j', (header, name) => {
    expect(refusal({ header: [header] })).toBe(
      `WrongUsage: export: "${name}" cannot be the name of a header.`,
    );
  });

  it.each(['\n', '\r', '\u007f', '\u0000', '€'])('cannot have %j in a value', (letter) => {
    expect(refusal({ header: [`a=x${letter}x`] })).toBe(
      'WrongUsage: export: the value of the header a has letters that no header can have.',
    );
  });

  it.each(['a', 'ab', '=1', ' =1', ''])('of a flag cannot be %j', (header) => {
    expect(refusal({ header: [header] })).toBe(
      'WrongUsage: export: --header is to have the form name=value.',
    );
  });

  it.each([
    ['HOLDFAST_OTLP_HEADERS', 'a'],
    ['HOLDFAST_OTLP_HEADERS', 'a=%zz'],
    ['HOLDFAST_OTLP_HEADERS', 'a=1,=2'],
    ['HOLDFAST_OTLP_ATTRIBUTES', 'a'],
    ['HOLDFAST_OTLP_ATTRIBUTES', ' =1'],
  ])('of %s cannot be %j', (variable, given) => {
    expect(refusal({}, { [variable]: given })).toBe(
      `WrongUsage: export: ${variable} is to have the form name=value, with commas between several and %-codes for what is no plain letter.`,
    );
  });
});

describe('headers on a way that others can read', () => {
  const header = ['authorization=x'];

  it.each(['http://c', 'http://localhost.c', 'http://a.localhost', 'http://128.0.0.1', 'http://[::2]'])(
    'are those to %s',
    (otlp) => {
      expect(isOpenToOthers(read({ otlp, header }))).toBe(true);
      expect(isOpenToOthers(read({ otlp }))).toBe(false);
    },
  );

  it.each([
    'https://c',
    'http://localhost:1',
    'http://127.0.0.1',
    'http://127.10.20.30',
    'http://127.255.255.254',
    'http://[::1]:1',
  ])('are not those to %s', (otlp) => {
    expect(isOpenToOthers(read({ otlp, header }))).toBe(false);
  });
});

describe('numbers', () => {
  it.each([
    ['', 10_000],
    ['1', 1000],
    ['0009', 9000],
  ])('a timeout of %j is %d ms', (given, timeoutMs) => {
    expect(read({}, { HOLDFAST_OTLP_TIMEOUT: given }).timeoutMs).toBe(timeoutMs);
  });

  it.each([
    ['', 7],
    ['1', 1],
  ])('tries: %j are %d', (given, tries) => {
    expect(read({}, { HOLDFAST_OTLP_TRIES: given }).tries).toBe(tries);
  });

  it.each(['0', '601', '-1', '1.5', '1s', 'x1', '00001', ' 1'])('a timeout cannot be %j', (given) => {
    expect(refusal({}, { HOLDFAST_OTLP_TIMEOUT: given })).toBe(
      'WrongUsage: export: HOLDFAST_OTLP_TIMEOUT is a whole number of seconds from 1 to 600.',
    );
  });

  it.each(['0', '101', 'many'])('tries cannot be %j', (given) => {
    expect(refusal({}, { HOLDFAST_OTLP_TRIES: given })).toBe(
      'WrongUsage: export: HOLDFAST_OTLP_TRIES is a whole number of tries from 1 to 100.',
    );
  });
});
