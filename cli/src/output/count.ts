const plurals: Readonly<Record<string, string>> = { proxy: 'proxies' }

/** "1 campaign", "2 campaigns". */
export const count = (number: number, thing: string): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? thing : (plurals[thing] ?? `${thing}s`)}`
