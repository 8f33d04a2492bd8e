import { describe, expect, it } from 'vitest';
import { dist, how, look, removal, wishes } from '../../../test/support/installing.ts';
import { type Doings, programs, says } from '../../../test/support/programs.ts';
import { recordedLines } from '../../../test/support/recorded.ts';
import { judgeGemini } from './check.ts';
import { parseExtensions, pluginOf } from './extensions.ts';
import { installer } from './install.ts';

const LIST = 'extensions list --output-format json';
const installed = recordedLines('plugins/gemini/extensions-installed.txt').join('\n');

/** The list stands on standard error, among other things. */
const listed = (text: string): string => `{ ${says(`[Routing] a word\n${text}`)}\n} >&2`;

const gemini = (more: Doings = {}): Record<string, Doings> => ({
  gemini: { '--version': says('0.61.0'), [LIST]: listed('[]'), ...more },
});
const install = (name: string): string => `gemini extensions install ${dist}/gemini/${name} --consent`;
/** The steps begin in the marketplace's folder, which must be there. */
const wanted = (here: ReturnType<typeof programs>) => {
  const { source, ...rest } = wishes(here);
  return { ...rest, source: { ...source, folder: here.folder } };
};

describe('a look at Gemini CLI', () => {
  it('finds nothing where it is not on PATH', async () => {
    expect(await installer.look(programs({}).project)).toBeNull();
  });

  it('finds what is there, and the folder that it was copied from', async () => {
    const here = programs(gemini({ [LIST]: listed(installed) }));
    expect(await look(installer, here)).toMatchObject({ source: dist, hasPlugins: true });
  });

  it('finds none of ours', async () => {
    expect(await look(installer, programs(gemini()))).toMatchObject({ source: null, hasPlugins: false });
  });

  it('says what it said when it refuses', async () => {
    const here = programs(gemini({ [LIST]: 'echo "no such command" >&2; exit 1' }));
    await expect(installer.look(here.project)).rejects.toMatchObject({
      name: 'ClientFailed',
      message: '`gemini extensions list` failed: no such command',
    });
  });

  it('says that its answer cannot be read', async () => {
    const here = programs(gemini({ [LIST]: says('{}') }));
    await expect(installer.look(here.project)).rejects.toMatchObject({
      name: 'ClientFailed',
      message: '`gemini extensions list --output-format json` answered what Holdfast cannot read.',
    });
  });
});

describe('an installation in Gemini CLI', () => {
  const inFolder = (text: string, folder: string): string => text.replaceAll(dist, folder);

  it('installs an extension for each, with the workspace trusted for this one call, and says so', async () => {
    const here = programs({
      gemini: {
        '--version': says('0.61.0'),
        [LIST]: `if [ -e "$HOME/list" ]; then cat "$HOME/list"; else ${listed('[]')}\nfi`,
        '*': 'echo "$GEMINI_CLI_TRUST_WORKSPACE" >>"$HOME/trusted"; cp "$HOME/coming" "$HOME/list"',
      },
    });
    here.write('coming', inFolder(installed, here.folder));
    const client = await look(installer, here);
    expect(await client.install(wanted(here), how(here))).toEqual({
      good: true,
      changed: true,
      lines: ['Gemini CLI 0.61.0: installed holdfast, idle for all your projects; all of it loaded.'],
    });
    expect(here.calls().slice(2)).toEqual([
      inFolder(install('holdfast'), here.folder),
      inFolder(install('holdfast-idle'), here.folder),
      `gemini ${LIST}`,
    ]);
    expect(here.read('trusted')).toBe('true\ntrue\n');
  });

  it('says what did not load', async () => {
    const here = programs(gemini());
    const client = await look(installer, here);
    expect(await client.install(wanted(here), how(here))).toEqual({
      good: false,
      changed: true,
      lines: [
        'Gemini CLI 0.61.0: holdfast is not there after its installation',
        'Gemini CLI 0.61.0: idle is not there after its installation',
      ],
    });
  });

  it('changes nothing where all is there', async () => {
    const here = programs(gemini({ [LIST]: listed(installed) }));
    const client = await look(installer, here);
    expect(await client.install(wishes(here), how(here))).toEqual({
      good: true,
      changed: false,
      lines: ['Gemini CLI 0.61.0: holdfast, idle for all your projects: installed already, and loaded.'],
    });
    expect(here.calls()).toHaveLength(3);
  });

  it('only shows its commands in a dry run', async () => {
    const here = programs(gemini());
    const client = await look(installer, here);
    expect(await client.install(wishes(here), how(here, true))).toEqual({
      good: true,
      changed: false,
      lines: [
        'Gemini CLI 0.61.0 would be changed by:',
        `  env GEMINI_CLI_TRUST_WORKSPACE=true ${install('holdfast')}`,
        `  env GEMINI_CLI_TRUST_WORKSPACE=true ${install('holdfast-idle')}`,
      ],
    });
    expect(here.calls()).toHaveLength(2);
  });
});

