import type { Context } from '../../kernel/context.ts'
import { type Fault, fault } from '../../problems/fault.ts'
import { type PlatformName, platforms } from './schema.ts'

const others = platforms.filter((platform) => platform !== 'sim')

/** The simulated network is unknown outside of sandboxes, unless the operator admits it. */
export async function platformFaults(ctx: Context, platform: PlatformName): Promise<Fault[]> {
  if (platform !== 'sim' || ctx.services.config.simulatedNetwork || (await isSandbox(ctx)))
    return []
  const more = { allowed: others, given: platform }
  return [fault('/platform', 'invalid_enum_value', 'is not one of the allowed values', more)]
}

const sandboxSql = 'select sandbox from organizations where id = $1'

/** Whether the organization is a sandbox. */
export async function isSandbox({ reader, organization }: Context): Promise<boolean> {
  const [row] = await reader.query<{ sandbox: boolean }>({
    sql: sandboxSql,
    parameters: [organization.id],
  })
  return row?.sandbox ?? false
}
