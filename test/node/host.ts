/** A process of its own around a node, to be killed: `host.js <root> <script>`; prints the pod once it runs. */
import { givenNode } from './given.ts'

const [root = '', script = ''] = process.argv.slice(2)
const given = await givenNode({ root })
await given.run({ script })
process.stdout.write(`${JSON.stringify(await given.running('pod'))}\n`)
setInterval(() => undefined, 60_000)
