// Records as 0.1 and 0.2 wrote them (schema 1), in today's form. What was broken there stays broken: nothing is checked.

import { isObject } from './json.ts';

/** How the names of the files in the user's state folder began that say what was shown already. */
export const OLD_NOTIFIED = 'told-';

type Fields = Readonly<Record<string, unknown>>;

export function fromSchema1({ attempt, own, told, guard, ...rest }: Fields): Fields {
  return {
    ...rest,
    schema: 2,
    ...(attempt === undefined ? {} : { attempts: isObject(attempt) ? [withWork(attempt)] : (attempt ?? []) }),
    ...(own === undefined ? {} : { saved: own }),
    ...(told === undefined ? {} : { notified: told }),
    ...(guard === undefined ? {} : { guard: isObject(guard) ? eachMemory(guard) : guard }),
  };
}

const withWork = (attempt: Fields): Fields => ({ ...attempt, work: 'review' });

function eachMemory(guard: Fields): Fields {
  return Object.fromEntries(
    Object.entries(guard).map(([session, memory]) => [
      session,
      isObject(memory) ? guardMemoryFromSchema1(memory) : memory,
    ]),
  );
}

/** Also for the journal, which recorded it. */
export function guardMemoryFromSchema1({ still, unmoved, unknown, told, ...rest }: Fields): Fields {
  return { ...rest, noProgress: still, noTools: unmoved, toolsUnknown: unknown, notified: told };
}
