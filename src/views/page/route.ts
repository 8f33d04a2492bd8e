// Where the page is: the overview, or one run. It stands behind the # of the address and is never sent.

import { useEffect, useState } from 'preact/hooks';

/** Null: the overview. */
export function useRoute(): string | null {
  const [run, setRun] = useState(runInAddress());
  useEffect(() => {
    const moved = () => {
      setRun(runInAddress());
      window.scrollTo(0, 0);
    };
    window.addEventListener('hashchange', moved);
    return () => window.removeEventListener('hashchange', moved);
  }, []);
  return run;
}

export function addressOf(run: string): string {
  return `#/run/${encodeURIComponent(run)}`;
}

function runInAddress(): string | null {
  const found = /^#\/run\/(.+)$/.exec(window.location.hash)?.[1];
  if (found === undefined) return null;
  try {
    return decodeURIComponent(found);
  } catch {
    return found;
  }
}
