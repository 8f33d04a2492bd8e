// Fills a text about a plan. A name that is a plain word stands in it as it is; for any other one its name, and each path of
// its folder, is quoted as JSON, so that a blank or a quote in it neither ends it nor says anything of its own.

import { render, type Slots } from '../../text/render.ts';
import { inText, isPlainPlan, planInText } from './names.ts';

export function renderForPlan(template: string, slots: Slots, name: string): string {
  const plan = String(slots.plan ?? '');
  if (slots.plan === undefined || isPlainPlan(plan)) return render(template, slots, name);
  const places: Record<string, string> = {};
  const text = template.replaceAll("'{{plan}}'", '{{plan}}').replace(PLACE, (_, rest: string = '') => {
    const slot = `place${Object.keys(places).length}`;
    const below = rest.replace(/\{\{(\w+)\}\}/, (_, inner: string) => String(slots[inner] ?? ''));
    places[slot] = inText(plan, `${slots.folder}${below}`);
    return `{{${slot}}}`;
  });
  const log = slots.log === undefined ? {} : { log: inText(plan, String(slots.log)) };
  const all: Slots = { ...slots, ...places, ...log, plan: planInText(plan) };
  return render(text, Object.fromEntries(Object.entries(all).filter(isWanted)), name);

  /** What a place has taken up stands nowhere else; of what nobody asked for we still want to hear. */
  function isWanted([slot]: [string, unknown]): boolean {
    return text.includes(`{{${slot}}}`) || !template.includes(`{{${slot}}}`);
  }
}

/** `{{folder}}`, `{{folder}}/state.json`, `{{folder}}/{{review}}`. */
const PLACE = /\{\{folder\}\}(\/(?:\{\{\w+\}\}|[\w.]*\w))?/g;
