// Keeps beside the runner's program what V8 made of it, with all steps loaded: see runner/start.ts.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'

const [folder = ''] = process.argv.slice(2)
const script = new Script(readFileSync(join(folder, 'program.js'), 'latin1'), { filename: 'runner/program.js' })
await script.runInThisContext()(process.getBuiltinModule).loadSteps()
writeFileSync(join(folder, 'program.cache'), script.createCachedData())
