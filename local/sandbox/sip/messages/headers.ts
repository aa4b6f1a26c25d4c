import { type Header, type SipMessage, SipSyntaxError } from './message.ts'
import { parseUri } from './uri.ts'

/** Names with their spelling, and the compact forms of RFC 3261 (7.3.3), RFC 4028 and RFC 6665. */
const names: Readonly<Record<string, string>> = {
  i: 'Call-ID',
  'call-id': 'Call-ID',
  m: 'Contact',
  e: 'Content-Encoding',
  l: 'Content-Length',
  c: 'Content-Type',
  f: 'From',
  s: 'Subject',
  k: 'Supported',
  t: 'To',
  v: 'Via',
  x: 'Session-Expires',
  o: 'Event',
  cseq: 'CSeq',
  rseq: 'RSeq',
  rack: 'RAck',
  'min-se': 'Min-SE',
  'www-authenticate': 'WWW-Authenticate',
}

/** Returns the full name of a header field as RFC 3261 spells it. */
export const fullNameOf = (name: string) =>
  names[name.toLowerCase()] ?? name.replace(/\w+/g, (word) => `${word[0]?.toUpperCase()}${word.slice(1).toLowerCase()}`)

/** Returns the values of the fields of one name, undivided. */
export const fieldsOf = ({ headers }: Pick<SipMessage, 'headers'>, name: string): string[] =>
  headers.filter((header) => header.name === name).map(({ value }) => value)

/** Returns the value of the first field of one name. */
export const headerOf = ({ headers }: Pick<SipMessage, 'headers'>, name: string): string | undefined =>
  headers.find((header) => header.name === name)?.value

/** Returns the values of the fields of one name, with lists divided at their commas. */
export const valuesOf = (message: Pick<SipMessage, 'headers'>, name: string): string[] =>
  fieldsOf(message, name).flatMap((value) => divide(value, ','))

/** Returns true if a field that lists tokens contains one, in upper or lower case. */
export const lists = (message: Pick<SipMessage, 'headers'>, name: string, token: string): boolean =>
  valuesOf(message, name).some((value) => value.toLowerCase() === token.toLowerCase())

/** Creates fields from values. Undefined ones are left out. */
export const headersFrom = (values: Readonly<Record<string, string | readonly string[] | undefined>>): Header[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => ({ name, value: each as string })),
  )

/** Divides at a separator outside quoted strings and angle brackets. @throws {@link SipSyntaxError} if either is open */
export function divide(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  let isBracketed = false
  for (let index = 0; index < text.length; index++) {
    const char = text[index]
    if (isQuoted) {
      if (char === '\\') index++
      else if (char === '"') isQuoted = false
    } else if (char === '"') isQuoted = true
    else if (char === '<') isBracketed = true
    else if (char === '>') isBracketed = false
    else if (char === separator && !isBracketed) {
      parts.push(text.slice(start, index).trim())
      start = index + 1
    }
  }
  if (isQuoted || isBracketed) throw new SipSyntaxError('A quoted string or an angle bracket is not closed.')
  return [...parts, text.slice(start).trim()]
}

/** Parameters by their name in lower case. A parameter without a value has an empty one. */
export type Parameters = ReadonlyMap<string, string>

const TOKEN = /^[\w\-.!%*+`'~]+$/
const PARAMETER = /^([\w\-.!%*+`'~]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|[\w\-.!%*+`'~[\]:/]+))?$/s

/** Parses parameters that follow a first semicolon. @throws {@link SipSyntaxError} */
export function parseParameters(parts: readonly string[]): Parameters {
  return new Map(
    parts.map((part) => {
      const [, name, value = ''] = PARAMETER.exec(part) ?? []
      if (name === undefined) throw new SipSyntaxError(`The parameter ${JSON.stringify(part)} is malformed.`)
      return [name.toLowerCase(), unquote(value)]
    }),
  )
}

const unquote = (value: string) => (value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value)

/** A name-addr or addr-spec with its parameters (To, From, Contact, Route). */
export interface Address {
  /** As written, without brackets. */
  readonly uri: string
  readonly parameters: Parameters
}

const DISPLAY_NAME = /^(?:"(?:[^"\\]|\\.)*"|[\w\-.!%*+`'~\s]*)$/s

/** Parses an address. @throws {@link SipSyntaxError} */
export function parseAddress(text: string): Address {
  const [first = '', ...rest] = divide(text, ';')
  const [, display, uri] = /^((?:"(?:[^"\\]|\\.)*"|[^<"])*)<([^<>\s]*)>$/s.exec(first) ?? []
  if (display !== undefined && uri !== undefined) {
    if (!DISPLAY_NAME.test(display.trim())) throw new SipSyntaxError('A display name must be quoted.')
    requireUri(uri)
    return { uri, parameters: parseParameters(rest) }
  }
  // Without brackets, a comma, semicolon or question mark would be ambiguous.
  if (/[\s<>"?,]/.test(first)) throw new SipSyntaxError(`The address ${JSON.stringify(text)} is malformed.`)
  requireUri(first)
  return { uri: first, parameters: parseParameters(rest) }
}

function requireUri(uri: string): void {
  if (/^sips?:/i.test(uri)) parseUri(uri)
  else if (!/^[a-z][a-z\d+.-]*:\S+$/i.test(uri)) throw new SipSyntaxError(`${JSON.stringify(uri)} is not a URI.`)
}

/** The hop of one Via value. */
export interface Via {
  /** In lower case. */
  readonly transport: string
  readonly host: string
  readonly port: number | undefined
  readonly parameters: Parameters
}

/** Parses a Via value. @throws {@link SipSyntaxError} */
export function parseVia(text: string): Via {
  const [sentBy = '', ...rest] = divide(text, ';')
  const [, transport = '', host = '', port] =
    /^SIP\s*\/\s*2\.0\s*\/\s*([\w\-.!%*+`'~]+)\s+(\[[\da-f:.]+\]|[\w.-]+)(?:\s*:\s*(\d{1,5}))?$/i.exec(sentBy) ?? []
  if (!transport || Number(port ?? 1) > 65_535) throw new SipSyntaxError('A Via field is malformed.')
  return {
    transport: transport.toLowerCase(),
    host,
    port: port === undefined ? undefined : Number(port),
    parameters: parseParameters(rest),
  }
}

/** Parses a CSeq value. @throws {@link SipSyntaxError} */
export function parseCSeq(text: string): { number: number; method: string } {
  const [, number = '', method = ''] = /^(\d+)\s+(\S+)$/.exec(text) ?? []
  if (!number || !TOKEN.test(method) || Number(number) >= 2 ** 31) throw new SipSyntaxError('CSeq is malformed.')
  return { number: Number(number), method }
}

/** Returns the tag of a To or From value. */
export const tagOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : parseAddress(text).parameters.get('tag')
