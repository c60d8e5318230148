import { type ColumnOption, type Options, stringify } from 'csv-stringify/sync'

/** The library escapes a sign only as the first character; spreadsheets skip white space before it. */
const hidesFormula = /^\s+[=+\-@＝＋－＠]|^[\t\r\n]/

/** RFC 4180, with formulas escaped as text; lists and objects are JSON. */
const dialect: Options = {
  record_delimiter: 'windows',
  escape_formulas: true,
  cast: {
    boolean: String,
    string: (text) => (hidesFormula.test(text) ? `'${text}` : text),
  },
  quoted_match: /^\s|\s$|[\r\n]/,
}

export const csvOf = (rows: readonly unknown[], columns?: readonly ColumnOption[]): string =>
  stringify([...rows], columns ? { ...dialect, columns } : dialect)
