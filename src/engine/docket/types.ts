// The docket of a run: every finding that its reviewers listed, and what became of each (types only). Its file,
// docket.json, is for people and git; a person may edit it.

import type { Severity } from '../../reviewers/findings.ts';
import type { JsonObject } from '../../store/json.ts';

export type Status = 'open' | 'fixed' | 'rejected';

export type Entry = {
  /** `F7`. Never changes, and never comes back. */
  id: string;
  /** The review that it stands in: a file's name. */
  review: string;
  /** Of its cycle; null: a person wrote the entry and did not say. */
  round: number | null;
  /** The reviewer. */
  by: string | null;
  severity: Severity;
  file: string | null;
  line: number | null;
  claim: string;
  evidence: string | null;
  status: Status;
  /** In the agent's words; empty: it said no more than the status. Null: it has not answered. */
  answer: string | null;
  /** Findings answered before that this one raises again. */
  earlier: readonly string[];
  /** Fields that are not ours. */
  others: JsonObject;
};

export type Docket = {
  /** The highest number that was ever given. */
  last: number;
  /** In the order of their ids, unless a person changed it. */
  findings: readonly Entry[];
  /** What stands among the findings and is none: it is kept. */
  strays: readonly unknown[];
  others: JsonObject;
};

/** What is said of a finding in an answer. */
export type Answer = { id: string; status: 'fixed' | 'rejected'; text: string };

export const EMPTY_DOCKET: Docket = { last: 0, findings: [], strays: [], others: {} };
