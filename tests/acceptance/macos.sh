#!/bin/sh
# Acceptance on a real Mac WHOSE DATA MAY BE LOST. It only looks, until it asks.
#   sh macos.sh ./latchkey
# It writes what it saw to acceptance-macos.txt, without keys. Please send that file with a report.
set -u
program=${1:?"usage: macos.sh PROGRAM"}
log=acceptance-macos.txt
failed=0
note() { printf '%s\n' "$1" | tee -a "$log"; }
expect() {
    if [ "$2" = "$3" ]; then note "passed  $1"; else note "FAILED  $1: $2 and not $3"; failed=$((failed + 1)); fi
}
: >"$log"
note "macOS $(/usr/bin/sw_vers -productVersion) $(/usr/bin/uname -m) $(/usr/sbin/sysctl -n hw.model)"

# 1. What it sees is what macOS says.
state=$(/usr/bin/fdesetup status)
note "$state"
"$program" status --json >status.json
cat status.json >>"$log"
case $state in
*"FileVault is On."*) wanted=protected ;;
*) wanted=not_protected ;;
esac
seen=$(/usr/bin/plutil -extract computer.judged.verdict raw -o - status.json 2>/dev/null || echo unreadable)
expect "the computer's verdict" "$seen" "$wanted"

# 2. The lists that the program reads, to be kept as recordings.
for words in "list -plist" "apfs list -plist" "info -plist /" "apfs listCryptoUsers -plist /"; do
    note "--- diskutil $words"
    # shellcheck disable=SC2086
    /usr/sbin/diskutil $words >>"$log" 2>&1
done
note "--- secure token"
/usr/sbin/sysadminctl -secureTokenStatus "$(/usr/bin/id -un)" >>"$log" 2>&1

# 3. After FileVault was switched on through the program, by somebody who agreed to it.
printf 'Has the program switched FileVault on here, and is its key on a stick? Type the path of the file, or nothing: '
read -r file
if [ -n "$file" ]; then
    printf 'validaterecovery asks for the key; type it from %s.\n' "$file"
    expect "macOS takes the key" "$(sudo /usr/bin/fdesetup validaterecovery)" true
    expect "FileVault is on" "$(/usr/bin/fdesetup isactive)" true
fi
note "$failed failed"
[ "$failed" -eq 0 ]
