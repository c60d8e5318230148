import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { isTest, type Source, sourcesOf } from '../../server/test/support/sources.ts'

let sheets: Source[]
let scripts: Source[]

beforeAll(async () => {
  sheets = await sourcesOf('console/src/**/*.module.css')
  const all = await sourcesOf('console/src/**/*.{ts,tsx}')
  scripts = all.filter(({ path }) => !isTest(path))
})

/** `ui/bar.module.css .warn`, for each class that has a rule. */
const ruled = ({ path, text }: Source): string[] => {
  const selectors = text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/\{[^{}]*\}/g, '')
  return [...selectors.matchAll(/\.([a-z]\w*)/gi)].map(([, name = '']) => `${path} .${name}`)
}

const imported = /^import (\w+) from '([^']+\.module\.css)'/gm

/** The classes that a script names: all whose names are texts somewhere, where it computes them. */
function named({ path, text }: Source): string[] {
  return [...text.matchAll(imported)].flatMap(([, styles = '', from = '']) => {
    const sheet = join(dirname(path), from)
    const names = [...text.matchAll(RegExp(`\\b${styles}\\.(\\w+)`, 'g'))].map(([, it]) => it)
    const computed = text.includes(`${styles}[`) ? texts() : []
    return [...names, ...computed].map((name) => `${sheet} .${name}`)
  })
}

const texts = () => scripts.flatMap(({ text }) => text.match(/(?<=')[a-z]+(?=')/g) ?? [])

test('each class of a style sheet is used', () => {
  const used = new Set(scripts.flatMap(named))
  expect(sheets.flatMap(ruled).filter((each) => !used.has(each))).toEqual([])
})

test('each class that a component names has a rule', () => {
  const rules = new Set(sheets.flatMap(ruled))
  const plain = scripts.filter(({ text }) => !/\bstyles\[/.test(text))
  expect(plain.flatMap(named).filter((each) => !rules.has(each))).toEqual([])
})
