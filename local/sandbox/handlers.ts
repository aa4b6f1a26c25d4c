import { archiveHandlers } from './archives/archive-handlers.ts'
import { uploadTargetHandlers } from './archives/upload-target-handlers.ts'
import { broadcastHandlers } from './broadcasts/broadcast-handlers.ts'
import { callHandlers } from './calls/call-handlers.ts'
import { composerHandlers } from './composers/composer-handlers.ts'
import type { Handlers } from './handler.ts'
import { insightsHandlers } from './insights/insights.ts'
import { projectHandlers } from './projects/project-handlers.ts'
import { sessionHandlers } from './sessions/session-handlers.ts'
import { streamHandlers } from './sessions/stream-handlers.ts'

type PartsOf<Group extends (parts: never) => unknown> = Parameters<Group>[0]

/** Members that the groups of handlers need; each group declares its own. */
type AllParts = PartsOf<typeof projectHandlers> &
  PartsOf<typeof archiveHandlers> &
  PartsOf<typeof broadcastHandlers> &
  PartsOf<typeof callHandlers> &
  PartsOf<typeof composerHandlers> & { hasAddOn: boolean }

export function createHandlers(parts: AllParts): Handlers {
  const { store, now, presence, hasAddOn } = parts
  return {
    ...sessionHandlers(parts),
    ...projectHandlers(parts),
    ...streamHandlers(store, presence),
    ...archiveHandlers(parts),
    ...uploadTargetHandlers(store),
    ...broadcastHandlers(parts),
    ...callHandlers(parts),
    ...composerHandlers(parts),
    ...insightsHandlers(store, now, hasAddOn),
  }
}
