import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { packageFolder } from '../../cli/installation.ts'
import type { Figure } from '../figure.ts'

/** `npm run build`'s part for the UI, with nothing of an earlier one, and again when nothing has changed. */
export function measureBuild(): Promise<Figure[]> {
  const root = packageFolder()
  const build = (): number => {
    const startedAt = performance.now()
    const program = `import(${JSON.stringify(join(root, 'tools', 'build-web.mjs'))}).then((m) => m.isUiFresh() || m.buildUi())`
    execFileSync(process.execPath, ['-e', program], { cwd: root, stdio: 'ignore' })
    return (performance.now() - startedAt) / 1000
  }
  rmSync(join(root, 'dist', '.stamp-ui'), { force: true })
  const cold = build()
  return Promise.resolve([
    { name: 'build of the UI, cold', unit: 's', ours: cold, aim: { atMost: 20 } },
    { name: 'build of the UI, nothing changed', unit: 's', ours: build(), aim: { atMost: 1 } },
  ])
}
