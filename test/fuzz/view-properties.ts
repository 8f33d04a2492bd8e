// What holds of a view whatever stands in a journal, which lies in the project and may come from anywhere.

import fc from 'fast-check';
import { SEED } from './broken.ts';
import type { viewHere } from './view-here.ts';

type ViewHere = typeof viewHere;

const TIME = '2026-01-01T00:00:00.000Z';
const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '\u202e\u0000\u001b[2J',
  '@all ![x](http://evil)',
  '__proto__',
  '',
];

const word = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 20 }));
const any = fc.oneof(word, fc.jsonValue({ maxDepth: 2 }), fc.constant(1e308), fc.constant(-1));

/** A line of ours of which some fields hold what they should not. */
const line = fc
  .record({
    event: fc.constantFrom(
      'stop',
      'start',
      'adopt',
      'cancel',
      'end',
      'review',
      'budget',
      'drive',
      'work',
      'wait',
      'question',
      'notify',
    ),
    broken: fc.dictionary(
      fc.constantFrom(
        'time',
        'session',
        'workflow',
        'run',
        'client',
        'state',
        'facts',
        'guard',
        'step',
        'answer',
        'waiting',
        'budget',
        'error',
        'milliseconds',
        'what',
        'why',
        'until',
        'tokens',
        'usd',
        'verdict',
        'file',
        'reviewer',
        'limits',
        'outcome',
        'proof',
        'attempt',
        'work',
        'name',
        'deadline',
        'end',
        'for',
        'on',
        'by',
      ),
      any,
      { maxKeys: 6 },
    ),
    workflow: fc.constantFrom('idle', 'taskie', 'claudex', 'flow', '<b>'),
  })
  .map(({ event, broken, workflow }) =>
    JSON.stringify({
      ...{
        schema: 2,
        time: TIME,
        event,
        session: 's',
        workflow,
        run: 'r',
        client: 'c',
        state: {},
        facts: {},
      },
      ...{
        guard: null,
        step: { kind: 'hold', message: { name: 'm', slots: {} } },
        answer: 'hold',
        error: null,
      },
      ...{
        what: 'began',
        work: 'check',
        attempt: 'a',
        name: 'n',
        for: 'limit',
        on: 'done',
        by: 'x',
        why: 'y',
        end: 'passed',
      },
      ...broken,
    }),
  );

const text = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: line },
      { weight: 1, arbitrary: fc.string() },
      { weight: 1, arbitrary: line.map((each) => each.slice(0, each.length / 2)) },
    ),
    { maxLength: 12 },
  )
  .map((lines) => lines.map((each) => `${each}\n`).join(''));

/** The journal as it grows, cut anywhere. */
const growing = fc.tuple(text, fc.nat({ max: 1000 })).map(([all, share]) => {
  const cut = Math.floor((all.length * share) / 1000);
  return [all.slice(0, cut), all.slice(cut)];
});

type Place = { root: string; home: string };

/** By name, each with what must hold. */
export const properties: Readonly<
  Record<string, (here: ViewHere, place: Place, runs: number) => Promise<void>>
> = {
  'nothing in a journal ends a view, and what it shows is plain data': (here, { root, home }, runs) =>
    fc.assert(
      fc.asyncProperty(growing, async (parts) => {
        const { model, lost } = await here(root, home, parts);
        const [project] = model.projects;
        if (project === undefined || project.troubles.some(({ what }) => what.includes('cannot be read:')))
          throw new Error(`the project cannot be seen: ${JSON.stringify(project?.troubles)}`);
        if (JSON.stringify(JSON.parse(JSON.stringify(model))) !== JSON.stringify(model))
          throw new Error('not plain');
        if (
          /"(?:at|movedAt|startedAt)":null/.test(
            JSON.stringify(project.runs.flatMap(({ stops, events }) => [...stops, ...events])),
          )
        )
          throw new Error('a mark without a time');
        if (lost > 0) throw new Error(`${lost} marks have no line`);
      }),
      { seed: SEED, numRuns: runs },
    ),
  'nothing in a journal is markup in a report': (here, { root, home }, runs) =>
    fc.assert(
      fc.asyncProperty(growing, async (parts) => {
        const { pages } = await here(root, home, parts);
        for (const { html, markdown } of pages) {
          if (/<script|<img|\son\w+="/i.test(html)) throw new Error('markup in the page');
          if (/(?<!\\)(?:!\[|<script)|@all(?!<)/i.test(markdown)) throw new Error('markup in the report');
        }
      }),
      { seed: SEED, numRuns: runs },
    ),
  'what is read as it grows is what is read at once': (here, { root, home }, runs) =>
    fc.assert(
      fc.asyncProperty(growing, async (parts) => {
        const grown = await here(root, home, parts);
        const whole = await here(root, home, [parts.join('')]);
        const runsOf = (seen: typeof grown): string => JSON.stringify(seen.model.projects[0]?.runs);
        if (runsOf(grown) !== runsOf(whole)) throw new Error('another model');
      }),
      { seed: SEED, numRuns: runs },
    ),
};
