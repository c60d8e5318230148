import { readFile, rename, writeFile } from 'node:fs/promises'
import { emptyState, type SimState } from './state.ts'

/** Keeps a network in a file, so that it is the same after a restart. */

export async function readState(path: string): Promise<SimState> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return emptyState()
  const { accounts, ...others } = JSON.parse(text)
  const opened = accounts.map(({ campaigns, ...account }: StoredAccount) => [
    account.id,
    { ...account, campaigns: new Map(campaigns.map((each) => [each.id, each])) },
  ])
  return { ...others, accounts: new Map(opened) }
}

type StoredAccount = { id: string; campaigns: { id: string }[] }

/** Whole or not at all: a process may be killed while it writes. */
export async function writeState(path: string, state: SimState): Promise<void> {
  const accounts = [...state.accounts.values()].map((account) => ({
    ...account,
    campaigns: [...account.campaigns.values()],
  }))
  const scratch = `${path}.${process.pid}`
  await writeFile(scratch, JSON.stringify({ ...state, accounts }), { mode: 0o600 })
  await rename(scratch, path)
}
