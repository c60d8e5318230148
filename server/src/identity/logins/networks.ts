import ipaddr from 'ipaddr.js'

/** Addresses in the same IPv4 /24 or IPv6 /48 count as one network. */
export const networkOf = (address: string): string => shortened(address, { four: 24, six: 48 })

/** A single IPv6 host controls a whole /64; an IPv4 address is one host, however it is written. */
export const hostOf = (address: string): string => shortened(address, { four: 32, six: 64 })

type Bits = { four: number; six: number }

function shortened(text: string, { four, six }: Bits): string {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv4) {
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${four}`)}/${four}`
  }
  // A zone names a local interface.
  const plain = new ipaddr.IPv6(address.parts)
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${plain}/${six}`)}/${six}`
}
