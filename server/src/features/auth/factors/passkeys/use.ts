import { relyingPartyOf } from '../../../../identity/relying-party.ts'
import { nowText, type WriteContext } from '../../../../kernel/context.ts'
import { update } from '../../../../kernel/rows.ts'
import { noticeFactors } from '../notice.ts'
import { verifiedFactorsOf } from '../stored.ts'
import { signedCount } from './ceremonies.ts'
import type { Passkey } from './schema.ts'
import { credentialIdIn } from './sent.ts'

type Bearer = { readonly id: string; readonly email: string }
type Signed = { readonly passkey: Passkey; readonly challenge: string }

/** Whether a passkey of the person has signed the challenge; its count goes up. */
export async function usePasskey(
  ctx: WriteContext,
  { id, email }: Bearer,
  { passkey, challenge }: Signed,
): Promise<boolean> {
  const party = relyingPartyOf(ctx.services.config)
  const credentialId = credentialIdIn(passkey)
  const factors = await verifiedFactorsOf(ctx, id)
  const factor = factors.find((each) => each.credential_id === credentialId)
  if (!party || !factor) return false
  const count = await signedCount(party, { passkey, challenge, factor })
  if (count === null) return false
  const known = factor.sign_count ?? 0
  // Authenticators that do not count always say 0.
  if (count <= known && (count > 0 || known > 0)) {
    const what = `The passkey “${factor.name}” was refused, as its counter went back: it may have been copied. Remove it`
    noticeFactors(ctx, email, { what })
    return false
  }
  const last_used_at = nowText(ctx.services)
  update(ctx, 'factors', { id: factor.id, sign_count: count, last_used_at })
  return true
}
