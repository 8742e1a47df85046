# SPDX-License-Identifier: Zlib
# Prints the comment lines and the identifiers with a pronoun of people (the list in is_bad), as "file:line: text". The
# last line is "<bad comment lines> of <comment lines>". Every line of a Markdown file counts as a comment.
function is_bad(text) {
    text = " " tolower(text) " "
    return text ~ /[^a-z](who|whom|whose|whoever|whomever|nobody|somebody|anybody|everybody|someone|anyone|everyone|no one)[^a-z]/
}

function note(text) {
    ++count
    if (is_bad(text)) {
        ++bad
        print FILENAME ":" FNR ": " text
    }
}

FNR == 1 {
    in_block = 0
    is_text = FILENAME ~ /\.md$/
    is_c = FILENAME ~ /\.(c|h|cpp|hpp|cu|cuh)$/
}

is_text {
    note($0)
    next
}

is_c && in_block {
    note($0)
    in_block = $0 !~ /\*\//
    next
}

is_c {
    code = $0
    if (match($0, /\/\/|\/\*/)) {
        code = substr($0, 1, RSTART - 1)
        comment = substr($0, RSTART)
        in_block = comment ~ /^\/\*/ && comment !~ /\*\//
        note(comment)
    }
    if (code ~ /[a-z_(, ](Who|Whom|Whose|Whoever|Nobody|Somebody|Anybody|Everybody)[A-Z]|[a-z_](Who|Whom|Whose|Whoever|Nobody|Somebody|Anybody|Everybody)([^a-z]|$)|(^|[^A-Za-z])(who|whom|whose|whoever|nobody|somebody|anybody|everybody)[A-Z]/)
        print FILENAME ":" FNR ": a name: " code
    next
}

match($0, /(^|[ \t])#([^!]|$)/) { note(substr($0, RSTART)) }

END { print bad + 0 " of " count + 0 }
