import { FRAMES_PER_SECOND } from '../timebase.ts'
import { type Decoder, RUN_UP_FRAMES } from './decoder.ts'

/** One track of a file that begins again when it is over; it reads one frame ahead. */
export interface Reel {
  /** The frame at a place of the file, valid until the next is asked for; undefined where there is none. */
  frameAt(place: number): Promise<Uint8Array | undefined>
  /** Ends its decoders; resolves when they are gone. */
  close(): Promise<void>
}

/** So long before the end the next pass is started, so that nobody waits for it. */
const LEAD_FRAMES = FRAMES_PER_SECOND

/**
 * Makes a reel of `length` frames. Every pass is exactly as long, whatever the track has: so tracks of one file stay
 * together however often they begin again.
 */
export function createReel(length: number, frameBytes: number, decode: (from: number) => Decoder): Reel {
  let current = new Uint8Array(frameBytes)
  let coming = new Uint8Array(frameBytes)
  let decoder: Decoder | undefined
  let nextPass: Decoder | undefined
  let ahead: { readonly place: number; readonly isThere: Promise<boolean> } | undefined
  let isClosed = false

  async function load(place: number): Promise<boolean> {
    if (isClosed) return false
    if (!decoder || place < decoder.place || place > decoder.place + RUN_UP_FRAMES) {
      void decoder?.kill()
      decoder = place === 0 && nextPass ? nextPass : decode(place)
      if (decoder === nextPass) nextPass = undefined
    }
    if (place >= length - LEAD_FRAMES) nextPass ??= decode(0)
    let isThere = false
    while (decoder.place <= place) isThere = await decoder.fill(coming)
    return isThere
  }
  const loadAhead = (place: number) => {
    ahead = { place, isThere: load(place) }
    return ahead.isThere
  }

  return {
    async frameAt(place) {
      const loaded = await ahead?.isThere
      const isThere = ahead?.place === place ? loaded : await loadAhead(place)
      ;[current, coming] = [coming, current]
      void loadAhead((place + 1) % length)
      return isThere ? current : undefined
    },
    async close() {
      isClosed = true
      await Promise.all([decoder?.kill(), nextPass?.kill()])
      await ahead?.isThere
    },
  }
}
