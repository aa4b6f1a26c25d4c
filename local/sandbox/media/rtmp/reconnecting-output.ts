import type { Timer } from '../../../../lib/clock.ts'
import type { RtmpLink, RtmpTarget } from '../media.ts'
import type { FlvTag } from './flv.ts'
import { type RtmpOptions, startRtmpOutput } from './rtmp-output.ts'

export interface ReconnectingOptions extends RtmpOptions {
  /** Seconds after a failure for which an output connects again. @default 0 */
  readonly reconnectWindow?: number | undefined
  /** Called before each attempt to connect again. @default none */
  readonly onRetry?: ((retry: RtmpRetry) => void) | undefined
}

/** The next attempt to connect an output again. */
export interface RtmpRetry {
  readonly targetId: string
  /** 1 for the first attempt after the output was last live, or since its start. */
  readonly attempt: number
  /** Seconds before the attempt. */
  readonly pause: number
  /** Seconds before the output is offline. */
  readonly left: number
}

/** Milliseconds before the next attempt: the first pause, doubled after each attempt up to the last. */
const PAUSES = { first: 500, last: 8_000 }

/**
 * Keeps an output connected. After a failure of the server it is `connecting`, and connects again until the window has passed
 * without success. Then it is `offline`. Each connection begins with the headers, the next keyframe, and the time 0.
 */
export function startReconnectingOutput(
  target: RtmpTarget,
  setup: () => readonly FlvTag[],
  onChange: (link: RtmpLink) => void,
  options: ReconnectingOptions,
) {
  const { clock, reconnectWindow = 0, onRetry } = options
  let pause = PAUSES.first
  let liveAt: number | undefined
  /** Time of the first failure since the output was last live. */
  let failedAt: number | undefined
  let attempt = 0
  let timer: Timer | undefined

  const connect = () => startRtmpOutput(target, setup, change, options)
  function change(link: RtmpLink): void {
    if (link === 'live') {
      liveAt = clock.now()
      failedAt = undefined
      attempt = 0
    }
    if (link === 'offline') reconnect()
    else onChange(link)
  }
  function reconnect(): void {
    const now = clock.now()
    if (liveAt !== undefined && now - liveAt > PAUSES.last) pause = PAUSES.first // a server that drops at once gets pauses
    liveAt = undefined
    failedAt ??= now
    const end = failedAt + reconnectWindow * 1000
    onChange(now < end ? 'connecting' : 'offline')
    if (now >= end) return
    const next = Math.min(now + pause, end)
    onRetry?.({ targetId: target.id, attempt: ++attempt, pause: (next - now) / 1000, left: (end - now) / 1000 })
    timer = clock.at(next, () => {
      timer = undefined
      output = connect()
    })
    pause = Math.min(2 * pause, PAUSES.last)
  }
  /** Returns true if it waited for the next attempt. */
  const cancel = (): boolean => {
    const isWaiting = timer !== undefined
    timer?.cancel()
    timer = undefined
    return isWaiting
  }
  let output = connect()

  return {
    /** Sends the next tag. Tags between two connections are dropped. */
    push: (tag: FlvTag) => output.push(tag),
    /** Ends the output because the engine failed. */
    fail(): void {
      if (cancel()) onChange('error')
      else output.fail()
    },
    /** Closes the connection at once. */
    close(): void {
      cancel()
      output.close()
    },
    /** Ends the stream by the protocol, within two seconds. */
    async stop(): Promise<void> {
      cancel()
      await output.stop()
    },
  }
}
