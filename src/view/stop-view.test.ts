import { describe, expect, it } from 'vitest';
import type { WorkflowCli } from '../engine/workflow-cli.ts';
import type { StopEntry } from '../store/journal-lines.ts';
import { docketOf } from './docket.ts';
import type { KnownRun } from './runs.ts';
import { stopView } from './stop-view.ts';

const position = { segment: 2, offset: 30 };
const stop = (more: Partial<StopEntry> = {}): StopEntry => ({
  ...{
    schema: 2,
    time: '',
    event: 'stop',
    client: 'codex',
    session: 's1',
    turn: null,
    workflow: 'toy',
    run: 'a',
  },
  ...{
    state: { at: 1 },
    facts: {},
    guard: null,
    answer: 'hold',
    notice: false,
    error: null,
    milliseconds: 20,
  },
  step: { kind: 'hold', message: { name: 'go-on', slots: {} } },
  ...more,
});
const view = (more: Partial<StopEntry>, cli: Partial<WorkflowCli> | null = null) =>
  stopView({ entry: stop(more), position, at: 77 }, cli as WorkflowCli | null);

describe('a stop as views show it', () => {
  it('has all that its line says', () => {
    expect(view({})).toEqual({
      ...{ position, at: 77, kind: 'held', moved: true, step: 'go-on', why: 'It said "go on".', state: null },
      ...{ client: 'codex', session: 's1', milliseconds: 20 },
    });
  });

  it.each<[string, Partial<StopEntry>, string]>([
    [
      'an error',
      { error: 'no\ndisk', run: null },
      'Holdfast hit an error, so this stop was allowed: no disk',
    ],
    ['no run', { run: null }, 'This session has no run; a notice was shown.'],
    ['no words for it', {}, 'Its line in the journal cannot be put into words: what is this?'],
  ])('says why: %s', (_, more, why) => {
    const explain = (): never => {
      throw new Error('what is this?');
    };
    expect(view(more, { explain }).why).toBe(why);
  });

  it('is cut where it is too long', () => {
    const slots = { text: 'x'.repeat(2000) };
    const { step, why } = view({ step: { kind: 'hold', message: { name: 'n'.repeat(81), slots } } });
    expect(step).toBe(`${'n'.repeat(79)}…`);
    expect([why.length, why.at(-1)]).toEqual([1000, '…']);
    expect(view({ step: { kind: 'hold', message: { name: 'n'.repeat(80), slots: {} } } }).step).toBe(
      'n'.repeat(80),
    );
    const error = 'x'.repeat(1000 - 'Holdfast hit an error, so this stop was allowed: '.length);
    expect(view({ error }).why.at(-1)).toBe('x');
    expect(view({ error: `${error}x` }).why.at(-1)).toBe('…');
  });

  it('has the state that its workflow reads in it, if that can be read', () => {
    expect(view({}, { stateOf: (state) => JSON.stringify(state) }).state).toBe('{"at":1}');
    expect(view({}, { stateOf: () => null }).state).toBeNull();
    const throws = (): never => {
      throw new Error('no');
    };
    expect(view({}, { stateOf: throws }).state).toBeNull();
  });

  it('has its workflow’s own words, with the check that ended it', () => {
    const explain: WorkflowCli['explain'] = (step, until) => `${step.kind} ${until?.name ?? 'by nothing'}.`;
    const fact = { name: 'test', end: 'passed', code: 0, milliseconds: null, from: 'run' };
    const until = { claim: 'stands', worth: 'unasked', why: [], checks: [fact], protectedChanged: 0 };
    expect(view({}, { explain }).why).toBe('hold by nothing.');
    expect(view({ facts: { until } }, { explain }).why).toBe('hold test. Check: test passed.');
    expect(view({ facts: { until: { ...until, claim: 'refused' } } }, { explain }).why).toBe(
      'hold by nothing. Check: test passed.',
    );
    expect(view({ facts: { until: { ...until, checks: [] } } }, { explain }).why).toBe('hold by nothing.');
    expect(view({ step: null }, { explain }).why).toBe('The journal does not say why.');
    expect(view({}, { explain: () => null }).why).toBe('It said "go on".');
    expect(view({}, {}).why).toBe('It said "go on".');
  });
});

describe('the docket of a run', () => {
  const docket = (cli: Partial<WorkflowCli>) => docketOf({} as never, { cli, run: 'a' } as KnownRun);
  const found = (findings: object[]) => ({
    file: 'd',
    docket: { last: 0, findings, strays: [], others: {} },
  });

  it('is none where there is nothing in it, and an error where it cannot be read', () => {
    expect(docket({})).toBeNull();
    expect(docket({ docket: () => null })).toBeNull();
    expect(docket({ docket: () => found([]) as never })).toBeNull();
    expect(docket({ docket: (_, run) => found([{ run }]) as never })).toEqual(found([{ run: 'a' }]));
    const broken = docket({
      docket: () => {
        throw new Error('broken');
      },
    });
    expect(broken).toEqual(new Error('broken'));
  });
});
