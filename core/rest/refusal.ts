/**
 * What the control plane's schema refuses, in the names of the REST API: a caller who sent `remote_url` should not
 * have to know that it is stored as `spec.remoteUrl`.
 *
 * @param message of a Status with reason Invalid: `Kind "name" is invalid: spec.field: …`
 */
export function inRestNames(message: string): string {
  return (
    message
      .replace(/^\S+ ".*?" is invalid: /, '')
      // A rule about the whole object.
      .replaceAll('<nil>: ', '')
      .replaceAll(/\bspec\.([A-Za-z.[\]0-9]+)/g, (_, path: string) => toRestPath(path))
      // A kube-apiserver shows only the type of a value that a rule refused.
      .replaceAll(/Invalid value: "(?:string|object|array|integer|number|boolean)": /g, '')
      .replaceAll(/Duplicate value: \{"(\w+)":("[^"]*")\}/g, 'has the $1 $2 of an earlier entry: give each one its own')
      // The rules of the CRDs begin with the field that they are about, under its name there.
      .replaceAll(/([\w.[\]]+)(?:: (\w+) must )?/g, (whole, path: string, name: string | undefined) =>
        name !== undefined && path.endsWith(toRestPath(name)) ? `${path}: must ` : whole,
      )
  )
}

function toRestPath(path: string): string {
  const snake = path.replaceAll(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`)
  return snake === 'title' ? 'name' : snake
}
