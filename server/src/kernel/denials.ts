import { recordDenial } from './change.ts'
import type { Context } from './context.ts'
import { Problem } from '../problems/problem.ts'

/** What only owners may do: 403, and the audit log tells what it was about. */
class Denied extends Problem {
  readonly about: { id: string; name: string } | undefined

  constructor(detail: string, about?: { id: string; name: string }) {
    super('insufficient_role', detail, { members: { required_roles: ['owner'] } })
    this.about = about
  }
}

type Owned = { readonly role: string; readonly about?: { id: string; name: string } | undefined }

/** Of what has an owner's rights, whom or what it may be: `detail` tells who is not an owner. */
export function checkMayManage(ctx: Context, { role, about }: Owned, detail: string): void {
  if (role === 'owner' && ctx.role !== 'owner') throw new Denied(detail, about)
}

/** Runs work that may be denied. The record of that is no part of what the work would write. */
export async function withDenials<T>(
  ctx: Context,
  action: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Denied) await recordDenial(ctx, action, error.about)
    throw error
  }
}
