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

/** A browser gives what this tab keeps, and so the token, to a new tab only where the page itself opens that. */
export function openOwnTabs(): void {
  const open = (event: MouseEvent) => {
    const wanted =
      event.button === 1 || (event.button === 0 && (event.ctrlKey || event.metaKey || event.shiftKey));
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
    if (!wanted || link === null) return;
    event.preventDefault();
    window.open(link.href, '_blank');
  };
  document.addEventListener('click', open);
  document.addEventListener('auxclick', open);
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
