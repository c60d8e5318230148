import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { clientOf } from '../../account/session.ts'
import { printFile } from '../../api/streams.ts'
import { UsageError } from '../../faults.ts'
import { clean } from '../../output/clean.ts'
import { count } from '../../output/count.ts'
import { confirm, readInput } from '../../terminal.ts'
import { doneText, perform } from '../apply/perform.ts'
import type { ChangeSet } from '../plan/trial.ts'
import { approvalText, spendLines } from '../show/words.ts'
import { queryOf } from './export.ts'

/** Prints campaigns as a spreadsheet. */
export async function exportCsv(
  command: Command,
  { filter = [] }: { filter?: readonly string[] },
): Promise<void> {
  const query = { ...queryOf(filter), format: 'csv' }
  const { client } = await clientOf(command)
  const answer = await client.request<Response>('GET', '/campaigns/export', { query, raw: true })
  await printFile(answer)
}

type Given = { title?: string; yes?: boolean; json?: boolean; reason?: string }

/**
 * Shows what a spreadsheet changes, asks, and applies it as a change set. A blank cell leaves a field
 * as it is, `[]` clears it.
 */
export async function importCsv(command: Command, path: string, given: Given): Promise<void> {
  const csv = path === '-' ? await readInput() : await textOf(path)
  const { client, url } = await clientOf(command)
  const { title, reason, json } = given
  const propose = (more: object) =>
    client.request<ChangeSet>('POST', '/change_sets/from_csv', {
      query: { ...(title !== undefined && { title }), source: 'cli', ...more },
      csv,
    })
  const tried = await propose({ validate_only: true })
  if (!json) process.stdout.write(aboutText(tried))
  if (!tried.applicable) {
    process.exitCode = 1
    return
  }
  if (tried.summary.unchanged === tried.operation_count) return
  if (!given.yes) await confirm(`Apply ${count(tried.operation_count, 'row')}?`)
  const on = { client, url, reason, override: undefined }
  const { changeSet, waits } = await perform(await propose({}), on)
  if (waits) process.exitCode = 5
  if (json) process.stdout.write(`${JSON.stringify({ change_sets: [changeSet] }, null, 2)}\n`)
  else if (!waits) process.stdout.write(`${doneText(changeSet)}\n`)
}

const textOf = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new UsageError(`${path} cannot be read.`)
  })

function aboutText({ summary, spend_delta, approval, failures = [] }: ChangeSet): string {
  const counts = Object.entries(summary)
    .filter(([, number]) => number > 0)
    .map(([name, number]) => `${number} ${name}`)
  const lines = [
    ...failures.map(({ index, problem }) => `! row ${index}: ${problem.detail} (${problem.code})`),
    `${counts.join(', ')}.`,
    ...spendLines({ spend_delta }),
    ...(approval.required ? [approvalText(approval)] : []),
  ]
  return lines.map((line) => `${clean(line)}\n`).join('')
}
