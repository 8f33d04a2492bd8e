// Under which angle a round attacks the plan.

import deepening from './prompts/persona-deepening.md';
import operations from './prompts/persona-operations.md';
import security from './prompts/persona-security.md';
import seniorEngineer from './prompts/persona-senior-engineer.md';

export type Persona = { label: string; text: string };

export function personaOf(round: number): Persona {
  if (round <= 1) return { label: 'Senior-engineer review', text: seniorEngineer.trim() };
  if (round === 2) return { label: 'Security and data-integrity review', text: security.trim() };
  const label = 'Ops and SRE review';
  if (round === 3) return { label, text: operations.trim() };
  return { label, text: `${operations.trim()}\n\n${deepening.trim()}` };
}
