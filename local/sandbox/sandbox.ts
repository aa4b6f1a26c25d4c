import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { AUTH_HEADER, OPENTOK_AUTH_HEADER } from '../../lib/platform/contract/tokens.ts'
import { createArchiveDelivery } from './archives/archive-delivery.ts'
import { createArchiveStore } from './archives/archive-store.ts'
import { createArchives } from './archives/archives.ts'
import { subscribeAutomaticArchives } from './archives/automatic-archives.ts'
import type { AzureFetch } from './archives/azure-blobs.ts'
import { createDownloads } from './archives/downloads.ts'
import type { Memory } from './archives/memory.ts'
import type { HttpHandler } from './archives/upload.ts'
import type { RtmpForm } from './broadcasts/broadcast-handlers.ts'
import { createBroadcasts } from './broadcasts/broadcasts.ts'
import { createHlsRoutes } from './broadcasts/hls.ts'
import { createOrigin } from './broadcasts/origin.ts'
import { createCallbackRoutes } from './callbacks/callback-routes.ts'
import { type CallbackFetch, createCallbacks } from './callbacks/callbacks.ts'
import { subscribeChangeCallbacks } from './callbacks/change-callbacks.ts'
import { type StatusChange, subscribeStatusChanges } from './callbacks/status-changes.ts'
import { createCallControlRoutes } from './calls/call-control.ts'
import { createCalls } from './calls/calls.ts'
import { createDtmf } from './calls/dtmf.ts'
import { createPhones, type SipSettings } from './calls/phones.ts'
import { createChromiumPages } from './composers/chromium/chromium-pages.ts'
import { createComposers } from './composers/composers.ts'
import { createScriptedPages } from './composers/scripted-pages.ts'
import { createClockRoutes } from './control/clock-routes.ts'
import { createControlRoutes } from './control/control.ts'
import { guardControl } from './control/control-access.ts'
import { createFaultRoutes } from './control/fault-routes.ts'
import { createHandlers } from './handlers.ts'
import { createAuthentication } from './http/authentication.ts'
import { createDirectAnswers } from './http/direct-answers.ts'
import { ConnectionCut } from './http/fault-injection.ts'
import { createFaults } from './http/faults.ts'
import { createHosts } from './http/hosts.ts'
import { createPerform } from './http/perform.ts'
import { createRouter, type LogLine } from './http/router.ts'
import { createHistory } from './insights/history.ts'
import { createMeasurements } from './insights/measurements.ts'
import type { Media } from './media/media.ts'
import { openBelow } from './media/media-roots.ts'
import { createParticipants } from './participants/participants.ts'
import { createPresence } from './participants/presence.ts'
import { type Credentials, createAccounts } from './projects/accounts.ts'
import { createBackground } from './state/background.ts'
import { createIds } from './state/ids.ts'
import { subscribeRetention } from './state/retention.ts'
import { createStore } from './state/store.ts'
import { createTimers } from './state/timers.ts'
import { createTransitions } from './state/transitions.ts'
import { createDoors } from './webrtc/doors/doors.ts'
import { createParticipantMedia } from './webrtc/participant-media.ts'
import { createWebRtc } from './webrtc/webrtc.ts'

