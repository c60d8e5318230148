/** Headers that a browser sends with a POST of the service's own page, to the host of `app.inject()`. */
export const fromOwnPage = { origin: 'http://localhost:80', 'sec-fetch-site': 'same-origin' }
