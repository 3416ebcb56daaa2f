#!/usr/bin/env node
import process from 'node:process'

/** The program proper is loaded from here, so that a load that fails (too few open files, half an upgrade) says so in a line. */
try {
  await import('./main.ts')
} catch (error) {
  process.stderr.write(`slipway: cannot be loaded: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
