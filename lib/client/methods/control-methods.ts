// Generated from lib/api by `npm run docs`: change it there.
import type {
  Broadcast,
  Control,
  DialIn,
  Disconnection,
  LayoutClasses,
  Marker,
  Mute,
  ShowChange,
  Signal,
  Tones,
} from '../documents.ts'
import type { KeyedOptions } from '../options.ts'
import type { ShowrunnerError } from '../showrunner-error.ts'

/** Client methods of controls. */
export interface ControlMethods {
  /**
   * Extends or shortens a live show, changes layouts and streams.
   *
   * Everything is checked before the first change. A request that takes too long is answered 202 and continues while the show runs. The show must be live.
   *
   * `PATCH /shows/{id}`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @throws `control-in-progress` (409) {@link ShowrunnerError}: An earlier request with the same Idempotency-Key is still being carried out.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @throws `platform-refused` (409) {@link ShowrunnerError}: The video platform refused an operation that the request needs.
   * @throws `platform-failed` (502) {@link ShowrunnerError}: The video platform failed.
   * @throws `platform-unreachable` (504) {@link ShowrunnerError}: The video platform did not answer in time.
   * @throws `change-refused` (409) {@link ShowrunnerError}: The show document or a limit of the platform does not allow the change.
   * @example
   * ```ts
   * const answer = await showrunner.controls.change(showId, { duration: 5400 })
   * ```
   */
  change(showId: string, change: ShowChange, options?: KeyedOptions): Promise<Control>

  /**
   * Stops a show at once.
   *
   * Archives and broadcasts are stopped on the platform at once. Files are uploaded and published as after a planned end. The show must be starting, waiting or live.
   *
   * `POST /shows/{id}/stop`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @throws `control-in-progress` (409) {@link ShowrunnerError}: An earlier request with the same Idempotency-Key is still being carried out.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @throws `platform-refused` (409) {@link ShowrunnerError}: The video platform refused an operation that the request needs.
   * @throws `platform-failed` (502) {@link ShowrunnerError}: The video platform failed.
   * @throws `platform-unreachable` (504) {@link ShowrunnerError}: The video platform did not answer in time.
   * @example
   * ```ts
   * const answer = await showrunner.controls.stop(showId)
   * ```
   */
  stop(showId: string, options?: KeyedOptions): Promise<Control>

  /**
   * Sends a signal to all participants of a show, or to one.
   *
   * The platform cannot recognize a repeated signal, so send an Idempotency-Key. The show must be waiting or live.
   *
   * `POST /shows/{id}/signals`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @throws `control-in-progress` (409) {@link ShowrunnerError}: An earlier request with the same Idempotency-Key is still being carried out.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @throws `platform-refused` (409) {@link ShowrunnerError}: The video platform refused an operation that the request needs.
   * @throws `platform-failed` (502) {@link ShowrunnerError}: The video platform failed.
   * @throws `platform-unreachable` (504) {@link ShowrunnerError}: The video platform did not answer in time.
   * @example
   * ```ts
   * const answer = await showrunner.controls.signal(showId, { type: 'chat', data: 'We begin in a minute.' })
   * ```
   */
  signal(showId: string, signal: Signal, options?: KeyedOptions): Promise<Control>

  /**
   * Mutes one stream of a show, or all streams.
   *
   * A participant who was muted can unmute. The show must be waiting or live.
   *
   * `POST /shows/{id}/mute`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @throws `control-in-progress` (409) {@link ShowrunnerError}: An earlier request with the same Idempotency-Key is still being carried out.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @throws `platform-refused` (409) {@link ShowrunnerError}: The video platform refused an operation that the request needs.
   * @throws `platform-failed` (502) {@link ShowrunnerError}: The video platform failed.
   * @throws `platform-unreachable` (504) {@link ShowrunnerError}: The video platform did not answer in time.
   * @example
   * ```ts
   * const answer = await showrunner.controls.mute(showId, { active: true })
   * ```
   */
  mute(showId: string, mute: Mute, options?: KeyedOptions): Promise<Control>

