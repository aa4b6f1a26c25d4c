/** Creates 128 bits as hexadecimal text from a source of numbers in [0, 1). */
export function createNonce(random: () => number): string {
  const word = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  return word() + word() + word() + word()
}

/** A buffer of random numbers: many at once take the system as long as one. */
const drawn = new Uint32Array(256)
let used = drawn.length

/** Returns a number in [0, 1) from the system's secure source. */
export function secureRandom(): number {
  if (used === drawn.length) {
    crypto.getRandomValues(drawn)
    used = 0
  }
  return (drawn[used++] ?? 0) / 2 ** 32
}
