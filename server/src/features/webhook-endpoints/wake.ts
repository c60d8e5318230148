import type { Context } from '../../kernel/context.ts'

/** Sends due deliveries at once after a commit without an event, instead of at the next poll. */
export const wake = ({ services, organization }: Context, endpointId: string): void =>
  services.signals.emit({
    organizationId: organization.id,
    endpointIds: [endpointId],
    touchesCredentials: false,
  })
