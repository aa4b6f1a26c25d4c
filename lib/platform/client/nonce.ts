/** Makes 128 bits of hexadecimal from a source of numbers in [0, 1). */
export function createNonce(random: () => number): string {
  const word = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  return word() + word() + word() + word()
}

/** Numbers in [0, 1) from the system's secure source. */
export const secureRandom = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32
