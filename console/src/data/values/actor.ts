import { nameOf } from '../choices.ts'

/** Null where an agent reads, which sees no people. */
type Actor = { type: string; name: string | null } | null

/**
 * The name by which people know an actor. The account of a machine and the part of the service that
 * acts say nothing to them; the audit log has both.
 */
export function actorText(actor: Actor): string {
  if (!actor) return 'A person'
  const { type, name } = actor
  if (type === 'cli') return 'The command line'
  return type === 'system' ? 'Flightdeck' : (name ?? nameOf(type))
}

/** `by Ada Lovelace`, within a sentence. */
export const byActor = (actor: Actor): string =>
  `by ${actor?.type === 'cli' ? 'the command line' : actorText(actor)}`
