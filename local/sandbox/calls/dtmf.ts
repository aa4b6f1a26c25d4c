import type { Clock } from '../../../lib/clock.ts'
import { limits } from '../../../lib/platform/contract/limits.ts'
import type { Presence } from '../participants/presence.ts'
import type { Ids } from '../state/ids.ts'
import type { CallRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import type { Timers } from '../state/timers.ts'

/** What the callees of SIP calls hear and press. A callee that is not on the line misses what is played. */
export interface Dtmf {
  /** Plays digits, each `p` among them being a pause. */
  play(callId: string, digits: string): void
  /** The callee presses keys: *6 toggles its mute if the call observes forced mutes. */
  press(callId: string, keys: string): void
  /** Tells the callee that a moderator muted it. */
  announceForcedMute(callId: string): void
}

/** Other keys between the two make it something else. */
const MUTE_KEYS = '*6'

export function createDtmf(parts: { store: Store; clock: Clock; timers: Timers; ids: Ids; presence: Presence }): Dtmf {
  const { store, clock, timers, ids, presence } = parts

  const onTheLine = (callId: string) => {
    const call = store.calls.get(callId)
    return call?.status === 'ACTIVE' ? call : undefined
  }

  function hear(callId: string, audio: { digits: string } | { speech: string }): void {
    const call = onTheLine(callId)
    if (call) store.calls.update(callId, { heard: [...call.heard, { at: clock.now(), ...audio }] })
  }

  function toggleMute({ id, streamId }: CallRecord): void {
    const { muted } = presence.change(streamId, { muted: !store.streams.get(streamId)?.muted })
    hear(id, { speech: muted ? 'You are muted.' : 'You are no longer muted.' })
  }

  return {
    play(callId, digits) {
      for (const [pauses, group] of digits.split('p').entries()) {
        const time = clock.now() + pauses * limits.dtmfPause.value * 1000
        if (group !== '' && pauses === 0) hear(callId, { digits: group })
        else if (group !== '') timers.set(callId, `tones ${ids.hex(8)}`, time, () => hear(callId, { digits: group }))
      }
    },
    press(callId, keys) {
      for (const key of keys) {
        const call = onTheLine(callId)
        if (!call) return
        const pressed = (call.pressed + key).slice(-MUTE_KEYS.length)
        store.calls.update(callId, { pressed })
        if (pressed === MUTE_KEYS && call.observeForceMute) toggleMute(call)
      }
    },
    announceForcedMute: (callId) => hear(callId, { speech: 'A moderator has muted you.' }),
  }
}
