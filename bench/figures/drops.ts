import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { delay, systemClock } from '../../lib/clock.ts'
import type { Figure } from '../figure.ts'
import { type Effort, alternate, withFolder, withServer } from '../measure.ts'
import { benchProgram, residentMB, startProgram } from '../program.ts'

const MIB = 1024 * 1024
const SIZE_MIB = { full: 512, quick: 64 }
const TURNS = { full: 3, quick: 1 }
const CHUNK = Buffer.alloc(MIB, 'Slipway ')
const SETTLE_MS = 1000
const SAMPLE_MS = 20

/** A large drop, by rate and by what it costs in memory, beside the same bytes through a bare socket into a file. */
export async function measure({ size }: Effort): Promise<Figure[]> {
  const mebibytes = SIZE_MIB[size]
  return withFolder(async (folder) =>
    withServer(folder, async (server) => {
      const floor = await startProgram([benchProgram('floor-file'), folder])
      const growths: number[] = []
      try {
        // Once beforehand: code that is loaded at the first use, and buffers that are kept, are no growth of this file.
        await upload(server.url, 1)
        await delay(systemClock, SETTLE_MS)
        const rates = await alternate(
          TURNS[size],
          async () => {
            const [rate, growth] = await watchMemory(server.process.pid ?? 0, () => upload(server.url, mebibytes))
            growths.push(growth)
            await rm(join(folder, 'volume', 'drops', 'bench.bin'))
            return rate
          },
          () => send(floor.url, mebibytes, { head: '', tail: '' }),
        )
        return [
          {
            name: `drop of ${mebibytes} MiB`,
            unit: 'MiB/s',
            ours: rates.ours,
            floor: { what: 'bare socket to a synced file', value: rates.floor },
            aim: { atLeast: 0.5, of: 'ratio' },
          },
          {
            name: `resident memory growth during a drop of ${mebibytes} MiB, at most`,
            unit: 'MB',
            ours: Math.max(...growths),
            aim: { atMost: 33.6 },
          },
        ]
      } finally {
        await floor.stop()
      }
    }),
  )
}

/** The result of `work`, and by how much the process grew at most meanwhile. */
async function watchMemory<T>(pid: number, work: () => Promise<T>): Promise<[result: T, growthMB: number]> {
  const before = residentMB(pid)
  let most = before
  const timer = setInterval(() => (most = Math.max(most, residentMB(pid))), SAMPLE_MS)
  try {
    return [await work(), most - before]
  } finally {
    clearInterval(timer)
  }
}

const BOUNDARY = 'slipway-bench'

function upload(url: string, mebibytes: number): Promise<number> {
  const tail = `\r\n--${BOUNDARY}--\r\n`
  const part = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="bench.bin"\r\n\r\n`
  const length = part.length + mebibytes * MIB + tail.length
  const type = `multipart/form-data; boundary=${BOUNDARY}`
  const lines = ['POST /api/drops HTTP/1.1', 'Host: 127.0.0.1', `Content-Type: ${type}`, `Content-Length: ${length}`]
  return send(url, mebibytes, { head: [...lines, 'Connection: close', '', part].join('\r\n'), tail })
}

/** MiB per second from the first byte sent to the server's answer. @throws Error when it took the bytes for something else */
async function send(
  url: string,
  mebibytes: number,
  { head, tail }: { readonly head: string; readonly tail: string },
): Promise<number> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  let answer = ''
  socket.on('data', (chunk) => (answer += String(chunk)))
  const closed = once(socket, 'close')
  const startedAt = performance.now()
  socket.write(head)
  for (let i = 0; i < mebibytes; i++) if (!socket.write(CHUNK)) await once(socket, 'drain')
  if (tail === '') socket.end()
  else socket.write(tail)
  await closed
  if (!/^(stored|HTTP\/1\.1 201)/.test(answer)) throw new Error(`the upload was answered with ${answer.slice(0, 200)}`)
  return mebibytes / ((performance.now() - startedAt) / 1000)
}
