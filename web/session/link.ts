import { RefusedError } from './socket.ts'

/** `interrupted`: nothing arrives at the moment, and the link is being restored. `failed`: the sandbox has refused it. */
export type LinkStatus = 'connecting' | 'connected' | 'interrupted' | 'failed'

/** One peer connection to the sandbox, which is kept connected. */
export interface Link {
  readonly status: LinkStatus
  /** Reason of a refusal. */
  readonly problem: string | undefined
  /** Id of the publication or the subscription, once the sandbox has answered. */
  readonly id: string | undefined
  readonly peer: RTCPeerConnection | undefined
  /** Opens a new peer connection, in place of the present one if there is any. */
  open(): Promise<void>
  /** Closes the link permanently, without notifying the sandbox. */
  close(): void
}

export interface SessionLinkOptions {
  readonly RTCPeerConnection: new () => RTCPeerConnection
  /** Adds the tracks or transceivers of the first offer. */
  prepare(peer: RTCPeerConnection): void
  /** Sends the first offer of a peer connection. */
  offer(sdp: string): Promise<Answered>
  /** Sends another offer of it. */
  renegotiate(id: string, sdp: string): Promise<Answered>
  /** Called when the answer to the first offer arrives after the link was closed or opened again. */
  onLate(id: string): void
  onChange(): void
}

export interface Answered {
  readonly id: string
  readonly sdp: string
}

/** Milliseconds for which an interrupted connection may recover before its ICE is restarted. */
const GRACE = 2_000
/** Milliseconds from one attempt to the next: it doubles with each. */
const [MIN_INTERVAL, MAX_INTERVAL] = [1_000, 8_000]

/**
 * Creates a link that is not open yet. When its network is interrupted, it restarts ICE, so that the same stream continues.
 * When the sandbox has ended the peer meanwhile, it opens a new one.
 */
export function createLink(options: SessionLinkOptions): Link {
  const { prepare, offer, renegotiate, onLate, onChange } = options
  let peer: RTCPeerConnection | undefined
  let id: string | undefined
  let status: LinkStatus = 'connecting'
  let problem: string | undefined
  let isClosed = false
  let attempts = 0
  let restarts = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function become(next: LinkStatus, reason?: string): void {
    if (isClosed) return
    status = next
    problem = reason
    onChange()
  }
  function schedule(act: () => Promise<void>, milliseconds: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void act(), milliseconds)
  }

  async function open(): Promise<void> {
    clearTimeout(timer)
    peer?.close()
    id = undefined
    if (isClosed) return
    const own = new options.RTCPeerConnection()
    peer = own
    become('connecting')
    own.onconnectionstatechange = () => {
      if (own === peer) follow(own)
    }
    try {
      prepare(own)
      await own.setLocalDescription()
      const answered = await offer(own.localDescription?.sdp ?? '')
      if (isClosed || own !== peer) return onLate(answered.id)
      id = answered.id
      await own.setRemoteDescription({ type: 'answer', sdp: answered.sdp })
      onChange()
    } catch (error) {
      if (own === peer && error instanceof RefusedError) become('failed', error.message)
    }
  }

  function follow(own: RTCPeerConnection): void {
    if (own.connectionState === 'connected') {
      clearTimeout(timer)
      attempts = 0
      become('connected')
    }
    if (status === 'failed') return
    if (own.connectionState === 'disconnected') {
      become('interrupted')
      schedule(restore, GRACE)
    }
    if (own.connectionState === 'failed' || own.connectionState === 'closed') {
      become('interrupted')
      schedule(restore, attempts === 0 ? 0 : intervalAfter(attempts))
    }
  }

  /** Restarts ICE, again and again until the peer is connected. */
  async function restore(): Promise<void> {
    const own = peer
    if (isClosed || !own || own.connectionState === 'connected') return
    if (id === undefined || own.connectionState === 'closed') return open()
    schedule(restore, intervalAfter(++attempts))
    const restart = ++restarts
    try {
      await own.setLocalDescription(await own.createOffer({ iceRestart: true }))
      const { sdp } = await renegotiate(id, own.localDescription?.sdp ?? '')
      if (own === peer && restart === restarts) await own.setRemoteDescription({ type: 'answer', sdp })
    } catch (error) {
      if (own === peer && error instanceof RefusedError) await open() // the sandbox has ended this one
    }
  }

  return {
    get status() {
      return status
    },
    get problem() {
      return problem
    },
    get id() {
      return id
    },
    get peer() {
      return peer
    },
    open,
    close() {
      isClosed = true
      clearTimeout(timer)
      peer?.close()
      peer = undefined
    },
  }
}

const intervalAfter = (attempts: number) => Math.min(MAX_INTERVAL, MIN_INTERVAL * 2 ** attempts)
