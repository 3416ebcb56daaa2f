// Prints what a task that goes on from accepted work asks of the model, with a copy of its session and without: requests, and
// how much they send. As in measure-revise.ts, the scripted model reads files to know the work, and not again where it has them.
// Alone: node tools/test-agents.mjs --run dist/test/agents/measure-continues.js
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { until } from '../helpers/until.ts'
import { CLAUDE, CODEX, type Words } from './programs.ts'
import { DEADLINE_MS, startAgentRig } from './rig.ts'

const FILES = 6
const FILE_BYTES = 8_000

for (const words of [CLAUDE, CODEX]) process.stdout.write(`${await compare(words)}\n`)
process.exit()

async function compare(words: Words): Promise<string> {
  const rig = await startAgentRig(words.program)
  try {
    const line = 'export const value = compute(input, { strict: true }) // one of many lines\n'
    const text = line.repeat(FILE_BYTES / line.length)
    rig.remote.commit('main', Object.fromEntries(Array.from({ length: FILES }, (_, n) => [`src/part-${n}.ts`, text])))
    const reads = Array.from({ length: FILES }, (_, n) => words.runs(`cat src/part-${n}.ts`))
    const work = (id: string) => [words.runs(`echo ${id} > ${id}.txt`), { kind: 'say', text: 'Done' } as const]
    const agent = { type: words.program, ...words.agent }
    rig.model.play([...reads, ...work('first')])
    await rig.submit('first', { agent })
    await rig.reaches('first', 'READY')
    await rig.act('first', 'accept')
    const sandbox = join(rig.installation.dataDir, 'volume', 'sandboxes', 'first')
    await until('its workspace is gone', () => !existsSync(sandbox), DEADLINE_MS)
    const run = async (id: string, turns: Parameters<typeof rig.model.play>[0]): Promise<string> => {
      rig.model.play(turns)
      await rig.submit(id, { agent, continues: 'first' })
      await rig.reaches(id, 'READY')
      const bodies = rig.model.asked.map(({ body }) => JSON.stringify(body).length)
      return `${bodies.length} requests, ${Math.round(bodies.reduce((sum, bytes) => sum + bytes, 0) / 1000)} kB sent`
    }
    const copied = await run('copied', work('second'))
    rmSync(rig.installation.executionFile('first-1', `session.${words.program}.jsonl`))
    return `${words.program}: in a copy of the session ${copied}; told what was done ${await run('told', [...reads, ...work('second')])}`
  } finally {
    await rig.stop()
  }
}
