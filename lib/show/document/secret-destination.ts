import { z } from 'zod'

/** Returns the key of a secret's JSON that lists the destinations of another key. */
export const destinationsKeyOf = (key: string): string => `${key}.for`

const FORM =
  'must be a server such as rtmps://a.rtmps.youtube.com/, sips:example.com or https://app.example.com/, without user, query and fragment'

/** One of a secret's destinations: scheme and host, port and path, or a SIP address, and all below. `http` covers `https` too. */
export const secretDestination = z
  .string()
  .max(2_048)
  .refine((text) => readBinding(text) !== undefined, FORM)

interface Destination {
  /** The unencrypted scheme: `rtmp` also for `rtmps`. */
  readonly kind: string
  readonly isEncrypted: boolean
  /** User of a SIP address; empty for any user of the host. */
  readonly user: string
  readonly host: string
  /** Empty for the default port. */
  readonly port: string
  /** Ends with a slash. */
  readonly path: string
}

/** Returns true when a value that is bound to `binding` may be sent to `url`. */
export function covers(binding: string, url: string): boolean {
  const bound = readBinding(binding)
  const asked = read(url)
  if (!bound || !asked) return false
  return (
    bound.kind === asked.kind &&
    (asked.isEncrypted || !bound.isEncrypted) &&
    (bound.user === '' || bound.user === asked.user) &&
    bound.host === asked.host &&
    bound.port === asked.port &&
    asked.path.startsWith(bound.path)
  )
}

function readBinding(text: string): Destination | undefined {
  return /[?#;]/.test(text) ? undefined : read(text)
}

/** Returns undefined for any text that two parsers might read differently. */
function read(text: string): Destination | undefined {
  if (/[^!-~]|\\/.test(text)) return undefined
  return /^sips?:/i.test(text) ? readSip(text) : readUrl(text)
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  'rtmp:': '1935',
  'rtmps:': '443',
  'http:': '80',
  'https:': '443',
}

function readUrl(text: string): Destination | undefined {
  const url = /^[a-z]+:\/\/[^/]/i.test(text) && URL.canParse(text) ? new URL(text) : undefined
  const defaultPort = DEFAULT_PORTS[url?.protocol ?? '']
  if (!url || !defaultPort || url.username || url.password || /%2e|%2f|%5c/i.test(url.pathname)) return undefined
  return {
    kind: url.protocol.replace(/s?:$/, ''),
    isEncrypted: url.protocol.endsWith('s:'),
    user: '',
    host: url.hostname.toLowerCase(),
    port: url.port === defaultPort ? '' : url.port,
    path: url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`,
  }
}

/** `maddr` and headers of a SIP URI can redirect a call to another host, so no other parameter is accepted. */
const SIP = /^(sips?):(?:([\w.+*~!$&=%-]+)@)?([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d+))?((?:;(?:transport|user)=\w+)*)$/i

function readSip(text: string): Destination | undefined {
  const [, scheme = '', user = '', host = '', port = '', parameters = ''] = SIP.exec(text) ?? []
  if (!host) return undefined
  const isEncrypted = scheme.toLowerCase() === 'sips' || /;transport=tls(;|$)/i.test(parameters)
  const isDefault = port === (isEncrypted ? '5061' : '5060')
  return { kind: 'sip', isEncrypted, user, host: host.toLowerCase(), port: isDefault ? '' : port, path: '/' }
}
