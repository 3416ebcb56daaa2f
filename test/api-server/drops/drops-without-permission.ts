/** A program of drops-permissions.test.ts: does one thing in the drop directory of a volume and prints what it got. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { createDropFolder } from '../../../api-server/drops/folder.ts'
import { systemClock } from '../../../lib/clock.ts'
import { BOUNDARY, filePart, multipart } from './uploads.ts'

const [volumeRoot = '', what = ''] = process.argv.slice(2)
const drops = createDropFolder({ volumeRoot, clock: systemClock, randomBytes })

async function run(): Promise<unknown> {
  switch (what) {
    case 'start':
      return drops.removeAbandoned()
    case 'open': {
      const { handle } = await drops.open('kept.txt')
      const text = await handle.readFile('utf8')
      await handle.close()
      return text
    }
    case 'upload': {
      const contentType = `multipart/form-data; boundary=${BOUNDARY}`
      const body = multipart(filePart('new.txt', 'new'))
      return drops.receive({ contentType, stream: Readable.from([body]) })
    }
    default:
      return drops.list()
  }
}

process.stdout.write(JSON.stringify((await run()) ?? null))
