import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

const FILE = fileURLToPath(new URL('../../../test/fixtures/store/format-1.mdb.gz', import.meta.url))

/** The `objects.mdb` of a server at e1e6cd9, without checksums; see test/fixtures/store/README.md. */
export function oldStore(): Buffer {
  return gunzipSync(readFileSync(FILE))
}
