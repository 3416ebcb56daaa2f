// Prints the folders of the named packages and of all that they need at run time, one per line, as package-lock.json
// has them: what an image must hold beside bundles that leave these packages out.
import { existsSync, readFileSync } from 'node:fs'

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))

/** Node's own search: the nearest node_modules, going outwards. */
function find(name, from) {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (packages[path] || from === '') return path
  return find(name, from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ''))
}

function collect(name, from, found) {
  const path = find(name, from)
  // Optional ones of other platforms are in the lock file and not installed.
  if (found.has(path) || !existsSync(path)) return found
  found.add(path)
  const { dependencies = {}, optionalDependencies = {} } = packages[path]
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) collect(needed, path, found)
  return found
}

const found = new Set()
for (const name of process.argv.slice(2)) collect(name, '', found)
process.stdout.write([...found].map((path) => `${path}\n`).join(''))
