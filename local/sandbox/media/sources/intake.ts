import type { Readable } from 'node:stream'

/**
 * Creates the buffer of the bytes that a pipe has delivered and that are not used yet, with room for two frames at first.
 * `onMore` is called after each chunk.
 */
export function createIntake(pipe: Readable, frameBytes: number, onMore: () => void) {
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
    open(isOpen: boolean): void {
      if (isOpen) pipe.resume()
      else pipe.pause()
    },
    has: (bytes: number) => end - start >= bytes,
    /** Moves the first bytes into a target; `has` must have returned true for them. */
    fill(target: Uint8Array): void {
      target.set(held.subarray(start, start + target.length))
      start += target.length
    },
  }
}
