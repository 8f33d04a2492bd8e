// Whom to call, and about what: the user's own setting (types and names only).

/** By rank. */
export const NOTIFY_EVENTS = ['needs-you', 'let-go', 'done', 'limit'] as const;
export type NotifyEvent = (typeof NOTIFY_EVENTS)[number];

/** How somebody is called; `on`: about what. */
export type Notifier = { on: readonly NotifyEvent[] } & (
  | { by: 'run'; run: readonly string[] }
  | { by: 'webhook'; webhook: string }
  | { by: 'desktop' }
);

/** As it stands in the file. */
export type NotifierFile = {
  run?: readonly string[] | undefined;
  webhook?: string | undefined;
  desktop?: true | undefined;
  on?: readonly NotifyEvent[] | undefined;
};

export function notifiersIn(list: readonly NotifierFile[]): Notifier[] {
  return list.flatMap(({ run, webhook, desktop, on = NOTIFY_EVENTS }): Notifier[] => {
    if (run !== undefined) return [{ by: 'run', run, on }];
    if (webhook !== undefined) return [{ by: 'webhook', webhook, on }];
    return desktop === undefined ? [] : [{ by: 'desktop', on }];
  });
}
