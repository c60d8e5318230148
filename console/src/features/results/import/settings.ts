export type Settings = {
  source: string
  date_format: string | null
  decimal: '.' | ',' | null
  is_final: boolean
  additional: boolean
}

export const initial: Settings = {
  source: '',
  date_format: null,
  decimal: null,
  is_final: false,
  additional: false,
}
