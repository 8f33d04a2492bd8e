// A run that is made a session's before its client starts, and the environment of that client.

import { describe, expect, it } from 'vitest';
import { bareProject } from '../../test/support/bare-project.ts';
import { clientNamed, clients } from '../clients/index.ts';
import { ensureHome } from '../store/home.ts';
import { journalFromEnd } from '../store/journal.ts';
import { newSidecar } from '../store/records.ts';
import { readSidecar, writeSidecar } from '../store/sidecars.ts';
import { envOfSession, giveToSession, withoutClients } from './bind.ts';

const RUN = 'idle:a';
const claude = clientNamed('claude-code');

describe('the environment', () => {
  it.each(clients.map((client) => [client.name, client] as const))('has nothing of %s left', (_, client) => {
    const names = [
      ...client.sessionVariables,
      ...(client.secretVariables ?? []),
      ...(client.hookVariables ?? []),
      ...[client.pidVariable, client.startVariable, client.shellMark?.split('=')[0]].flatMap(
        (name) => name ?? [],
      ),
    ];
    const around = Object.fromEntries(names.map((name) => [name, '1']));
    expect(withoutClients({ ...around, PATH: '/bin', HOME: '/home/me' })).toEqual({
      ...{ PATH: '/bin', HOME: '/home/me' },
    });
  });

  it('of a session names it as its client does', () => {
    const [name = ''] = claude.sessionVariables;
    expect(envOfSession({ PATH: '/bin', [name]: 'other', CODEX_THREAD_ID: 'x' }, claude, 's')).toEqual({
      PATH: '/bin',
      ...Object.fromEntries(claude.sessionVariables.map((each) => [each, 's'])),
    });
  });
});

describe('a run', () => {
  const given = (sidecar: object) => {
    const project = bareProject();
    ensureHome(project.root);
    writeSidecar(project.root, { ...newSidecar(RUN), ...sidecar });
    const events = (): string[] =>
      [...journalFromEnd(project.root)].map((entry) => `${entry.event} ${entry.session}`);
    return { project, events, sidecar: () => readSidecar(project.root, RUN) };
  };

  it('is adopted for the session that is about to start', async () => {
    const { project, events, sidecar } = given({ sessions: ['before'] });
    await giveToSession(project, RUN, claude, 's');
    expect(events()).toEqual(['adopt s']);
    expect(sidecar().sessions).toEqual(['s']);
  });

  it('is adopted for nobody yet where the client chooses its session', async () => {
    const { project, events, sidecar } = given({ sessions: ['before'] });
    await giveToSession(project, RUN, claude, null);
    expect(events()).toEqual(['adopt null']);
    expect(sidecar().sessions).toEqual(['before']);
  });

  it('that was handed over goes along, and is not adopted', async () => {
    const handover = { session: 'before', text: 'Go on.' };
    const { project, events, sidecar } = given({ sessions: ['before'], handover });
    await giveToSession(project, RUN, claude, 's');
    expect(events()).toEqual([]);
    expect(sidecar().sessions).toEqual(['s']);
  });
});
