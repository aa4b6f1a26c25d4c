import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { AUTH_HEADER } from '../../lib/platform/contract/tokens.ts'
import { createArchiveDelivery } from './archives/archive-delivery.ts'
import { createArchiveStore } from './archives/archive-store.ts'
import { createArchives } from './archives/archives.ts'
import { startAutomaticArchives } from './archives/automatic-archives.ts'
import type { AzureFetch } from './archives/azure-blobs.ts'
import { createDownloads } from './archives/downloads.ts'
import type { Memory } from './archives/memory.ts'
import type { HttpHandler } from './archives/upload.ts'
import { createBroadcasts } from './broadcasts/broadcasts.ts'
import { createHlsRoutes } from './broadcasts/hls.ts'
import { createAnnouncements } from './callbacks/announcements.ts'
import { createCallbackRoutes } from './callbacks/callback-routes.ts'
import { type CallbackFetch, createCallbacks } from './callbacks/callbacks.ts'
import { announceChanges } from './callbacks/change-callbacks.ts'
import { type StatusChange, startStatusChanges } from './callbacks/status-changes.ts'
import { createCallControlRoutes } from './calls/call-control.ts'
import { createCalls } from './calls/calls.ts'
import { createDtmf } from './calls/dtmf.ts'
import { createComposers } from './composers/composers.ts'
import { createClockRoutes } from './control/clock-routes.ts'
import { createControlRoutes } from './control/control.ts'
import { guardControl } from './control/control-access.ts'
import { createFaultRoutes } from './control/fault-routes.ts'
import type { RtmpForm } from './handler.ts'
import { createHandlers } from './handlers.ts'
import { createAuthentication } from './http/authentication.ts'
import { ConnectionCut } from './http/fault-injection.ts'
import { createFaults, type Faults } from './http/faults.ts'
import { createRouter, type LogLine } from './http/router.ts'
import { createHistory } from './insights/history.ts'
import type { Media } from './media/media.ts'
import { openBelow } from './media/media-roots.ts'
import { createParticipants, type Participants } from './participants/participants.ts'
import { createPresence } from './participants/presence.ts'
import { type AccountCredentials, type Credentials, createAccounts } from './projects/accounts.ts'
import { createBackground } from './state/background.ts'
import { createIds } from './state/ids.ts'
import { startRetention } from './state/retention.ts'
import { createStore } from './state/store.ts'
import { createTimers } from './state/timers.ts'
import { createTransitions } from './state/transitions.ts'

export interface SandboxOptions {
  readonly clock: Clock
  /** Source of ids and secrets: seeded in the simulation, `crypto.randomBytes` otherwise. */
  readonly random: (bytes: number) => Buffer
  /** Closed along with the sandbox. */
  readonly media: Media
  /** Keeps records and finished files there; without one everything is forgotten on close. */
  readonly directory?: string | undefined
  /** Keeps them there instead, past the sandbox's own close. */
  readonly memory?: Memory | undefined
  /** Base of HLS and archive URLs, without a trailing slash; asked for anew each time. */
  readonly publicUrl: () => string
  /** Names under which the token is accepted, the first one being named in refusals; default `X-SERVICE-AUTH`. */
  readonly authHeaders?: readonly string[] | undefined
  /**
   * How listBroadcasts and getBroadcast show RTMP outputs: an object by id, or an array as on some deployments.
   * @default 'object'
   */
  readonly rtmpForm?: RtmpForm | undefined
  /** Default: the one kept in `directory`, else made up. */
  readonly project?: Credentials | undefined
  /** Carries uploads instead of the network. */
  readonly uploadHandler?: HttpHandler | undefined
  /** The same for targets of type azure. */
  readonly azureFetch?: AzureFetch | undefined
  /** Carries callbacks instead of the network. */
  readonly callbackFetch?: CallbackFetch | undefined
  /** Whether the projects have the add-on that lets Insights tell of sessions and their quality; they have unless told. */
  readonly advancedInsights?: boolean | undefined
  /** Bearer token of the control interface. @default none, so that whoever reaches `fetch` controls the sandbox */
  readonly controlToken?: string | undefined
  /** Folders that file sources of participants may lie in. @default none, so that file sources are refused */
  readonly mediaRoots?: readonly string[] | undefined
  readonly log?: ((line: LogLine) => void) | undefined
  /** Hears of every status as soon as it is recorded; must not throw. */
  readonly onStatusChange?: ((change: StatusChange) => void) | undefined
}

