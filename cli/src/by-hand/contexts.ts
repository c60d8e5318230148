import { httpUrl } from '../account/session.ts'
import { readContexts, writeContexts, writeToken } from '../account/store.ts'
import { UsageError } from '../faults.ts'

const names = /^[a-z0-9][\w.:/-]{0,99}$/i

export async function add(name: string, address: string): Promise<void> {
  if (!names.test(name)) throw new UsageError('A name has letters, digits, and . - _ only.')
  const { contexts } = await readContexts()
  if (contexts[name]) throw new UsageError(`There is a context "${name}" already.`)
  await writeContexts({
    current: name,
    contexts: { ...contexts, [name]: { url: httpUrl(address) } },
  })
}

export async function use(name: string): Promise<void> {
  const { contexts } = await known(name)
  await writeContexts({ current: name, contexts })
}

export async function list(): Promise<void> {
  const { current, contexts } = await readContexts()
  for (const [name, { url }] of Object.entries(contexts)) {
    process.stdout.write(`${name === current ? '*' : ' '} ${name}\t${url}\n`)
  }
}

async function remove(name: string): Promise<void> {
  const { current, contexts } = await known(name)
  const { [name]: _, ...others } = contexts
  await writeToken(name, null)
  await writeContexts({ current: current === name ? null : current, contexts: others })
}

export { remove as delete }

async function known(name: string) {
  const all = await readContexts()
  if (!all.contexts[name]) throw new UsageError(`There is no context "${name}".`)
  return all
}
