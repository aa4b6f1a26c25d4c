/** Makes 128 bits of hexadecimal from a source of numbers in [0, 1). */
export function createNonce(random: () => number): string {
  const word = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  return word() + word() + word() + word()
}

/** Asking the system for many numbers at once costs as much as asking for one. */
const drawn = new Uint32Array(256)
let used = drawn.length

/** Numbers in [0, 1) from the system's secure source. */
export function secureRandom(): number {
  if (used === drawn.length) {
    crypto.getRandomValues(drawn)
    used = 0
  }
  return (drawn[used++] ?? 0) / 2 ** 32
}
