# SPDX-License-Identifier: Zlib
# Completion for bash: subcommands and options from the help of the installed program. Other words are completed as
# files.
_cullet() {
    local word="${COMP_WORDS[COMP_CWORD]}" subcommand=("${COMP_WORDS[@]:1:1}") earlier
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        subcommand=()
    elif [[ $word != -* ]]; then
        return
    fi
    for earlier in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [ "$earlier" != -- ] || return # another program's arguments follow
    done
    local words
    words="$("${COMP_WORDS[0]}" "${subcommand[@]}" --help 2>/dev/null | awk '
        /^[^ ].*:$/ { part = $0 }
        part == "Options:" && /^  -/ { sub( /^-.,/, "", $1 ); print $1 }
        part == "Subcommands:" && /^  [a-z]/ { print $1 }')"
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _cullet cullet
