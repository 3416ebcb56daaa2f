/** What an agent prints, on its way to the files of its execution and to a person who watches. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectApi } from '../../core/rest/client/connect.ts'
import { createClaudeTranscript } from '../../core/transcript/claude.ts'
import type { Figure } from '../figure.ts'
import { type Effort, alternate, withFolder, withServer } from '../measure.ts'
import { benchProgram, startProgram } from '../program.ts'
import { cloneProject } from '../project.ts'
import { makeTranscript } from '../transcript.ts'

const SIZES_MB = { full: 100, quick: 10 } as const
const AGENT = 'printer'
/** Says when it begins, and prints a file as fast as it is taken. */
const PRINT = `printf '{"type":"system","subtype":"bench","at":%s}\\n' "$EPOCHREALTIME"; exec cat "$0"`
const LAST = 'last line of the bench'
/** Lines of one server-sent event: event, id, data, and an empty one. */
const EVENT_LINES = 4

/** Through the runner, which reads each line as claude's, and the stream of the task's log. */
export async function measure({ size, repeats }: Effort): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const [printed, repository] = [join(folder, 'printed.jsonl'), join(folder, 'repository.git')]
    const lines = makeLines(SIZES_MB[size] * 1e6)
    await writeFile(printed, lines.map((line) => `${line}\n`).join(''))
    await cloneProject(repository)
    const command = ['bash', '-c', PRINT, printed]
    const floor = await startProgram([benchProgram('floor-output'), join(folder, 'floor.log'), ...command])
    const { isPiece = () => false } = createClaudeTranscript()
    // Pieces of a text are no lines of the log: the line that has it whole is.
    const logged = lines.filter((line) => !isPiece(line)).length
    const pair = await withServer(
      join(folder, 'data'),
      async ({ url }) => {
        const api = connectApi({ url, fetch })
        await api.createProject({ body: { id: 'bench', name: 'bench', remote_url: repository } })
        await api.createAgent({ body: { id: AGENT, adapter: 'claude', command } })
        return alternate(
          repeats,
          async () => watch(await runTask(url), logged * EVENT_LINES),
          () => watch(floor.url, lines.length),
        )
      },
      ['--runtime', 'process'],
    )
    await floor.stop()
    return [
      {
        name: `${SIZES_MB[size]} MB that claude printed → files and one client of the log, to the last line`,
        unit: 's',
        ours: pair.ours,
        floor: { what: 'each line parsed; one file, one response', value: pair.floor },
        aim: { atMost: 2, of: 'ratio' },
      },
    ]
  })
}

/** A conversation that ends well. */
function makeLines(sizeBytes: number): string[] {
  const result = { type: 'result', subtype: 'success', is_error: false, num_turns: 1, result: LAST }
  return [...makeTranscript('claude', sizeBytes).toString('utf8').trimEnd().split('\n'), JSON.stringify(result)]
}

/** The address of the log of a task that has been started. */
async function runTask(url: string): Promise<string> {
  const api = connectApi({ url, fetch })
  const { id } = await api.createTask({
    body: { name: 'bench', project: 'bench', agent: { type: AGENT, instructions: 'Print.' } },
  })
  await api.runTask({ params: { id } })
  return `${url}/api/tasks/${id}/logs/stream`
}

/**
 * Seconds from the agent's first line, which says when it was printed, to the arrival of its last one. Reads on to the
 * end, so that nothing of this run is at work during the next.
 *
 * @throws Error when fewer lines arrive
 */
async function watch(url: string, atLeast: number): Promise<number> {
  const { body } = await fetch(url)
  if (body === null) throw new Error(`${url} answered nothing`)
  let [startedAt, endedAt, lines] = [Number.NaN, Number.NaN, 0]
  let tail = Buffer.alloc(0)
  for await (const bytes of body) {
    const chunk = Buffer.concat([tail, bytes])
    for (let at = chunk.indexOf('\n', tail.length); at !== -1; at = chunk.indexOf('\n', at + 1)) lines += 1
    if (Number.isNaN(startedAt)) startedAt = Number(/at\\?":([\d.]+)}/.exec(chunk.toString('latin1'))?.[1])
    if (Number.isNaN(endedAt) && chunk.includes(LAST)) endedAt = Date.now() / 1000
    tail = Buffer.from(chunk.subarray(-LAST.length))
  }
  if (lines < atLeast) throw new Error(`${url} gave ${lines} lines instead of ${atLeast}`)
  return endedAt - startedAt
}
