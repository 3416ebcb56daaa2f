/** Live messages: how long until one event has reached a thousand clients. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import type { Figure } from '../figure.ts'
import { type Effort, alternate, withFolder } from '../measure.ts'
import { type Program, benchProgram, startProgram } from '../program.ts'

const CLIENTS = 1000
const EVENTS = { full: 30, quick: 5 }
/** At a time, so that the listen queue of the server holds them. */
const CONNECTING = 100
/** As long as the record of an ordinary task. */
const RECORD = JSON.stringify({ id: 'bench', name: 'Bench', description: 'words '.repeat(200) })

/** Beside a bare `ws` that broadcasts the same bytes. */
export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const [recordFile, textFile] = [join(folder, 'record.json'), join(folder, 'text.json')]
    await writeFile(recordFile, RECORD)
    const ours = await connectAll(await startProgram([benchProgram('live-hub'), recordFile]))
    await writeFile(textFile, await ours.publish().then(({ text }) => text))
    const floor = await connectAll(await startProgram([benchProgram('floor-ws'), textFile]))
    const pair = await alternate(
      repeats,
      () => slowestOfMost(ours, EVENTS[size]),
      () => slowestOfMost(floor, EVENTS[size]),
    )
    await Promise.all([ours.stop(), floor.stop()])
    const name = 'one event to 1,000 WebSocket clients, p99'
    return [
      {
        name,
        unit: 'ms',
        ours: pair.ours,
        floor: { what: 'bare ws, same bytes', value: pair.floor },
        aim: { atMost: 1.3, of: 'ratio' },
      },
    ]
  })
}

interface Audience {
  /** Makes one event, and resolves when every client has it. */
  publish(): Promise<{ readonly text: string; readonly latenciesMs: readonly number[] }>
  stop(): Promise<void>
}

async function connectAll(program: Program): Promise<Audience> {
  let heard: (text: string) => void = () => undefined
  const sockets: WebSocket[] = []
  while (sockets.length < CLIENTS) {
    const some = Array.from({ length: CONNECTING }, () => new WebSocket(`${program.url.replace('http', 'ws')}/api/ws`))
    for (const socket of some) socket.on('message', (bytes: Buffer) => heard(bytes.toString()))
    await Promise.all(some.map((socket) => once(socket, 'open')))
    sockets.push(...some)
  }
  return {
    async publish() {
      const latenciesMs: number[] = []
      const startedAt = performance.now()
      const everybody = new Promise<string>((resolve) => {
        heard = (text) => {
          if (latenciesMs.push(performance.now() - startedAt) === CLIENTS) resolve(text)
        }
      })
      await fetch(`${program.url}/publish`).then((response) => response.text())
      return { text: await everybody, latenciesMs }
    },
    async stop() {
      for (const socket of sockets) socket.terminate()
      await program.stop()
    },
  }
}

/** What 99 of 100 deliveries stay below. */
async function slowestOfMost(audience: Audience, events: number): Promise<number> {
  const latencies: number[] = []
  for (let i = 0; i < events; i++) latencies.push(...(await audience.publish()).latenciesMs)
  latencies.sort((a, b) => a - b)
  return latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN
}
