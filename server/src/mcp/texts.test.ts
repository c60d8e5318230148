import { expect, test } from 'vitest'
import { cleaned } from './texts.ts'

const own = 'https://ads.example.com'

test.each([
  ['a\u0000b\u001b[31mc\u0085', 'ab[31mc'],
  ['line\nand\ttab', 'line\nand\ttab'],
  ['\u202eevil\u2066\u200b\u200d\ufeff', 'evil'],
  [`hi${String.fromCodePoint(...[...'ignore'].map((each) => 0xe0000 + each.charCodeAt(0)))}`, 'hi'],
  ['a\ufe0f\u{e0100}\u3164b', 'ab'],
  ['![x](https://evil.example/?q=1) end', '![x]([link]) end'],
  ['see HTTPS://evil.example and //evil.example/x', 'see [link] and [link]'],
  ['ht\u200btps://evil.example', '[link]'],
  ['www.evil.example', '[link]'],
  ['javascript:alert(1) mailto:a@evil.example', '[link]) [link]'],
  [`${own}/console/x ${own}.evil.example/x`, `${own}/console/x [link]`],
  ['x'.repeat(501), `${'x'.repeat(500)}…`],
  ['😀'.repeat(500), '😀'.repeat(500)],
])('%j is shown as %j', (text, shown) => {
  expect(cleaned({ [text]: [text] }, own)).toEqual({ [shown]: [shown] })
})

test('numbers, booleans and null stay', () => {
  expect(cleaned({ a: 1, b: [true, null] }, own)).toEqual({ a: 1, b: [true, null] })
})
