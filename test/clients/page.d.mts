/** What a scenario noted: `stops` as the journal counts them. */
export type Seen = { group: string; scenario: string; mode: string; stops: string; text: string };

/** The part of vitest's report that the page is made from. */
export type Report = {
  testResults: readonly {
    name: string;
    assertionResults: readonly { title: string; meta?: { seen?: Seen } }[];
  }[];
};

export type Versions = { claude: string; codex: string; others: Readonly<Record<string, string>> };

/** A group with all the page says of it. */
export type Section = { group: string; text: string };

/** `kept`: what the page says of groups that were not played this time. */
export function renderPage(report: Report, versions: Versions, kept?: readonly Section[]): string;

/** What a page says of a group, as `renderPage` wrote it; undefined where it says nothing of it. */
export function sectionOf(page: string, group: string): Section | undefined;
