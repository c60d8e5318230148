import { Type } from 'typebox'
import {
  bodyOf,
  choice,
  idOf,
  nameLike,
  orNull,
  pageOfSchema,
  shownOnce,
  text,
  time,
} from '../../../schema/fields.ts'
import { OptionsIn, PasskeyOut } from './passkeys/schema.ts'
import { factorIds } from './resource.ts'

const factorKinds = ['totp', 'passkey', 'recovery_codes'] as const

export const Factor = Type.Object(
  {
    id: idOf(factorIds, 'Factor identifier.'),
    kind: choice(factorKinds, {
      description:
        '`totp`: time codes of an app. `passkey`: a key of a device. `recovery_codes`: for when the others are lost.',
    }),
    name: text('Your name for it.'),
    verified: Type.Boolean({
      description: 'Whether it guards your logins. What is not verified goes after an hour.',
    }),
    codes_left: orNull(Type.Integer({ description: 'Recovery codes that are not used.' })),
    last_used_at: orNull(time('When it was last used; null: never.')),
    created_at: time('When it was set up.'),
  },
  { title: 'Factor', description: 'What proves, beside the password, who logs in.' },
)
export type Factor = Type.Static<typeof Factor>

export const FactorList = pageOfSchema(Factor)

export const FactorBody = bodyOf({
  kind: choice(factorKinds, { description: 'New `recovery_codes` replace the former ones.' }),
  name: Type.Optional(nameLike('Phone', 'Your name for it.')),
})
export type FactorInput = Type.Static<typeof FactorBody>

const RecoveryCodes = Type.Unsafe<string[] | null>({
  type: ['array', 'null'],
  items: { type: 'string' },
  description:
    'Ten codes that work once each, instead of another factor. Shown once: null when the request is replayed, and where no new ones are made.',
})

export const NewFactor = Type.Object(
  {
    ...Factor.properties,
    secret: shownOnce('Of time codes: the secret, in base32, to type into an app.'),
    otpauth_url: shownOnce('Of time codes: the same as an app reads it from a QR code.'),
    options: orNull(
      OptionsIn(
        'Of a passkey: for `PublicKeyCredential.parseCreationOptionsFromJSON()`, then `navigator.credentials.create()`.',
      ),
    ),
    recovery_codes: RecoveryCodes,
  },
  { title: 'NewFactor', basedOn: Factor },
)
export type NewFactor = Type.Static<typeof NewFactor>

/** A code of six digits, or a recovery code. */
export const Otp = Type.String({
  minLength: 6,
  maxLength: 40,
  writeOnly: true,
  description: 'A time code of six digits, or a recovery code.',
  examples: ['492039'],
})

export const VerifyBody = bodyOf({
  otp: Type.Optional(Otp),
  passkey: Type.Optional(PasskeyOut),
})
export type FactorProof = Type.Static<typeof VerifyBody>

export const VerifiedFactor = Type.Object(
  { factor: Factor, recovery_codes: RecoveryCodes },
  { title: 'VerifiedFactor' },
)
export type VerifiedFactor = Type.Static<typeof VerifiedFactor>
