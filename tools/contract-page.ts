import type { Contract, ContractRow, ContractTest } from './contract-rows.ts'

const SECTIONS: Readonly<Record<string, string>> = {
  '1': 'Execution behaviour that is part of the contract',
  '2': 'Resources and their fields',
  '3': 'States and transitions',
  '4': 'Endpoints',
  '5': 'Authentication',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Versioning',
}

/** docs/contract.md: row → test → rule, by section. */
export function renderContractPage({ rows, tests }: Contract): string {
  const missing = rows.filter((row) => row.missing !== undefined)
  const parts = Object.entries(SECTIONS).map(([section, title]) =>
    [
      `## ${section}. ${title}`,
      table(
        rows.filter(({ id }) => id.startsWith(`${section}.`)),
        tests,
      ),
    ].join('\n\n'),
  )
  return `${[
    '<!-- Generated from test/contract/ by tools/generate.ts; do not edit. -->',
    '# Contract tests',
    `This page lists each statement of the contract, its test, and the complete rule in [specification.md](specification.md). The tests use HTTP and WebSocket against a started server, like a client. There are ${rows.length} rows and ${tests.length} tests; ${missing.length} rows have no test yet.`,
    ...parts,
  ].join('\n\n')}\n`
}

function table(rows: readonly ContractRow[], tests: readonly ContractTest[]): string {
  const lines = rows.map((row) => [`\`${row.id}\``, row.says, proof(row, tests), row.rule ?? '–'])
  return [['Row', 'Says', 'Test', 'Rule'], ['---', '---', '---', '---'], ...lines]
    .map((cells) => `| ${cells.map(cell).join(' | ')} |`)
    .join('\n')
}

function proof({ id, also = [], missing }: ContractRow, tests: readonly ContractTest[]): string {
  if (missing !== undefined) return `**not proved:** ${missing}`
  const own = tests.filter(({ row }) => row === id)
  const byFile = [...new Set(own.map(({ path }) => path))].map((path) => {
    const titles = own.filter((test) => test.path === path).map(({ title }) => title)
    return `${link(path)}: ${titles.join(' · ')}`
  })
  const others = also.map((reference) => {
    const [path = '', words = ''] = reference.split(' › ')
    return `${link(path)}: … ${words} …`
  })
  return [...byFile, ...others].join('<br>')
}

function link(path: string): string {
  return `[${path.slice(path.lastIndexOf('/') + 1).replace(/(\.slow)?\.test\.ts$/, '')}](../${path})`
}

/** A pipe would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
