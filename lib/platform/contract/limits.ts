interface Limit {
  readonly value: number
  readonly unit: 'seconds' | 'minutes' | 'hours' | 'bytes' | 'characters' | 'items' | 'pixels'
  readonly source: string
}

const limit = (value: number, unit: Limit['unit'], source: string): Limit => ({ value, unit, source })

const specification = 'platform interface, Limits'
const facts = 'platform facts, Behaviour'

/** Every number the platform sets, with its unit and where it is written. */
export const limits = {
  tokenLifetime: limit(300, 'seconds', specification),
  archiveName: limit(255, 'characters', specification),
  archiveDuration: limit(14_400, 'seconds', specification),
  /** Recorded plus paused time. */
  archiveAge: limit(43_200, 'seconds', facts),
  /** After the last client has left, for archives and broadcasts alike. */
  emptySession: limit(60, 'seconds', specification),
  /** After the last client has stopped publishing. */
  idleArchive: limit(3_600, 'seconds', specification),
  archiveAvailability: limit(259_200, 'seconds', facts),
  archiveUrlValidity: limit(600, 'seconds', specification),
  listCountDefault: limit(50, 'items', specification),
  listCountMax: limit(1_000, 'items', specification),
  archiveVideoStreams: limit(16, 'items', specification),
  archiveAudioStreams: limit(50, 'items', specification),
  rtmpTargets: limit(5, 'items', specification),
  broadcastDurationMin: limit(60, 'seconds', specification),
  broadcastDurationMax: limit(36_000, 'seconds', specification),
  broadcastDurationDefault: limit(14_400, 'seconds', specification),
} as const satisfies Record<string, Limit>
