/** Large, since each access to a disk costs two changes of threads, whatever its size. */
const BYTES = 1024 * 1024
/** As many as are usually in use at once; beyond them, memory is left to the garbage collector. */
const MAX_SPARE = 16

const spare: Buffer[] = []

/**
 * Lends a mebibyte for the time of `use`, whatever lies in it. Memory made anew for all that goes through a bucket is collected
 * late, by looking through everything else each time: that took a fifth of a bucket's processor time.
 */
export async function withPooledBuffer<T>(use: (memory: Buffer) => Promise<T>): Promise<T> {
  const memory = spare.pop() ?? Buffer.allocUnsafeSlow(BYTES)
  try {
    return await use(memory)
  } finally {
    if (spare.length < MAX_SPARE) spare.push(memory)
  }
}
