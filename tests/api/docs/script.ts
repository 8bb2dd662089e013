import type { Block } from "./blocks.js";

// A page as one shell script: what a reader types who pastes block after block into one terminal.

/** A command whose output the page shows. */
export interface Shown {
    line: number;
    command: string;
    output: string;
}

const heredoc = (text: string): string => `<<'END_OF_BLOCK'\n${text}END_OF_BLOCK\n`;

/** The commands of a block of language `console`, each with the output under it. */
export function commandsOf(block: Block): Shown[] {
    const found: Shown[] = [];
    let more = false;
    block.text.split("\n").forEach((line, at) => {
        const last = found.at(-1);
        if (more && last) last.command += `\n${line}`;
        else if (line.startsWith("$ "))
            found.push({ line: block.line + at, command: line.slice(2), output: "" });
        else if (last) last.output += `${line}\n`;
        more = line.endsWith("\\") && (more || line.startsWith("$ "));
    });
    return found;
}

/** A part of a definition as a whole one. */
function definitionOf(text: string): string | undefined {
    const head = "name: part_of_a_page\nsteps:\n";
    if (/^name: [\s\S]*^(steps|nodes):/m.test(text)) return text;
    if (text.startsWith("- ")) return head + text;
    if (!/^(http|function|retry|wait|human|foreach):/.test(text)) return undefined;
    const step = text.startsWith("retry:") ? "code: noop\n" + text : text;
    return head + "  - name: part\n" + step.replace(/^(?=.)/gm, "    ");
}

function yaml(block: Block, page: string): string {
    const definition = definitionOf(block.text);
    if (block.file) {
        const save = `cat >${block.file} ${heredoc(block.text)}`;
        return definition ? `${save}pawl workflows validate -f ${block.file}\n` : save;
    }
    if (!definition) throw new Error(`${page}:${block.line}: YAML that no command reads`);
    return `pawl workflows validate -f - ${heredoc(definition)}`;
}

function commands(block: Block): string {
    let text = "";
    for (const { line, command, output } of commandsOf(block)) {
        const refused = /^(error|ERROR)[: ]|"status": ?4\d\d/m.test(output);
        text += `_output ${line}\n`;
        text += refused ? `if ${command}; then echo "it works" >&2; false; fi\n` : `${command}\n`;
    }
    return text;
}

function partOf(block: Block, page: string): string {
    switch (block.language) {
        case "sh":
            return block.text;
        case "console":
            return commands(block);
        case "sql":
            if (block.file) return `cat >${block.file} ${heredoc(block.text)}`;
            return `_sql ${heredoc(block.text)}`;
        case "yaml":
            return yaml(block, page);
        case "json":
            return `node -e 'JSON.parse(fs.readFileSync(0, "utf8"))' ${heredoc(block.text)}`;
        case "js":
            return `node --input-type=module - ${heredoc(block.text)}`;
        default:
            throw new Error(
                `${page}:${block.line}: a block of ${block.language || "no language"} cannot be ` +
                    "run: mark it, <!-- not run: why -->",
            );
    }
}

/** Words in capitals stand for what the reader fills in: the newest one there is. */
function fillIn(text: string): string {
    const lists: Record<string, string> = {
        RUN: "id runs list --limit 1",
        TASK: "id tasks list",
        JOB: "id jobs list",
        FINGERPRINT: "fingerprint dead-letters list",
    };
    const word = new RegExp(`(?<![\\w$'{<-])(${Object.keys(lists).join("|")})(?![\\w'=])`, "g");
    return text.replace(word, (name) => `"$(_newest ${lists[name]})"`);
}

const head = `set -eE
trap '_status=$?; echo "failed ($_status): $BASH_COMMAND" >&2' ERR
set -a; . .pawl/dev.env; set +a
_output() { exec >"$PAGE_OUTPUT/$1" 2>&1; }
_newest() {
    local key=$1 id
    shift
    for _ in {1..200}; do
        id=$(command pawl "$@" -o jsonl | sed -n '1s/.*"'$key'":"\\([^"]*\\)".*/\\1/p')
        if [ -n "$id" ]; then echo "$id"; return 0; fi
        read -rt 0.05 <> <(:) || :
    done
    echo "there is nothing in: pawl $*" >&2
    echo nothing
}
_sql() {
    if [ -z "\${_PSQL_PID:-}" ]; then
        coproc _PSQL { psql -X -v ON_ERROR_STOP=1 -d "$DATABASE_URL" 2>&1; }
    fi
    local line
    { cat; echo '\\echo == over =='; } >&"\${_PSQL[1]}"
    while IFS= read -r line <&"\${_PSQL[0]}"; do
        if [ "$line" = '== over ==' ]; then return 0; fi
        printf '%s\\n' "$line"
    done
    return 1
}
_output 0
`;

/** The output of each block goes to a file called by its line; the last one is where it failed. */
export function scriptOf(page: string, blocks: Block[], before: string): string {
    let script = `${head}${before}\n`;
    for (const block of blocks) {
        if (block.notRun || block.runBy) continue;
        const part = partOf(block, page);
        const shell = block.language === "sh" || block.language === "console";
        script += `_output ${block.line}\n${shell ? fillIn(part) : part}\n`;
    }
    return script;
}
