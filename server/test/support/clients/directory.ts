import { madeKey } from '../api-keys.ts'
import type { Client, Reply, World } from '../world.ts'

/** A directory: what it sends is what its maker has documented, whatever this service would like. */
export type Directory = {
  id: string
  key: string
  client: Client
  get(path: string): Promise<Reply>
  post(path: string, body: object): Promise<Reply>
  put(path: string, body: object): Promise<Reply>
  patch(path: string, ...operations: object[]): Promise<Reply>
  delete(path: string): Promise<Reply>
}

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** A directory with a key of its own, made by this person. */
export async function directoryOf(world: World, maker: Client): Promise<Directory> {
  const made = await madeKey(world, maker, { name: 'Directory', role: 'provisioner' })
  return { ...made, ...callsOf(world, made.key) }
}

/** The calls of SCIM with any bearer token. */
export function callsOf({ app }: World, token: string | null) {
  const send = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    app.inject({
      method,
      url: path.startsWith('/scim') ? path : `/scim/v2${path}`,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/scim+json' }),
      },
      ...(body && { payload: JSON.stringify(body) }),
    })
  return {
    get: (path: string) => send('GET', path),
    post: (path: string, body: object) => send('POST', path, body),
    put: (path: string, body: object) => send('PUT', path, body),
    patch: (path: string, ...operations: object[]) =>
      send('PATCH', path, { schemas: [patchOp], Operations: operations }),
    delete: (path: string) => send('DELETE', path),
  }
}
