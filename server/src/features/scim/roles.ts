import type { Role } from '../../identity/permissions.ts'
import type { Context } from '../../kernel/context.ts'

/** The role of a member that a directory makes, before any of its groups says more. */
export const roleOfNew = async (_: Context): Promise<Role> => 'viewer'
