// Shows what happens while a run is driven: a line per event, a footer that is drawn again on a terminal; or one JSON
// object per line.

import type { Report, Said } from '../../driver/report.ts';
import { inOneParagraph } from '../../text/paragraph.ts';
import { printable } from '../../text/printable.ts';
import { describeSpan, describeTime } from '../../view/times.ts';
import { bold, dim, green, red, yellow } from '../paint.ts';

export type Output = { write(text: string): void; isTerminal: boolean; columns: number };

export type Shown = Report & {
  /** Lines of its own, such as the table at the end. */
  line(text: string): void;
  object(value: object): void;
  done(): void;
};

export function showAsJson(output: Output, now: () => number): Shown {
  const object = (value: object): void =>
    output.write(`${JSON.stringify({ time: new Date(now()).toISOString(), ...value })}\n`);
  return { say: object, now: () => {}, line: () => {}, object, done: () => {} };
}

export function showAsLines(output: Output, now: () => number): Shown {
  const began = now();
  let footer = '';
  const clear = (): void => {
    if (footer !== '') output.write('\r\u001b[2K');
    footer = '';
  };
  const line = (text: string): void => {
    clear();
    output.write(`${printable(text)}\n`);
  };
  return {
    line,
    say(said) {
      if (said.event === 'began') line(`${bold('Task:')} ${inOneParagraph(said.asked, 400)}`);
      const text = describe(said, now());
      if (text !== null) line(`${dim(new Date(now()).toISOString().slice(11, 19))}  ${text}`);
    },
    now({ stage, tools, turns, usd, waitsUntil }) {
      if (!output.isTerminal) return;
      const parts = [
        stage,
        waitsUntil === null ? `turn ${turns}, ${tools} tools` : `waits until ${describeTime(waitsUntil)}`,
        ...(usd === null ? [] : [`$${usd.toFixed(2)}`]),
        describeSpan(now() - began),
      ];
      const text = printable(parts.join(' · ')).slice(0, Math.max(20, output.columns - 1));
      if (text === footer) return;
      clear();
      output.write(dim(text));
      footer = text;
    },
    object: () => {},
    done: clear,
  };
}

/** Null: nothing that a person needs a line for. */
function describe(said: Said, now: number): string | null {
  switch (said.event) {
    case 'began':
      return `begins     ${said.run === null ? '' : `as ${said.run}, `}${said.client} with --access ${said.access}, in ${said.root}`;
    case 'run':
      return `run        ${said.run} was begun`;
    case 'client-began':
      return `client     ${said.how === 'resumed' ? 'goes on' : 'starts'}${said.session === null ? '' : ` with session ${said.session}`} (process ${said.pid})`;
    case 'turn':
      return `turn       ${said.number}`;
    case 'stop':
      return `${said.answer === 'hold' ? yellow('hold') : green('allow')}${said.answer === 'hold' ? '       ' : '      '}${said.stage}${said.why === '' ? '' : ` (${said.why})`}`;
    case 'work':
      return `${said.what.padEnd(10)} ${said.name}: ${said.status}`;
    case 'denied':
      return `${red('denied')}     ${inOneParagraph(said.what, 200)}`;
    case 'turn-ended':
      return `turn ends  ${said.tools} tools${said.usd === null ? '' : `, $${said.usd.toFixed(2)} so far`}`;
    case 'trouble':
      return `${red('trouble')}    ${said.what}: ${inOneParagraph(said.said, 200)}`;
    case 'client-ended':
      return `client     ${endOf(said)}`;
    case 'waits':
      return `waits      until ${describeTime(said.until)} (${describeSpan(said.until - now)})`;
    case 'asked-to-end':
      return said.again
        ? 'ends       at once'
        : 'ends       the client is asked to end; once more ends everything at once';
    case 'left':
    case 'finished':
      return null;
  }
}

function endOf({ how, code, signal }: Extract<Said, { event: 'client-ended' }>): string {
  if (how === 'shed') return 'is ended: its agent has ended the run, and works on without it';
  if (how === 'silent') return 'said nothing for too long, and is ended';
  return signal === null ? `has ended, exit code ${code ?? 'unknown'}` : `was ended by ${signal}`;
}