export interface Sandbox {
  /** Rejects like the global one when a fault cuts the connection: with a TypeError whose cause has a `code`. */
  fetch(request: Request): Promise<Response>
  readonly project: Credentials
  readonly account: AccountCredentials
  /** Where a server brings the sockets of those who take part. */
  readonly participants: Participants
  /** As over HTTP. */
  readonly faults: Faults
  /** Resolves once nothing is under way behind the answers (files, uploads, callbacks) but what waits on the clock. */
  settled(): Promise<void>
  /** Stops everything without uploading it; what was recording is uploaded when the directory is opened again. */
  close(): Promise<void>
}

/** The video platform as its specification describes it, with one account and its projects. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { clock, media, directory, memory, publicUrl, uploadHandler, log, onStatusChange } = options
  const now = () => clock.now()
  const ids = createIds(options.random)
  const store = memory?.store ?? createStore(directory)
  const files = memory?.files ?? createArchiveStore(directory && join(directory, 'archives'))
  const timers = createTimers(clock)
  const faults = createFaults(ids)
  const background = createBackground(clock)
  const transitions = createTransitions(store, clock)
  if (onStatusChange) startStatusChanges(transitions, onStatusChange)
  const accounts = createAccounts({ store, ids, now, transitions })
  const project = accounts.openProject(options.project)
  const account = accounts.openAccount()

  const parts = {
    store,
    clock,
    ids,
    timers,
    background,
    transitions,
    media,
    files,
    faults,
    uploadHandler,
    azureFetch: options.azureFetch,
    now,
    publicUrl,
  }
  const attendance = createPresence(parts)
  const sources = openBelow(options.mediaRoots ?? [], media)
  const participants = createParticipants({ ...parts, attendance, media: sources })
  const history = createHistory({ ...parts, attendance })
  const deliveries = createArchiveDelivery(parts)
  const recordings = createArchives({ ...parts, attendance, deliveries })
  const broadcasting = createBroadcasts({ ...parts, attendance })
  startAutomaticArchives({ ...parts, attendance, recordings })
  const announcements = createAnnouncements()
  const { announce } = announcements
  const callbacks = createCallbacks({ store, clock, callbackFetch: options.callbackFetch })
  announcements.listen(callbacks.send)
  const tones = createDtmf({ ...parts, attendance })
  const calls = createCalls({ ...parts, attendance, tones, announce })
  const composers = createComposers({ ...parts, attendance, announce })
  const downloads = createDownloads({ ...parts, key: account.secret })
  announceChanges({ ...parts, attendance, announce, downloadUrl: downloads.url })

  const authentication = createAuthentication(store, clock, options.authHeaders ?? [AUTH_HEADER])
  const handlers = createHandlers({
    ...parts,
    accounts,
    attendance,
    recordings,
    deliveries,
    broadcasting,
    calls,
    tones,
    composers,
    hasAdvancedInsights: options.advancedInsights ?? true,
    downloadUrl: downloads.url,
    rtmpForm: options.rtmpForm ?? 'object',
  })
  const router = createRouter({ ...parts, handlers, authentication, signal: background.signal, log })
  router.route('/', downloads.routes)
  router.route('/', createHlsRoutes(store, broadcasting))
  router.use('/sandbox/*', guardControl(options.controlToken))
  router.route('/', createControlRoutes({ ...parts, attendance, media: sources }))
  router.route('/', createCallbackRoutes({ store, callbacks }))
  router.route('/', createFaultRoutes(faults))
  router.route('/', createClockRoutes({ clock, settled }))
  router.route('/', createCallControlRoutes({ store, calls, tones }))

  history.recover()
  callbacks.recover()
  recordings.recover()
  broadcasting.recover()
  calls.recover()
  composers.recover()
  for (const connection of store.connections.find()) attendance.disconnect(connection, 'networkDisconnected')
  startRetention(parts)

  let closing: Promise<void> | undefined
  return {
    fetch: (request) => answerOrReject(router, request),
    project: { apiKey: project.id, apiSecret: project.secret },
    account: { accountKey: account.id, accountSecret: account.secret },
    participants,
    faults,
    settled,
    close() {
      closing ??= close()
      return closing
    },
  }

  async function settled(): Promise<void> {
    await background.settled()
    await callbacks.settled()
    await participants.settled()
    await media.caughtUp?.()
  }

  async function close(): Promise<void> {
    timers.close()
    history.close()
    await participants.close()
    await callbacks.close()
    await recordings.close()
    await broadcasting.close()
    const idle = background.close()
    await media.close() // what is being finished is waited for, all else fails, so that the background comes to rest
    await idle
    if (memory) return
    await files.close()
    store.close()
  }
}

async function answerOrReject(router: ReturnType<typeof createRouter>, request: Request): Promise<Response> {
  try {
    return await router.fetch(request)
  } catch (error) {
    throw error instanceof ConnectionCut ? new TypeError('fetch failed', { cause: error }) : error
  }
}
