import { limits } from '../../../lib/platform/contract/limits.ts'
import type { SandboxParts } from '../parts.ts'
import type { CallRecord } from '../state/records.ts'
import type { Phones } from './phones.ts'

/** Tones and announcements to the callees of SIP calls, and the keys they press. Only a callee on the line hears them. */
export type Dtmf = ReturnType<typeof createDtmf>

/** Keys that toggle the mute when pressed in a row. */
const MUTE_KEYS = '*6'

export function createDtmf(
  parts: Pick<SandboxParts, 'store' | 'clock' | 'timers' | 'ids' | 'presence'> & {
    phones: Pick<Phones, 'play' | 'announceMute'>
  },
) {
  const { store, clock, timers, ids, presence, phones } = parts

  const activeCall = (callId: string) => {
    const call = store.calls.get(callId)
    return call?.status === 'ACTIVE' ? call : undefined
  }

  function recordHeard(callId: string, heard: { digits: string } | { speech: string }): void {
    const call = activeCall(callId)
    if (call) store.calls.update(callId, { heard: [...call.heard, { at: clock.now(), ...heard }] })
  }

  function toggleMute({ id, streamId }: CallRecord): void {
    const { muted } = presence.change(streamId, { muted: !store.streams.get(streamId)?.muted })
    phones.announceMute(id, muted === true)
    recordHeard(id, { speech: muted ? 'You are muted.' : 'You are no longer muted.' })
  }

  return {
    /** Plays digits; each `p` among them is a pause. */
    play(callId: string, digits: string): void {
      if (activeCall(callId)) phones.play(callId, digits)
      for (const [pauses, group] of digits.split('p').entries()) {
        const time = clock.now() + pauses * limits.dtmfPause.value * 1000
        if (group !== '' && pauses === 0) recordHeard(callId, { digits: group })
        else if (group !== '')
          timers.set(callId, `tones ${ids.hex(8)}`, time, () => recordHeard(callId, { digits: group }))
      }
    },
    /** Presses keys as the callee: *6 toggles its mute if the call observes forced mutes. */
    press(callId: string, keys: string): void {
      for (const key of keys) {
        const call = activeCall(callId)
        if (!call) return
        const pressed = (call.pressed + key).slice(-MUTE_KEYS.length)
        store.calls.update(callId, { pressed })
        if (pressed === MUTE_KEYS && call.observeForceMute) toggleMute(call)
      }
    },
    announceForcedMute(callId: string): void {
      if (activeCall(callId)) phones.announceMute(callId, true)
      recordHeard(callId, { speech: 'A moderator has muted you.' })
    },
  }
}
