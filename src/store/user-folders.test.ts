import os from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { userConfigPath } from '../config/config.ts';
import { homeFolder, tempFolder } from './user-folders.ts';
import { userStateFolder } from './user-state.ts';

afterEach(() => vi.unstubAllEnvs());

describe("the user's folders", () => {
  const own = os.userInfo().homedir;

  it.each(['home', '.', './home', '../home', '', undefined])(
    'do not follow a HOME of %j: the system says where it is',
    (HOME) => {
      vi.stubEnv('HOME', HOME);
      expect(homeFolder({ HOME })).toBe(own);
      expect(userConfigPath({ HOME })).toBe(`${own}/.config/holdfast/holdfast.config.json`);
      expect(userStateFolder({ HOME })).toBe(`${own}/.local/state/holdfast`);
    },
  );

  it('are where absolute variables say', () => {
    expect(userConfigPath({ HOME: '/h', XDG_CONFIG_HOME: '/c' })).toBe('/c/holdfast/holdfast.config.json');
    expect(userStateFolder({ HOME: '/h', XDG_STATE_HOME: '/s' })).toBe('/s/holdfast');
    expect(userConfigPath({ HOME: '/h', XDG_CONFIG_HOME: 'c' })).toBe(
      '/h/.config/holdfast/holdfast.config.json',
    );
    expect(userStateFolder({ HOME: '/h', XDG_STATE_HOME: './s' })).toBe('/h/.local/state/holdfast');
  });

  it('do not follow a relative TMPDIR', () => {
    vi.stubEnv('TMPDIR', 'tmp');
    expect(tempFolder()).toBe('/tmp');
    vi.stubEnv('TMPDIR', '/var/tmp');
    expect(tempFolder()).toBe('/var/tmp');
  });
});
