/** The demo's three tasks, as bodies of POST /api/tasks. They run on a repository with this project's files. */
export interface DemoTask {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly project: string
  readonly depends_on?: readonly string[]
  readonly agent: { readonly type: 'script'; readonly instructions: string }
}

const COUNT_LINES = `#!/usr/bin/env bash
set -euo pipefail
mkdir -p reports
{
  echo '# Lines per folder'
  echo
  for folder in $(git ls-files | grep / | cut -d/ -f1 | sort -u); do
    # Regular files: a link may lead to a folder.
    lines=$(git ls-files --stage -- "$folder" | sed -n 's/^100[0-9]* [0-9a-f]* [0-9]\t//p' | tr '\\n' '\\0' | xargs -0 -r cat | wc -l)
    echo "counted $folder: $lines lines" >&2
    echo "- $folder: $lines"
  done
} > reports/lines.md
cat reports/lines.md
echo 'Counted the lines of every folder into reports/lines.md.' > "$SERVICE_SUMMARY_FILE"
`

const LIST_LONGEST = `#!/usr/bin/env bash
set -euo pipefail
mkdir -p reports
{
  echo '# The ten longest source files'
  echo
  git ls-files -z -- '*.ts' '*.mjs' | xargs -0 -r wc -l | sed '/ total$/d' | sort -rn | sed -n '1,10s/^ */- /p'
} > reports/longest.md
cat reports/longest.md
echo 'Listed the ten longest source files in reports/longest.md.' > "$SERVICE_SUMMARY_FILE"
`

const ADD_CONTENTS = `#!/usr/bin/env bash
set -euo pipefail
test -f README.md || { echo 'README.md is missing' >&2; exit 1; }
contents=$(mktemp)
grep '^## ' README.md | sed 's/^## //' | while read -r heading; do
  anchor=$(printf %s "$heading" | tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9 -' | tr ' ' -)
  echo "linking $heading"
  echo "- [$heading](#$anchor)" >> "$contents"
done
{ head -1 README.md; echo; cat "$contents"; tail -n +2 README.md; } > README.new
mv README.new README.md
rm "$contents"
echo 'Added a table of contents to README.md.' > "$SERVICE_SUMMARY_FILE"
`

/** Ids are fixed, so that a demo started again finds its tasks instead of making new ones. */
export const DEMO_TASKS: readonly DemoTask[] = [
  {
    id: 'demo-1',
    name: 'Count the lines of each folder',
    description: 'A report for people who want to know where the code is.',
    project: 'demo',
    agent: { type: 'script', instructions: COUNT_LINES },
  },
  {
    id: 'demo-2',
    name: 'List the longest source files',
    description: 'Candidates for a second look. Waits for the first report.',
    project: 'demo',
    depends_on: ['demo-1'],
    agent: { type: 'script', instructions: LIST_LONGEST },
  },
  {
    id: 'demo-3',
    name: 'Add a table of contents to the README',
    description: 'One link for each second-level heading, below the title.',
    project: 'demo',
    agent: { type: 'script', instructions: ADD_CONTENTS },
  },
]