export interface SandboxOptions {
  readonly clock: Clock
  /** Source of ids and secrets: seeded in the simulation, `crypto.randomBytes` otherwise. */
  readonly random: (bytes: number) => Buffer
  /** Closed along with the sandbox. */
  readonly media: Media
  /** Folder of records and finished files. @default none: both are kept in memory and lost on close */
  readonly directory?: string | undefined
  /** Keeps records and finished files instead of `directory`, also after the sandbox has closed. */
  readonly memory?: Memory | undefined
  /** IPv4 address at which it listens. @default 127.0.0.1 */
  readonly address?: string | undefined
  /** IPv4 address at which it receives the media of WebRTC peers. @default `address` */
  readonly peerAddress?: string | undefined
  /** Returns the base of HLS and archive URLs, without a trailing slash; called for each URL. */
  readonly publicUrl: () => string
  /** Headers in which a token is accepted; refusals name them. @default `X-SERVICE-AUTH` and `X-OPENTOK-AUTH` */
  readonly authHeaders?: readonly string[] | undefined
  /**
   * Form of RTMP outputs in listBroadcasts and getBroadcast: an object by id, or an array as on some deployments.
   * @default 'object'
   */
  readonly rtmpForm?: RtmpForm | undefined
  /** @default the project kept in `directory`, else a new one */
  readonly project?: Credentials | undefined
  /** Carries uploads to S3 instead of the network. */
  readonly uploadHandler?: HttpHandler | undefined
  /**
   * `bucket` to mirror HLS broadcasts in the bucket of the upload target and return their addresses there, or the URL of a CDN
   * in front of it. @default none: the sandbox serves them itself
   */
  readonly origin?: string | undefined
  /** Carries uploads to Azure instead of the network. */
  readonly azureFetch?: AzureFetch | undefined
  /** Carries callbacks instead of the network. */
  readonly callbackFetch?: CallbackFetch | undefined
  /** Calls of real phones. @default only those of the loopback interface are dialled */
  readonly sip?: SipSettings | undefined
  /** Chromium that renders the pages of composers. @default none: their pages are simulated */
  readonly chromiumPath?: string | undefined
  /** The projects have the add-on with which Insights report sessions and their quality. @default true */
  readonly advancedInsights?: boolean | undefined
  /** Bearer token of the control interface. @default none, so that every caller of `fetch` controls the sandbox */
  readonly controlToken?: string | undefined
  /** Folders from which participants may publish files. @default none, so that file sources are refused */
  readonly mediaRoots?: readonly string[] | undefined
  readonly log?: ((line: LogLine) => void) | undefined
  /** Called with every status as soon as it is recorded; must not throw. */
  readonly onStatusChange?: ((change: StatusChange) => void) | undefined
}

export type Sandbox = ReturnType<typeof createSandbox>

