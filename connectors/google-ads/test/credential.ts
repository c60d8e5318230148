/** The account and the credential of tests, as the fake has them. */

export const customerId = '1234567890'

export const credential = JSON.stringify({
  client_id: 'client-1',
  client_secret: 'secret-1',
  refresh_token: 'refresh-1',
})
