import { isProblem } from '@flightdeckhq/sdk'
import { flightdeck, type Schema, sessionClient } from '../../flightdeck.ts'
import { begin } from '../../session.tsx'
import { PlainFailure } from '../../ui/problem.ts'

/** Logs in by a passkey: as the second step of the login that the challenge is of, or alone. */
export async function logInByPasskey(challenge?: string): Promise<void> {
  const asked = challenge === undefined ? {} : { challenge }
  const { options } = await orPlain(flightdeck.auth.getPasskeyOptions(asked))
  const passkey = await fromBrowser('No passkey was used', () =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asOptions(options)),
    }),
  )
  await sessionClient.request('POST', '/console/session/verify', { body: { ...asked, passkey } })
  await begin()
}

type Verified = Schema<'VerifiedFactor'>
type WriteOptions = Parameters<typeof flightdeck.auth.verifyFactor>[2]

/** Makes a passkey on this device, or one beside it, and sets it up as a factor. */
export async function makePasskey(name: string, write: WriteOptions): Promise<Verified> {
  const { id, options } = await orPlain(flightdeck.auth.addFactor({ kind: 'passkey', name }))
  const passkey = await fromBrowser('No passkey was made', () =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asOptions(options)),
    }),
  )
  return flightdeck.auth.verifyFactor(id, { passkey }, write)
}

/** Has the shape that the browser asks for, which refuses another one. */
const asOptions = <Of>(options: unknown) => options as Of

/** The service says for its operator why it has no passkeys. */
async function orPlain<Of>(answer: PromiseLike<Of>): Promise<Of> {
  try {
    return await answer
  } catch (error) {
    if (!isProblem(error, 'invalid_state_transition')) throw error
    const detail = 'The service has no https address with a name. Its operator can set one.'
    throw new PlainFailure('There are no passkeys here', detail)
  }
}

const reasons: Readonly<Record<string, string>> = {
  NotAllowedError:
    'Its window was closed, it took too long, or there is none for this service here.',
  InvalidStateError: 'This device has one for your account already.',
  SecurityError: 'The browser does not allow it at this address.',
}

/** Answers what the browser makes, as JSON; throws the reason in plain words where it makes nothing. */
async function fromBrowser(title: string, ask: () => Promise<Credential | null>) {
  try {
    const made = await ask()
    if (made instanceof PublicKeyCredential) return { ...made.toJSON() }
    throw new PlainFailure(title, 'The browser has made none.')
  } catch (error) {
    if (error instanceof PlainFailure) throw error
    const name = error instanceof Error ? error.name : ''
    throw new PlainFailure(title, reasons[name] ?? `The browser could not do it (${name}).`)
  }
}
