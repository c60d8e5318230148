import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** The ways in which an attacker, or a careless device, differs. */
export type Twist = {
  origin?: string
  crossOrigin?: boolean
  rpId?: string
  challenge?: string
  isVerified?: boolean
  count?: number
  userId?: string
  alg?: number
  format?: string
  type?: string
}

type Options = Record<string, unknown>
type Creation = { challenge: string; rp: { id: string }; user: { id: string } }

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()
const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64url')

/** An authenticator in software, with one passkey at a time, that counts. */
export function authenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let count = 0
  let userHandle = ''

  const clientData = (type: string, challenge: string, twist: Twist) =>
    JSON.stringify({
      type: twist.type ?? type,
      challenge: twist.challenge ?? challenge,
      origin: twist.origin ?? origin,
      crossOrigin: twist.crossOrigin ?? false,
    })

  const authenticatorData = (rpId: string, twist: Twist, made?: Buffer) => {
    count += 1
    const flags = 0x01 | (twist.isVerified === false ? 0 : 0x04) | (made ? 0x40 : 0)
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(twist.count ?? count)
    return Buffer.concat([
      sha256(twist.rpId ?? rpId),
      Buffer.from([flags]),
      counted,
      ...(made ? [made] : []),
    ])
  }

  const credential = ({ alg = -7 }: Twist) => {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, alg],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    return Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(cose)])
  }

  const envelope = (response: object) => ({
    id: base64(id),
    rawId: base64(id),
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
    response,
  })

  return {
    id: base64(id),

    /** Makes the passkey, as `navigator.credentials.create()` does. */
    create(options: Options, twist: Twist = {}) {
      const { challenge, rp, user } = options as unknown as Creation
      userHandle = user.id
      const data = clientData('webauthn.create', challenge, twist)
      const authData = authenticatorData(rp.id, twist, credential(twist))
      const attestation = new Map<string, unknown>([
        ['fmt', twist.format ?? 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ])
      return envelope({
        clientDataJSON: base64(data),
        attestationObject: base64(isoCBOR.encode(attestation as Map<string, string>)),
        transports: ['internal'],
      })
    },

    /** Signs, as `navigator.credentials.get()` does. */
    get(options: Options, twist: Twist = {}) {
      const { challenge, rpId } = options as { challenge: string; rpId: string }
      const data = clientData('webauthn.get', challenge, twist)
      const authData = authenticatorData(rpId, twist)
      const signed = Buffer.concat([authData, sha256(data)])
      return envelope({
        clientDataJSON: base64(data),
        authenticatorData: base64(authData),
        signature: base64(sign('sha256', signed, privateKey)),
        userHandle: twist.userId === undefined ? userHandle : base64(twist.userId),
      })
    },
  }
}
