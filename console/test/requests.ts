import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const directory = join(import.meta.dirname, '../../coverage')

/** The file of requests by the pages of the last run: a method and a path a line. */
export const requestsFile = join(directory, 'console-requests.txt')

export function beginRequests(): void {
  mkdirSync(directory, { recursive: true })
  rmSync(requestsFile, { force: true })
}

export const keepRequests = (requests: ReadonlySet<string>): void =>
  appendFileSync(requestsFile, [...requests, ''].join('\n'))
