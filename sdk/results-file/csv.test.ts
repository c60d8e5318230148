import { expect, test } from 'vitest'
import { CsvFault, type Delimiter, readCsv, writeCsv } from '../src/results-file/csv.ts'

const cellsOf = (text: string, delimiter: Delimiter = ',') =>
  readCsv(text, delimiter).map(({ cells }) => cells)

test.each<[string, string[][], Delimiter?]>([
  [
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '\ufeffa;b\n"1,5";2',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
    ';',
  ],
  [
    'a\tb\n1\t',
    [
      ['a', 'b'],
      ['1', ''],
    ],
    '\t',
  ],
  [
    'a,b\n\n"say ""hi""","two\nlines"\n',
    [
      ['a', 'b'],
      ['say "hi"', 'two\nlines'],
    ],
  ],
  [
    'a,b\n,\n',
    [
      ['a', 'b'],
      ['', ''],
    ],
  ],
  ['', []],
])('%j is read', (text, rows, delimiter) => {
  expect(cellsOf(text, delimiter)).toEqual(rows)
})

test('what is written reads the same', () => {
  const rows = [
    ['a;b', 'say "hi"', 'two\nlines'],
    ['', '1,5', '\t'],
  ]
  expect(cellsOf(writeCsv(rows, ';'), ';')).toEqual(rows)
})

test('rows know their line, also after cells of several lines', () => {
  const rows = readCsv('a,b\n"1\n2",x\n\n3,4', ',')
  expect(rows.map(({ line }) => line)).toEqual([1, 2, 5])
})

test.each([
  ['a,b\n"1', 2, 'never closed'],
  ['a,b\n1,2\n"x"y,1', 3, 'after a closing quote'],
])('%j is refused', (text, line, message) => {
  expect(() => readCsv(text, ',')).toThrow(CsvFault)
  expect(() => readCsv(text, ',')).toThrow(expect.objectContaining({ line }))
  expect(() => readCsv(text, ',')).toThrow(message)
})
