import {
  divide,
  fieldsOf,
  fullNameOf,
  parseAddress,
  parseCSeq,
  parseParameters,
  parseVia,
  valuesOf,
} from './headers.ts'
import { type Header, isRequest, type SipMessage, type SipRequest, SipSyntaxError } from './message.ts'
import { parseUri } from './uri.ts'

/** Outcome of reading one message. A malformed request is refused if it can be answered, and dropped otherwise. */
export type Parsed =
  | { readonly message: SipMessage }
  | { readonly refused: SipRequest; readonly status: number; readonly problem: string }
  | { readonly problem: string }

const SINGLE = ['From', 'To', 'Call-ID', 'CSeq', 'Max-Forwards', 'Content-Length', 'Content-Type']
const REQUIRED = ['From', 'To', 'Call-ID', 'CSeq']
const END_OF_HEADERS = '\r\n\r\n'

/** Parses one datagram or one message of a stream. It never throws. */
export function parseMessage(data: Buffer): Parsed {
  const text = data.toString('utf8').replace(/^(?:\r\n)+/, '')
  const end = text.indexOf(END_OF_HEADERS)
  const lines = (end < 0 ? text : text.slice(0, end)).split('\r\n')
  const startLine = lines[0] ?? ''
  let message: SipMessage | undefined
  try {
    const headers = parseFields(lines.slice(1))
    // A partial request, to be answered if the start line or a field breaks the grammar.
    const [, method] = /^([\w\-.!%*+`'~]+) .*SIP\/\d+\.\d+\s*$/i.exec(startLine) ?? []
    if (method !== undefined && !/^SIP\/$/i.test(method)) message = { method, uri: '', headers, body: '' }
    if (end < 0) throw new SipSyntaxError('The message has no end of its header.')
    message = { ...parseStart(startLine), headers, body: '' }
    message = { ...message, body: bodyOf(message, text.slice(end + END_OF_HEADERS.length)) }
    check(message)
    return { message }
  } catch (error) {
    if (!(error instanceof SipSyntaxError)) throw error
    const problem = error.message
    if (!message || !isRequest(message) || message.method === 'ACK' || !isAnswerable(message)) return { problem }
    return { refused: message, status: error.status, problem }
  }
}

function parseStart(line: string): Pick<SipRequest, 'method' | 'uri'> | { status: number; reason: string } {
  const [, status, reason = ''] = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/i.exec(line) ?? []
  if (status) return { status: Number(status), reason }
  const [, method, uri, version] = /^([\w\-.!%*+`'~]+) ([^\s<>]+) SIP\/(\d+\.\d+)$/i.exec(line) ?? []
  if (method === undefined || uri === undefined) throw new SipSyntaxError('The start line is malformed.')
  if (version !== '2.0') throw new SipSyntaxError(`The version ${version} is not supported.`, 505)
  return { method, uri }
}

function parseFields(lines: readonly string[]): Header[] {
  const unfolded: string[] = []
  for (const line of lines) {
    const isContinued = /^[ \t]/.test(line) && unfolded.length > 0
    if (isContinued) unfolded.push(`${unfolded.pop()} ${line.trim()}`)
    else unfolded.push(line)
  }
  return unfolded.flatMap((line) => {
    const [, name, value = ''] = /^([\w\-.!%*+`'~]+)[ \t]*:(.*)$/s.exec(line) ?? []
    return name === undefined ? [{ name: '', value: line }] : [{ name: fullNameOf(name), value: value.trim() }]
  })
}

function bodyOf(message: SipMessage, rest: string): string {
  const lengths = fieldsOf(message, 'Content-Length')
  if (lengths.length === 0) return rest
  const [length = ''] = lengths
  if (lengths.length > 1 || !/^\d{1,9}$/.test(length)) throw new SipSyntaxError('Content-Length is malformed.')
  const bytes = Buffer.from(rest)
  if (bytes.length < Number(length)) throw new SipSyntaxError('The body is shorter than Content-Length.')
  return bytes.toString('utf8', 0, Number(length)) // further bytes of a datagram are ignored (18.3)
}

function check(message: SipMessage): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these break the grammar
  const isBroken = ({ name, value }: Header) => !name || /[\u0000-\u0008\u000a-\u001f]/.test(value)
  if (message.headers.some(isBroken)) throw new SipSyntaxError('A header field is malformed.')
  for (const name of REQUIRED) if (!fieldsOf(message, name)[0]) throw new SipSyntaxError(`${name} is missing.`)
  for (const name of SINGLE) if (fieldsOf(message, name).length > 1) throw new SipSyntaxError(`${name} is repeated.`)
  const vias = valuesOf(message, 'Via').map(parseVia)
  if (vias.length === 0) throw new SipSyntaxError('Via is missing.')
  for (const name of ['From', 'To']) parseAddress(fieldsOf(message, name)[0] ?? '')
  for (const name of ['Route', 'Record-Route']) for (const value of valuesOf(message, name)) parseAddress(value)
  for (const value of valuesOf(message, 'Contact')) if (value !== '*') parseAddress(value)
  for (const value of fieldsOf(message, 'Content-Type')) parseParameters(divide(value, ';').slice(1))
  const { method } = parseCSeq(fieldsOf(message, 'CSeq')[0] ?? '')
  if (isRequest(message)) checkRequest(message, method)
}

function checkRequest(request: SipRequest, method: string): void {
  if (method !== request.method) throw new SipSyntaxError('CSeq names another method.')
  const [hops = '70'] = fieldsOf(request, 'Max-Forwards')
  if (!/^\d{1,3}$/.test(hops) || Number(hops) > 255) throw new SipSyntaxError('Max-Forwards is malformed.')
  if (parseVia(valuesOf(request, 'Via')[0] ?? '').parameters.get('branch') === 'z9hG4bK')
    throw new SipSyntaxError('The branch of Via is empty.')
  if (parseUri(request.uri).headers) throw new SipSyntaxError('The request URI has header fields.')
}

/** Returns true if the fields that an answer copies are usable. */
function isAnswerable(request: SipRequest): boolean {
  try {
    const copied = REQUIRED.map((name) => fieldsOf(request, name))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these would break the answer
    if (copied.some((values) => !values[0] || /[\u0000-\u0008\u000a-\u001f]/.test(values[0]))) return false
    parseVia(divide(fieldsOf(request, 'Via')[0] ?? '', ',')[0] ?? '')
    return !/\bACK\s*$/.test(copied[3]?.[0] ?? '')
  } catch {
    return false
  }
}
