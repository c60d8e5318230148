import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { run } from '../support/machines/command-line.ts'

test.each([[['--help']], [['users', '--help']], [['status', '--help']]])(
  '%j ends with the environment, the exit codes and where the documents are, once',
  async (words) => {
    const { code, stdout } = await run(tmpdir(), words)
    expect(code).toBe(0)
    for (const part of ['Environment: FLIGHTDECK_', 'Exit codes:  0 success', 'Docs:        docs/'])
      expect(stdout.split(part)).toHaveLength(2)
  },
)

test('listen prints one JSON value per event, other commands one', async () => {
  const listen = await run(tmpdir(), ['listen', '--help'])
  expect(listen.stdout).toContain('one JSON value per event')
  const orgs = await run(tmpdir(), ['orgs', 'list', '--help'])
  expect(orgs.stdout).toContain('print one JSON value on')
})
