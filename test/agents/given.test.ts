import { describeGiven } from './given.ts'

for (const program of ['claude', 'gemini', 'codex'] as const) describeGiven(program)
