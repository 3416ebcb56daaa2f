/**
 * The certificate of a server that is its own authority (RFC 5280), written as the few DER values that it takes.
 *
 * Node signs but makes no certificates, and loading a library that can took longer than everything else that a
 * first start does. Nothing is parsed here: what is written is read by OpenSSL and by Go.
 */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'

export interface CertificateRequest {
  readonly commonName: string
  /** Host names and IP addresses that the server answers by. */
  readonly hosts: readonly string[]
  readonly notBefore: Date
  readonly notAfter: Date
  /** Positive, and new for every certificate: at most 20 bytes, the highest bit of the first one unset. */
  readonly serial: Uint8Array
}

/** Both as PEM. */
export interface CertifiedKey {
  readonly certificate: string
  readonly key: string
}

/** A new key on P-256 and a certificate for it, signed with it. */
export function makeCertificate(request: CertificateRequest): CertifiedKey {
  const pair = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const body = toBeSigned(request, pair.publicKey)
  const signature = sign('sha256', body, createPrivateKey(pair.privateKey))
  const certificate = der(SEQUENCE, body, ECDSA_WITH_SHA256, der(BIT_STRING, Buffer.of(0), signature))
  return { certificate: toPem(certificate), key: pair.privateKey }
}

const BOOLEAN = 0x01
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_IDENTIFIER = 0x06
const UTF8_STRING = 0x0c
const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18
const SEQUENCE = 0x30
const SET = 0x31

/** Identifiers as their DER content, in hexadecimal. */
const OIDS = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
} as const

const TRUE = der(BOOLEAN, Buffer.of(0xff))
const VERSION_3 = der(explicit(0), der(INTEGER, Buffer.of(2)))
const ECDSA_WITH_SHA256 = der(SEQUENCE, oid('ecdsaWithSha256'))
const IS_AUTHORITY = extension('basicConstraints', der(SEQUENCE, TRUE), TRUE)

function toBeSigned({ commonName, hosts, notBefore, notAfter, serial }: CertificateRequest, publicKey: Buffer): Buffer {
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, oid('commonName'), der(UTF8_STRING, Buffer.from(commonName)))))
  return der(
    SEQUENCE,
    VERSION_3,
    der(INTEGER, serial),
    ECDSA_WITH_SHA256,
    name,
    der(SEQUENCE, time(notBefore), time(notAfter)),
    name,
    publicKey,
    der(explicit(3), der(SEQUENCE, IS_AUTHORITY, extension('subjectAltName', der(SEQUENCE, ...hosts.map(altName))))),
  )
}

/** One value: tag, length, content. Lengths from 128 on say first how many bytes they take (X.690, section 8.1.3). */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const length = Buffer.from(content.length.toString(16).padStart(8, '0'), 'hex')
  const significant = length.subarray(length.findIndex((byte) => byte !== 0))
  const header = content.length < 0x80 ? [tag, content.length] : [tag, 0x80 | significant.length, ...significant]
  return Buffer.concat([Buffer.from(header), content])
}

/** Tag of a field that X.509 numbers. */
function explicit(number: number): number {
  return 0xa0 | number
}

function oid(name: keyof typeof OIDS): Buffer {
  return der(OBJECT_IDENTIFIER, Buffer.from(OIDS[name], 'hex'))
}

function extension(name: keyof typeof OIDS, value: Uint8Array, ...critical: readonly Uint8Array[]): Buffer {
  return der(SEQUENCE, oid(name), ...critical, der(OCTET_STRING, value))
}

/** Years before 2050 with two digits, later ones with four (RFC 5280, section 4.1.2.5). */
function time(at: Date): Buffer {
  const text = `${at.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`
  return at.getUTCFullYear() < 2050
    ? der(UTC_TIME, Buffer.from(text.slice(2)))
    : der(GENERALIZED_TIME, Buffer.from(text))
}

const DNS_NAME = 0x82
const IP_ADDRESS = 0x87

function altName(host: string): Buffer {
  if (isIPv4(host)) return der(IP_ADDRESS, Buffer.from(host.split('.').map(Number)))
  return isIPv6(host) ? der(IP_ADDRESS, ipv6Bytes(host)) : der(DNS_NAME, Buffer.from(host))
}

/** The URL parser writes every IPv6 address, an IPv4 tail included, as groups of hexadecimal digits. */
function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [groups(head), groups(tail ?? '')]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const hex = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join('')
  return Buffer.from(hex, 'hex')
}

function groups(text: string): string[] {
  return text === '' ? [] : text.split(':')
}

function toPem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
