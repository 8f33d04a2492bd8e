// The connection: what the server sends becomes the page's data.

import { useEffect, useState } from 'preact/hooks';
import type { Overview, RunPage } from '../shown.ts';
import { follow, type News } from './follow.ts';
import { request } from './token.ts';

export type Live = {
  overview: Overview | null;
  /** `gone`: there is no such run any more. */
  page: RunPage | 'gone' | null;
  connection: 'opening' | 'open' | 'lost';
};

/** `run`: the id of the run whose page is shown. */
export function useLive(run: string | null): Live {
  const [overview, setOverview] = useState<Overview | null>(null);
  const [page, setPage] = useState<{ run: string; page: RunPage | 'gone' } | null>(null);
  const [connection, setConnection] = useState<Live['connection']>('opening');
  useEffect(() => {
    const address = run === null ? '/api/events' : `/api/events?run=${encodeURIComponent(run)}`;
    const left = new AbortController();
    const follower = {
      opened: () => setConnection('open'),
      lost: () => setConnection('lost'),
      heard(news: News) {
        if (news.event === 'runs') setOverview(news.data);
        else if (run !== null) setPage({ run, page: news.event === 'gone' ? 'gone' : news.data });
      },
    };
    void follow(address, follower, left.signal);
    return () => left.abort();
  }, [run]);
  return { overview, page: page?.run === run ? page.page : null, connection };
}

/** A clock that moves once a second, so that "3 min ago" stays true. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export type Session = { version: string; mayWrite: boolean };

export async function ask<T>(address: string, method: 'GET' | 'POST' = 'GET'): Promise<T> {
  const response = await request(address, { method });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.text);
  return answer;
}

/** Null: all that have ended. */
export async function dismiss(run: string | null): Promise<string> {
  const address = run === null ? '/api/dismiss-ended' : `/api/dismiss?run=${encodeURIComponent(run)}`;
  return (await ask<{ text: string }>(address, 'POST')).text;
}

export async function cancelRun(run: string): Promise<string> {
  const { text } = await ask<{ text: string }>(`/api/cancel?run=${encodeURIComponent(run)}`, 'POST');
  return text;
}
