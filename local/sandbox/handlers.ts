import { archiveHandlers } from './archives/archive-handlers.ts'
import { uploadTargetHandlers } from './archives/upload-target-handlers.ts'
import { broadcastHandlers } from './broadcasts/broadcast-handlers.ts'
import { callHandlers } from './calls/call-handlers.ts'
import { composerHandlers } from './composers/composer-handlers.ts'
import type { Handlers } from './handler.ts'
import { insightsHandlers } from './insights/insights-handlers.ts'
import { projectHandlers } from './projects/project-handlers.ts'
import { connectionHandlers } from './sessions/connection-handlers.ts'
import { sessionHandlers } from './sessions/session-handlers.ts'
import { signalHandlers } from './sessions/signal-handlers.ts'
import { streamHandlers } from './sessions/stream-handlers.ts'

type PartsOf<Group extends (parts: never) => unknown> = Parameters<Group>[0]

/** Everything that the groups of handlers ask for; each group declares its own part. */
type AllParts = PartsOf<typeof sessionHandlers> &
  PartsOf<typeof projectHandlers> &
  PartsOf<typeof streamHandlers> &
  PartsOf<typeof archiveHandlers> &
  PartsOf<typeof broadcastHandlers> &
  PartsOf<typeof callHandlers> &
  PartsOf<typeof composerHandlers> &
  PartsOf<typeof insightsHandlers>

/** Creates the handlers of all operations of the platform. */
export const createHandlers = (parts: AllParts): Handlers => ({
  ...sessionHandlers(parts),
  ...projectHandlers(parts),
  ...signalHandlers(parts),
  ...connectionHandlers(parts),
  ...streamHandlers(parts),
  ...archiveHandlers(parts),
  ...uploadTargetHandlers(parts.store),
  ...broadcastHandlers(parts),
  ...callHandlers(parts),
  ...composerHandlers(parts),
  ...insightsHandlers(parts),
})
