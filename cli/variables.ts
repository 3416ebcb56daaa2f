import { suggest } from './suggest.ts'

const PREFIX = 'SLIPWAY_'
const OF_CLIENTS = ['SLIPWAY_SERVER', 'SLIPWAY_PROFILE', 'SLIPWAY_TOKEN']
/**
 * What Kubernetes gives every pod of a namespace with a Service named slipway or slipway-…
 * (https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables).
 */
const OF_SERVICES = /_SERVICE_(HOST|PORT(_\w+)?)$|(^|_)PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?$/

/**
 * Warnings about variables that look like misspelt ones of ours, which nobody reads: each names the likely one. Variables
 * that are like none of ours belong to somebody else. Values are not shown.
 */
export async function warnOfMisspelt(env: Readonly<Record<string, string | undefined>>): Promise<string[]> {
  const given = Object.entries(env).filter(([name]) => name.toUpperCase().startsWith(PREFIX))
  if (given.every(([name]) => OF_CLIENTS.includes(name))) return []
  const { CONFIG_SETTINGS } = await import('../lib/config-schema.ts')
  const known = [...CONFIG_SETTINGS.map(({ variable }) => variable), ...OF_CLIENTS]
  // The common beginning would make any two names alike.
  const endings = known.map((name) => name.slice(PREFIX.length))
  return given.flatMap(([name, value = '']) => {
    if (known.includes(name)) return []
    const meant = meantBy(name.slice(PREFIX.length).toUpperCase(), value, endings)
    return meant === undefined ? [] : [`${name} is no setting and is not used; did you mean ${PREFIX}${meant}?`]
  })
}

function meantBy(ending: string, value: string, known: readonly string[]): string | undefined {
  // A Service gives an address here, such as tcp://10.0.0.1:80.
  if (ending === 'HOST' || (ending === 'PORT' && /^\d+$/.test(value))) return 'LISTEN'
  if (OF_SERVICES.test(`_${ending}`)) return undefined
  // Who sets one believes that the server asks for it.
  return suggest(ending, known) ?? (ending.endsWith('_TOKEN') ? 'TOKEN' : undefined)
}
