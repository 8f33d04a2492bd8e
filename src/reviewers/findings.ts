// What a reviewer lists beside its verdict, in one form whatever program it came from (types only).

export type Severity = 'high' | 'medium' | 'low';

export type Finding = {
  severity: Severity;
  /** As the reviewer named it; null: it named none. Never opened by us. */
  file: string | null;
  line: number | null;
  claim: string;
  evidence: string | null;
};

export type Findings = {
  list: readonly Finding[];
  /** How many more there were than are read. */
  cut: number;
};

export type FindingCounts = Readonly<Record<Severity, number>>;

/** What a review cost, as far as its program reports it. */
export type Spend = { usd: number | null; tokens: Tokens | null };

export type Tokens = { input: number; cacheCreation: number; cacheRead: number; output: number };
