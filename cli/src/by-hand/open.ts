import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { placeOf } from '../account/session.ts'
import { UsageError } from '../faults.ts'

/** Paths of the console, by the prefix of an id. */
const paths: Readonly<Record<string, string>> = {
  cmp: '/campaigns/',
  prf: '/profiles/',
  cli: '/clients/',
  prx: '/proxies/',
  tpl: '/templates/',
  chs: '/change-sets/',
  whk: '/webhooks/',
}

/** Prints the address, and on a terminal opens it in the browser. */
export async function openInConsole(command: Command, id: string): Promise<void> {
  const path = paths[id.split('_')[0] ?? '']
  if (!path || !/^[a-z]+_[0-9a-z]+$/.test(id)) {
    throw new UsageError(`"${id}" is no id of an object with a page of its own.`)
  }
  const { url } = await placeOf(command)
  const address = `${url}/console${path}${id}`
  process.stdout.write(`${address}\n`)
  if (process.stdout.isTTY) start(address)
}

function start(address: string): void {
  const program = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open'
  const child = spawn(program, [address], { detached: true, stdio: 'ignore' })
  // Without a browser the printed address is all.
  child.on('error', () => {})
  child.unref()
}
