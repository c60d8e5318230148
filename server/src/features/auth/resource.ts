import type { Tag } from '../../http/endpoint.ts'
import { idType } from '../../values/ids.ts'

export const tag: Tag = {
  name: 'Auth',
  description:
    'Tokens and sessions. A token is a JWT, valid for 24 hours and renewable; a session lasts at most 30 days.',
}

export const sessionIds = idType('session', 'ses')
