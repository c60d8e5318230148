import { type MadeKey, madeKey } from '../api-keys.ts'
import type { TestOrganization, World } from '../world.ts'

export type Terms = { apply: string; envelope_24h?: Record<string, number> }

/** An agent's key, made by the owner. */
export const agentOf = (
  world: World,
  { owner }: TestOrganization,
  agent: Terms = { apply: 'approved' },
  more: { scope?: object } = {},
): Promise<MadeKey> => madeKey(world, owner, { name: 'Desk agent', role: 'editor', agent, ...more })
