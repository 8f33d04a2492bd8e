// The reviewers of a flow: `reviews: { critic: { prompt: …, files: … } }`.

import type { ReviewDefinition } from '../types.ts';
import { slotsIn, whyNoPattern } from './names.ts';
import type { Entry, Tree } from './read-yaml.ts';
import type { Reader } from './reader.ts';

export function readReviews(entry: Entry | undefined, reader: Reader): Record<string, ReviewDefinition> {
  const table = entry === undefined ? null : reader.table(entry.value, '`reviews`', null);
  const found: Record<string, ReviewDefinition> = {};
  for (const [name, { place, value }] of table?.keys ?? []) {
    reader.name(name, place, 'a review');
    const review = reader.table(value, 'a review', ['prompt', 'files']);
    if (review === null) continue;
    const prompt = reader.required(review, 'prompt', 'a review', (tree) => reader.text(tree, '`prompt`'));
    const files = reader.optional(review, 'files', (tree) => readFiles(tree, reader)) ?? ['**'];
    if (prompt === null) continue;
    for (const slot of slotsIn(prompt))
      if (slot !== 'task')
        reader.refuse(
          review.keys.get('prompt')?.value.place ?? place,
          `a reviewer's prompt has the slot {{task}} alone, not {{${slot}}}`,
        );
    found[name] = { prompt, files };
  }
  return found;
}

function readFiles(tree: Tree, reader: Reader): string[] | null {
  const items = tree.kind === 'list' ? tree.items : [tree];
  if (items.length === 0) return reader.refuse(tree.place, '`files` is empty');
  return items.flatMap((item) => {
    const glob = reader.text(item, '`files`');
    const why = glob === null ? null : whyNoPattern(glob);
    if (why !== null) reader.refuse(item.place, why);
    return glob === null ? [] : [glob];
  });
}
