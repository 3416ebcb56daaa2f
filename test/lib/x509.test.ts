import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect, createServer } from 'node:tls'
import * as fc from 'fast-check'
import { makeCertificate } from '../../lib/x509.ts'
import { aCertificate } from '../helpers/certificate.ts'
import { runs } from '../helpers/runs.ts'

const NAMES = ['localhost', '127.0.0.1', '::1', 'fd00:a:b::12:ff', 'control-plane.example']

describe('a certificate that is its own authority', () => {
  it('is signed by its own key, may sign, and holds for the hosts it was made for and no other', () => {
    const { certificate, key } = aCertificate(...NAMES)
    const read = new X509Certificate(certificate)
    assert.ok(read.verify(read.publicKey) && read.ca && read.checkPrivateKey(createPrivateKey(key)))
    assert.equal(read.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1')
    const holdsFor = (name: string): boolean =>
      (isIP(name) === 0 ? read.checkHost(name) : read.checkIP(name)) !== undefined
    for (const name of NAMES) assert.ok(holdsFor(name), name)
    for (const name of ['other.example', '127.0.0.2', 'fd00:a:b::13:ff']) assert.ok(!holdsFor(name), name)
  })

  it('lasts as long as it should, beyond 2050 too', () => {
    const days = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    const serial = fc.uint8Array({ minLength: 16, maxLength: 16 })
    fc.assert(
      fc.property(days, days, serial, (notBefore, notAfter, bytes) => {
        const about = { commonName: 'Größe', hosts: ['localhost'], notBefore, notAfter, serial: bytes }
        const read = new X509Certificate(makeCertificate(about).certificate)
        const inSeconds = (date: Date): number => Math.floor(date.getTime() / 1000)
        assert.equal(inSeconds(new Date(read.validFrom)), inSeconds(notBefore))
        assert.equal(inSeconds(new Date(read.validTo)), inSeconds(notAfter))
        assert.equal(BigInt(`0x${read.serialNumber}`), BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
        assert.equal(read.subject, 'CN=Größe')
      }),
      { numRuns: runs(30) },
    )
  })

  it('lets a client in that trusts it, by TLS 1.3', async () => {
    const { certificate, key } = aCertificate('127.0.0.1')
    const server = createServer({ key, cert: certificate })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    const socket = connect({ host: '127.0.0.1', port: address.port, ca: certificate })
    await once(socket, 'secureConnect')
    assert.deepEqual([socket.authorized, socket.getProtocol()], [true, 'TLSv1.3'])
    socket.destroy()
    server.close()
  })
})
