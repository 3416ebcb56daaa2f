import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4 } from 'node:net'
import { addRange } from '../../lib/address-rule.ts'

/** A value of `trustedProxies` that is neither an address nor a range of them. */
export class InvalidProxy extends Error {
  override readonly name = 'InvalidProxy'

  constructor(given: string) {
    super(`trustedProxies: ${given} is neither an IP address nor a range such as 10.0.0.0/8`)
  }
}

/** Finds out from which address a request came. */
export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

/**
 * The address of whoever sent a request: of the connection, or, where that is a trusted proxy, the last one in
 * `X-Forwarded-For` that no trusted proxy has. What stands further to the left was written by the client and proves
 * nothing.
 *
 * @param trustedProxies addresses, and ranges in CIDR notation
 * @throws InvalidProxy
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList()
  for (const range of trustedProxies) if (!addRange(trusted, range)) throw new InvalidProxy(range)
  const isTrusted = (address: string): boolean => trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  return ({ headers, socket }) => {
    const peer = plainAddress(socket.remoteAddress ?? '')
    if (isIP(peer) === 0 || !isTrusted(peer)) return peer
    const forwarded = headerText(headers['x-forwarded-for']).split(',').map(plainAddress).toReversed()
    let client = peer
    for (const address of forwarded) {
      if (isIP(address) === 0) break
      client = address
      if (!isTrusted(address)) break
    }
    return client
  }
}

/** Several headers of that name come as one text. */
function headerText(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(',') : (value ?? '')
}

/** Without the port that some proxies add, the brackets, the zone, and the IPv6 form of an IPv4 address. */
function plainAddress(text: string): string {
  const trimmed = text.trim()
  const [, bracketed] = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed) ?? []
  const [, beforePort] = /^([\d.]+):\d+$/.exec(trimmed) ?? []
  const address = (bracketed ?? beforePort ?? trimmed).replace(/%[^]*/, '')
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
}
