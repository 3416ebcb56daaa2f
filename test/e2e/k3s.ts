/**
 * A cluster for test/e2e where images can be pulled: k3s in a container, by testcontainers.
 *
 *     node dist/test/e2e/k3s.js KUBECONFIG_FILE [IMAGE...]
 *
 * Starts k3s, loads the named images of the Docker engine into it, writes its kubeconfig, prints one line, `ready` and
 * the file, and serves until SIGTERM or SIGINT, on which it removes the container. A signal that comes while k3s starts
 * is obeyed when it has started. Needs a Docker engine that runs privileged containers.
 *
 * This was not run with k3s itself where Slipway is developed: its image cannot be had there, nor privileged containers.
 * Tried are its end without the image, and the loading of images into a stand-in (test/containers/k3s.test.ts).
 */
import { writeFileSync } from 'node:fs'
import { type StartedK3sContainer, K3sContainer } from '@testcontainers/k3s'
import { loadImage } from './k3s-images.ts'

/** The version of Kubernetes that the other clusters of the suite have. */
const IMAGE = process.env['SLIPWAY_K3S_IMAGE'] ?? 'docker.io/rancher/k3s:v1.34.1-k3s1'

async function startK3s(): Promise<StartedK3sContainer> {
  try {
    return await new K3sContainer(IMAGE).start()
  } catch (error) {
    const wayOut =
      'pull it (docker pull) or name a copy of it in SLIPWAY_K3S_IMAGE, on an engine that runs privileged containers; or name a cluster in KUBECONFIG instead'
    throw new Error(`k3s does not start from image ${IMAGE}: ${messageOf(error)}\n${wayOut}`, { cause: error })
  }
}

async function serve(kubeconfig: string, images: readonly string[]): Promise<void> {
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
  // Waiting for a signal does not keep a process alive.
  const alive = setInterval(() => undefined, 60_000)
  try {
    const k3s = await startK3s()
    try {
      for (const image of images) await loadImage(k3s, image)
      writeFileSync(kubeconfig, k3s.getKubeConfig(), { mode: 0o600 })
      console.log(`ready ${kubeconfig}`)
      await asked
    } finally {
      await k3s.stop()
    }
  } finally {
    clearInterval(alive)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const [kubeconfig, ...images] = process.argv.slice(2)
if (kubeconfig === undefined) throw new Error('usage: k3s.js KUBECONFIG_FILE [IMAGE...]')
try {
  await serve(kubeconfig, images)
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 1
}
