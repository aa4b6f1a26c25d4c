import { realClock } from '../clock.ts'
import type { DeletedRecording, Recording, Show, ShowDocument, ValidShow } from './documents.ts'
import { createListing, type Listing, type Page } from './listing.ts'
import type { BroadcastMethods } from './methods/broadcast-methods.ts'
import type { ClipMethods } from './methods/clip-methods.ts'
import type { ControlMethods } from './methods/control-methods.ts'
import type { EventMethods } from './methods/event-methods.ts'
import type { ExecutionMethods } from './methods/execution-methods.ts'
import type { RecordingMethods } from './methods/recording-methods.ts'
import { routes } from './methods/routes.ts'
import type { ShowMethods } from './methods/show-methods.ts'
import type { TokenMethods } from './methods/token-methods.ts'
import type { UsageMethods } from './methods/usage-methods.ts'
import type { CallOptions, ShowrunnerOptions } from './options.ts'
import { createSend, type Prepared, type Route, type Send } from './requests.ts'
import type { ShowrunnerError } from './showrunner-error.ts'
import { createWaitFor, type WaitFor } from './wait-for.ts'

/**
 * A client of Showrunner's API.
 *
 * Every method may throw a {@link ShowrunnerError}, and the reason of a signal that aborts it. A call that was throttled
 * (429) is repeated. So is a call that was not answered (502, 503, 504, or a lost connection), unless it might have its
 * effect twice. A repeated read sends the `ETag` of its last answer, so that it costs little while nothing has changed.
 */
export interface Showrunner {
  /** Starts shows, lists and reads them, and waits for them. */
  readonly shows: ShowMethods & {
    /**
     * Validates a show document without starting a show.
     * @throws {@link ShowrunnerError} `invalid-show` (400) with every fault in `problems`
     */
    validate(show: ShowDocument, options?: CallOptions): Promise<ValidShow>
    /** Polls a show until it is `live`, `ended` or `published`. */
    readonly waitFor: WaitFor
  }
  /** Redrives interrupted executions of shows. */
  readonly executions: ExecutionMethods
  /** Controls shows while they run. */
  readonly controls: ControlMethods
  /** Takes single broadcasts of a live show off the air. */
  readonly broadcasts: BroadcastMethods
  /** Creates client tokens for participants. */
  readonly tokens: TokenMethods
  /** Lists, reads and manages published recordings. */
  readonly recordings: RecordingMethods & {
    /** Lists recordings that were deleted and can still be restored, ordered by the end of that time. */
    listDeleted(
      query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
      options?: CallOptions,
    ): Listing<DeletedRecording>
  }
  /** Cuts moments out of published recordings and live shows. */
  readonly clips: ClipMethods
  /** Reads the usage of days. */
  readonly usage: UsageMethods
  /** Reads what verifies the events of shows. The entry point `showrunner/events` verifies them. */
  readonly events: EventMethods
}

/**
 * Creates a client of Showrunner's API. It needs only `fetch`, so it works in Node 20, Lambda, at the edge and in browsers.
 * @throws TypeError if an option is invalid
 * @example
 * ```ts
 * const showrunner = createShowrunner({
 *   url: 'https://api.example.com',
 *   token: process.env.SHOWRUNNER_TOKEN ?? '',
 * })
 * ```
 */
export function createShowrunner(options: ShowrunnerOptions): Showrunner {
  const send = createSend(options)
  const groups = Object.entries(routes).map(([group, ofGroup]) => [
    group,
    Object.fromEntries(Object.entries<Route>(ofGroup).map(([name, route]) => [name, methodOf(route, send)])),
  ])
  const { shows, recordings, ...others } = Object.fromEntries(groups)
  const reads = {
    show: (showId: string, call: CallOptions): Promise<Show> => shows.get(showId, call),
    recording: (archiveId: string, call: CallOptions): Promise<Recording> => recordings.get(archiveId, call),
  }
  return {
    ...others,
    shows: {
      ...shows,
      validate: (show: ShowDocument, call?: CallOptions) =>
        send(routes.shows.start, { path: '/shows', query: { dryRun: true }, content: JSON.stringify(show) }, call),
      waitFor: createWaitFor(reads, options.clock ?? realClock),
    },
    recordings: {
      ...recordings,
      listDeleted: (query: object = {}, call?: CallOptions) => recordings.list({ ...query, deleted: true }, call),
    },
  } as unknown as Showrunner
}

/** Returns the method of a route. Its arguments are those of the path, then what the route takes, then the options. */
function methodOf(route: Route, send: Send) {
  const placeholders = [...route.path.matchAll(/\{(\w+)\}/g)]
  return (...given: unknown[]) => {
    const inPath = given.slice(0, placeholders.length).map((value) => encodeURIComponent(String(value)))
    const path = route.path.replace(/\{\w+\}/g, () => inPath.shift() ?? '')
    const [argument, options] = given.slice(placeholders.length) as [unknown, CallOptions | undefined]
    if (!route.takes) return send(route, { path }, argument as CallOptions | undefined)
    if (route.takes === 'body') return send(route, { path, content: JSON.stringify(argument ?? {}) }, options)
    if (route.takes === 'text') return send(route, { path, content: String(argument) }, options)
    const query = argument as Prepared['query']
    if (!route.isList) return send(route, { path, query }, options)
    return createListing((cursor) => {
      const after = cursor === undefined ? query : { ...query, cursor }
      return send(route, { path, query: after }, options) as Promise<Page<unknown>>
    })
  }
}
