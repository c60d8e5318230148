import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NetworkFault } from '../../kit/src/connect.ts'
import { isEnum, isMessage, protos } from '../fake/protos.ts'
import { fixes, fixOf } from './fixes.ts'

const guide = join(import.meta.dirname, '../../../docs/guides/google-ads.md')

/** The rows of the guide’s last table: the words of each, and what to do. */
async function rowsOfGuide(): Promise<[string, string][]> {
  const [, table = ''] = (await readFile(guide, 'utf8')).split('## What errors mean')
  const rows = table.split('\n').flatMap((line) => {
    const [, words, fix] = /^\| (`.+?`) \| (.+?) \|$/.exec(line) ?? []
    return words && fix ? [{ words: words.match(/(?<=`)\w+(?=`)/g) ?? [], fix }] : []
  })
  return rows.flatMap(({ words, fix }) => words.map((word): [string, string] => [word, fix]))
}

/** The words of the issuer of tokens, whose fix is in their message: authorize.test.ts has them. */
const ofTokens = ['invalid_grant', 'invalid_client']

test('the guide has each fix in the same words, and no other', async () => {
  const rows = (await rowsOfGuide()).filter(([word]) => !ofTokens.includes(word))
  const said = rows.map(([word, fix]) => [word, fix.replaceAll('`', '')])
  const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  expect(Object.fromEntries(said)).toEqual(
    Object.fromEntries(Object.entries(fixes).map(([word, fix]) => [word, capital(fix)])),
  )
  expect(said).toHaveLength(Object.keys(fixes).length)
  expect((await rowsOfGuide()).map(([word]) => word)).toEqual(expect.arrayContaining(ofTokens))
})

/** Reasons of `google.rpc.ErrorInfo`, which all APIs of Google have; the definition does not list them. */
const ofAllApis = ['SERVICE_DISABLED', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT']

test('each word is one of the definition', () => {
  const type = protos().lookup('google.ads.googleads.v25.errors.ErrorCode')
  if (!isMessage(type)) throw new Error('it is no message')
  const words = new Set(
    type.fieldsArray.flatMap((field) => {
      const { resolvedType } = field.resolve()
      return isEnum(resolvedType) ? Object.keys(resolvedType.values) : []
    }),
  )
  expect(
    Object.keys(fixes)
      .filter((word) => !words.has(word))
      .toSorted(),
  ).toEqual(ofAllApis.toSorted())
})

test('a fault is said with its fix, and one without as it is', () => {
  const fault = (subcode: string) =>
    new NetworkFault('credential', 'No.', { network: { code: 'x', subcode } })
  expect(fixOf(fault('CUSTOMER_NOT_FOUND'))).toBe(
    'No. Fix: check the account_ref of the profile: ten digits.',
  )
  expect(fixOf(fault('NEW_WORD'))).toBe('No.')
  expect(() => fixOf(new Error('ours'))).toThrow('ours')
})