  /**
   * Sets the layout classes of streams, by which layouts arrange them.
   *
   * Streams that are not named keep their classes. The show must be waiting or live.
   *
   * `POST /shows/{id}/layout-classes`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @throws `control-in-progress` (409) {@link ShowrunnerError}: An earlier request with the same Idempotency-Key is still being carried out.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @throws `platform-refused` (409) {@link ShowrunnerError}: The video platform refused an operation that the request needs.
   * @throws `platform-failed` (502) {@link ShowrunnerError}: The video platform failed.
   * @throws `platform-unreachable` (504) {@link ShowrunnerError}: The video platform did not answer in time.
   * @example
   * ```ts
   * const answer = await showrunner.controls.setLayoutClasses(showId, {
   *   streams: [
   *     {
   *       streamId: '8b732909-0a06-46a2-8ea8-074e64d43422',
   *       layoutClasses: ['focus'],
   *     },
   *   ],
   * })
   * ```
   */
  setLayoutClasses(showId: string, classes: LayoutClasses, options?: KeyedOptions): Promise<Control>

  /**
   * Plays tones to one connection of a show, or to all clients.
   *
   * Clients that do not support DTMF ignore them. If the platform’s answer is lost, the timeline reports that, and the tones are not repeated. The show must be waiting or live.
   *
   * `POST /shows/{id}/tones`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @throws `control-in-progress` (409) {@link ShowrunnerError}: An earlier request with the same Idempotency-Key is still being carried out.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @throws `platform-refused` (409) {@link ShowrunnerError}: The video platform refused an operation that the request needs.
   * @throws `platform-failed` (502) {@link ShowrunnerError}: The video platform failed.
   * @throws `platform-unreachable` (504) {@link ShowrunnerError}: The video platform did not answer in time.
   * @example
   * ```ts
   * const answer = await showrunner.controls.playTones(showId, { digits: '1713p#' })
   * ```
   */
  playTones(showId: string, tones: Tones, options?: KeyedOptions): Promise<Control>

  /**
   * Disconnects a participant or a dial-in from a show.
   *
   * A connection that has left already is not an error. The show must be waiting or live.
   *
   * `POST /shows/{id}/disconnect`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @throws `control-in-progress` (409) {@link ShowrunnerError}: An earlier request with the same Idempotency-Key is still being carried out.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @throws `platform-refused` (409) {@link ShowrunnerError}: The video platform refused an operation that the request needs.
   * @throws `platform-failed` (502) {@link ShowrunnerError}: The video platform failed.
   * @throws `platform-unreachable` (504) {@link ShowrunnerError}: The video platform did not answer in time.
   * @example
   * ```ts
   * const answer = await showrunner.controls.disconnect(showId, { connectionId: 'e9f8c166-6c67-440d-994a-04fb6dfed007' })
   * ```
   */
  disconnect(showId: string, disconnection: Disconnection, options?: KeyedOptions): Promise<Control>

  /**
   * Calls a telephone into a show.
   *
   * It is dialed once. If the platform’s answer is lost, its status is `unknown`, and it is not dialed again. The show must be waiting or live.
   *
   * `POST /shows/{id}/dial-ins`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @throws `control-in-progress` (409) {@link ShowrunnerError}: An earlier request with the same Idempotency-Key is still being carried out.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @throws `platform-refused` (409) {@link ShowrunnerError}: The video platform refused an operation that the request needs.
   * @throws `platform-failed` (502) {@link ShowrunnerError}: The video platform failed.
   * @throws `platform-unreachable` (504) {@link ShowrunnerError}: The video platform did not answer in time.
   * @throws `name-taken` (409) {@link ShowrunnerError}: The show has another broadcast or dial-in of this name.
   * @throws `invalid-secret` (409) {@link ShowrunnerError}: A secret that the show, broadcast or dial-in refers to does not exist, has another form, or is not bound to its destination.
   * @example
   * ```ts
   * const answer = await showrunner.controls.addDialIn(showId, { name: 'stage', uri: 'sip:stage@sip.example.com;transport=tls' })
   * ```
   */
  addDialIn(showId: string, dialIn: DialIn, options?: KeyedOptions): Promise<Control>

