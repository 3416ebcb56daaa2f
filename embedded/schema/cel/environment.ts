import { Environment } from '@marcbachmann/cel-js'
import { registerKubernetesFunctions } from './functions.ts'

/** Bounds on the text of one rule; a rule beyond them is refused when the CRD is created. */
const LIMITS = {
  maxAstNodes: 20_000,
  maxDepth: 100,
  maxListElements: 1_000,
  maxMapEntries: 1_000,
  maxCallArguments: 32,
}

/** CEL as Kubernetes offers it to validation rules, before the types of one schema are declared. */
export function makeEnvironment(): Environment {
  const env = new Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: LIMITS,
  })
  registerKubernetesFunctions(env)
  return env
}
