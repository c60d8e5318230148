import type { Cipher } from '../../../crypto/cipher.ts'
import { type SealedTable, sealedFor } from '../../../crypto/sealed-table.ts'
import { nameFaults, storedUrl, urlFaults } from '../../../delivery/target.ts'
import type { Services } from '../../../kernel/context.ts'
import { hasMail } from '../../../mail/post.ts'
import { type Fault, fault } from '../../../problems/fault.ts'
import { accountOf, maxEmailLength } from '../../../values/email.ts'
import type { ChannelKind } from '../resource.ts'

/** The target of a channel, and the secret that signs. */
export type Reach = { readonly target: string; readonly secret: string | null }

/** Bound to the channel, so that ciphertexts cannot be swapped. */
const purposeOf = (id: string) => `notification_channels.content ${id}`

export const sealReach = (cipher: Cipher, id: string, reach: Reach): string =>
  cipher.seal(JSON.stringify(reach), purposeOf(id))

export const openReach = (
  cipher: Cipher,
  { id, content }: { id: string; content: string },
): Reach => JSON.parse(cipher.open(content, purposeOf(id)))

export const sealedChannels: SealedTable = {
  table: 'notification_channels',
  key: { organization_id: 'text', id: 'text' },
  columns: { content: sealedFor(({ id }) => purposeOf(String(id))) },
}

const secretly = { pointer: '/target', isSecret: true }

const unaddressed = /[\s<>,;:"()[\]\\]/

/** Says whether a text is one address, and nothing that a header would read as more. */
function isAddress(text: string): boolean {
  const [local = '', domain = '', ...more] = text.split('@')
  const isDomain = domain.includes('.') && !domain.startsWith('.') && !domain.endsWith('.')
  return local !== '' && isDomain && more.length === 0 && !unaddressed.test(text)
}

/** Every reason to refuse this target that shows without resolving its name. It is not echoed. */
export function targetFaults(kind: ChannelKind, target: string, services: Services): Fault[] {
  if (kind !== 'email') return urlFaults(target, services, secretly)
  if (!hasMail(services)) {
    return [fault('/kind', 'invalid_enum_value', 'needs a mail server, which the operator sets up')]
  }
  const fits = target.length <= maxEmailLength && isAddress(target.trim())
  return fits ? [] : [fault('/target', 'invalid_format', 'must be an email address')]
}

/** Faults of the addresses that its name resolves to. */
export const resolvedFaults = (
  kind: ChannelKind,
  target: string,
  services: Services,
): Promise<Fault[]> =>
  kind === 'email' ? Promise.resolve([]) : nameFaults(target, services, secretly)

export const storedTarget = (kind: ChannelKind, target: string): string =>
  kind === 'email' ? accountOf(target) : storedUrl(target)

/** The part of it that everyone may see. */
export function shownTarget(kind: ChannelKind, target: string): string {
  if (kind !== 'email') return URL.parse(target)?.origin ?? ''
  const [local = '', domain = ''] = accountOf(target).split('@')
  return `${[...local][0] ?? ''}…@${domain}`
}
