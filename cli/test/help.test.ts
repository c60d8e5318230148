import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { optionsOf } from '../src/api/command.ts'
import { made } from '../src/operations.ts'
import { clean } from '../src/output/clean.ts'
import { programFor } from '../src/program.ts'

const commands = Object.entries(made.commands).flatMap(([resource, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ resource, verb, operation })),
)

function helpOf(words: readonly string[]): string {
  const program = programFor(words)
  const found = words.reduce(
    (group, word) => group.commands.find((each) => each.name() === word) ?? group,
    program,
  )
  return found.helpInformation()
}

describe('the help of every command', () => {
  test.each(commands)('$resource $verb fits a screen, with an example of flags it has', (each) => {
    const { resource, verb, operation } = each
    const help = helpOf([resource, verb])
    expect(help.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
    const example = operation.example.split(' ').filter((word) => word.startsWith('--'))
    const known = [
      ...Object.keys(operation.flags).map((word) => `--${word}`),
      ...optionsOf(operation).map(([option]) => option.split(' ')[0]),
    ]
    expect(known).toEqual(expect.arrayContaining(example))
    expect(new Set(known).size).toBe(known.length)
  })
})

test('every operation of the API is a command, but for those of connectors and logins', async () => {
  const document = JSON.parse(
    await readFile(join(import.meta.dirname, '../../openapi.json'), 'utf8'),
  )
  const left =
    /^\/connector|^\/auth\/(login|login\/verify|passkey\/options|passkey\/verify|login_code\/claim|logout|refresh|me)$/
  const expected = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => !left.test(path) && !(method === 'put' && 'patch' in methods))
      .map((method) => `${method.toUpperCase()} ${path}`)
      .filter((operation) => operation !== 'POST /auth/login_code'),
  )
  const found = commands.map(({ operation: { method, path } }) => `${method} ${path}`)
  expect(found.sort()).toEqual(expected.sort())
})

test('text of others steers no terminal', () => {
  expect(clean('a\u001b[31m\u202eb\r\nc\u009b')).toBe('a [31m b  c ')
})
