import type { Context } from '../../../kernel/context.ts'

/** The address of a resource, which SCIM wants whole. */
export const addressOf = ({ services }: Context, collection: string, id: string): string =>
  `${services.config.publicUrl}/scim/v2/${collection}/${id}`
