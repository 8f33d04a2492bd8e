#!/bin/sh
# The command `bin/holdfast` of each workflow's plugin, put there when Holdfast is built: it finds the holdfast plugin
# beside it and becomes its command. In Claude Code that command is on the agent's PATH anyway; in Codex nothing is, so
# the skills name this file.

case $0 in
  */*) here=${0%/*} ;;
  *) here=. ;;
esac

# In a marketplace folder the plugins lie side by side.
beside=$here/../../holdfast/bin/holdfast
[ -x "$beside" ] && exec "$beside" "$@"

# In a client's cache each plugin has a folder for each of its versions: its own counts, else the highest one.
plugin=$(cd -P -- "$here/.." && pwd) || exit 1
found=${plugin##*/}
[ -x "$plugin/../../holdfast/$found/bin/holdfast" ] || found=$(
  for command in "$plugin"/../../holdfast/*/bin/holdfast; do
    version=${command%/bin/holdfast}
    [ -x "$command" ] && printf '%s\n' "${version##*/}"
  done | sort -t . -k 1,1n -k 2,2n -k 3,3n | tail -n 1
)
[ -n "$found" ] && exec "$plugin/../../holdfast/$found/bin/holdfast" "$@"

echo 'holdfast: the plugin "holdfast" is not installed beside this one; install it from the same marketplace.' >&2
exit 127
