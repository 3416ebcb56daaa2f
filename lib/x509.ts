/**
 * Certificates of servers, signed by themselves (X.509 version 3, RFC 5280). Written out by hand: one is a few fields
 * and a signature, and a library that can do all of X.509 takes a tenth of a first start to load.
 */
import { generateKeyPairSync, sign } from 'node:crypto'
import { isIP } from 'node:net'

export interface CertificateRequest {
  /** Shown to people; nothing is checked against it. */
  readonly commonName: string
  /** Host names and IP addresses that the server goes by. */
  readonly hosts: readonly string[]
  readonly notBefore: Date
  readonly notAfter: Date
  /** 16 random bytes. */
  readonly serial: Uint8Array
}

/** Both in PEM; the key in PKCS #8, on curve P-256. */
export interface CertificatePair {
  readonly certificate: string
  readonly key: string
}

/** Makes a new key and a certificate for it that it has signed itself. */
export function makeCertificate({ commonName, hosts, ...about }: CertificateRequest): CertificatePair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(attribute(COMMON_NAME, commonName))
  const signed = sequence(
    element(context(0), integer(Uint8Array.of(2))),
    integer(about.serial),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(about.notBefore), time(about.notAfter)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(context(3), sequence(basicConstraints(), subjectAltName(hosts))),
  )
  const der = sequence(signed, ECDSA_WITH_SHA256, bitString(sign('sha256', signed, privateKey)))
  return { certificate: pem('CERTIFICATE', der), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`
}

// Tags of DER (X.690, section 8.1.2).
const BOOLEAN = 0x01
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_ID = 0x06
const UTF8_STRING = 0x0c
const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18
const SEQUENCE = 0x30
const SET = 0x31
const context = (number: number): number => 0xa0 + number
/** A GeneralName's tag (RFC 5280, section 4.2.1.6), primitive. */
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87

const TRUE = element(BOOLEAN, Uint8Array.of(0xff))
const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'))
const COMMON_NAME = objectId('2.5.4.3')

/** Tag, length in its shortest form, content (X.690, section 10.1). */
function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const digits: number[] = []
  for (let rest = content.length; rest > 0; rest >>= 8) digits.unshift(rest & 0xff)
  const length = content.length < 0x80 ? [content.length] : [0x80 + digits.length, ...digits]
  return Buffer.concat([Uint8Array.from([tag, ...length]), content])
}

/** One part of a name (RFC 5280, section 4.1.2.4). */
function attribute(type: Uint8Array, text: string): Buffer {
  return element(SET, sequence(type, element(UTF8_STRING, Buffer.from(text))))
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return element(SEQUENCE, ...parts)
}

/** A number that is not negative, from its bytes: without zeros in front but the one that keeps it positive. */
function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const digits = first === -1 ? Uint8Array.of(0) : bytes.subarray(first)
  return element(INTEGER, (digits[0] ?? 0) < 0x80 ? new Uint8Array() : Uint8Array.of(0), digits)
}

function bitString(bytes: Uint8Array): Buffer {
  return element(BIT_STRING, Uint8Array.of(0), bytes)
}

function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest].flatMap((part) => {
    const septets = [part & 0x7f]
    for (let left = part >> 7; left > 0; left >>= 7) septets.unshift(0x80 | (left & 0x7f))
    return septets
  })
  return element(OBJECT_ID, Uint8Array.from(bytes))
}

/** Two digits of the year before 2050, four from then on (RFC 5280, section 4.1.2.5). */
function time(at: Date): Buffer {
  const digits = at.toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return at.getUTCFullYear() < 2050
    ? element(UTC_TIME, Buffer.from(digits.slice(2)))
    : element(GENERALIZED_TIME, Buffer.from(digits))
}

/** It may sign certificates: it signs its own, and clients take it for their authority. */
function basicConstraints(): Buffer {
  return sequence(objectId('2.5.29.19'), TRUE, element(OCTET_STRING, sequence(TRUE)))
}

function subjectAltName(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIP(host) === 0 ? element(DNS_NAME, Buffer.from(host)) : element(IP_ADDRESS, addressBytes(host)),
  )
  return sequence(objectId('2.5.29.17'), element(OCTET_STRING, sequence(...names)))
}

/** An IP address in network order: 4 bytes or 16. */
function addressBytes(address: string): Uint8Array {
  if (isIP(address) === 4) return Uint8Array.from(address.split('.').map(Number))
  // As a URL has it, an address is in hexadecimal throughout; a zone means something on its own machine only.
  const plain = new URL(`http://[${address.replace(/%[^]*/, '')}]`).hostname.slice(1, -1)
  const [head = '', tail] = plain.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back]
  return Uint8Array.from(
    groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]),
  )
}
