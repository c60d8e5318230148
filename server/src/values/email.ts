/** RFC 5321: maximum length in a path. */
export const maxEmailLength = 254

/** As bodies are validated. */
export const isEmail = (text: string): boolean =>
  text.length <= maxEmailLength && emailForm.test(text)

const emailForm =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i

/** The account of an address: trimmed, in lower case. */
export const accountOf = (email: string): string => email.trim().toLowerCase()
