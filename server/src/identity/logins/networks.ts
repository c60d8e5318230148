import ipaddr from 'ipaddr.js'

/** Whose addresses change within these are the same to us: IPv4 /24, IPv6 /48. */
export const networkOf = (address: string): string => shortened(address, { four: 24, six: 48 })

/** Who has one IPv6 address has the 2⁶⁴ of its network; an IPv4 address is one, however it is written. */
export const hostOf = (address: string): string => shortened(address, { four: 32, six: 64 })

type Bits = { four: number; six: number }

function shortened(text: string, { four, six }: Bits): string {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) {
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${four}`)}/${four}`
  }
  // A zone names an interface of this machine.
  const plain = new ipaddr.IPv6(address.parts)
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${plain}/${six}`)}/${six}`
}
