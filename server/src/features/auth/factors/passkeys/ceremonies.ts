import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { RelyingParty } from '../../../../identity/relying-party.ts'
import type { StoredFactor } from '../stored.ts'
import type { Passkey } from './schema.ts'

// The two ceremonies of WebAuthn: a passkey is made, and a passkey signs.

/** Loaded when someone uses a passkey: it takes half a second. */
const library = () => import('@simplewebauthn/server')

export const ceremonyMs = 5 * 60_000

/** EdDSA, ES256 and RS256: what authenticators have. */
const algorithms = [-8, -7, -257]

type KnownCredential = Pick<StoredFactor, 'credential_id' | 'transports'>

const descriptorsOf = (passkeys: readonly KnownCredential[]) =>
  passkeys.map(({ credential_id, transports }) => ({
    id: credential_id ?? '',
    transports: (transports ?? []).map(transportOf),
  }))

/** Browsers ignore the transports that they do not know. */
const transportOf = (name: string) => name as AuthenticatorTransport

type Bearer = { readonly id: string; readonly name: string; readonly email: string }
type Making = { person: Bearer; challenge: string; others: readonly KnownCredential[] }

/** Discoverable, so that it can log in alone; and never without a PIN, a finger or a face. */
export async function creationOptions(party: RelyingParty, { person, challenge, others }: Making) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: 'Flightdeck',
    rpID: party.id,
    userID: new TextEncoder().encode(person.id),
    userName: person.email,
    userDisplayName: person.name,
    challenge: bytesOf(challenge),
    timeout: ceremonyMs,
    attestationType: 'none',
    excludeCredentials: descriptorsOf(others),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
}

type Asking = { challenge: string; of?: readonly KnownCredential[] }

/** Without `of` the browser offers every passkey that it has for this service. */
export async function requestOptions(party: RelyingParty, { challenge, of }: Asking) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytesOf(challenge),
    timeout: ceremonyMs,
    userVerification: 'required',
    ...(of && { allowCredentials: descriptorsOf(of) }),
  })
}

/** In base64: 1,023 bytes of id, as WebAuthn says, and keys of 8,192 bits. */
const mostOfId = 1364
const mostOfKey = 2048

type NewCredential = Pick<StoredFactor, 'credential_id' | 'public_key' | 'sign_count'> & {
  transports: string[]
}

// The library refuses what does not have these shapes.
const asMade = (passkey: object) => passkey as RegistrationResponseJSON
const asSigned = (passkey: object) => passkey as AuthenticationResponseJSON

/** The new passkey; null for what is none, or was not made here and now. */
export async function madePasskey(
  party: RelyingParty,
  { passkey, challenge }: { passkey: Passkey; challenge: string },
): Promise<NewCredential | null> {
  const { verifyRegistrationResponse } = await library()
  const response = asMade(passkey)
  try {
    if ((await isFramed(response)) || !(await isPlain(response))) return null
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      ...expected(party, challenge),
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified || !registrationInfo) return null
    const { id, publicKey, counter } = registrationInfo.credential
    const public_key = Buffer.from(publicKey).toString('base64url')
    if (id.length > mostOfId || public_key.length > mostOfKey) return null
    return {
      credential_id: id,
      public_key,
      sign_count: counter,
      transports: transportsIn(response),
    }
  } catch {
    return null
  }
}

const expected = ({ id, origin }: RelyingParty, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: id,
  requireUserVerification: true,
})

/**
 * Whether no one else vouches for it. None was asked to, and certificates would make the library fetch
 * their lists of revocations from wherever they say.
 */
async function isPlain({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(bytesOf(response.attestationObject))
  const isSelfMade = attestation.get('fmt') === 'packed' && !attestation.get('attStmt').get('x5c')
  return attestation.get('fmt') === 'none' || isSelfMade
}

type Answered = { response: { clientDataJSON: string } }

/** Whether it was made or signed in a frame of another site, where none of ours is shown. */
async function isFramed({ response }: Answered): Promise<boolean> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers')
  return decodeClientDataJSON(response.clientDataJSON).crossOrigin === true
}

const mostTransports = 10
const transportNames = /^[a-z-]{1,30}$/

const transportsIn = ({ response: { transports } }: RegistrationResponseJSON): string[] =>
  (Array.isArray(transports) ? transports : [])
    .filter((name) => transportNames.test(String(name)))
    .slice(0, mostTransports)

type Signing = { passkey: Passkey; challenge: string; factor: StoredFactor }

/** The count of what the passkey signed; null if the signature, or what was signed, is wrong. */
export async function signedCount(
  party: RelyingParty,
  { passkey, challenge, factor }: Signing,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library()
  try {
    if (await isFramed(asSigned(passkey))) return null
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: asSigned(passkey),
      ...expected(party, challenge),
      // The count is compared by who calls, as one that went back is mailed about.
      credential: {
        id: factor.credential_id ?? '',
        publicKey: bytesOf(factor.public_key ?? ''),
        counter: 0,
      },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
