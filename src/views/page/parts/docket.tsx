// The docket: every finding with its answer, as a table that can be filtered.

import { useState } from 'preact/hooks';
import type { FindingView, RunView } from '../../../view/model.ts';
import { Empty, Section } from './section.tsx';

type Wanted = { text: string; status: string; severity: string };

export function DocketPanel({ run }: { run: RunView }) {
  const [wanted, setWanted] = useState<Wanted>({ text: '', status: '', severity: '' });
  const { findings } = run;
  if (findings === null || findings.list.length === 0) return null;
  const shown = findings.list.filter((finding) => matches(finding, wanted));
  return (
    <Section
      title="Findings"
      id="docket"
      size="wide"
      aside={<Filters wanted={wanted} change={(part) => setWanted({ ...wanted, ...part })} />}
    >
      <p class="muted" role="status">
        {shown.length} of {findings.list.length} shown, kept in {findings.file}
      </p>
      <table class="docket">
        <thead>
          <tr>
            <th>Id</th>
            <th>Severity</th>
            <th>Finding</th>
            <th>Round</th>
            <th>Answer</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((finding) => (
            <Row key={finding.id} finding={finding} />
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <Empty title="None matches">Take something away from the filters.</Empty>}
    </Section>
  );
}

function Filters({ wanted, change }: { wanted: Wanted; change: (part: Partial<Wanted>) => void }) {
  return (
    <div class="filters">
      <input
        type="search"
        placeholder="Filter findings"
        aria-label="Show only findings with"
        value={wanted.text}
        onInput={(event) => change({ text: event.currentTarget.value })}
      />
      <Choice
        label="Status"
        value={wanted.status}
        values={['open', 'contested', 'fixed', 'rejected']}
        choose={(status) => change({ status })}
      />
      <Choice
        label="Severity"
        value={wanted.severity}
        values={['high', 'medium', 'low']}
        choose={(severity) => change({ severity })}
      />
    </div>
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  values: readonly string[];
  choose: (value: string) => void;
};

function Choice({ label, value, values, choose }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
      <option value="">{label}: any</option>
      {values.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
}

function Row({ finding }: { finding: FindingView }) {
  const { id, severity, claim, evidence, file, line, round, by, status, answer, contested, earlier } =
    finding;
  return (
    <tr>
      <td data-name="Id">
        <strong>{id}</strong>
      </td>
      <td data-name="Severity">
        <span class={`severity ${severity}`}>{severity}</span>
      </td>
      <td data-name="Finding">
        {claim}
        {file !== null && (
          <span class="place">
            {file}
            {line === null ? '' : `:${line}`}
          </span>
        )}
        {evidence !== null && <span class="evidence">{evidence}</span>}
        {earlier.length > 0 && <span class="evidence">raises {earlier.join(', ')} again</span>}
      </td>
      <td data-name="Round">
        {round ?? '–'}
        {by !== null && <span class="evidence">{by}</span>}
      </td>
      <td data-name="Answer">
        <span class={`status ${contested ? 'contested' : status}`}>{contested ? 'contested' : status}</span>
        {answer !== null && answer !== '' && <span class="evidence">{answer}</span>}
      </td>
    </tr>
  );
}

function matches(finding: FindingView, { text, status, severity }: Wanted): boolean {
  if (severity !== '' && finding.severity !== severity) return false;
  if (status === 'contested' ? !finding.contested : status !== '' && finding.status !== status) return false;
  const all = [finding.id, finding.claim, finding.file ?? '', finding.evidence ?? '', finding.answer ?? ''];
  return all.join(' ').toLowerCase().includes(text.toLowerCase());
}
