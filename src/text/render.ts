// Fills the named slots of a message file: `{{ROUND}}`. A slot nobody filled, or a value nobody asked for, is
// a bug of ours and fails at once instead of reaching an agent half-written.

export type Slots = Readonly<Record<string, string | number>>;

export function render(template: string, slots: Slots, name = 'message'): string {
  const used = new Set<string>();
  const text = template.replace(/\{\{([A-Za-z][A-Za-z0-9_]*)\}\}/g, (_, slot: string) => {
    const value = Object.hasOwn(slots, slot) ? slots[slot] : undefined;
    if (value === undefined) throw new Error(`${name}: nothing was given for the slot {{${slot}}}`);
    used.add(slot);
    return String(value);
  });
  const unused = Object.keys(slots).filter((slot) => !used.has(slot));
  if (unused.length > 0) throw new Error(`${name}: has no slot for ${unused.join(', ')}`);
  return text.trimEnd();
}
