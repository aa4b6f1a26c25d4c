import { z } from 'zod'

/** Key of a secret's JSON that lists where the value of another key may be sent. */
export const destinationsKeyOf = (key: string): string => `${key}.for`

const FORM =
  'must be a server such as rtmps://a.rtmps.youtube.com/, sips:example.com or https://app.example.com/, without user, query and fragment'

/**
 * One entry of a secret's destinations: scheme and host, optionally with port and path, or a SIP address. Its path covers
 * everything below it. An entry of a plain scheme (`rtmp`, `sip`, `http`) also covers its encrypted form, never the reverse.
 */
export const secretDestination = z
  .string()
  .max(2_048)
  .refine((text) => readBinding(text) !== undefined, FORM)

/** The comparable parts of a URL. */
interface Destination {
  /** Of the plain form: `rtmp` for `rtmps`, too. */
  readonly kind: string
  readonly isEncrypted: boolean
  /** Of a SIP address; empty: anybody at the host. */
  readonly user: string
  readonly host: string
  /** Empty where none is named. */
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

/** Reads what can be read in one way only: undefined for everything that two parsers might understand differently. */
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

/** `maddr` and headers of a SIP URI lead the call elsewhere than its host says, so that no other parameter is taken. */
const SIP = /^(sips?):(?:([\w.+*~!$&=%-]+)@)?([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d+))?((?:;(?:transport|user)=\w+)*)$/i

function readSip(text: string): Destination | undefined {
  const [, scheme = '', user = '', host = '', port = '', parameters = ''] = SIP.exec(text) ?? []
  if (!host) return undefined
  const isEncrypted = scheme.toLowerCase() === 'sips' || /;transport=tls(;|$)/i.test(parameters)
  const isDefault = port === (isEncrypted ? '5061' : '5060')
  return { kind: 'sip', isEncrypted, user, host: host.toLowerCase(), port: isDefault ? '' : port, path: '/' }
}
