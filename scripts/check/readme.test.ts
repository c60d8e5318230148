import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../run.ts'

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const [, picture = '', introduction = ''] = readme.split('\n\n')

test('it opens with a picture of the console', () => {
  const [, file = ''] = /^!\[.+\]\((docs\/pictures\/\w+\.png)\)$/.exec(picture) ?? []
  expect(readFileSync(join(root, file)).length).toBeLessThan(150_000)
})

test('its second sentence says what it is not', () => {
  const [, second] = introduction.replaceAll('\n', ' ').split(/(?<=\.) /)
  expect(second).toMatch(/does not talk to Meta, Google or any network itself: .{1,80} do\.$/)
})

test('its first screen says how to start it and how to test it', () => {
  const screen = readme.split('\n').slice(0, 30).join('\n')
  expect(screen).toContain('```sh\nnpm ci && npm start\n```')
  expect(screen).toContain('```sh\nnpm ci && npm test\n```')
})

test('it promises no more than there is, in at most 1,000 words', () => {
  expect(readme.split(/\s+/).length).toBeLessThanOrEqual(1000)
  expect(introduction).toContain('tamper-evident')
  expect(readme).not.toContain('cannot be rewritten')
  expect(readme).toContain('nothing is sent through them')
})
