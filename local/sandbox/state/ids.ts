/** Source of every identifier and secret of the sandbox, so that a seeded source replays them exactly. */
export type Ids = ReturnType<typeof createIds>

export function createIds(random: (bytes: number) => Buffer) {
  /** Returns `bytes` random bytes in lower-case hexadecimal: secrets, nonces. */
  const hex = (bytes: number) => random(bytes).toString('hex')
  return {
    hex,
    /** Returns a version 4 UUID: archives, broadcasts, connections, streams, requests. */
    uuid(): string {
      const digits = hex(16)
      const variant = '89ab'[Number.parseInt(digits.slice(16, 17), 16) % 4]
      return [
        digits.slice(0, 8),
        digits.slice(8, 12),
        `4${digits.slice(13, 16)}`,
        `${variant}${digits.slice(17, 20)}`,
        digits.slice(20),
      ].join('-')
    },
    /** Returns eight digits, which fit the 32-bit integer that Insights use for a project's key. */
    apiKey: () => String(10_000_000 + (random(4).readUInt32BE() % 90_000_000)),
  }
}

/** Returns the key as archives and broadcasts carry it: a number under two names (docs/platform/behavior.md#answers). */
export const keysOf = (apiKey: string) => ({ projectId: Number(apiKey), partnerId: Number(apiKey) })

export const isUuid = (id: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
