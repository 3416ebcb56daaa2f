/**
 * Which addresses a server may connect to on behalf of somebody who named a URL (a push endpoint, a commitUrl): not into
 * the network that it stands in, unless a setting says so, and never to link-local ones, where clouds keep metadata.
 *
 * Names are judged when the connection is made, by the very address that is then connected to: a name that was
 * public when it was looked at and private a moment later (DNS rebinding) gains nothing.
 */
import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { BlockList, isIP } from 'node:net'
import { isPublicAddress, PrivateAddress } from './public-address.ts'

/** How names become addresses; node:dns, unless a test has its own. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export interface AddressRule {
  /** True: this machine and private networks too (RFC 1918, RFC 4193, RFC 6598), never link-local ones. */
  readonly allowPrivate: boolean
  readonly resolve?: Resolve | undefined
}

const PRIVATE_NETWORKS = [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
] as const
const privateNetworks = new BlockList()
for (const [network, prefix, family] of PRIVATE_NETWORKS) privateNetworks.addSubnet(network, prefix, family)

/** Whether a connection to this IP address may be made. */
export function isAllowedAddress(address: string, { allowPrivate }: AddressRule): boolean {
  if (isPublicAddress(address)) return true
  return allowPrivate && privateNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * A `lookup` for connections that gives allowed addresses only, and fails with PrivateAddress when there are none.
 * Connections to a literal address do not look up: see {@link isAllowedAddress}.
 */
export function guardedLookup(rule: AddressRule): LookupFunction {
  const resolve = rule.resolve ?? systemLookup
  return (hostname, how, done) => {
    resolve(hostname, { ...how, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) return done(error, [])
      const usable = addresses.filter(({ address }) => isAllowedAddress(address, rule))
      const [first] = usable
      if (first === undefined) done(new PrivateAddress(hostname), [])
      else if (how.all === true) done(null, usable)
      else done(null, first.address, first.family)
    })
  }
}

/** An allowed address of a host, for programs that are told where to connect. @throws PrivateAddress; errors of DNS */
export function findAddress(host: string, rule: AddressRule): Promise<string> {
  if (isIP(host) !== 0) {
    return isAllowedAddress(host, rule) ? Promise.resolve(host) : Promise.reject(new PrivateAddress(host))
  }
  return new Promise((resolve, reject) => {
    guardedLookup(rule)(host, { all: false }, (error, address) => {
      if (error !== null) reject(error)
      else if (typeof address === 'string') resolve(address)
      else reject(new PrivateAddress(host))
    })
  })
}
