import type { Command } from 'commander'
import { clientOf } from '../account/session.ts'
import { UsageError } from '../faults.ts'
import { clean } from '../output/clean.ts'

type Known = { code: string; status: number; title: string; cause: string; fix: string }

/** What the service says of an error code. */
export async function explainCode(command: Command, code: string): Promise<void> {
  const { client, url } = await clientOf(command)
  const { data } = await client.request<{ data: Known[] }>('GET', '/reference/errors')
  const found = data.find((each) => each.code === code)
  if (!found) throw new UsageError(`"${clean(code)}" is no error code of ${url}.`)
  const { status, title, cause, fix } = found
  for (const line of [`${code} (${status}): ${title}.`, cause, `What to do: ${fix}`]) {
    process.stdout.write(`${clean(line)}\n`)
  }
}
