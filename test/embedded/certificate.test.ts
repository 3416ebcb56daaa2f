import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import * as fc from 'fast-check'
import { makeCertificate } from '../../embedded/certificate.ts'

const REQUEST = {
  commonName: 'a server',
  hosts: ['localhost', '127.0.0.1', '::1'],
  notBefore: new Date('2026-01-02T03:04:05Z'),
  notAfter: new Date('2036-01-02T03:04:05Z'),
  serial: Buffer.from('01ff02', 'hex'),
}

describe('a certificate that is its own authority', () => {
  const pair = makeCertificate(REQUEST)
  const certificate = new X509Certificate(pair.certificate)

  it('is signed with the key that it is for', () => {
    assert.ok(certificate.checkPrivateKey(createPrivateKey(pair.key)))
    assert.ok(certificate.verify(certificate.publicKey))
    assert.ok(certificate.checkIssued(certificate))
    assert.ok(certificate.ca)
  })

  it('says what was asked: name, serial number, time', () => {
    assert.equal(certificate.subject, 'CN=a server')
    assert.equal(certificate.serialNumber, '01FF02')
    assert.equal(new Date(certificate.validFrom).getTime(), REQUEST.notBefore.getTime())
    assert.equal(new Date(certificate.validTo).getTime(), REQUEST.notAfter.getTime())
  })

  it('is for its host names and addresses, and for no other', () => {
    assert.equal(certificate.checkHost('localhost'), 'localhost')
    assert.equal(certificate.checkHost('other'), undefined)
    for (const address of ['127.0.0.1', '::1']) assert.equal(certificate.checkIP(address), address)
    assert.equal(certificate.checkIP('127.0.0.2'), undefined)
  })

  it('can end after 2049, where the form of a time changes', () => {
    for (const year of [2049, 2050]) {
      const notAfter = new Date(Date.UTC(year, 11, 31))
      const later = new X509Certificate(makeCertificate({ ...REQUEST, notAfter }).certificate)
      assert.equal(new Date(later.validTo).getTime(), notAfter.getTime())
    }
  })

  it('is for any IPv6 address however it is written', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const { certificate: pem } = makeCertificate({ ...REQUEST, hosts: [address] })
        assert.equal(new X509Certificate(pem).checkIP(address), address)
      }),
    )
  })

  it('is for names of any number and length', () => {
    const label = fc.stringMatching(/^[a-z]{1,60}$/)
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 60 }), (hosts) => {
        const { certificate: pem } = makeCertificate({ ...REQUEST, hosts })
        for (const host of hosts) assert.equal(new X509Certificate(pem).checkHost(host), host)
      }),
    )
  })
})
