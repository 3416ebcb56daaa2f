#!/usr/bin/env node
import process from 'node:process'

/** The program proper is loaded from here, so that a load that fails (too few open files, half an upgrade) says so in a line. */
try {
  const { runSlipway } = await import('./main.ts')
  await runSlipway()
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  const wayOut = message.startsWith('EMFILE') ? ': raise the limit of open files, such as by ulimit -n 4096' : ''
  process.stderr.write(`slipway: cannot be loaded: ${message}${wayOut}\n`)
  process.exitCode = 1
}
