import { enums } from '../api.gen.ts'
import { words } from './words.ts'

/** A null value is a choice too: none of the others. */
export type Choice<Value extends string | null = string> = { value: Value; name: string }

/** Names that are not made of the value's words. */
const names: Readonly<Record<string, string>> = {
  start_at: 'Start',
  end_at: 'End',
  api_key: 'API key',
  api_keys: 'API keys',
  api: 'API',
  dns: 'DNS',
  tls: 'TLS',
  google_ads: 'Google Ads',
  meta: 'Meta',
  tiktok: 'TikTok',
  linkedin: 'LinkedIn',
  amazon_ads: 'Amazon Ads',
  microsoft_ads: 'Microsoft Ads',
  x: 'X',
  sim: 'Simulated network',
  http: 'HTTP',
  https: 'HTTPS',
  socks5: 'SOCKS5',
}

export const nameOf = (value: string): string => names[value] ?? words(value)

type Enums = typeof enums
const known: { readonly [Schema in keyof Enums]: readonly Enums[Schema][number][] } = enums

/** The values of an enum of the API, to choose from. */
export function choicesOf<Schema extends keyof Enums>(schema: Schema) {
  const values = known[schema]
  return values.map((value): Choice<Enums[Schema][number]> => ({ value, name: nameOf(value) }))
}
