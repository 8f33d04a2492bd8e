import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Diagram } from '../../engine/workflow-cli.ts';
import type { RunPage } from '../shown.ts';
import { withDiagram } from './diagrams.ts';

const drawn = (name: string): Diagram => ({ name }) as unknown as Diagram;
const page = (workflow: string, mode?: string, diagram: Diagram | null = null): RunPage =>
  ({ run: { workflow, detail: { mode } }, diagram }) as unknown as RunPage;

beforeAll(() => {
  vi.stubGlobal('HOLDFAST_DIAGRAMS', { idle: drawn('idle'), 'claudex: plan': drawn('plan') });
});
afterAll(() => void vi.unstubAllGlobals());

it.each([
  ['of its workflow', page('idle', 'plan'), drawn('idle')],
  ['of its mode', page('claudex', 'plan'), drawn('plan')],
  ['none of another mode', page('claudex', 'implement'), null],
  ['none of a workflow that is not built in', page('toy'), null],
  ['its own before any other', page('idle', undefined, drawn('own')), drawn('own')],
])('a run is shown with a diagram: %s', (_, shown, diagram) => {
  expect(withDiagram(shown)).toEqual({ ...shown, diagram });
});
