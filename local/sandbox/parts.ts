import type { Clock } from '../../lib/clock.ts'
import type { ArchiveStore } from './archives/archive-store.ts'
import type { FaultSource } from './http/faults.ts'
import type { Media } from './media/media.ts'
import type { Presence } from './participants/presence.ts'
import type { Background } from './state/background.ts'
import type { Ids } from './state/ids.ts'
import type { Store } from './state/store.ts'
import type { Timers } from './state/timers.ts'
import type { AllTransitions } from './state/transitions.ts'

/** Parts that several resources work with. Each resource picks the ones it needs. */
export interface SandboxParts {
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly timers: Timers
  readonly background: Background
  readonly transitions: AllTransitions
  readonly presence: Presence
  readonly media: Media
  readonly files: ArchiveStore
  readonly faults: FaultSource
  /** Returns milliseconds since the epoch. */
  readonly now: () => number
  /** Returns the base of the URLs of files and playlists, without a trailing slash. */
  readonly publicUrl: () => string
}
