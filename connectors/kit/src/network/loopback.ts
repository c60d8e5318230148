/** Whether the host of an address is this machine, by its literal address or as `localhost`. */
export function isLoopback(address: string | URL): boolean {
  const { hostname } = new URL(address)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}
