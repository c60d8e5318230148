import type { Context } from '../../kernel/context.ts'

/** After a commit that no event told of: what is due leaves at once, not with the next look. */
export const wake = ({ services, organization }: Context, endpointId: string): void =>
  services.signals.emit({
    organizationId: organization.id,
    endpointIds: [endpointId],
    touchesCredentials: false,
  })
