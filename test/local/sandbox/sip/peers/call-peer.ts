import { randomBytes } from 'node:crypto'
import { vi } from 'vitest'
import { realClock } from '../../../../../lib/clock.ts'
import type { CallLeg } from '../../../../../local/sandbox/sip/media/call-audio.ts'
import { createCallMedia } from '../../../../../local/sandbox/sip/media/call-media.ts'
import type { CodecName } from '../../../../../local/sandbox/sip/media/codecs/create-codec.ts'
import { startTicker } from '../../../../../local/sandbox/sip/media/session/ticker.ts'
import {
  type CallRequest,
  createUserAgent,
  type UserAgentSettings,
} from '../../../../../local/sandbox/sip/user-agent.ts'
import { joined, peakOf, toneAt } from '../../../../support/media/tones.ts'

const BLOCK = 960
/** Blocks in which a tone is searched. */
const LISTENED = 5
/** Long enough for a machine that has other things to do. */
const PATIENCE = { timeout: 60_000, interval: 20 }

export interface PeerCall extends Pick<CallRequest, 'uri' | 'auth'> {
  /** @default all */
  readonly codecs?: readonly CodecName[]
  readonly secure?: boolean
  /** Hertz of the tone that this side sends. */
  readonly sends: number
}

/** Calls a peer with real media, and sends it a tone. */
export function callPeer(peer: PeerCall, settings: Partial<UserAgentSettings> = {}) {
  const { uri, auth, codecs, secure = false, sends } = peer
  const logged: string[] = []
  const digits: string[] = []
  const happened: string[] = []
  const offered: string[] = []
  let heard: Int16Array[] = []
  let place = 0
  const connect = (leg: CallLeg) =>
    startTicker(() => {
      heard = [...heard, leg.take() ?? new Int16Array(BLOCK)].slice(-LISTENED)
      leg.send(toneAt(sends, BLOCK, { start: BLOCK * place++ }))
    })
  const media = createCallMedia({
    address: () => '127.0.0.1',
    secure,
    random: randomBytes,
    audio: { connect },
    codecs,
    onDigit: (digit) => digits.push(digit),
    onReceiving() {},
  })
  const agent = createUserAgent({
    clock: realClock,
    random: randomBytes,
    allow: [],
    log: (line) => logged.push(line),
    ...settings,
  })
  const answer = (offer: string) => {
    offered.push(offer)
    return media.answer(offer)
  }
  const call = agent.invite({ uri, from: 'ada@example.com', headers: {}, auth, media: { ...media, answer } })
  for (const name of ['ringing', 'answered', 'held', 'resumed'] as const) call.on(name, () => happened.push(name))
  call.on('ended', ({ code }) => happened.push(`ended ${code}`))
  const isOver = () => happened.at(-1)?.startsWith('ended') ?? false
  /** Waits until something is true, or the call is over. */
  const poll = async (isTrue: () => boolean) => {
    await vi.waitUntil(() => isTrue() || isOver(), PATIENCE)
    if (!isTrue()) throw new Error(`The call is over: ${[...happened, ...logged].join(', ')}`)
  }
  /** Waits until an event has happened. @param times how often */
  const until = (event: string, times = 1) => poll(() => happened.filter((each) => each === event).length >= times)
  return {
    happened,
    /** Offers of the peer. */
    offered,
    digits,
    play: media.play,
    until,
    hold: call.hold,
    resume: call.resume,
    /** Waits until a tone has been heard for 100 ms. */
    untilHeard: (hertz: number) => poll(() => peakOf(joined(heard), hertz) > 2_000),
    /** Waits until nothing has been heard for 100 ms. */
    untilSilent: () => poll(() => joined(heard).every((sample) => sample === 0)),
    untilPressed: (keys: string) => poll(() => digits.join('') === keys),
    close: agent.close,
    async hangup() {
      call.hangup()
      await until('ended 700')
    },
  }
}