describe('taking it out of Gemini CLI', () => {
  it('names what went as the user named it', async () => {
    const here = programs(gemini({ [LIST]: listed(installed) }));
    const client = await look(installer, here);
    expect(await client.uninstall(removal(here))).toEqual({
      good: true,
      changed: true,
      lines: ['Gemini CLI 0.61.0: removed holdfast, idle.'],
    });
    expect(here.calls().at(-1)).toBe('gemini extensions uninstall holdfast holdfast-idle');
  });

  it('says that nothing is there', async () => {
    const here = programs(gemini());
    const { lines, changed } = await (await look(installer, here)).uninstall(removal(here));
    expect(lines).toEqual(['Gemini CLI 0.61.0: nothing of Holdfast is installed there.']);
    expect(changed).toBe(false);
  });

  it('only shows its command in a dry run', async () => {
    const here = programs(gemini({ [LIST]: listed(installed) }));
    const { lines } = await (await look(installer, here)).uninstall(removal(here, true));
    expect(lines).toEqual([
      'Gemini CLI 0.61.0 would be changed by:',
      '  gemini extensions uninstall holdfast holdfast-idle',
    ]);
    expect(here.calls()).toHaveLength(2);
  });
});

describe('what doctor says of Gemini CLI', () => {
  it('comes from what was found', async () => {
    const here = programs(gemini({ [LIST]: listed(installed) }));
    expect(await (await look(installer, here)).check(how(here))).toEqual([
      { result: 'good', what: 'Gemini CLI 0.61.0: the extension is installed and loaded', fix: null },
    ]);
  });

  it('is what to do where it is absent', async () => {
    const here = programs(gemini());
    expect(await (await look(installer, here)).check(how(here))).toEqual([
      {
        result: 'bad',
        what: 'Gemini CLI 0.61.0: the Holdfast plugin is not installed in it',
        fix: 'holdfast install --client gemini',
        absent: true,
      },
    ]);
  });

  const judged = (settings: string) => {
    const here = programs({});
    const file = here.write('.gemini/settings.json', settings);
    const extensions = parseExtensions(installed);
    return {
      file,
      findings: judgeGemini({ version: '0.61.0', source: dist, extensions }, here.env, 'holdfast'),
    };
  };

  it('is which settings switch all hooks off', () => {
    const { file, findings } = judged('{"hooksConfig":{"enabled":false}}');
    expect(findings).toEqual([
      {
        result: 'bad',
        what: `Gemini CLI 0.61.0 runs no hooks at all: ${file} switches them off`,
        fix: `remove "enabled": false from "hooksConfig" in ${file}`,
      },
    ]);
  });

  it.each([
    '{"hooksConfig":{"enabled":true}}',
    '{"hooksConfig":{}}',
    '{"hooksConfig":false}',
    '[]',
    'no JSON',
  ])('is good with the settings %s', (settings) =>
    expect(judged(settings).findings).toMatchObject([{ result: 'good' }]),
  );
});

describe('whose an extension is', () => {
  const own = (name: string, source?: string): string =>
    JSON.stringify(
      [
        {
          name,
          version: '1',
          isActive: true,
          ...(source === undefined ? {} : { installMetadata: { source } }),
        },
      ],
      null,
      2,
    );

  it.each([
    ['holdfast', `${dist}/gemini/holdfast`, true],
    ['holdfast-idle', `${dist}/gemini/holdfast-idle`, true],
    ['holdfast', `${dist}/gemini/holdfast-idle`, false],
    ['other', `${dist}/gemini/other`, false],
    ['holdfastness', `${dist}/gemini/holdfastness`, false],
    ['my-holdfast-idle', `${dist}/gemini/my-holdfast-idle`, false],
    ['holdfast', undefined, false],
  ])('is told by its name and its source: %s from %s', (name, source, isOurs) => {
    expect(parseExtensions(own(name, source))).toHaveLength(isOurs ? 1 : 0);
  });

  it('a workflow is named without us', () => {
    expect(['holdfast', 'holdfast-idle', 'holdfast-taskie'].map(pluginOf)).toEqual([
      'holdfast',
      'idle',
      'taskie',
    ]);
  });
});
