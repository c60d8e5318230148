import { administration, type Context, organizationFacts, type Services } from './context.ts'

/** The service itself as the actor: `part` says which of its parts acted. */
export async function actAsSystem(
  services: Services,
  organizationId: string,
  part: string,
): Promise<Context | undefined> {
  const row = await services.database.reader
    .kysely()
    .selectFrom('organizations')
    .select(organizationFacts)
    .where('id', '=', organizationId)
    .executeTakeFirst()
  return row && administration(services, { type: 'system', id: null, name: part }, row)
}
