import { enums } from '../api.gen.ts'
import { words } from '../ui/status.tsx'

export type Choice = { value: string; name: string }

/** Names that are not made of the value's words. */
const names: Readonly<Record<string, string>> = {
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
  http: 'HTTP',
  https: 'HTTPS',
  socks5: 'SOCKS5',
}

export const nameOf = (value: string): string => names[value] ?? words(value)

/** The values of an enum of the API, to choose from. */
export const choicesOf = (schema: keyof typeof enums): readonly Choice[] =>
  enums[schema].map((value) => ({ value, name: nameOf(value) }))
