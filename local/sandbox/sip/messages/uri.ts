import { SipSyntaxError } from './message.ts'

export interface SipUri {
  readonly scheme: 'sip' | 'sips'
  /** As written: escapes stay. */
  readonly user: string | undefined
  /** In lower case. An IPv6 address keeps its brackets. */
  readonly host: string
  readonly port: number | undefined
  /** By their name in lower case. */
  readonly parameters: ReadonlyMap<string, string>
  /** Header fields after the question mark, as written. */
  readonly headers: string | undefined
}

const URI =
  /^(sips?):(?:([\w\-.!~*'()&=+$,;?/%#]+)(?::([\w\-.!~*'()&=+$,%]*))?@)?(\[[\da-f:.]+\]|[a-z\d](?:[a-z\d.-]*[a-z\d])?\.?)(?::(\d{1,5}))?((?:;[^;?\s]+)*)(?:\?(\S+))?$/i

/** Parses a SIP or SIPS URI. A password in it is left out. @throws {@link SipSyntaxError}; with 416 for another scheme */
export function parseUri(text: string): SipUri {
  if (!/^sips?:/i.test(text)) {
    const isOther = /^[a-z][a-z\d+.-]*:/i.test(text)
    throw new SipSyntaxError(`${JSON.stringify(text)} is not a SIP URI.`, isOther ? 416 : 400)
  }
  const [, scheme = '', user, , host, port, parameters = '', headers] = URI.exec(text) ?? []
  if (host === undefined || Number(port ?? 1) > 65_535 || /%(?![\da-f]{2})/i.test(text.replace(/\?.*$/, '')))
    throw new SipSyntaxError(`The URI ${JSON.stringify(text)} is malformed.`)
  return {
    scheme: scheme.toLowerCase() as SipUri['scheme'],
    user,
    host: host.toLowerCase(),
    port: port === undefined ? undefined : Number(port),
    parameters: new Map(
      parameters
        .split(';')
        .slice(1)
        .map((part) => {
          const [name = '', ...value] = part.split('=')
          return [name.toLowerCase(), value.join('=')]
        }),
    ),
    headers,
  }
}
