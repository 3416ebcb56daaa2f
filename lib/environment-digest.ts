import { createHash } from 'node:crypto'
import type { Recipe } from '../core/environment/recipe.ts'

/**
 * What an environment is made from, but for the contents of its key files: a change of it is another environment. How long
 * the setup may take, and whether it is required, changes nothing that it leaves.
 *
 * @param image that the setup runs in; empty on one machine
 * @returns a SHA-256 in hex
 */
export function digestRecipe({ setup, env, cache, keys }: Recipe, image: string): string {
  const variables = env.map(({ name, value = null, secretKey = null }) => [name, value, secretKey])
  return digest([image, setup, sorted(variables), sorted(cache.map(({ path, mode }) => [path, mode])), sorted(keys)])
}

/** A key file at a commit: its path, and the id of its blob, or none where the commit has no such file. */
export type KeyFile = readonly [path: string, blob: string | null]

/** What decides whether two commits share an environment; a SHA-256 in hex. */
export function digestEnvironment(recipe: string, keys: readonly KeyFile[]): string {
  return digest([recipe, sorted(keys)])
}

function sorted(list: readonly unknown[]): unknown[] {
  return list.map((one) => JSON.stringify(one)).sort()
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
