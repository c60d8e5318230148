import { retiredKeyLifetimeMs, rotateSigningKey } from '../../crypto/signing-keys.ts'
import { audited } from '../../kernel/change.ts'
import { actInFirst, administer } from '../administer.ts'
import { action, CommandError } from '../command.ts'
import { facts } from '../table.ts'

/**
 * Signing keys belong to the service, not to an organization. The audit record goes to the oldest
 * organization, the operator's own from the first start, to spare the other tenants.
 */
export const keysRotate = action({
  run: () =>
    administer('keys rotate', async (services) => {
      const ctx = await actInFirst(services)
      if (!ctx) throw new CommandError('There is no organization yet, so there are no tokens.')
      const entry = ({ kid }: { kid: string }) => ({
        action: 'signing_key.rotated',
        resource: { type: 'signing_key', id: kid, name: null },
      })
      const rotated = await audited(ctx, entry, (ctx) => rotateSigningKey(ctx))
      const until = Date.parse(rotated.retired_at) + retiredKeyLifetimeMs
      return { ...rotated, published_until: new Date(until).toISOString() }
    }),
  show: ({ kid, retired, published_until }) =>
    facts({
      'Active key': kid,
      Retired: retired.join(', '),
      'Published until': published_until,
    }),
})
