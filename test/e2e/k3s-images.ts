import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { StartedTestContainer } from 'testcontainers'

const run = promisify(execFile)

/** Loads an image of the Docker engine into k3s, whose own containerd knows none of them. @throws what failed */
export async function loadImage(k3s: StartedTestContainer, image: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-k3s-'))
  try {
    const [source, target] = [join(folder, 'image.tar'), '/slipway-image.tar']
    await run('docker', ['save', '--output', source, image])
    await k3s.copyFilesToContainer([{ source, target }])
    for (const command of [
      ['ctr', '--namespace', 'k8s.io', 'images', 'import', target],
      ['rm', target],
    ]) {
      const { exitCode, output } = await k3s.exec(command)
      if (exitCode !== 0) throw new Error(`${command.join(' ')} for image ${image} in k3s: ${output.trim()}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
