/** Default ports of `npm start`, so that the settings of an event app, bookmarks and invitations survive a restart. */
export const defaultPorts = { api: 4400, sandbox: 4401, console: 4402, join: 4403 } as const

/** A server that is opened at one port, and may move to another. */
export interface PreferredPort<Listener> {
  /** Subject of the message, such as `the API`. */
  readonly name: string
  /** Option that sets the port, such as `--api-port`. */
  readonly option: string
  /** Port that the user asked for. @default `preferred`, or a free one if that is in use */
  readonly asked: number | undefined
  readonly preferred: number
  readonly open: (port: number) => Promise<Listener>
  /** Receives the message about another port. */
  readonly report: (line: string) => void
}

/** Codes of ports that another program uses, or that this user may not use. */
const UNAVAILABLE: readonly unknown[] = ['EADDRINUSE', 'EACCES']

/**
 * Opens a server at the port that the user asked for, else at the preferred one, else at a free one.
 * @throws Error when the port that the user asked for is not available
 */
export async function openAtPreferredPort<Listener extends { readonly url: string }>({
  name,
  option,
  asked,
  preferred,
  open,
  report,
}: PreferredPort<Listener>): Promise<Listener> {
  if (asked !== undefined) return open(asked)
  try {
    return await open(preferred)
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
    if (!UNAVAILABLE.includes(code)) throw error
  }
  const listener = await open(0)
  report(`⚠ Port ${preferred} is in use, so ${name} is at ${listener.url} this time. ${option} chooses its port.`)
  return listener
}
