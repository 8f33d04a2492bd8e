// Written by `holdfast install`; `holdfast uninstall` removes it.
const marketplace = '@MARKETPLACE@';
const plugins = '@PLUGINS@';
export const Holdfast = async (input) => {
  try {
    const { start } = await import(`${marketplace}/opencode/plugin.mjs`);
    return await start(input, plugins);
  } catch {
    const message =
      'Holdfast: its own files are gone, so nothing is held. Install it again, or run: holdfast uninstall';
    input.client.tui.showToast({ body: { message, variant: 'warning' } }).catch(() => {});
    return {};
  }
};
