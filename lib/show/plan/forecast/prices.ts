/** List prices of AWS in US dollars, without free tiers. docs/deploy.md has the same. */
export const prices = {
  region: 'us-east-1',
  asOf: '2026-11',
  transition: 0.025 / 1_000,
  invocation: 0.2 / 1_000_000,
  /** Of a function on Arm. */
  gigabyteSecond: 0.0000133334,
  write: 0.005 / 1_000,
  read: 0.0004 / 1_000,
  apiRequest: 1 / 1_000_000,
  event: 1 / 1_000_000,
  logGigabyte: 0.5,
  trace: 5 / 1_000_000,
  storedGigabyteMonth: 0.023,
  sentGigabyte: 0.09,
} as const

/** An amount that grows with the length of a show. */
interface Line {
  /** Independent of the length. */
  readonly base: number
  readonly perHour: number
}

/** Returns the line through the amounts of a show of one hour and of one of ten hours. */
const through = (one: number, ten: number): Line => ({ base: one - (ten - one) / 9, perHour: (ten - one) / 9 })

/** Amounts of running a show. docs/deploy.md names the source of each. */
export const running = {
  transitions: through(283, 2_297),
  invocations: through(96, 764),
  writes: through(300, 2_000),
  reads: through(500, 4_000),
  apiRequests: through(1_000, 10_000),
  events: through(20, 60),
  logMegabytes: through(0.5, 4),
  traces: through(100, 800),
} as const satisfies Readonly<Record<string, Line>>

/** Gigabyte-seconds of one invocation that runs a show: 0.3 s at 256 MB. */
export const INVOCATION_GIGABYTE_SECONDS = 0.3 * 0.25

/** Amounts of publishing one recording. `later` are hours of parts that follow another. */
export const publishing = {
  transitions: { part: 36, piece: 2, joinedPart: 3.5 },
  invocations: { part: 16, piece: 1, joinedPart: 2.5 },
  /** Besides renditions. */
  gigabyteSeconds: { hour: 245, laterHour: 46 },
  writes: { hour: 350, laterHour: 225 },
  reads: { hour: 2_000, laterHour: 250 },
} as const

/** A piece of ten minutes is encoded for 200 s at 3,008 MB. */
export const pieces = { perHour: 6, gigabyteSeconds: (200 * 3_008) / 1_024 } as const

/** Gigabytes that an hour of a recording takes. */
export const gigabytes = {
  archive: 1,
  /** Of each format. Thumbnails include the poster. */
  formats: { faststart: 1, hls: 1, renditions: 0.72, audio: 0.06, thumbnails: 0.02 },
  /** Joined copies of a part that follows another. */
  joined: 1.7,
  /** The rendition of 720p, which a recording of 1080p also has. */
  rendition720p: 1.1,
} as const
