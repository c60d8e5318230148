/** The base URL without a slash at its end, or a `TypeError` that says what is wrong with it. */
export function checkedBaseUrl(given: unknown): string {
  const fault = faultOf(given)
  if (fault !== null) {
    throw new TypeError(`baseUrl ${fault}: give one such as "https://ads.example.com/api/v1"`)
  }
  return withoutSlashes(String(given).trim())
}

function faultOf(given: unknown): string | null {
  if (given === undefined || given === null || given === '') return 'is missing'
  if (typeof given !== 'string') return `is not text but ${typeof given}`
  const shown = JSON.stringify(given)
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return `${shown} is no http or https URL`
  // `fetch` refuses these, and the text is likely to be logged: it is not repeated.
  if (url.username !== '' || url.password !== '') return 'has a user name or password'
  if (url.search !== '' || url.hash !== '') return `${shown} goes on after its path`
  return null
}

/** A loop: a regular expression would take quadratic time. */
function withoutSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}
