import { lookup } from 'node:dns/promises'
import { isStepped } from '../../../lib/clock.ts'
import type { Measurements } from '../insights/measurements.ts'
import type { SandboxParts } from '../parts.ts'
import { type CallMediaOptions, createCallMedia, type RtpCallMedia } from '../sip/media/call-media.ts'
import { type CallPlace, createSessionAudio } from '../sip/media/session/session-audio.ts'
import { parseUri } from '../sip/messages/uri.ts'
import { withoutBrackets } from '../sip/transport/link.ts'
import { localAddressFor } from '../sip/transport/udp.ts'
import { type CallRequest, createUserAgent, type UserAgentSettings } from '../sip/user-agent.ts'
import type { StreamRecord } from '../state/records.ts'
import { type CallEnding, PLACEHOLDER_NUMBER } from './callees.ts'
import { createChime } from './chime.ts'

/** Calls of real phones: which hosts are dialled, and how. */
export interface SipSettings extends Pick<UserAgentSettings, 'ca' | 'outboundProxy'> {
  /** Hosts that are dialled beside those of the loopback interface. @default none */
  readonly allow?: readonly string[] | undefined
  /** Takes a line about each message or call that fails. @default none */
  readonly log?: ((line: string) => void) | undefined
}

/** Credentials and parameters with which a phone is dialled. */
export interface PhoneInvite extends Pick<CallRequest, 'uri' | 'headers' | 'auth'> {
  readonly from?: string | undefined
  readonly secure: boolean
  readonly video: boolean
}

/** Takes what happens on the phone's side of a call. */
export interface PhoneEvents {
  /** The phone rings, answers, holds the call or takes it up again. */
  onAction(does: 'ring' | 'answer' | 'hold' | 'resume'): void
  /** Audio of the phone arrives, or none has arrived for some seconds. */
  onMedia(): void
  /** Video of the phone can be shown, or no longer. At first it can, if it was offered. */
  onVideo(isShown: boolean): void
  onDigit(digit: string): void
  onEnded(ending: CallEnding): void
}

/** Phones on the network, which SIP calls reach. */
export type Phones = ReturnType<typeof createPhones>

/** Why a phone cannot be dialled under a stepped clock. */
export const NEEDS_REAL_TIME = 'A real phone needs real time: start the sandbox without --clock stepped.'

interface Phone {
  readonly media: Pick<RtpCallMedia, 'play'>
  readonly ring: ReturnType<typeof createChime>['ring']
  readonly hangUp: () => void
  isSending: boolean
}

export function createPhones(
  parts: Pick<SandboxParts, 'store' | 'clock' | 'presence' | 'media'> &
    Pick<CallMediaOptions, 'random'> &
    Pick<Parameters<typeof createSessionAudio>[0], 'findLive'> & {
      readonly measurements: Measurements
      readonly sip?: SipSettings | undefined
    },
) {
  const { clock, random, measurements, sip = {} } = parts
  const { allow = [], ca, outboundProxy, log = () => {} } = sip
  const audio = createSessionAudio(parts)
  const agent = createUserAgent({ clock, random, allow, outboundProxy, ca, log })
  /** By call id. */
  const phones = new Map<string, Phone>()
  let isClosing = false

  /** Returns the address of this machine at which a phone sends its audio. */
  async function mediaAddressFor(uri: string): Promise<string> {
    const { host } = parseUri(outboundProxy ?? uri)
    return localAddressFor((await lookup(withoutBrackets(host), 4).catch(() => LOOPBACK_FOUND)).address)
  }

  return {
    /** Returns true for a URI whose host is really dialled. */
    reaches(uri: string): boolean {
      try {
        return agent.reaches(uri)
      } catch {
        return false // a URI without a host
      }
    },
    /** True if phones cannot be dialled. */
    needsRealTime: isStepped(clock),
    /** Makes a place in the audio of a session, by whose `source` the phone's stream is to be published. */
    open: audio.open,
    /** Dials a phone. `place` is that of its stream. */
    dial(callId: string, invite: PhoneInvite, stream: StreamRecord, place: CallPlace, events: PhoneEvents): void {
      const { uri, from = `${PLACEHOLDER_NUMBER}@anonymous.invalid`, headers, auth, secure } = invite
      const chime = createChime(place)
      const media = createCallMedia({
        address: () => mediaAddressFor(uri),
        secure,
        random,
        audio: chime,
        video: place.video && { ...place.video, show: (isShown) => void (isClosing || events.onVideo(isShown)) },
        onDigit: events.onDigit,
        onReceiving(isReceiving) {
          phone.isSending = isReceiving
          events.onMedia()
        },
      })
      const call = agent.invite({ uri, from, headers, auth, media })
      const phone: Phone = { media, ring: chime.ring, hangUp: call.hangup, isSending: false }
      phones.set(callId, phone)
      const stopMeasuring = measurements.ofStream(stream, () => {
        const size = place.video?.size
        return { ...media.counters(), videoResolution: size && `${size.width}x${size.height}` }
      })
      const act = (does: Parameters<PhoneEvents['onAction']>[0]) => () => void (isClosing || events.onAction(does))
      call.on('ringing', act('ring'))
      call.on('answered', act('answer'))
      call.on('held', act('hold'))
      call.on('resumed', act('resume'))
      call.on('ended', (ending) => {
        stopMeasuring()
        phones.delete(callId)
        if (!isClosing) events.onEnded(ending)
      })
    },
    has: (callId: string) => phones.has(callId),
    /** Returns true while the phone of a call sends audio; undefined without a phone. */
    isSending: (callId: string) => phones.get(callId)?.isSending,
    /** Plays DTMF digits to the phone of a call. */
    play: (callId: string, digits: string) => phones.get(callId)?.media.play(digits),
    /** Announces to the phone of a call that it is muted, or no longer. */
    announceMute: (callId: string, isMuted: boolean) => phones.get(callId)?.ring(isMuted ? 'muted' : 'unmuted'),
    hangUp: (callId: string) => phones.get(callId)?.hangUp(),
    /** Hangs up all calls without reporting it, and closes the sockets. */
    async close(): Promise<void> {
      isClosing = true
      await agent.hangUpAll()
      agent.close()
      audio.close()
    },
  }
}

/** A host without an IPv4 address fails by its signalling. */
const LOOPBACK_FOUND = { address: '127.0.0.1' }
