import { retiredKeyLifetimeMs, rotateSigningKey } from '../crypto/signing-keys.ts'
import { audited } from '../kernel/change.ts'
import { actInFirst, administer } from './administer.ts'
import { CommandError, command } from './command.ts'
import { facts } from './table.ts'

/**
 * The keys are the service's, not an organization's. The record stands in the oldest organization,
 * which the operator's own first start has made: in all of them it would be noise for tenants.
 */
export const keysRotate = command({
  usage: 'keys rotate',
  summary: 'Sign tokens with a new key from now on; nobody is logged out',
  run: () =>
    administer('keys rotate', async (services) => {
      const ctx = await actInFirst(services)
      if (!ctx) throw new CommandError('There is no organization yet, so there are no tokens.')
      const told = ({ kid }: { kid: string }) => ({
        action: 'signing_key.rotated',
        resource: { type: 'signing_key', id: kid, name: null },
      })
      const rotated = await audited(ctx, told, (ctx) => rotateSigningKey(ctx))
      const until = Date.parse(rotated.retired_at) + retiredKeyLifetimeMs
      return { ...rotated, published_until: new Date(until).toISOString() }
    }),
  show: ({ kid, retired, published_until }) =>
    facts({
      'Signs now': kid,
      Retired: retired.join(', '),
      'Published until': published_until,
    }),
})
