import { InvalidArgumentError, Option } from 'commander'
import { parseUri } from '../../local/sandbox/sip/messages/uri.ts'
import { collect } from '../parsers.ts'

/** Options of the commands that start a sandbox, for its calls to phones. */
export interface SipOptions {
  readonly sipAllow?: readonly string[]
  readonly sipCa?: string
  readonly sipProxy?: string
}

/** Creates the options for calls to phones. */
export const sipOptions = {
  allow: () =>
    new Option(
      '--sip-allow <host>',
      'host whose phones are really dialled; repeatable (default: this machine)',
    ).argParser(parseHost),
  ca: () =>
    new Option(
      '--sip-ca <file>',
      'PEM file with an authority that SIP servers over TLS may have, beside the usual ones',
    ),
  proxy: () =>
    new Option('--sip-proxy <uri>', 'SIP URI of a proxy through which phones are dialled (default: none)').argParser(
      parseProxy,
    ),
} as const

function parseHost(text: string, hosts?: readonly string[]): string[] {
  const host = hostOf(`sip:${text}`)
  if (host !== text.toLowerCase())
    throw new InvalidArgumentError('It must be a host without a port, such as pbx.local.')
  return collect(host, hosts)
}

function parseProxy(text: string): string {
  if (hostOf(text) === undefined) throw new InvalidArgumentError('It must be a SIP URI, such as sip:proxy.local;lr.')
  return text
}

function hostOf(uri: string): string | undefined {
  try {
    return parseUri(uri).host
  } catch {
    return undefined
  }
}
