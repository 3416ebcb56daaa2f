// `npm run record-api` runs every command of docs/api.md against the built program and writes the page anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordPage } from './api-page/record.ts'

const root = join(import.meta.dirname, '..', '..')
const file = join(root, 'docs', 'api.md')

const onCommand = (command: string): void => void process.stdout.write(`$ ${command}\n`)
writeFileSync(file, await recordPage(readFileSync(file, 'utf8'), { root, onCommand }))
