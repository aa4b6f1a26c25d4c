import { isIP } from 'node:net'

export interface RtmpAddress {
  readonly isSecure: boolean
  readonly host: string
  readonly port: number
  /** Application: the path of the URL, with its query. */
  readonly app: string
  readonly url: string
}

const PORTS = { 'rtmp:': 1935, 'rtmps:': 443 } as const

/** Reads `rtmp://host[:port]/app` or `rtmps://…`. Returns undefined for another URL, or one without a host. */
export function readRtmpUrl(url: string): RtmpAddress | undefined {
  const parsed = URL.parse(url)
  if (!parsed?.hostname || (parsed.protocol !== 'rtmp:' && parsed.protocol !== 'rtmps:')) return undefined
  const { protocol, hostname, port, pathname, search } = parsed
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (!isIP(host) && !/^[\w.-]+$/.test(host)) return undefined
  return {
    isSecure: protocol === 'rtmps:',
    host,
    port: Number(port) || PORTS[protocol],
    app: `${pathname.slice(1)}${search}`,
    url,
  }
}
