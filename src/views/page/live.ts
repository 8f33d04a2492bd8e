// The connection: what the server sends becomes the page's data; when it is lost, the browser takes it up again.

import { useEffect, useState } from 'preact/hooks';
import type { Overview, RunPage } from '../shown.ts';

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
    const events = new EventSource(address);
    events.onopen = () => setConnection('open');
    events.onerror = () => setConnection('lost');
    events.addEventListener('runs', ({ data }) => setOverview(JSON.parse(data)));
    if (run !== null) {
      events.addEventListener('run', ({ data }) => setPage({ run, page: JSON.parse(data) }));
      events.addEventListener('gone', () => setPage({ run, page: 'gone' }));
    }
    return () => events.close();
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

export type Session = { version: string; action: string | null };

export async function ask<T>(address: string): Promise<T> {
  const response = await fetch(address);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.text);
  return answer;
}

export async function cancelRun(run: string, action: string): Promise<string> {
  const response = await fetch(`/api/cancel?run=${encodeURIComponent(run)}`, {
    method: 'POST',
    headers: { 'X-Holdfast-Token': action },
  });
  const answer: { text: string } = await response.json();
  if (!response.ok) throw new Error(answer.text);
  return answer.text;
}
