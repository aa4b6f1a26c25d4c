import { headerOf, headersFrom, parseAddress, tagOf, valuesOf } from '../messages/headers.ts'
import type { Header, SipRequest, SipResponse } from '../messages/message.ts'
import { parseUri } from '../messages/uri.ts'
import type { Link } from '../transport/link.ts'

/** Identity of this side in a call, which all of its dialogs have in common. */
export interface LocalParty {
  readonly callId: string
  /** From with its tag. */
  readonly from: string
  readonly contact: string
  /** Number of the last request. Dialogs of one INVITE count on from it. */
  cseq: number
}

/** One dialog that an INVITE of this side created (RFC 3261, 12), with the peer's tag. */
export interface Dialog {
  readonly remoteTag: string
  /** To of the peer's response. */
  readonly to: string
  /** The peer's Contact: the URI of further requests. */
  remoteTarget: string
  readonly routes: readonly string[]
  /** Number of the peer's last request. */
  remoteCSeq: number | undefined
  /** RSeq of the last reliable provisional response (RFC 3262). */
  reliable: number | undefined
}

/** Creates the dialog of a response. Returns undefined if a provisional response does not create one. */
export function dialogOf(response: SipResponse): Dialog | undefined
/** @param target URI of further requests if a 2xx has no Contact, which RFC 3261 requires */
export function dialogOf(response: SipResponse, target: string): Dialog
export function dialogOf(response: SipResponse, target?: string): Dialog | undefined {
  const to = headerOf(response, 'To') ?? ''
  const remoteTag = tagOf(to) ?? (target === undefined ? undefined : '')
  const [contact = '*'] = valuesOf(response, 'Contact')
  const remoteTarget = contact === '*' ? target : parseAddress(contact).uri
  if (remoteTag === undefined || remoteTarget === undefined) return undefined
  return {
    remoteTag,
    to,
    remoteTarget,
    routes: valuesOf(response, 'Record-Route').toReversed(),
    remoteCSeq: undefined,
    reliable: undefined,
  }
}

export interface RequestParts {
  readonly method: string
  readonly branch: string
  /** @default the next number of the dialog */
  readonly cseq?: number
  readonly headers?: readonly Header[]
  readonly body?: string
}

/** Creates a request inside a dialog, with its routes (12.2.1.1). */
export function requestInDialog(dialog: Dialog, local: LocalParty, link: Link, parts: RequestParts): SipRequest {
  const { uri, routes } = routed(dialog)
  return {
    method: parts.method,
    uri,
    headers: [
      ...headersFrom({
        Via: viaOf(link, parts.branch),
        'Max-Forwards': '70',
        Route: routes,
        From: local.from,
        To: dialog.to,
        'Call-ID': local.callId,
        CSeq: `${parts.cseq ?? ++local.cseq} ${parts.method}`,
        Contact: ['INVITE', 'UPDATE'].includes(parts.method) ? local.contact : undefined,
      }),
      ...(parts.headers ?? []),
    ],
    body: parts.body ?? '',
  }
}

/** Returns the Via of a request that this side sends. */
export const viaOf = ({ kind, localHost, localPort }: Link, branch: string) =>
  `SIP/2.0/${kind.toUpperCase()} ${localHost}:${localPort};rport;branch=${branch}`

/** A proxy without `lr` is addressed by the request URI, and the peer by the last route. */
function routed({ routes, remoteTarget }: Dialog): { uri: string; routes: readonly string[] } {
  const [first, ...rest] = routes
  if (first === undefined) return { uri: remoteTarget, routes }
  const { uri } = parseAddress(first)
  if (/^sips?:/i.test(uri) && !parseUri(uri).parameters.has('lr'))
    return { uri, routes: [...rest, `<${remoteTarget}>`] }
  return { uri: remoteTarget, routes }
}

/** Returns the URI whose host the next request is sent to: the first route, else the peer. */
export function nextHopOf({ routes, remoteTarget }: Pick<Dialog, 'routes' | 'remoteTarget'>): string {
  const [first] = routes
  return first === undefined ? remoteTarget : parseAddress(first).uri
}

/** Accepts the peer's request number. Returns false for a request that is out of order (12.2.2). */
export function takeCSeq(dialog: Dialog, number: number): boolean {
  if (dialog.remoteCSeq !== undefined && number <= dialog.remoteCSeq) return false
  dialog.remoteCSeq = number
  return true
}

/** Takes the peer's new Contact, which re-INVITE and UPDATE may change. */
export function refreshTarget(dialog: Dialog, message: SipRequest | SipResponse): void {
  const [contact] = valuesOf(message, 'Contact')
  if (contact !== undefined && contact !== '*') dialog.remoteTarget = parseAddress(contact).uri
}
