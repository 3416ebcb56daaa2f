import { constants } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** First argument that asks for {@link copyRunner} instead of a step. */
export const COPY_RUNNER = 'copy-runner'

/**
 * Copies Node and this program into a folder that an agent's image mounts, which has neither: `<folder>/node` and
 * `<folder>/runner.js`. The program must be the bundle: one file that needs no other.
 */
export async function copyRunner(folder: string, program: string): Promise<void> {
  await copyFile(process.execPath, join(folder, 'node'), constants.COPYFILE_FICLONE)
  await copyFile(program, join(folder, 'runner.js'))
  // Or Node would first try to read it as CommonJS.
  await writeFile(join(folder, 'package.json'), '{"type":"module"}\n')
}
