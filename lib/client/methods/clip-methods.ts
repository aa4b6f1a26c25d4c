// Generated from lib/api by `npm run docs`: change it there.
import type {
  Clip,
  ClipOrder,
  Clips,
  DeletedClip,
  DeletedShowClip,
  ShowClip,
  ShowClipOrder,
  ShowClips,
} from '../documents.ts'
import type { CallOptions, KeyedOptions } from '../options.ts'
import type { ShowrunnerError } from '../showrunner-error.ts'

/** Client methods of clips. */
export interface ClipMethods {
  /**
   * Creates a clip of a published recording.
   *
   * The answer has a link that plays the clip by HLS at once, from the segments around it. An MP4 follows, cut at the exact frames; the owner is then notified of `clip.published`.
   *
   * `POST /recordings/{archiveId}/clips`, for the role operator.
   *
   * @throws `unknown-recording` (404) {@link ShowrunnerError}: No published recording has this archive id, or it is not public.
   * @throws `invalid-manifest` (500) {@link ShowrunnerError}: The manifest of the recording names files that are not its own, so none of them is linked.
   * @throws `recording-not-playable` (409) {@link ShowrunnerError}: The recording has no duration, so captions have nothing to refer to.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @example
   * ```ts
   * const answer = await showrunner.clips.create(archiveId, { name: 'The demo', from: 754.5, to: 812 })
   * ```
   */
  create(archiveId: string, clip: ClipOrder, options?: KeyedOptions): Promise<Clip>

  /**
   * Lists the clips of a recording, the oldest first.
   *
   * Links to MP4s expire after an hour at most. Read the clip again for new ones.
   *
   * `GET /recordings/{archiveId}/clips`, for the role viewer.
   *
   * @throws `unknown-recording` (404) {@link ShowrunnerError}: No published recording has this archive id, or it is not public.
   * @throws `invalid-manifest` (500) {@link ShowrunnerError}: The manifest of the recording names files that are not its own, so none of them is linked.
   * @example
   * ```ts
   * const answer = await showrunner.clips.list(archiveId)
   * ```
   */
  list(archiveId: string, options?: CallOptions): Promise<Clips>

  /**
   * Reads a clip, with links to it.
   *
   * Its status is `cutting` until the MP4 is published.
   *
   * `GET /recordings/{archiveId}/clips/{clipId}`, for the role viewer.
   *
   * @throws `unknown-recording` (404) {@link ShowrunnerError}: No published recording has this archive id, or it is not public.
   * @throws `invalid-manifest` (500) {@link ShowrunnerError}: The manifest of the recording names files that are not its own, so none of them is linked.
   * @throws `unknown-clip` (404) {@link ShowrunnerError}: The recording, or the live show, has no clip with this id.
   * @example
   * ```ts
   * const answer = await showrunner.clips.get(archiveId, clipId)
   * ```
   */
  get(archiveId: string, clipId: string, options?: CallOptions): Promise<Clip>

  /**
   * Deletes a clip permanently. The recording stays.
   *
   * Its links stop working at once. A repeated request is answered 404.
   *
   * `DELETE /recordings/{archiveId}/clips/{clipId}`, for the role operator.
   *
   * @throws `unknown-recording` (404) {@link ShowrunnerError}: No published recording has this archive id, or it is not public.
   * @throws `invalid-manifest` (500) {@link ShowrunnerError}: The manifest of the recording names files that are not its own, so none of them is linked.
   * @throws `unknown-clip` (404) {@link ShowrunnerError}: The recording, or the live show, has no clip with this id.
   * @throws `recording-busy` (409) {@link ShowrunnerError}: The recording is being recorded, uploaded, published, restored or deleted.
   * @example
   * ```ts
   * const answer = await showrunner.clips.delete(archiveId, clipId)
   * ```
   */
  delete(archiveId: string, clipId: string, options?: CallOptions): Promise<DeletedClip>

  /**
   * Creates a clip of a live show.
   *
   * The answer has a link that plays the clip by HLS at once, from the segments that the broadcast keeps: with `dvr` all, otherwise the newest 30 s. An MP4 follows, cut at the exact frames; the owner is then notified of `clip.published`. If no playlist of the broadcast can be read, the clip is `queued` without links until a recording of the show is published. The show must be live.
   *
   * `POST /shows/{id}/clips`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `wrong-show-state` (409) {@link ShowrunnerError}: The status of the show does not allow the request.
   * @throws `broadcast-not-readable` (409) {@link ShowrunnerError}: The platform serves no playlist of the broadcast from which a clip can be cut (fragmented MP4 with times), and no recording with HLS has begun for which it could be queued.
   * @throws `idempotency-key-reused` (409) {@link ShowrunnerError}: The same Idempotency-Key was sent with another request.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @example
   * ```ts
   * const answer = await showrunner.clips.createLive(showId, { name: 'The demo', last: 60 })
   * ```
   */
  createLive(showId: string, clip: ShowClipOrder, options?: KeyedOptions): Promise<ShowClip>

  /**
   * Lists the clips that were created while a show was live, the oldest first.
   *
   * Clips of its recordings are not in the list.
   *
   * `GET /shows/{id}/clips`, for the role viewer.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @example
   * ```ts
   * const answer = await showrunner.clips.listLive(showId)
   * ```
   */
  listLive(showId: string, options?: CallOptions): Promise<ShowClips>

  /**
   * Reads a clip of a live show, with links to it.
   *
   * Its status is `cutting` until the MP4 is published, which stays when the broadcast is over.
   *
   * `GET /shows/{id}/clips/{clipId}`, for the role viewer.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `unknown-clip` (404) {@link ShowrunnerError}: The recording, or the live show, has no clip with this id.
   * @example
   * ```ts
   * const answer = await showrunner.clips.getLive(showId, clipId)
   * ```
   */
  getLive(showId: string, clipId: string, options?: CallOptions): Promise<ShowClip>

  /**
   * Deletes a clip of a live show permanently.
   *
   * Its links stop working at once. A repeated request is answered 404.
   *
   * `DELETE /shows/{id}/clips/{clipId}`, for the role operator.
   *
   * @throws `unknown-show` (404) {@link ShowrunnerError}: No show has this id.
   * @throws `unknown-clip` (404) {@link ShowrunnerError}: The recording, or the live show, has no clip with this id.
   * @throws `recording-busy` (409) {@link ShowrunnerError}: The recording is being recorded, uploaded, published, restored or deleted.
   * @example
   * ```ts
   * const answer = await showrunner.clips.deleteLive(showId, clipId)
   * ```
   */
  deleteLive(showId: string, clipId: string, options?: CallOptions): Promise<DeletedShowClip>
}
