import { randomBytes } from 'node:crypto'
import { vi } from 'vitest'
import { realClock } from '../../../../../lib/clock.ts'
import type { CallLeg } from '../../../../../local/sandbox/sip/media/call-audio.ts'
import { createCallMedia } from '../../../../../local/sandbox/sip/media/call-media.ts'
import type { CallVideo } from '../../../../../local/sandbox/sip/media/call-video.ts'
import type { CodecName } from '../../../../../local/sandbox/sip/media/codecs/create-codec.ts'
import { startTicker } from '../../../../../local/sandbox/sip/media/session/ticker.ts'
import {
  type CallRequest,
  createUserAgent,
  type UserAgentSettings,
} from '../../../../../local/sandbox/sip/user-agent.ts'
import { joined, peakOf, toneAt } from '../../../../support/media/tones.ts'
import { offerDtls } from '../media/offer-dtls.ts'

const BLOCK = 960
/** Blocks in which a tone is searched. */
const LISTENED = 5
/** Long enough for a machine that has other things to do. */
const PATIENCE = { timeout: 60_000, interval: 20 }

export interface PeerCall extends Pick<CallRequest, 'uri' | 'auth'> {
  /** @default all */
  readonly codecs?: readonly CodecName[]
  /** Encrypts its media with SRTP, with keys in the SDP, or offers those of DTLS, as if the peer had before. @default false */
  readonly secure?: boolean | 'dtls'
  /** Hertz of the tone that this side sends. */
  readonly sends: number
  /** Takes the picture of the peer. @default false */
  readonly video?: boolean
}

/** Calls a peer with real media, and sends it a tone. */
export function callPeer(peer: PeerCall, settings: Partial<UserAgentSettings> = {}) {
  const { uri, auth, codecs, secure = false, sends, video = false } = peer
  const logged: string[] = []
  const digits: string[] = []
  const happened: string[] = []
  const offered: string[] = []
  let heard: Int16Array[] = []
  let pictures = 0
  let place = 0
  const connect = (leg: CallLeg) =>
    startTicker(() => {
      heard = [...heard, leg.take() ?? new Int16Array(BLOCK)].slice(-LISTENED)
      leg.send(toneAt(sends, BLOCK, { start: BLOCK * place++ }))
    })
  const picture: CallVideo = {
    begin() {},
    take({ marker }) {
      if (marker) pictures++
    },
    show() {},
    report() {},
  }
  const media = createCallMedia({
    address: () => '127.0.0.1',
    secure: secure === true,
    random: randomBytes,
    audio: { connect },
    codecs,
    video: video ? picture : undefined,
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
  async function offer(): Promise<string> {
    const plain = await media.offer()
    return secure === 'dtls' ? offerDtls(media, video) : plain
  }
  function answer(offer: string): Promise<string> {
    offered.push(offer)
    return media.answer(offer)
  }
  const call = agent.invite({ uri, from: 'ada@example.com', headers: {}, auth, media: { ...media, offer, answer } })
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
    /** Waits until the peer has sent so many pictures. */
    untilSeen: (count: number) => poll(() => pictures >= count),
    untilPressed: (keys: string) => poll(() => digits.join('') === keys),
    close: agent.close,
    async hangup() {
      call.hangup()
      await until('ended 700')
    },
  }
}
