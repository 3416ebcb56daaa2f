import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeTar } from './archive.ts'
import { capture, ReleaseError, run } from './commands.ts'

/** What the images are made of. */
export interface ImageInput {
  /** An export of the commit, without anything that is not in it. */
  readonly context: string
  readonly version: string
  readonly commit: string
  readonly source: string
  readonly epoch: number
  readonly nodeImage: string
  /** Which of them; empty: all. */
  readonly images: readonly string[]
  readonly buildOptions: readonly string[]
}

/** The targets of the Dockerfile that are images of ours, by their names. */
export function imageNames(root: string): string[] {
  const stages = readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM \S+ AS (slipway\S*)$/gm)
  return [...stages].map(([, name = '']) => name)
}

/**
 * Builds every image and writes it as an OCI archive (`<name>-<version>-<architecture>.oci.tar`).
 *
 * buildah needs no daemon, writes the OCI format itself, and gives layers and image the commit's time, so that the same
 * commit on the same base gives the same digest.
 *
 * @throws ReleaseError if an image is asked for that there is none of, or if buildah fails
 */
export function writeImages(work: string, folder: string, input: ImageInput): void {
  const all = imageNames(input.context)
  const unknown = input.images.find((name) => !all.includes(name))
  if (unknown !== undefined) throw new ReleaseError(`there is no image ${unknown}: name one of ${all.join(', ')}`)
  const wanted = all.filter((name) => input.images.length === 0 || input.images.includes(name))
  for (const name of wanted) writeImage(name, work, folder, input)
}

function writeImage(name: string, work: string, folder: string, input: ImageInput): void {
  const { context, version, epoch } = input
  const reference = `localhost/${name}:${version}`
  const place = { cwd: context }
  const made = ['--target', name, '--tag', reference, '--format', 'oci', '--timestamp', String(epoch), '--layers']
  run(place, 'buildah', 'build', ...made, ...argumentsOf(input), ...input.buildOptions, '.')
  const layout = join(work, 'images', name)
  mkdirSync(layout, { recursive: true })
  run(place, 'buildah', 'push', reference, `oci:${layout}:${name}:${version}`)
  const architecture = capture(
    place,
    'buildah',
    'inspect',
    '--type',
    'image',
    '--format',
    '{{.OCIv1.Architecture}}',
    reference,
  )
  writeTar(layout, ['.'], join(folder, `${name}-${version}-${architecture}.oci.tar`), epoch)
  rmSync(layout, { recursive: true })
}

function argumentsOf({ version, commit, source, epoch, nodeImage }: ImageInput): string[] {
  const given = {
    VERSION: version,
    SLIPWAY_COMMIT: commit,
    SOURCE: source,
    SOURCE_DATE_EPOCH: String(epoch),
    ...(nodeImage === '' ? {} : { NODE_IMAGE: nodeImage }),
  }
  return Object.entries(given).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`])
}
