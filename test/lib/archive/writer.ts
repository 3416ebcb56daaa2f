/** Archives tasks of the given names, and says so of each. */
import process from 'node:process'
import { openArchive } from '../../../lib/archive/archive.ts'
import { anExecution, aTask } from '../../helpers/build.ts'

const [root = '', ...names] = process.argv.slice(2)
const archive = openArchive(root)
for (const name of names) {
  const task = aTask({ name, status: { state: 'COMPLETED', summary: 'zwölf\u2028 lines\nof text' } })
  const executions = [anExecution({ name: `${name}-1`, status: { state: 'COMPLETED' } })]
  await archive.add({ archivedAt: '2026-11-24T02:00:00Z', task, executions })
  process.stdout.write(`${name}\n`)
}