/** Creates the video platform as its specification describes it, with one account and its projects. */
export function createSandbox(options: SandboxOptions) {
  const { clock, media, directory, memory, publicUrl, uploadHandler, azureFetch, log, onStatusChange } = options
  const now = () => clock.now()
  const ids = createIds(options.random)
  const store = memory?.store ?? createStore(directory)
  const files = memory?.files ?? createArchiveStore(directory && join(directory, 'archives'))
  const timers = createTimers(clock)
  const faults = createFaults(ids)
  const background = createBackground(clock)
  const transitions = createTransitions(store, clock)
  if (onStatusChange) subscribeStatusChanges(transitions, onStatusChange)
  const accounts = createAccounts({ store, ids, now, transitions })
  const project = accounts.openProject(options.project)
  const account = accounts.openAccount()

  const state = { store, clock, ids, timers, background, transitions, now, publicUrl }
  const hosts = createHosts(options.address)
  const presence = createPresence({ ...state, media })
  const measurements = createMeasurements(state)
  const webRtc = createWebRtc({
    ...{ ...state, presence, media, measurements },
    address: options.peerAddress ?? hosts.address,
    findOutput: (id) => archives.output(id) ?? broadcasts.output(id),
  })
  const parts = { ...state, presence, media, files, faults, uploadHandler, azureFetch }
  const sources = openBelow(options.mediaRoots ?? [], media)
  const participants = createParticipants({ ...parts, media: sources, live: createParticipantMedia(webRtc) })
  const history = createHistory(parts)
  const delivery = createArchiveDelivery(parts)
  const archives = createArchives({ ...parts, delivery })
  const origin = createOrigin({ ...parts, origin: options.origin })
  const broadcasts = createBroadcasts({ ...parts, origin })
  subscribeAutomaticArchives({ ...parts, archives })
  const callbacks = createCallbacks({ store, clock, callbackFetch: options.callbackFetch })
  const { send: announce } = callbacks
  const { sip, random } = options
  const phones = createPhones({ ...parts, random, measurements, findLive: webRtc.find, sip })
  const dtmf = createDtmf({ ...parts, phones })
  const calls = createCalls({ ...parts, dtmf, phones, announce })
  const { chromiumPath: executablePath } = options
  const pages = executablePath ? createChromiumPages({ ...parts, webRtc, executablePath }) : createScriptedPages(parts)
  const composers = createComposers({ ...parts, announce, pages })
  const downloads = createDownloads({ ...parts, key: account.secret })
  subscribeChangeCallbacks({ ...parts, announce, downloadUrl: downloads.url })

  const handlers = createHandlers({
    ...parts,
    accounts,
    archives,
    delivery,
    broadcasts,
    calls,
    dtmf,
    phones,
    composers,
    hasAddOn: options.advancedInsights ?? true,
    downloadUrl: downloads.url,
    rtmpForm: options.rtmpForm ?? 'object',
  })
  const authentication = createAuthentication(store, clock, options.authHeaders ?? [AUTH_HEADER, OPENTOK_AUTH_HEADER])
  const perform = createPerform({ clock, handlers, authentication })
  const router = createRouter({ ...parts, perform, signal: background.signal, log })
  router.route('/', downloads.routes)
  router.route('/', createHlsRoutes(store, broadcasts, hosts))
  router.route('/', createDoors({ ...parts, webRtc, hosts })) // before the guard: they take a client token
  router.use('/sandbox/*', guardControl(hosts, options.controlToken))
  router.route('/', createControlRoutes({ ...parts, media: sources }))
  router.route('/', createCallbackRoutes({ store, callbacks }))
  router.route('/', measurements.routes)
  router.route('/', createFaultRoutes(faults))
  router.route('/', createClockRoutes({ clock, settled }))
  router.route('/', createCallControlRoutes({ store, calls, dtmf, phones }))

  for (const resource of [history, callbacks, archives, broadcasts, calls, composers]) resource.recover()
  for (const connection of store.connections.find()) presence.disconnect(connection, 'networkDisconnected')
  subscribeRetention(parts)

  let closing: Promise<void> | undefined
  return {
    /** Rejects like the global `fetch` when a fault cuts the connection: with a TypeError whose cause has a `code`. */
    fetch: (request: Request) => answerOrReject(router, request),
    /** Answers a call without HTTP. Returns undefined for a call that needs it. */
    answerDirectly: createDirectAnswers({ ...parts, perform, log }),
    project: { apiKey: project.id, apiSecret: project.secret },
    account: { accountKey: account.id, accountSecret: account.secret },
    /** Accepts the WebSockets of participants from a server. */
    participants,
    /** Orders faults, as the control interface does over HTTP. */
    faults,
    settled,
    /** Returns true while media is made in real time: a client is connected, or an archive or broadcast runs. */
    isLive: () =>
      store.connections.count({}) > 0 ||
      store.archives.count({ status: ['started', 'paused'] }) > 0 ||
      store.broadcasts.count({ status: 'started' }) > 0,
    /** Ends the media of all broadcasts while the bucket of their mirrors can still be written to. Close the sandbox next. */
    endBroadcasts: broadcasts.close,
    /** Stops everything without uploading it. Archives that were running are uploaded when the directory is opened again. */
    close(): Promise<void> {
      closing ??= close()
      return closing
    },
  }

  /** Resolves once all background work (files, uploads, callbacks) is done or waits on the clock. */
  async function settled(): Promise<void> {
    await background.settled()
    await callbacks.settled()
    await participants.settled()
    await media.caughtUp?.()
  }

  async function close(): Promise<void> {
    timers.close()
    history.close()
    await phones.close()
    webRtc.peers.close()
    measurements.close()
    await participants.close()
    await pages.close()
    await callbacks.close()
    await archives.close()
    await broadcasts.close()
    const idle = background.close()
    await media.close() // files that are being finished are awaited and all else fails, so that the background work ends
    await idle
    origin.close()
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
