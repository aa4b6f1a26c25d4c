export interface Limit {
  readonly value: number
  readonly unit: 'calls' | 'seconds' | 'minutes' | 'hours' | 'days' | 'months' | 'bytes' | 'characters' | 'items'
  /** The section that describes it, as a path from the root of the repository and an anchor. */
  readonly source: `docs/platform/${string}.md#${string}`
}

const limit = (value: number, unit: Limit['unit'], section: string): Limit => ({
  value,
  unit,
  source: `docs/platform/limits.md#${section}`,
})

/** Returns a limit as text, such as `14,400 seconds`. */
export const quantity = ({ value, unit }: Limit) => `${value.toLocaleString('en-US')} ${unit}`

/** Every number that the platform sets, with its unit and its source. */
export const limits = {
  tokenLifetime: limit(300, 'seconds', 'authentication'),
  /** Applies to a client token without `exp`. */
  clientTokenLifetime: limit(86_400, 'seconds', 'authentication'),

  /** In a second. The platform states no rate: this one is assumed, and lowered while the platform throttles. */
  callsPerSecond: limit(100, 'calls', 'calls-in-a-second'),

  signalType: limit(128, 'bytes', 'signals'),
  /** 8 kB, which existing SDKs read as units of 1,024 bytes. */
  signalData: limit(8_192, 'bytes', 'signals'),

  listCountDefault: limit(50, 'items', 'lists'),
  listCountMax: limit(1_000, 'items', 'lists'),

  archiveName: limit(255, 'characters', 'archives'),
  /** Recorded time only; an automatic archive continues in a new file. */
  archiveDuration: limit(14_400, 'seconds', 'archives'),
  /** Recorded plus paused time. */
  archiveAge: limit(43_200, 'seconds', 'archives'),
  /** After the last client has left, for archives and broadcasts alike. */
  emptySession: limit(60, 'seconds', 'archives'),
  /** After the last client has stopped publishing. */
  idleArchive: limit(3_600, 'seconds', 'archives'),
  /** Time that the platform keeps a file that was not uploaded. */
  archiveAvailability: limit(259_200, 'seconds', 'archives'),
  archiveUrlValidity: limit(600, 'seconds', 'archives'),
  archiveRetention: limit(12, 'months', 'archives'),
  archiveVideoStreams: limit(16, 'items', 'archives'),
  archiveAudioStreams: limit(50, 'items', 'archives'),

  rtmpTargets: limit(5, 'items', 'broadcasts'),
  broadcastDurationMin: limit(60, 'seconds', 'broadcasts'),
  broadcastDurationMax: limit(36_000, 'seconds', 'broadcasts'),
  broadcastDurationDefault: limit(14_400, 'seconds', 'broadcasts'),
  /** Time from the start until the HLS playlist may be requested. */
  hlsWarmUp: limit(20, 'seconds', 'broadcasts'),

  composerDurationMin: limit(60, 'seconds', 'composers'),
  composerDurationMax: limit(36_000, 'seconds', 'composers'),
  composerDurationDefault: limit(7_200, 'seconds', 'composers'),
  composerUrlMin: limit(15, 'characters', 'composers'),
  composerUrlMax: limit(2_048, 'characters', 'composers'),
  composerNameMin: limit(1, 'characters', 'composers'),
  composerNameMax: limit(200, 'characters', 'composers'),

  callSilence: limit(300, 'seconds', 'calls'),
  callDuration: limit(21_600, 'seconds', 'calls'),
  callVideoStreams: limit(9, 'items', 'calls'),
  /** The pause for one `p` among the digits. */
  dtmfPause: limit(0.5, 'seconds', 'calls'),

  /** Maximum time until a new project can be used. */
  projectAvailability: limit(60, 'seconds', 'projects'),

  usageRetention: limit(90, 'days', 'insights'),
  usageLatencyMin: limit(36, 'hours', 'insights'),
  usageLatencyMax: limit(48, 'hours', 'insights'),
  qualityRetention: limit(21, 'days', 'insights'),
  qualityLatency: limit(5, 'minutes', 'insights'),
  /** Time without use after which the next use of a session is a new meeting. */
  meetingPause: limit(600, 'seconds', 'insights'),
  statisticsInterval: limit(30, 'seconds', 'insights'),
  /** Maximum digits of an instant that counts seconds. An instant with more digits counts milliseconds. */
  secondsDigits: limit(10, 'characters', 'insights'),
} as const satisfies Record<string, Limit>
