/** A tool of an agent in one line: what it does, and to what. The names are those of claude, gemini and codex. */
import { asRecord } from '../../core/json.ts'

export interface ToolWords {
  readonly verb: string
  /** A path, a command, a pattern; empty where the input has none. */
  readonly subject: string
}

const VERBS: Readonly<Record<string, string>> = {
  bash: 'Run',
  run_shell_command: 'Run',
  shell: 'Run',
  command_execution: 'Run',
  read: 'Read',
  read_file: 'Read',
  read_many_files: 'Read',
  write: 'Write',
  write_file: 'Write',
  edit: 'Edit',
  multiedit: 'Edit',
  notebookedit: 'Edit',
  replace: 'Edit',
  apply_patch: 'Edit',
  file_change: 'Edit',
  grep: 'Search',
  search_file_content: 'Search',
  glob: 'Find',
  ls: 'List',
  list_directory: 'List',
  webfetch: 'Fetch',
  web_fetch: 'Fetch',
  websearch: 'Search the web',
  google_web_search: 'Search the web',
  task: 'Agent',
  todowrite: 'Plan',
}

const SUBJECTS = [
  'command',
  'file_path',
  'notebook_path',
  'absolute_path',
  'path',
  'pattern',
  'query',
  'url',
  'description',
  'prompt',
] as const

const MAX_SUBJECT = 300

export function toolWords(tool: string, input: unknown): ToolWords {
  const fields = asRecord(input)
  const found = SUBJECTS.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '')
  const text = typeof found === 'string' ? found : Array.isArray(fields['command']) ? fields['command'].join(' ') : ''
  const line = text.split('\n').find((part) => part.trim() !== '') ?? ''
  return { verb: VERBS[tool.toLowerCase()] ?? tool, subject: shortPath(line).slice(0, MAX_SUBJECT) }
}

/** As far as a text is searched for paths: the search takes the square of what a hostile text repeats. */
const MAX_SEARCHED = 1_000

/** Paths in a sandbox begin with its folder, which says nothing. Of a long text the beginning is made shorter. */
export function shortPath(text: string): string {
  return (
    text.slice(0, MAX_SEARCHED).replace(/\/\S*?\/sandboxes\/[^/\s]+\/(?:repo|home)\//g, '') + text.slice(MAX_SEARCHED)
  )
}
