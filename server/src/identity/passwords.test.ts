import { expect, test } from 'vitest'
import { passwordHasher } from './passwords.ts'

const { hash, verify } = passwordHasher()
const lane = 'known login'

test('a password is hashed with argon2id, salted, and found right or wrong', async () => {
  const stored = await hash('correct horse', lane)
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await hash('correct horse', lane)).not.toBe(stored)
  expect(await verify('correct horse', stored, lane)).toBe(true)
  expect(await verify('battery staple', stored, lane)).toBe(false)
  expect(await verify('correct horse', undefined, lane)).toBe(false)
})

test('a password is the same however its accents are composed', async () => {
  const stored = await hash('caf\u00e9 au lait', lane)
  expect(await verify('cafe\u0301 au lait', stored, lane)).toBe(true)
})
