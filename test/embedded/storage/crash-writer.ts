/** Program: writes with many writers at once and prints each key after its write was acknowledged, until it is killed. */
import { openFolder } from '../../../embedded/storage/folder.ts'

const WRITERS = 32
const [folder = '', run = ''] = process.argv.slice(2)
const { store } = await openFolder(folder)

async function write(writer: number): Promise<never> {
  for (let i = 0; ; i += 1) {
    const key = `k/${run}-${writer}-${i}`
    await store.write([{ type: 'put', key, expected: 0, render: (revision) => `${key}@${revision}` }])
    process.stdout.write(`${key}\n`)
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
