import { Type } from 'typebox'

const mostBytes = 64 * 1024

/** The JSON that a browser makes of a passkey; it may gain members. */
export type Passkey = Readonly<Record<string, unknown>>

/** A passkey in the shape that a browser sends. */
export const passkeyExample = {
  id: 'q1bXk9y3nVbq0zJp5m2c8s',
  rawId: 'q1bXk9y3nVbq0zJp5m2c8s',
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
    signature: 'MEUCIQDzTq7pVfR1Zc',
  },
  clientExtensionResults: {},
}

export const PasskeyOut = Type.Unsafe<Passkey>({
  type: 'object',
  additionalProperties: true,
  maxBytes: mostBytes,
  writeOnly: true,
  description: 'The credential that the browser made of the options, by its `toJSON()`.',
})

export const OptionsIn = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })

export const PasskeyOptions = Type.Object(
  {
    options: OptionsIn(
      'For `PublicKeyCredential.parseRequestOptionsFromJSON()`, then `navigator.credentials.get()`.',
    ),
  },
  { title: 'PasskeyOptions', description: 'What a passkey must sign, within five minutes.' },
)
