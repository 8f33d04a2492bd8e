// The page: its head, and the overview or one run below it.

import './style/base.css';
import './style/controls.css';
import './style/overview.css';
import './style/run.css';
import './style/docket.css';
import './style/files.css';
import './style/charts.css';
import './style/states.css';
import './style/print.css';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { showAttention } from './attention.ts';
import { ask, type Live, type Session, useLive, useNow } from './live.ts';
import { OverviewPage } from './overview.tsx';
import { Empty } from './parts/section.tsx';
import { openOwnTabs, useRoute } from './route.ts';
import { RunPageView } from './run-page.tsx';
import { keepToken } from './token.ts';

function Page({ hasToken }: { hasToken: boolean }) {
  return hasToken ? <Runs /> : <NoToken />;
}

function NoToken() {
  return (
    <main id="main">
      <Empty title="This tab cannot show your runs">
        Open the whole address that <code>holdfast web</code> printed when it was last started, with the{' '}
        <code>#token=…</code> at its end.
      </Empty>
    </main>
  );
}

function Runs() {
  const route = useRoute();
  const live = useLive(route);
  const now = useNow();
  const [session, setSession] = useState<Session | null>(null);
  const { overview, page } = live;
  useEffect(() => showAttention(overview, page), [overview, page]);
  useEffect(() => void ask<Session>('/api/session').then(setSession, () => {}), []);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href="#/">
          <img src="/icon.svg" alt="" width="26" height="26" />
          Holdfast
        </a>
        <Connection state={live.connection} />
      </header>
      <main id="main" tabIndex={-1}>
        {route === null ? (
          <OverviewPage overview={live.overview} now={now} mayWrite={session?.mayWrite === true} />
        ) : (
          <RunPageView id={route} page={live.page} now={now} mayWrite={session?.mayWrite === true} />
        )}
      </main>
      <footer class="foot">
        Holdfast {session?.version ?? ''} · read from the journals of this machine, served to you alone
      </footer>
    </>
  );
}

const CONNECTIONS: Readonly<Record<Live['connection'], string>> = {
  opening: 'connecting',
  open: 'live',
  lost: 'not connected: is `holdfast web` still running?',
};

function Connection({ state }: { state: Live['connection'] }) {
  return (
    <span class={`connection ${state}`} role="status">
      <span class="dot" aria-hidden="true" />
      {CONNECTIONS[state]}
    </span>
  );
}

openOwnTabs();
const root = document.getElementById('page');
if (root !== null) keepToken((token) => render(<Page key={token} hasToken={token !== null} />, root));
