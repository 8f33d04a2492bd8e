// What somebody is called about (types only).

import type { NotifyEvent } from '../../config/notify.ts';

export type News = {
  event: NotifyEvent;
  /** In full: `<workflow>:<id>`. */
  run: string;
  /** What makes it this one and no other: nobody is called twice about it. */
  cause: string;
  /** One line. */
  text: string;
  /** In a sentence or two. */
  why: string;
};

/** As a program gets it on standard input, and a webhook as its body. */
export type Call = {
  event: NotifyEvent | 'test';
  project: string;
  run: string;
  text: string;
  why: string;
  /** ISO 8601. */
  time: string;
};
