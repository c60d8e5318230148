import { main, type Network } from '../kit/src/connect.ts'
import { addresses, googleAdapter } from './adapter.ts'
import { addressOf, login } from './login.ts'

/** `flightdeck connect google-ads`. */

/** Quota is given by the day: with its results an idle account costs at most twelve queries an hour. */
const pollSeconds = 360

const network: Network = {
  name: 'google-ads',
  pollSeconds,
  options: {
    login: { about: 'gets a refresh token in the browser, into the file of --credentials' },
    'google-ads-url': { value: 'address', about: 'another address of the API, for tests' },
    'oauth-url': { value: 'address', about: 'another issuer of tokens, for tests' },
    'any-host': { about: 'these may be other machines' },
  },
  async open(options) {
    const isAnyHost = options['any-host'] !== undefined
    const addressIn = (name: string, standard: string) =>
      addressOf(name, options[name], { standard, isAnyHost })
    const url = addressIn('google-ads-url', addresses.url)
    return { adapter: googleAdapter({ url, oauthUrl: addressIn('oauth-url', addresses.oauthUrl) }) }
  },
}

export const connect = (args: readonly string[]): Promise<number> =>
  args.includes('--login') ? login(args) : main(network, args)
