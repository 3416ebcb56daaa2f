/** Images for tests, made by testcontainers from the folders beside this file. */
import { join } from 'node:path'
import { GenericContainer } from 'testcontainers'

const HERE = join(import.meta.dirname, '..', '..', '..', 'test', 'containers')

/**
 * Builds the Dockerfile of a folder, on the base that SLIPWAY_TEST_BASE_IMAGE names where none can be pulled.
 *
 * @returns its name
 */
export async function buildImage(folder: string): Promise<string> {
  const base = process.env['SLIPWAY_TEST_BASE_IMAGE']
  const image = `localhost/slipway-test-${folder}:built`
  await GenericContainer.fromDockerfile(join(HERE, folder))
    .withBuildArgs(base === undefined ? {} : { BASE_IMAGE: base })
    .build(image)
  return image
}
