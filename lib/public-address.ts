/** Which addresses belong to the public internet. */
import { BlockList, isIP } from 'node:net'

/** Not globally reachable, or a way to reach what is not (IANA special-purpose registries; RFC 6890). */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure's WireServer, which gives a virtual machine its credentials.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** Within 2000::/3, the only global unicast there is: tunnels that carry IPv4 addresses, and documentation. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const specialIpv4 = blockList(SPECIAL_IPV4, 'ipv4')
const specialIpv6 = blockList(SPECIAL_IPV6, 'ipv6')
const globalUnicast = blockList(['2000::/3'], 'ipv6')

function blockList(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}

/** The address that a connection would be made to is not public. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'
  readonly code = 'PRIVATE_ADDRESS'

  constructor(host: string) {
    super(`${host} is not at a public address`)
  }
}

/** Whether an IP address is one of the public internet. Text that is no address is not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !specialIpv4.check(address, 'ipv4')
  if (isIP(address) === 6) return globalUnicast.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
  return false
}

/**
 * Whether a host name of a URL says by itself that it is not public: an address that is not, or a name of this
 * machine. Other names are judged when a connection is made (address-rule.ts).
 *
 * @param hostname as `URL.hostname` gives it: lower case, numbers normalised, IPv6 in brackets
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return !isPublicAddress(host)
  return host === 'localhost' || host.endsWith('.localhost')
}
