/** Reads the files that networks export, and reports the days in them. */

export type { Decimal } from './results-file/amounts.ts'
export type { CampaignFacts } from './results-file/campaigns.ts'
export {
  asidesOf,
  type Checked,
  checkRows,
  type Day,
  formatsIn,
  type Reading,
  type RowFault,
  type Skipped,
} from './results-file/check.ts'
export { type DateFormat, dateFormats, isDateFormat } from './results-file/days.ts'
export { type Columns, type Field, fields, isField, lackingIn } from './results-file/fields.ts'
export { columnsIn } from './results-file/header.ts'
export {
  type Counts,
  type Report,
  type Sent,
  storeResults,
  type Trial,
  tryResults,
} from './results-file/import.ts'
export {
  likelierHeader,
  openResults,
  type ResultsFile,
  ResultsFileFault,
} from './results-file/open.ts'
export { type Network, networks, presets } from './results-file/presets.ts'
export { rejectedCsv } from './results-file/rejected.ts'
