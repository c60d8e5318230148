const shortest = 3

/** Takes secrets out of texts. */
export type Redact = (text: string) => string

export function redactionOf(secrets: Iterable<string>): Redact {
  const known = [...new Set(secrets)]
    .filter((each) => each.length >= shortest)
    .toSorted((a, b) => b.length - a.length)
  return (text) => known.reduce((safe, secret) => safe.replaceAll(secret, '[redacted]'), text)
}
