import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CsvFault, readCsv as readOfSdk, writeCsv } from '../../../sdk/src/results-file/csv.ts'
import { csvOf } from '../../src/query/csv.ts'
import { readCsv } from '../../src/query/read-csv.ts'

const bounds = { rows: 1_000, cells: 1_000, cellBytes: 100_000 }

/** The cells of each row that is not white space alone; null where a quote is broken. */
async function cellsOf(text: string): Promise<string[][] | null> {
  const { rows } = await readCsv(text, bounds)
  if (rows.some(({ isBroken }) => isBroken)) return null
  return rows.map(({ cells }) => cells).filter((cells) => cells.length > 1 || cells[0]?.trim())
}

function cellsOfSdk(text: string): (readonly string[])[] | null {
  try {
    return readOfSdk(text, ',').map(({ cells }) => cells)
  } catch (error) {
    if (error instanceof CsvFault) return null
    throw error
  }
}

/** Texts of the signs that CSV gives a meaning, after a header that both readers split by commas. */
const anyText = fc
  .array(fc.constantFrom('"', '""', ',', '\n', '\r\n', '\r', 'a', 'é'), { maxLength: 30 })
  .map((signs) => `\ufeffa,b,c,d\n${signs.join('')}`)

/** No cell begins with a line end: the server marks such text, as spreadsheets run what follows. */
const cell = fc
  .array(fc.constantFrom('"', ',', '\n', '\r\n', 'a', 'é', '1'), { maxLength: 6 })
  .map((signs) => signs.join(''))
  .filter((text) => !/^[\r\n]/.test(text))
const table = fc
  .array(fc.tuple(cell, cell, cell), { maxLength: 8 })
  .map((rows) => [['a', 'b', 'c'], ...rows])

test('the readers of the server and of the SDK read any text alike', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      expect(await cellsOf(text)).toEqual(cellsOfSdk(text))
    }),
    { numRuns: 2_000 },
  )
})

test('both read what both write', async () => {
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      for (const text of [writeCsv(rows, ','), csvOf(rows)]) {
        expect(await cellsOf(text)).toEqual(rows)
        expect(cellsOfSdk(text)).toEqual(rows)
      }
    }),
    { numRuns: 500 },
  )
})
