// Generated from lib/api by `npm run docs`: change it there.
import type {
  AcceptedShow,
  Deliveries,
  Invitation,
  InvitationOrder,
  Quality,
  Replay,
  RevokedInvitations,
  SessionStreams,
  Show,
  ShowCost,
  ShowDocument,
  ShowEvents,
  ShowExecution,
  ShowSummary,
  UnscheduledShow,
} from '../documents.ts'
import type { Listing } from '../listing.ts'
import type { CallOptions, KeyedOptions } from '../options.ts'
import type { ShowrunnerError } from '../showrunner-error.ts'

/** Client methods of shows. */
export interface ShowMethods {
  /**
   * Starts a show, now or by a schedule.
   *
   * The answer follows once the show is recorded, and its execution continues without the caller. Poll the show with the id of the answer, or name a callback in the document. With `dryRun=true` nothing is started, and the answer has a forecast: steps, parts, next start and cost.
   *
   * `POST /shows`, for the role operator.
   *
   * @throws `invalid-show` (400) {@link ShowrunnerError}: The show document is not valid, or the show cannot take place as described.
   * @throws `invalid-secret` (409) {@link ShowrunnerError}: A secret that the show, broadcast or dial-in refers to does not exist, has another form, or is not bound to its destination.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @example
   * ```ts
   * const answer = await showrunner.shows.start({
   *   version: 1.1,
   *   name: 'Launch webinar',
   *   duration: 3600,
   *   recordings: [{ name: 'program' }],
   *   broadcasts: [{ name: 'live', hls: {} }],
   * })
   * ```
   */
  start(show: ShowDocument, options?: KeyedOptions): Promise<AcceptedShow>

  /**
   * Lists shows, newest first. With a filter, a page may have few items or none, and a cursor.
   *
   * An item has only the name, the status and the times of a show. Read the show for everything else.
   *
   * `GET /shows`, for the role viewer.
   *
   * @param query
   * - `limit`: Maximum number of items. Default: 50.
   * - `cursor`: Cursor of the previous page.
   * - `status`: Status of the shows.
   * - `from`: Lists shows that were accepted at this time or later.
   * - `to`: Lists shows that were accepted at this time or earlier.
   * - `scheduleId`: Lists the shows that this recurring show has started.
   * - `label`: A label of the show and its value: `customer=c-7`.
   * @example
   * ```ts
   * const found = []
   * for await (const item of showrunner.shows.list()) found.push(item)
   * ```
   */
  list(
    query?: {
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
      readonly status?: string | undefined
      readonly from?: string | undefined
      readonly to?: string | undefined
      readonly scheduleId?: string | undefined
      readonly label?: string | undefined
    },
    options?: CallOptions,
  ): Listing<ShowSummary>

  /**
   * Reads a show and, once it has ended, its result.
   *
   * Callers that poll send the ETag of the last answer as If-None-Match, and get 304 while nothing has changed.
   *
   * `GET /shows/{id}`, for the role viewer.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @example
   * ```ts
   * const answer = await showrunner.shows.get(showId)
   * ```
   */
  get(showId: string, options?: CallOptions): Promise<Show>

  /**
   * Edits a scheduled show. Its id stays, and its schedule gets the new start.
   *
   * The document replaces the earlier one as a whole, so send every field. A show that has begun is changed with PATCH.
   *
   * `PUT /shows/{id}`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `invalid-show` (400) {@link ShowrunnerError}: The show document is not valid, or the show cannot take place as described.
   * @throws `invalid-secret` (409) {@link ShowrunnerError}: A secret that the show, broadcast or dial-in refers to does not exist, has another form, or is not bound to its destination.
   * @example
   * ```ts
   * const answer = await showrunner.shows.edit(showId, {
   *   version: 1.1,
   *   name: 'Launch webinar',
   *   duration: 3600,
   *   recordings: [{ name: 'program' }],
   *   broadcasts: [{ name: 'live', hls: {} }],
   *   start: { at: '2026-12-08T19:00', zone: 'Europe/Berlin' },
   * })
   * ```
   */
  edit(showId: string, show: ShowDocument, options?: CallOptions): Promise<Show>

  /**
   * Reads the connection quality of a show’s participants.
   *
   * The report is written up to an hour and five minutes after the end of the show. It needs the advanced add-on of Insights.
   *
   * `GET /shows/{id}/quality`, for the role viewer.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `no-quality-report` (404) {@link ShowrunnerError}: The show exists and has no quality report.
   * @example
   * ```ts
   * const answer = await showrunner.shows.getQuality(showId)
   * ```
   */
  getQuality(showId: string, options?: CallOptions): Promise<Quality>

  /**
   * Lists the streams that are published in the session of a show now.
   *
   * Every request asks the platform. Streams of scenes and dial-ins have their names. Other controls take the ids.
   *
   * `GET /shows/{id}/streams`, for the role viewer.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `platform-refused` (409) {@link ShowrunnerError}: The video platform refused an operation that the request needs.
   * @throws `platform-failed` (502) {@link ShowrunnerError}: The video platform failed.
   * @throws `platform-unreachable` (504) {@link ShowrunnerError}: The video platform did not answer in time.
   * @example
   * ```ts
   * const answer = await showrunner.shows.streams(showId)
   * ```
   */
  streams(showId: string, options?: CallOptions): Promise<SessionStreams>

