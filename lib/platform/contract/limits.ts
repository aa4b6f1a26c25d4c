export interface Limit {
  readonly value: number
  readonly unit: 'seconds' | 'minutes' | 'hours' | 'days' | 'months' | 'bytes' | 'characters' | 'items'
  readonly source: string
}

const limit = (value: number, unit: Limit['unit'], source: string): Limit => ({ value, unit, source })

const specification = 'platform interface, Limits'
const facts = 'platform facts, Behaviour'

/** Every number the platform sets, with its unit and where it is written. */
export const limits = {
  tokenLifetime: limit(300, 'seconds', specification),
  /** Of a client token that does not say when it expires. */
  clientTokenLifetime: limit(86_400, 'seconds', facts),

  signalType: limit(128, 'bytes', specification),
  /** 8 kB; existing clients count 1,024 bytes to each. */
  signalData: limit(8_192, 'bytes', specification),

  listCountDefault: limit(50, 'items', specification),
  listCountMax: limit(1_000, 'items', specification),

  archiveName: limit(255, 'characters', specification),
  /** Recorded time only; an automatic archive goes on in a next file. */
  archiveDuration: limit(14_400, 'seconds', specification),
  /** Recorded plus paused time. */
  archiveAge: limit(43_200, 'seconds', facts),
  /** After the last client has left, for archives and broadcasts alike. */
  emptySession: limit(60, 'seconds', specification),
  /** After the last client has stopped publishing. */
  idleArchive: limit(3_600, 'seconds', specification),
  /** How long a file that was not uploaded can be fetched before it expires. */
  archiveAvailability: limit(259_200, 'seconds', facts),
  archiveUrlValidity: limit(600, 'seconds', specification),
  archiveRetention: limit(12, 'months', specification),
  archiveVideoStreams: limit(16, 'items', specification),
  archiveAudioStreams: limit(50, 'items', specification),

  rtmpTargets: limit(5, 'items', specification),
  broadcastDurationMin: limit(60, 'seconds', specification),
  broadcastDurationMax: limit(36_000, 'seconds', specification),
  broadcastDurationDefault: limit(14_400, 'seconds', specification),
  /** How long after the start an HLS URL is not to be fetched. */
  hlsWarmUp: limit(20, 'seconds', 'platform interface, Broadcast'),

  composerDurationMin: limit(60, 'seconds', specification),
  composerDurationMax: limit(36_000, 'seconds', specification),
  composerDurationDefault: limit(7_200, 'seconds', specification),
  composerUrlMin: limit(15, 'characters', specification),
  composerUrlMax: limit(2_048, 'characters', specification),
  composerNameMin: limit(1, 'characters', specification),
  composerNameMax: limit(200, 'characters', specification),

  callSilence: limit(300, 'seconds', specification),
  callDuration: limit(21_600, 'seconds', specification),
  callVideoStreams: limit(9, 'items', specification),
  /** What one `p` among the digits waits. */
  dtmfPause: limit(0.5, 'seconds', 'platform interface, E19'),

  /** By when a created project can be used. */
  projectAvailability: limit(60, 'seconds', specification),

  usageRetention: limit(90, 'days', specification),
  usageLatencyMin: limit(36, 'hours', specification),
  usageLatencyMax: limit(48, 'hours', specification),
  qualityRetention: limit(21, 'days', specification),
  qualityLatency: limit(5, 'minutes', specification),
  /** Without use, after which the next use of a session is another meeting. */
  meetingPause: limit(600, 'seconds', specification),
  statisticsInterval: limit(30, 'seconds', 'platform interface, Insights objects'),
  /** Up to so many digits an instant counts seconds, beyond them milliseconds. */
  secondsDigits: limit(10, 'characters', 'platform interface, E36'),
} as const satisfies Record<string, Limit>
