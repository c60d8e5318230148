import { type Client, clientOf, type World } from './world.ts'

type NewKey = {
  name?: string
  role?: string
  scope?: object
  expires_at?: string | null
  agent?: object
}

export type MadeKey = { id: string; key: string; client: Client }

/** An API key made by this client, and a client that uses it. */
export async function madeKey(world: World, maker: Client, fields: NewKey = {}): Promise<MadeKey> {
  const reply = await maker.post('/api_keys', { name: 'Reporting', role: 'admin', ...fields })
  if (reply.statusCode !== 201) throw new Error(`no key: ${reply.body}`)
  const { id, key } = reply.json()
  return { id, key, client: withKey(world, key) }
}

export const withKey = ({ app }: World, key: string): Client =>
  clientOf(app, { token: key, userId: '', email: '' })