  /**
   * Lists the owner events of a show, the oldest first.
   *
   * These are the events of callbacks and of the event bus, read from the records. Poll with `after`, and each event is listed once. With `Accept: text/event-stream` the answer is one short stream of server-sent events: a client such as EventSource reconnects after two seconds, and gets the events since.
   *
   * `GET /shows/{id}/events`, for the role viewer.
   *
   * @param query
   * - `after`: The `cursor` of an earlier answer: only events that it does not include are listed.
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @example
   * ```ts
   * const answer = await showrunner.shows.events(showId)
   * ```
   */
  events(showId: string, query?: { readonly after?: string | undefined }, options?: CallOptions): Promise<ShowEvents>

  /**
   * Reads the execution of a show: its states with their inputs, outputs, retries and errors.
   *
   * Inputs and outputs contain names only, and no secrets. The history is kept for 90 days. A local one is lost when `npm start` ends.
   *
   * `GET /shows/{id}/execution`, for the role viewer.
   *
   * @param query
   * - `machine`: Machine of the execution. Default: show.
   * - `name`: Name of the execution: a child, or one that closed the show. Default: the execution of the show.
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `unknown-execution` (404) {@link ShowrunnerError}: The show has no execution of this name, or it ended more than 90 days ago.
   * @example
   * ```ts
   * const answer = await showrunner.shows.execution(showId)
   * ```
   */
  execution(
    showId: string,
    query?: { readonly machine?: string | undefined; readonly name?: string | undefined },
    options?: CallOptions,
  ): Promise<ShowExecution>

  /**
   * Reads what a show has cost on AWS so far, beside its estimate.
   *
   * Transitions, invocations and the time of functions are counted from the histories of its executions, gigabytes from the manifests of its recordings, and minutes from its records. Every request reads these histories, so poll it rarely. Publishes are counted once they have an outcome.
   *
   * `GET /shows/{id}/cost`, for the role viewer.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @example
   * ```ts
   * const answer = await showrunner.shows.cost(showId)
   * ```
   */
  cost(showId: string, options?: CallOptions): Promise<ShowCost>

  /**
   * Lists the deliveries of a show’s events to its callback, with each attempt.
   *
   * An event that was never sent has no attempts. The signature of each attempt was verified with the published keys before it was sent.
   *
   * `GET /shows/{id}/deliveries`, for the role viewer.
   *
   * @param query
   * - `limit`: Maximum number of items. Default: 100.
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `no-callback` (409) {@link ShowrunnerError}: The show names no callback, so its events are delivered on the event bus only.
   * @example
   * ```ts
   * const answer = await showrunner.shows.deliveries(showId)
   * ```
   */
  deliveries(
    showId: string,
    query?: { readonly limit?: number | undefined },
    options?: CallOptions,
  ): Promise<Deliveries>

  /**
   * Replays a delivery: post its event to the callback of the show again.
   *
   * The app gets the same event id again, signed again. A replay is also sent after the app has answered 410. List the deliveries for its outcome.
   *
   * `POST /shows/{id}/deliveries/{deliveryId}/replay`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `unknown-delivery` (404) {@link ShowrunnerError}: The show has no event whose delivery has this id.
   * @throws `no-callback` (409) {@link ShowrunnerError}: The show names no callback, so its events are delivered on the event bus only.
   * @example
   * ```ts
   * const answer = await showrunner.shows.replay(showId, deliveryId)
   * ```
   */
  replay(showId: string, deliveryId: string, options?: CallOptions): Promise<Replay>

  /**
   * Unschedules a show.
   *
   * Shows that a recurring show has started continue. A show that has started is stopped with `POST /shows/{id}/stop`.
   *
   * `DELETE /shows/{id}`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @example
   * ```ts
   * const answer = await showrunner.shows.unschedule(showId)
   * ```
   */
  unschedule(showId: string, options?: CallOptions): Promise<UnscheduledShow>

  /**
   * Creates an invitation to a show for a participant, also before the show has a session.
   *
   * An invitation to a recurring show leads to each of its occurrences. Its content is signed and not encrypted. It is not stored, so it cannot be listed.
   *
   * `POST /shows/{id}/invitations`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @example
   * ```ts
   * const answer = await showrunner.shows.invite(showId, { role: 'publisher', data: 'Ada' })
   * ```
   */
  invite(showId: string, participant: InvitationOrder, options?: CallOptions): Promise<Invitation>

  /**
   * Revokes every invitation to a show, and to the series of an occurrence. Participants who have joined stay.
   *
   * Invitations that are created afterwards work.
   *
   * `DELETE /shows/{id}/invitations`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @example
   * ```ts
   * const answer = await showrunner.shows.revokeInvitations(showId)
   * ```
   */
  revokeInvitations(showId: string, options?: CallOptions): Promise<RevokedInvitations>
}
