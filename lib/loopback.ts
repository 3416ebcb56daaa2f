import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

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
export async function demandLoopback(host: string): Promise<void> {
  // To node an empty name means every address.
  if (host === '') throw new UnprotectedListen('every address')
  const addresses = isIP(host) === 0 ? (await lookup(host, { all: true })).map(({ address }) => address) : [host]
  if (!addresses.every(isLoopback)) throw new UnprotectedListen(host)
}
