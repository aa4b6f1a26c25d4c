import type { Clock } from '../../../../lib/clock.ts'
import type { DigestAuthentication } from '../digest.ts'
import type { Header, SipRequest, SipResponse } from '../messages/message.ts'
import { respondTo } from '../transactions/server.ts'
import type { Transactions } from '../transactions/transactions.ts'
import type { Link } from '../transport/link.ts'
import { type Dialog, type LocalParty, nextHopOf, requestInDialog } from './dialog.ts'

/** Parts of the user agent that a call works with. */
export interface CallParts {
  readonly clock: Clock
  readonly random: (bytes: number) => Buffer
  readonly transactions: Transactions
  /** Opens a link to the host of a URI. `kind` is the transport if the URI names none. */
  readonly connect: (uri: string, kind: Link['kind']) => Promise<Link>
  /** Takes a line for the log. */
  readonly log: (line: string) => void
}

/** Requests of one call that a challenge may repeat. A server that keeps challenging is given up. */
export const MAX_ATTEMPTS = 5

/** Sends the requests of one call. */
export type Wire = ReturnType<typeof createWire>

export interface WireSettings {
  readonly local: LocalParty
  /** The link of the first INVITE. */
  readonly link: Link
  readonly digest: DigestAuthentication | undefined
}

/** Creates a random token, such as a tag. */
export const createToken = ({ random }: Pick<CallParts, 'random'>) => random(8).toString('hex')

/** Creates the sender of one call. */
export function createWire(parts: CallParts, { local, link, digest }: WireSettings) {
  const { transactions, log } = parts
  const links = new Map<string, Promise<Link>>()
  const branch = () => `z9hG4bK${createToken(parts)}`

  /** Returns the link to the next hop of a dialog. A hop that cannot be reached, or may not be, keeps the first link. */
  function linkOf(dialog: Dialog): Promise<Link> {
    const uri = nextHopOf(dialog)
    const opened = links.get(uri) ?? parts.connect(uri, link.kind).catch(() => link)
    links.set(uri, opened)
    return opened
  }

  interface Asked {
    readonly method: string
    readonly headers?: readonly Header[]
    readonly body?: string
  }

  /**
   * Sends a request inside a dialog, and again with credentials if it is challenged. Resolves to the final response, or
   * to 408 without one.
   * @param onSuccess called for each 2xx of an INVITE at once, since each is answered by an ACK
   */
  async function ask(dialog: Dialog, asked: Asked, onSuccess?: (request: SipRequest) => void): Promise<SipResponse> {
    const via = await linkOf(dialog)
    for (let attempt = 1; ; attempt++) {
      const plain = requestInDialog(dialog, local, via, { ...asked, branch: branch() })
      const request = { ...plain, headers: [...plain.headers, ...(digest?.headersFor(plain) ?? [])] }
      const response = await new Promise<SipResponse>((resolve) =>
        transactions.send(request, via, {
          onResponse(received) {
            if (received.status < 200) return
            if (received.status < 300) onSuccess?.(request)
            resolve(received)
          },
          onTimeout: () => resolve(respondTo(request, 408, 'timeout')),
        }),
      )
      const isChallenge = response.status === 401 || response.status === 407
      if (!isChallenge || attempt === MAX_ATTEMPTS || !digest?.challenge(response, request)) return response
    }
  }

  /** Sends the ACK to a 2xx. It carries the credentials of the INVITE (22.1), which are for its method. */
  async function acknowledge(dialog: Dialog, invite: SipRequest, body = ''): Promise<void> {
    const credentials = invite.headers.filter(({ name }) => /^(?:Proxy-)?Authorization$/.test(name))
    const cseq = Number.parseInt(invite.headers.find(({ name }) => name === 'CSeq')?.value ?? '', 10)
    const via = await linkOf(dialog)
    const ack = requestInDialog(dialog, local, via, {
      method: 'ACK',
      branch: branch(),
      cseq,
      headers: credentials,
      body,
    })
    transactions.sendAck(ack, via)
  }

  return {
    local,
    link,
    digest,
    branch,
    ask,
    acknowledge,
    /** Ends a dialog. Resolves when the BYE was answered or given up. */
    async bye(dialog: Dialog, headers: readonly Header[] = []): Promise<void> {
      const { status } = await ask(dialog, { method: 'BYE', headers })
      if (status >= 300) log(`The BYE of ${local.callId} was answered ${status}.`)
    },
    /** Releases the links that the call opened. */
    release(): void {
      for (const opened of links.values()) void opened.then((each) => each.release())
      links.clear()
      link.release()
    },
  }
}
