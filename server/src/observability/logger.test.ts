import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLogger } from './logger.ts'

test('a lost connection is logged with its error only, not with the state of its client', () => {
  const directory = mkdtempSync(join(tmpdir(), 'logger-'))
  const path = join(directory, 'log')
  const fd = openSync(path, 'a')
  const logger = openLogger('info', { fd } as NodeJS.WriteStream & { fd: number })
  const err = Object.assign(new Error('cut off'), { code: '57P01', client: { user: 'telltale' } })
  logger.warn({ err }, 'queue error')
  closeSync(fd)
  const line = JSON.parse(readFileSync(path, 'utf8'))
  rmSync(directory, { recursive: true })
  expect(line).toMatchObject({
    msg: 'queue error',
    err: { message: 'cut off', code: '57P01' },
  })
  expect(JSON.stringify(line)).not.toContain('telltale')
})
