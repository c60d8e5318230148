import { afterEach, describe, test } from 'vitest'
import { adapterTests } from '../kit/src/adapter-tests.ts'
import { type Opened, opened } from './test/opened.ts'

let all: Opened | undefined

afterEach(() => all?.fake.close())

describe('the adapter of Google Ads', () => {
  test.each(
    adapterTests(async () => {
      all = await opened()
      return all
    }),
  )('$name', ({ run }) => run())
})
