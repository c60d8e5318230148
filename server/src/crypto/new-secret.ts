import { randomBytes } from 'node:crypto'

/** As specified by Standard Webhooks: 32 random bytes in base64 with a prefix. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
