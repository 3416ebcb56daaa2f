/**
 * What a browser keeps for us and can neither read nor change: JSON, deflated, under AES-256-GCM (NIST SP 800-38D).
 * Every text has a key of its own, made from the shared one and a random salt (HKDF, RFC 5869), so that no nonce is
 * ever used twice however many texts a stranger has us make. `purpose` is part of that key: a text that was sealed for
 * one thing opens for no other.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type JsonObject, parseObject } from '../../core/json.ts'

export interface Seal {
  seal(purpose: string, content: JsonObject): string
  /** Undefined for a text that was not sealed with this key for this purpose. */
  open(purpose: string, text: string): JsonObject | undefined
}

const SALT_BYTES = 16
const TAG_BYTES = 16
const ALGORITHM = 'aes-256-gcm'

/** @param key at least 32 bytes that nobody else knows */
export function createSeal(key: Uint8Array, randomBytes: (size: number) => Uint8Array): Seal {
  const derive = (purpose: string, salt: Uint8Array) => {
    const bytes = Buffer.from(hkdfSync('sha256', key, salt, purpose, 44))
    return { key: bytes.subarray(0, 32), nonce: bytes.subarray(32) }
  }
  return {
    seal(purpose, content) {
      const salt = randomBytes(SALT_BYTES)
      const { key: own, nonce } = derive(purpose, salt)
      const cipher = createCipheriv(ALGORITHM, own, nonce)
      const sealed = [cipher.update(deflateRawSync(JSON.stringify(content))), cipher.final()]
      return Buffer.concat([salt, ...sealed, cipher.getAuthTag()]).toString('base64url')
    },
    open(purpose, text) {
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length <= SALT_BYTES + TAG_BYTES) return undefined
      const { key: own, nonce } = derive(purpose, bytes.subarray(0, SALT_BYTES))
      const decipher = createDecipheriv(ALGORITHM, own, nonce, { authTagLength: TAG_BYTES })
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      const deflated = decipher.update(bytes.subarray(SALT_BYTES, -TAG_BYTES))
      return isGenuine(() => decipher.final()) ? parseObject(inflateRawSync(deflated).toString()) : undefined
    },
  }
}

/** Node throws a plain Error for a tag that does not fit, and for nothing else here. */
function isGenuine(final: () => Buffer): boolean {
  try {
    final()
    return true
  } catch {
    return false
  }
}
