/** RFC 5321: what fits into a path. */
export const longestEmail = 254

/** The account that an address names: whatever its case is, and with blanks around it. */
export const accountOf = (email: string): string => email.trim().toLowerCase()
