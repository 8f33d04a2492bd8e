// One run, whole: what it needs, what runs, how it went, and the files and lines behind it.

import { labelOf, toneOf } from '../../view/run-state.ts';
import type { RunPage } from '../shown.ts';
import { titleOf } from './card.tsx';
import { BudgetPanel } from './parts/budget.tsx';
import { CancelButton } from './parts/cancel.tsx';
import { ChecksPanel } from './parts/checks.tsx';
import { CommandText } from './parts/command-text.tsx';
import { DiagramPanel } from './parts/diagram.tsx';
import { DismissButton } from './parts/dismiss.tsx';
import { DocketPanel } from './parts/docket.tsx';
import { EventsPanel } from './parts/events.tsx';
import { FilesPanel } from './parts/files.tsx';
import { RoundsPanel } from './parts/rounds.tsx';
import { Empty, Loading } from './parts/section.tsx';
import { Tiles } from './parts/tiles.tsx';
import { TimelinePanel } from './parts/timeline.tsx';
import { WorkPanel } from './parts/work.tsx';
import { clock } from './words.ts';

type RunPageProps = { id: string; page: RunPage | 'gone' | null; now: number; mayWrite: boolean };

export function RunPageView({ id, page, now, mayWrite }: RunPageProps) {
  if (page === null) return <Loading title="Reading the run …" />;
  if (page === 'gone')
    return (
      <Empty title="There is no such run">
        It may have been removed, or its project is gone. <a href="#/">All runs</a>
      </Empty>
    );
  const { run, project } = page;
  // The diagram stands beside them, or where there are none across the page.
  const hasHalves = run.rounds.length > 0 || run.budget !== null;
  return (
    <article class="run">
      <nav aria-label="You are here">
        <a href="#/">All runs</a> <span aria-hidden="true">/</span> {project.name}
      </nav>
      <div class="run-head">
        <div>
          <p class={`badge ${toneOf(run)}`}>{labelOf(run)}</p>
          <h1>{titleOf(run)}</h1>
          {run.asked !== null && titleOf(run).endsWith('…') && (
            <details class="task">
              <summary>The whole task</summary>
              <p>{run.asked}</p>
            </details>
          )}
          <p class="muted facts">
            <span>{run.name}</span>
            <span title={project.root}>{project.root}</span>
            {run.holder !== null && (
              <span>
                {run.holder.driven ? 'driven, ' : ''}
                {run.holder.client ?? 'session'} {run.holder.session.slice(0, 8)}
              </span>
            )}
            {run.startedAt !== null && <span>since {clock(run.startedAt, now)}</span>}
          </p>
        </div>
        {mayWrite && run.live && <CancelButton id={id} name={run.name} />}
        {mayWrite && run.end !== null && !run.dismissed && (
          <DismissButton
            id={id}
            words="Dismiss this run"
            done={() => {
              window.location.hash = '#/';
            }}
          />
        )}
      </div>
      {run.needs !== null && (
        <p class="banner needs-you">
          <strong>Needs you.</strong> <CommandText text={run.needs} />
        </p>
      )}
      {run.trouble !== null && (
        <p class="banner failing">
          <strong>It cannot be read.</strong> {run.trouble.what}. To fix it, {run.trouble.fix}.
        </p>
      )}
      {run.needs === null && run.waiting !== null && (
        <p class="banner waiting">
          <CommandText text={run.waiting.text} />
        </p>
      )}
      <Tiles run={run} now={now} />
      <div class="panels">
        <WorkPanel work={run.work} now={now} />
        <RoundsPanel id={id} run={run} now={now} />
        {hasHalves && <DiagramPanel page={page} size="tall" />}
        <BudgetPanel run={run} now={now} />
        <TimelinePanel id={id} page={page} now={now} />
        <ChecksPanel id={id} run={run} now={now} />
        {!hasHalves && <DiagramPanel page={page} size="wide" />}
        <DocketPanel run={run} />
        <FilesPanel id={id} files={run.files} />
        <EventsPanel id={id} events={run.events} now={now} />
      </div>
    </article>
  );
}
