import type { Readable } from 'node:stream'

/** What has come through a pipe and is not used yet. */
export interface Intake {
  /** Lets more come, or keeps it from coming. */
  open(isOpen: boolean): void
  has(bytes: number): boolean
  /** Moves the first bytes into a target, which must be there. */
  fill(target: Uint8Array): void
}

/** Makes the intake of a pipe, with room for two frames at first, which calls `onMore` whenever more has come. */
export function createIntake(pipe: Readable, frameBytes: number, onMore: () => void): Intake {
  let held = new Uint8Array(2 * frameBytes)
  let [start, end] = [0, 0]

  pipe.on('data', (piece: Uint8Array) => {
    if (end + piece.length > held.length) {
      const used = end - start
      const roomier = used + piece.length > held.length / 2 ? new Uint8Array(2 * (used + piece.length)) : held
      roomier.set(held.subarray(start, end))
      held = roomier
      ;[start, end] = [0, used]
    }
    held.set(piece, end)
    end += piece.length
    onMore()
  })
  pipe.pause()

  return {
    open(isOpen) {
      if (isOpen) pipe.resume()
      else pipe.pause()
    },
    has: (bytes) => end - start >= bytes,
    fill(target) {
      target.set(held.subarray(start, start + target.length))
      start += target.length
    },
  }
}
