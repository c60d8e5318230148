/** Texts that the worlds of tests find in DNS, by the domain. */
export const txtRecords = new Map<string, readonly string[]>()
