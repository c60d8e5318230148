/** Unsent edits, kept over a reload. */

/** The values of a form, by field. */
export type FormValues = Readonly<Record<string, unknown>>
type Draft = { version: number | null; changes: FormValues }

const prefix = 'flightdeck draft '

export function readDraft(key: string | null, version: number | null): FormValues | null {
  if (key === null) return null
  try {
    const { version: based, changes }: Draft = JSON.parse(localStorage.getItem(prefix + key) ?? '')
    return based === version || version === null ? changes : null
  } catch {
    return null
  }
}

export function keepDraft(key: string, draft: Draft | null): void {
  try {
    if (draft) localStorage.setItem(prefix + key, JSON.stringify(draft))
    else localStorage.removeItem(prefix + key)
  } catch {
    // A full or forbidden storage loses the draft over a reload, and nothing else.
  }
}

/** Forgets all unsent edits: another person logs in. */
export function forgetDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(prefix)) localStorage.removeItem(key)
  }
}