  /**
   * Adds a broadcast to a live show.
   *
   * It ends with the show. A stream key is a reference to a secret, which is checked first. The show must be live.
   *
   * `POST /shows/{id}/broadcasts`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @throws `control-in-progress` (409) {@link ShowrunnerError}: An earlier request with the same Idempotency-Key is still being carried out.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @throws `platform-refused` (409) {@link ShowrunnerError}: The video platform refused an operation that the request needs.
   * @throws `platform-failed` (502) {@link ShowrunnerError}: The video platform failed.
   * @throws `platform-unreachable` (504) {@link ShowrunnerError}: The video platform did not answer in time.
   * @throws `change-refused` (409) {@link ShowrunnerError}: The show document or a limit of the platform does not allow the change.
   * @throws `name-taken` (409) {@link ShowrunnerError}: The show has another broadcast or dial-in of this name.
   * @throws `invalid-secret` (409) {@link ShowrunnerError}: A secret that the show, broadcast or dial-in refers to does not exist, has another form, or is not bound to its destination.
   * @example
   * ```ts
   * const answer = await showrunner.controls.addBroadcast(showId, { name: 'late', hls: { lowLatency: true } })
   * ```
   */
  addBroadcast(showId: string, broadcast: Broadcast, options?: KeyedOptions): Promise<Control>

  /**
   * Pauses a recording of a live show.
   *
   * Its part is stopped at once. Nothing is recorded until the recording resumes, by a request or at the end of a planned pause. The parts are published as one recording. The show must be live.
   *
   * `POST /shows/{id}/recordings/{name}/pause`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @throws `control-in-progress` (409) {@link ShowrunnerError}: An earlier request with the same Idempotency-Key is still being carried out.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @throws `platform-refused` (409) {@link ShowrunnerError}: The video platform refused an operation that the request needs.
   * @throws `platform-failed` (502) {@link ShowrunnerError}: The video platform failed.
   * @throws `platform-unreachable` (504) {@link ShowrunnerError}: The video platform did not answer in time.
   * @throws `change-refused` (409) {@link ShowrunnerError}: The show document or a limit of the platform does not allow the change.
   * @throws `wrong-recording-state` (409) {@link ShowrunnerError}: The recording is paused already, is not paused, or does not run.
   * @example
   * ```ts
   * const answer = await showrunner.controls.pauseRecording(showId, 'program')
   * ```
   */
  pauseRecording(showId: string, name: string, options?: KeyedOptions): Promise<Control>

  /**
   * Sets a marker, at which a chapter of the recordings begins.
   *
   * Every recording that holds the time has a chapter with this title. The show must be live.
   *
   * `POST /shows/{id}/markers`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @throws `control-in-progress` (409) {@link ShowrunnerError}: An earlier request with the same Idempotency-Key is still being carried out.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @throws `platform-refused` (409) {@link ShowrunnerError}: The video platform refused an operation that the request needs.
   * @throws `platform-failed` (502) {@link ShowrunnerError}: The video platform failed.
   * @throws `platform-unreachable` (504) {@link ShowrunnerError}: The video platform did not answer in time.
   * @throws `change-refused` (409) {@link ShowrunnerError}: The show document or a limit of the platform does not allow the change.
   * @example
   * ```ts
   * const answer = await showrunner.controls.setMarker(showId, { label: 'Questions' })
   * ```
   */
  setMarker(showId: string, marker: Marker, options?: KeyedOptions): Promise<Control>

  /**
   * Resumes a recording that is paused.
   *
   * The next part is started at once, also before the end of a planned pause. Without a connected client it starts once one is back within five minutes. The show must be live.
   *
   * `POST /shows/{id}/recordings/{name}/resume`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @throws `control-in-progress` (409) {@link ShowrunnerError}: An earlier request with the same Idempotency-Key is still being carried out.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @throws `platform-refused` (409) {@link ShowrunnerError}: The video platform refused an operation that the request needs.
   * @throws `platform-failed` (502) {@link ShowrunnerError}: The video platform failed.
   * @throws `platform-unreachable` (504) {@link ShowrunnerError}: The video platform did not answer in time.
   * @throws `change-refused` (409) {@link ShowrunnerError}: The show document or a limit of the platform does not allow the change.
   * @throws `wrong-recording-state` (409) {@link ShowrunnerError}: The recording is paused already, is not paused, or does not run.
   * @example
   * ```ts
   * const answer = await showrunner.controls.resumeRecording(showId, 'program')
   * ```
   */
  resumeRecording(showId: string, name: string, options?: KeyedOptions): Promise<Control>
}
