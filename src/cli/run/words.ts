// How `holdfast run` ended, in words, and what a person does next.

import { clientNamed } from '../../clients/index.ts';
import type { Driven } from '../../driver/drive.ts';
import type { DriverRecord } from '../../driver/record.ts';
import type { Why } from '../../driver/types.ts';
import { inOneParagraph } from '../../text/paragraph.ts';
import { shellQuote } from '../../text/shell.ts';

type Finished = Extract<Driven, { kind: 'finished' }>;

const OUTCOMES: Readonly<Record<Why, string>> = {
  completed: 'completed',
  unproven: 'completed, but unproven',
  'stop-at': 'stopped where you asked for',
  stuck: 'unfinished: the agent was stuck',
  limit: 'unfinished: it reached its maximum',
  cancelled: 'cancelled',
  'cancelled-by-agent': 'cancelled by its agent',
  released: 'unfinished: no progress, in a new session too',
  'unknown-end': 'over, and nobody knows how it ended',
  question: 'waits for your answer',
  person: 'waits for your decision',
  'taken-over': 'taken over by another session, which goes on with it',
  paused: 'paused: its budget is spent',
  denied: 'waits for a permission',
  login: 'the client is not logged in',
  billing: 'the client reports a problem with billing',
  crashes: 'unfinished: the client ended three times in a row without any progress',
  errors: 'unfinished: errors of the network or the server, ten tries in a row without any progress',
  limits: 'unfinished: a usage limit did not end',
  prompts: 'unfinished: the agent ends its turns, and nothing holds it or moves',
  overflows: 'unfinished: the context was too long, in a new session too',
  handed: 'unfinished: many new sessions in a row, and nothing moved',
  'never-began': 'the client did not start',
};

/** Also of a record, which may hold the word of a newer version. */
export function outcomeOf({ why }: { why: string }): string {
  return new Map<string, string>(Object.entries(OUTCOMES)).get(why) ?? why;
}

/** What a person is to know and do, one line each. */
export function whatNext(finished: Finished, record: DriverRecord, cli: string): string[] {
  const { why, stand, denied } = finished;
  const again = continueCommand(record, cli);
  switch (why) {
    case 'completed':
      return [];
    case 'unproven':
      return [`To see why it is unproven: ${cli} why. To run the checks now: ${cli} check`];
    case 'question': {
      const question = stand.kind === 'question' ? inOneParagraph(stand.what, 2_000) : '';
      return [`It asks: ${question}`, `To answer it and go on: ${again} --answer '<your answer>'`];
    }
    case 'person':
      return [...(stand.kind === 'person' ? [stand.why] : []), `Then go on with: ${again}`];
    case 'taken-over':
      return [`Whose it is now: ${cli} status. To drive it again, in a new session: ${again}`];
    case 'paused':
      return [
        ...(stand.kind === 'paused' ? [stand.why] : []),
        ...(stand.kind === 'paused' ? [`To grant more and go on: ${again} ${stand.flags}`.trimEnd()] : []),
      ];
    case 'denied':
      return [
        `The client refused this again and again: ${inOneParagraph(denied ?? '', 300)}`,
        `${howToAllow(record, denied ?? '')}, then go on with: ${again}`,
      ];
    case 'login':
      return [`Log the client in, then go on with: ${again}`];
    case 'billing':
      return [`Once that is settled, go on with: ${again}`];
    case 'stop-at':
      return [`To go on from there: ${again}`];
    case 'cancelled-by-agent':
      return [
        `The run was ended by neither a stop nor a person, so its client was not left to work on. What happened: ${cli} log`,
      ];
    case 'cancelled':
    case 'unknown-end':
      return [`What happened: ${cli} log`];
    case 'never-began':
      return [
        `Start the client once by hand in ${record.root} to see what it says, then go on with: ${again}`,
      ];
    case 'stuck':
    case 'limit':
    case 'released':
    case 'crashes':
    case 'errors':
    case 'limits':
    case 'prompts':
    case 'overflows':
    case 'handed':
      return [`What happened: ${cli} log. To try it again: ${again}`];
  }
}

/** In the client's own words for it. */
function howToAllow({ options }: DriverRecord, denied: string): string {
  const { title, headless } = clientNamed(options.client);
  if (options.access === 'full') return `${title} itself denies it: allow it in its own settings`;
  const whole = inOneParagraph(denied, 200);
  // A rule made of half a command would allow another one.
  if (headless?.allows !== undefined && whole.includes('…')) return `Allow it in the settings of ${title}`;
  const allows = headless?.allows?.(whole);
  if (allows === undefined) return '`--access full` allows it, and everything else';
  return `Allow it in the client's own settings or words (${title}: ${allows})`;
}

/** From wherever it is typed. */
export function continueCommand(record: DriverRecord, cli: string): string {
  return `cd ${shellQuote(record.root)} && ${cli} run --continue ${shellQuote(nameOf(record))}`;
}

/** As `--continue` takes it. */
export function nameOf({ run, id }: Pick<DriverRecord, 'run' | 'id'>): string {
  return run ?? id;
}

export const FULL_ACCESS = `--access full: the agent may run any command and write anywhere that you can, without asking: your keys, your other repositories, the network. Use it in a container or a machine of its own.`;
