/** RFC 5321: maximum length in a path. */
export const maxEmailLength = 254

/** The account of an address: trimmed, in lower case. */
export const accountOf = (email: string): string => email.trim().toLowerCase()
