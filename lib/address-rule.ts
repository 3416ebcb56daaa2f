/**
 * Which addresses a server may listen on without a token, and which it may connect to on behalf of somebody who named a URL (a push endpoint, a commitUrl): not into
 * the network that it stands in, unless a setting says so, and never to link-local ones, where clouds keep metadata.
 *
 * Names are judged when the connection is made, by the very address that is then connected to: a name that was
 * public when it was looked at and private a moment later (DNS rebinding) gains nothing.
 */
import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { type LookupFunction, BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
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

/** Adds an address, or a range in CIDR notation, to a list. @returns false if it is neither */
export function addRange(list: BlockList, range: string): boolean {
  const [address = '', prefix, ...more] = range.split('/')
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  const bits = family === 'ipv4' ? 32 : 128
  const length = Number(prefix ?? bits)
  if (isIP(address) === 0 || !/^\d{1,3}$/.test(prefix ?? '0') || length > bits || more.length > 0) return false
  list.addSubnet(address, length, family)
  return true
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether a name or address, as a URL or Host header writes it, means this machine only (RFC 6761 §6.3). */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  // Every request asks this; a BlockList took a tenth of answering it, and an IPv4 address has one spelling only.
  if (isIPv4(address)) return address.startsWith('127.')
  if (isIPv6(address)) return LOOPBACK.check(address, 'ipv6')
  return host === 'localhost' || host.endsWith('.localhost')
}

/** Serving other machines without a token would let anybody run code on this one. */
export class UnprotectedListen extends Error {
  override readonly name = 'UnprotectedListen'
  readonly code = 'UNPROTECTED_LISTEN'

  constructor(host: string) {
    super(`refusing to listen on ${host} without a token; set one, or use --insecure`)
  }
}

/**
 * Refuses an address to listen on that other machines can reach. A name counts as what it resolves to here, because
 * that is what would be listened on.
 *
 * @throws UnprotectedListen; Error when the name does not resolve
 */
export async function requireLoopback(host: string): Promise<void> {
  // To node an empty name means every address.
  if (host === '') throw new UnprotectedListen('every address')
  const addresses = isIP(host) === 0 ? (await lookup(host, { all: true })).map(({ address }) => address) : [host]
  if (!addresses.every(isLoopback)) throw new UnprotectedListen(host)
}
