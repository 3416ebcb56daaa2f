/** Program: scans a store, for inspect.ts. Arguments: file, `read` or `upgrade`. Prints the result as JSON. */
import process from 'node:process'
import { scanFile } from './scan.ts'

const [, , file = '', mode] = process.argv
process.stdout.write(JSON.stringify(await scanFile(file, mode === 'upgrade' ? 'upgrade' : 'read')))
