// Prints what asking for changes asks of the model, beside a rejection that starts over: requests, and how much they send. The
// model is scripted: it reads files to know the work before it changes anything, and does not read them again in a session
// that has them.
// Alone: node tools/test-agents.mjs --run dist/test/agents/measure-revise.js
import process from 'node:process'
import { CLAUDE, CODEX, GEMINI, type Words } from './programs.ts'
import { type AgentRig, startAgentRig } from './rig.ts'

/** What the model has to read before it can change anything: so many files of so many bytes. */
const FILES = 6
const FILE_BYTES = 8_000
/** Of English text and code, roughly. */
const BYTES_PER_TOKEN = 4

for (const words of [CLAUDE, CODEX, GEMINI]) process.stdout.write(`${await compare(words)}\n`)
process.exit()

async function compare(words: Words): Promise<string> {
  const rig = await startAgentRig(words.program)
  try {
    const line = 'export const value = compute(input, { strict: true }) // one of many lines\n'
    const text = line.repeat(FILE_BYTES / line.length)
    rig.remote.commit('main', Object.fromEntries(Array.from({ length: FILES }, (_, n) => [`src/part-${n}.ts`, text])))
    const reads = Array.from({ length: FILES }, (_, n) => words.runs(`cat src/part-${n}.ts`))
    const work = (id: string) => [words.runs(`echo ${id} > ${id}.txt`), { kind: 'say', text: 'Done' } as const]
    for (const id of ['revised', 'rejected']) {
      rig.model.play([...reads, ...work('first')])
      await rig.submit(id, { agent: { type: words.program, ...words.agent } })
      await rig.reaches(id, 'READY')
    }
    rig.model.play(work('second'))
    await rig.act('revised', 'revise', { comment: 'Say two as well.' })
    await rig.reaches('revised', 'READY')
    const revised = spent(rig)
    rig.model.play([...reads, ...work('second')])
    await rig.act('rejected', 'reject', { comment: 'Say two as well.' })
    await rig.act('rejected', 'run')
    await rig.reaches('rejected', 'READY')
    return `${words.program}: asked for changes ${revised}; rejected and run again ${spent(rig)}`
  } finally {
    await rig.stop()
  }
}

function spent({ model }: AgentRig): string {
  const bodies = model.asked.map(({ body }) => JSON.stringify(body))
  const sum = (values: readonly number[]): string =>
    `${Math.round(values.reduce((total, value) => total + value, 0) / BYTES_PER_TOKEN / 100) / 10}k tokens`
  const sent = sum(bodies.map(({ length }) => length))
  return `${bodies.length} requests, ${sent} sent`
}
