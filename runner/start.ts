#!/usr/bin/env node
/**
 * Starts the runner from what V8 made of it when it was built: three to five runners start per task, and compiling takes
 * longer than all else that a short step does. Another version of V8 refuses that code, and compiles the program itself
 * (nodejs.org/api/vm.html, `cachedData`).
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import type * as program from './main.ts'

/** What program.js is: a function that runs main.ts, which needs of `require` only the parts of Node. */
type Wrapped = (require: typeof process.getBuiltinModule) => typeof program

const folder = import.meta.dirname
const cache = join(folder, 'program.cache')

// The build escapes what is not ASCII, and text of one byte per character is read without looking at it.
const source = readFileSync(join(folder, 'program.js'), 'latin1')
// The name stands in what V8 made too, so it is one that says nothing of the machine.
const filename = 'runner/program.js'
const script = new Script(source, existsSync(cache) ? { filename, cachedData: readFileSync(cache) } : { filename })
const wrapped: Wrapped = script.runInThisContext()
void wrapped(process.getBuiltinModule).run(folder, process.argv.slice(2))
