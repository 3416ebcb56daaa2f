import { parseArgs } from 'node:util'
import { ReleaseError } from './commands.ts'

/** What `npm run release` was asked for. */
export interface ReleaseOptions {
  /** Where the files are written; made, and empty before. */
  readonly folder: string
  readonly withImages: boolean
  /** Which images; empty: all. */
  readonly images: readonly string[]
  readonly withCharts: boolean
  /** Base image; "" is the one that the Dockerfile names. */
  readonly nodeImage: string
  /** Handed to `buildah build` as they are. */
  readonly buildOptions: readonly string[]
  /** URL of the repository, for labels and links; "" if it is not known. */
  readonly source: string
  /** The tag that is released, such as v0.1.0; "" is a trial. */
  readonly tag: string
}

export const USAGE = `Usage: npm run release -- FOLDER [flags]

Writes the files of a release of the last commit into FOLDER: the command line as an npm tarball, charts, images as OCI
archives, a list of what is in them, release notes, and checksums.

  --tag TAG               the tag that is released; must be v and the version of package.json
  --source URL            URL of the repository, for labels and links
  --image NAME            only this image, such as slipway; may be repeated
  --node-image IMAGE      base of the images, in place of the one in the Dockerfile
  --build-option OPTION   further option of buildah build, such as --build-option=--pull-never; may be repeated
  --without-images        needs no buildah
  --without-charts        needs no helm
`

/** @throws ReleaseError for an unknown flag, and unless exactly one folder is named */
export function readOptions(args: readonly string[]): ReleaseOptions {
  const { values, positionals } = parse(args)
  const [folder, ...others] = positionals
  if (folder === undefined || others.length > 0) throw new ReleaseError(`name one folder\n\n${USAGE}`)
  return {
    folder,
    withImages: values['without-images'] !== true,
    withCharts: values['without-charts'] !== true,
    images: values.image ?? [],
    nodeImage: values['node-image'] ?? '',
    buildOptions: values['build-option'] ?? [],
    source: (values.source ?? '').replace(/\/$/, ''),
    tag: values.tag ?? '',
  }
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const
  const texts = { type: 'string', multiple: true } as const
  const flag = { type: 'boolean' } as const
  const options = {
    tag: text,
    source: text,
    'node-image': text,
    image: texts,
    'build-option': texts,
    'without-images': flag,
    'without-charts': flag,
  } as const
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new ReleaseError(`${error.message}\n\n${USAGE}`, { cause: error })
  }
}
