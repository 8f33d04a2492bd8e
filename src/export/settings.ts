// What `holdfast export` was asked for: by its flags, and where these say nothing by variables of the environment.
// Bad input is one clear line, and never says a header's value: that is a secret.

import { type Call, WrongUsage } from '../engine/workflow-cli.ts';
import type { Environment } from '../store/environment.ts';
import { parseSince } from './since.ts';

export const SIGNALS = ['traces', 'logs', 'metrics'] as const;
export type Signal = (typeof SIGNALS)[number];

export type Settings = {
  /** The collector's address as people are shown it, and by which its cursor is known. */
  base: string;
  signals: readonly Signal[];
  headers: Readonly<Record<string, string>>;
  /** Of the user's own, for everything that is sent. */
  attributes: Readonly<Record<string, string>>;
  /** Milliseconds since 1970; null: all that is kept. */
  since: number | null;
  follow: boolean;
  /** Whether folders, files and the names of runs are sent too. */
  paths: boolean;
  /** How long one request may take. */
  timeoutMs: number;
  /** How often one request is tried where somebody waits for the end. */
  tries: number;
};

export function readSettings({ flags, env, now }: Pick<Call, 'flags' | 'env' | 'now'>): Settings {
  const text = (name: string): string | undefined =>
    typeof flags[name] === 'string' ? flags[name] : undefined;
  const since = text('since');
  return {
    base: readBase(text('otlp') ?? env.HOLDFAST_OTLP_ENDPOINT),
    signals: readSignals(text('signals')),
    headers: readHeaders(flags.header, env),
    attributes: readPairs(env.HOLDFAST_OTLP_ATTRIBUTES, 'HOLDFAST_OTLP_ATTRIBUTES'),
    since: since === undefined ? null : parseSince(since, now),
    follow: flags.follow === true,
    paths: flags.paths === true,
    timeoutMs: 1000 * readNumber(env, 'HOLDFAST_OTLP_TIMEOUT', 'seconds', 600, 10),
    tries: readNumber(env, 'HOLDFAST_OTLP_TRIES', 'tries', 100, 7),
  };
}

export const addressOf = (base: string, signal: Signal): string => `${base}/v1/${signal}`;

/** Headers that are somebody's key, on a way that others can read. */
export function isOpenToOthers({ base, headers }: Settings): boolean {
  const { protocol, hostname } = new URL(base);
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  return protocol === 'http:' && !isHere && Object.keys(headers).length > 0;
}

function readBase(given: string | undefined): string {
  if (given === undefined || given.trim() === '')
    throw new WrongUsage(
      'export: where to? Name the collector: `holdfast export --otlp http://127.0.0.1:4318`, or set HOLDFAST_OTLP_ENDPOINT.',
    );
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new WrongUsage(
      'export: the collector’s address must begin with http:// or https://, such as http://127.0.0.1:4318 (OTLP over HTTP, no gRPC).',
    );
  if (url.username !== '' || url.password !== '')
    throw new WrongUsage(
      'export: a name or password in the address can be read by everybody on this machine; put them into HOLDFAST_OTLP_HEADERS="authorization=Basic …".',
    );
  if (url.search !== '' || url.hash !== '')
    throw new WrongUsage(
      'export: the collector’s address has no "?" or "#"; what belongs there goes into HOLDFAST_OTLP_HEADERS.',
    );
  return `${url.origin}${url.pathname}`.replace(/\/+(?:v1\/(?:traces|metrics|logs)\/*)?$/, '');
}

function readSignals(given: string | undefined): readonly Signal[] {
  if (given === undefined) return SIGNALS;
  const names = given.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !SIGNALS.some((signal) => signal === name));
  if (wrong !== undefined)
    throw new WrongUsage(`export: --signals knows ${SIGNALS.join(', ')}, not "${wrong}".`);
  return SIGNALS.filter((signal) => names.includes(signal));
}

/** Ours to set, or able to turn one request into two. */
const OURS =
  /^(?:content-type|content-length|content-encoding|host|connection|transfer-encoding|expect|upgrade|te|trailer|keep-alive|user-agent)$/;

function readHeaders(given: unknown, env: Environment): Record<string, string> {
  const fromFlags = Array.isArray(given) ? given.map(String) : [];
  const headers = {
    ...readPairs(env.HOLDFAST_OTLP_HEADERS, 'HOLDFAST_OTLP_HEADERS'),
    ...Object.assign({}, ...fromFlags.map((each) => splitPair(each, '--header'))),
  };
  const named = Object.entries<string>(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  for (const [name, value] of named) {
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name))
      throw new WrongUsage(`export: ${JSON.stringify(name)} cannot be the name of a header.`);
    if (OURS.test(name)) throw new WrongUsage(`export: the header ${name} is not yours to set.`);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new WrongUsage(`export: the value of the header ${name} has letters that no header can have.`);
  }
  return Object.fromEntries(named);
}

/** `a=1,b=two%20words`, as OpenTelemetry writes headers and attributes into a variable. */
function readPairs(given: string | undefined, variable: string): Record<string, string> {
  const parts = (given ?? '').split(',').filter((part) => part.trim() !== '');
  return Object.assign({}, ...parts.map((part) => splitPair(part, variable, decoded)));
}

function splitPair(
  pair: string,
  where: string,
  decode: (value: string) => string | null = (value) => value,
): Record<string, string> {
  const at = pair.indexOf('=');
  const name = pair.slice(0, at).trim();
  const value = at < 1 ? null : decode(pair.slice(at + 1).trim());
  if (name === '' || value === null)
    throw new WrongUsage(
      `export: ${where} is to have the form name=value${where === '--header' ? '' : ', with commas between several and %-codes for what is no plain letter'}.`,
    );
  return { [name]: value };
}

function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

function readNumber(env: Environment, variable: string, what: string, most: number, usual: number): number {
  const given = env[variable];
  if (given === undefined || given === '') return usual;
  const number = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (number < 1 || number > most)
    throw new WrongUsage(`export: ${variable} is a whole number of ${what} from 1 to ${most}.`);
  return number;
}
