/** Sends requests of a browser that has logged in to the console. */
export type ConsolePage = (path: string, init?: RequestInit) => Promise<Response>

/**
 * Logs in at the console as a browser does by its first visit.
 * @param address as `npm start` prints it, token included
 */
export async function visitConsole(address: string): Promise<ConsolePage> {
  const visit = await fetch(address)
  const [cookie = ''] = (visit.headers.get('set-cookie') ?? '').split(';')
  const { origin } = new URL(address)
  return (path, init = {}) => fetch(origin + path, { ...init, headers: { ...init.headers, cookie } })
}
