import { Type } from 'typebox'
import { bodyOf, choice, orNull, shownOnce, text, time } from '../../../schema/fields.ts'
import { Login } from '../schema.ts'

export const LoginCode = Type.Object(
  {
    code: text('What the person types in the console, such as `BCDF-GHJK`.'),
    secret: shownOnce('What the program claims the login by. Keep it in the program.'),
    confirm_url: text('Where the person types it, under `FLIGHTDECK_PUBLIC_URL`.'),
    interval_seconds: Type.Integer({ description: 'How long to wait between two claims.' }),
    expires_at: time('When it ends, ten minutes later.'),
  },
  { title: 'LoginCode', description: 'A login of a program that waits for a person.' },
)

export const ClaimBody = bodyOf({
  secret: Type.String({
    minLength: 1,
    maxLength: 100,
    writeOnly: true,
    description: 'The `secret` that the login began with.',
  }),
})

export const ClaimedLogin = Type.Object(
  {
    status: choice(['waiting', 'refused', 'confirmed'] as const, {
      description: 'What the person has answered.',
    }),
    login: orNull(
      Type.Object(Login.properties, {
        title: 'ConfirmedLogin',
        description: 'The login; null until it is confirmed.',
      }),
    ),
  },
  { title: 'ClaimedLogin', description: 'The login, once it is confirmed: shown once.' },
)

const codeText = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'The code; case, spaces and dashes do not matter.',
  examples: ['BCDF-GHJK'],
})

export const CodeBody = bodyOf({ code: codeText })

export const codeQuery = {
  code: Type.String({ default: '', maxLength: 40, description: 'The code that the person types.' }),
}

const WaitingLogin = Type.Object(
  {
    program: orNull(text('What the program calls itself: its `User-Agent`. Anyone can claim it.')),
    ip: orNull(text('The address that it asks from.')),
    created_at: time('When it asked.'),
    expires_at: time('When its code ends.'),
  },
  { title: 'WaitingLogin', description: 'A program that waits to be logged in.' },
)

export const LoginOfCode = Type.Object(
  { waiting: orNull(WaitingLogin) },
  { title: 'LoginOfCode', description: 'The program that waits for a code; null: none does.' },
)
