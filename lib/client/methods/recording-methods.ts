// Generated from lib/api by `npm run docs`: change it there.
import type {
  Captions,
  Deletion,
  Judgement,
  PublicRecording,
  Rebuild,
  RebuildOrder,
  Recording,
  Restoration,
  Revocation,
  WaitingPublishes,
  WithheldFile,
} from '../documents.ts'
import type { Listing } from '../listing.ts'
import type { CallOptions, KeyedOptions } from '../options.ts'
import type { ShowrunnerError } from '../showrunner-error.ts'

/** Client methods of recordings. */
export interface RecordingMethods {
  /**
   * Lists published recordings, newest first, or those that are deleted and can still be restored.
   *
   * Each item has links to its files. They expire after an hour at most.
   *
   * `GET /recordings`, for the role viewer.
   *
   * @param query
   * - `limit`: Maximum number of items. Default: 50.
   * - `cursor`: Cursor of the previous page.
   * - `showId`: Lists the recordings of this show.
   * - `name`: Lists the recordings with this text in their name or title. Upper and lower case are equal.
   * - `from`: Lists recordings that were created at this time or later.
   * - `to`: Lists recordings that were created at this time or earlier.
   * - `label`: A label of the show and its value: `customer=c-7`.
   * @example
   * ```ts
   * const found = []
   * for await (const item of showrunner.recordings.list()) found.push(item)
   * ```
   */
  list(
    query?: {
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
      readonly showId?: string | undefined
      readonly name?: string | undefined
      readonly from?: string | undefined
      readonly to?: string | undefined
      readonly label?: string | undefined
    },
    options?: CallOptions,
  ): Listing<Recording>

  /**
   * Reads a recording, with links to its files.
   *
   * Links to files expire after an hour at most. Read the recording again for new ones.
   *
   * `GET /recordings/{archiveId}`, for the role viewer.
   *
   * @throws `unknown-recording` (404) {@link ShowrunnerError}: No published recording has this archive id, or it is not public.
   * @throws `invalid-manifest` (500) {@link ShowrunnerError}: The manifest of the recording names files that are not its own, so none of them is linked.
   * @throws `recording-deleted` (404) {@link ShowrunnerError}: The recording was deleted and can still be restored.
   * @example
   * ```ts
   * const answer = await showrunner.recordings.get(archiveId)
   * ```
   */
  get(archiveId: string, options?: CallOptions): Promise<Recording>

  /**
   * Reads a public recording.
   *
   * It needs no token. A recording that is not public is answered like one that does not exist.
   *
   * `GET /public/recordings/{archiveId}`, without a token.
   *
   * @throws `unknown-recording` (404) {@link ShowrunnerError}: No published recording has this archive id, or it is not public.
   * @throws `invalid-manifest` (500) {@link ShowrunnerError}: The manifest of the recording names files that are not its own, so none of them is linked.
   * @example
   * ```ts
   * const answer = await showrunner.recordings.getPublic(archiveId)
   * ```
   */
  getPublic(archiveId: string, options?: CallOptions): Promise<PublicRecording>

  /**
   * Deletes a recording. Its links stop working at once. It can be restored for some days, until all its files and the platform’s copy are deleted.
   *
   * With `permanently=true` all versions of its files are deleted at once.
   *
   * `DELETE /recordings/{archiveId}`, for the role admin.
   *
   * @param query
   * - `permanently`: true deletes permanently, also a recording that is deleted already.
   * @throws `unknown-recording` (404) {@link ShowrunnerError}: No published recording has this archive id, or it is not public.
   * @throws `recording-busy` (409) {@link ShowrunnerError}: The recording is being recorded, uploaded, published, restored or deleted.
   * @throws `platform-refused` (409) {@link ShowrunnerError}: The video platform refused an operation that the request needs.
   * @throws `platform-failed` (502) {@link ShowrunnerError}: The video platform failed.
   * @throws `platform-unreachable` (504) {@link ShowrunnerError}: The video platform did not answer in time.
   * @example
   * ```ts
   * const answer = await showrunner.recordings.delete(archiveId)
   * ```
   */
  delete(
    archiveId: string,
    query?: { readonly permanently?: boolean | undefined },
    options?: CallOptions,
  ): Promise<Deletion>

  /**
   * Restores a recording that was deleted.
   *
   * The list of deleted recordings says until when each can be restored, as `restorableUntil`.
   *
   * `POST /recordings/{archiveId}/restore`, for the role admin.
   *
   * @throws `unknown-recording` (404) {@link ShowrunnerError}: No published recording has this archive id, or it is not public.
   * @throws `recording-busy` (409) {@link ShowrunnerError}: The recording is being recorded, uploaded, published, restored or deleted.
   * @throws `restore-expired` (409) {@link ShowrunnerError}: The time in which the recording could be restored is over.
   * @example
   * ```ts
   * const answer = await showrunner.recordings.restore(archiveId)
   * ```
   */
  restore(archiveId: string, options?: CallOptions): Promise<Restoration>

  /**
   * Publishes the withheld file instead of the published one.
   *
   * The ETag names the file that was examined, so that a newer file is not accepted instead. Clips of the former file are kept, and its captions are not.
   *
   * `POST /recordings/{archiveId}/accept`, for the role operator.
   *
   * @throws `unknown-recording` (404) {@link ShowrunnerError}: No published recording has this archive id, or it is not public.
   * @throws `invalid-manifest` (500) {@link ShowrunnerError}: The manifest of the recording names files that are not its own, so none of them is linked.
   * @throws `wrong-file` (409) {@link ShowrunnerError}: The ETag of the request is not that of the withheld file.
   * @example
   * ```ts
   * const answer = await showrunner.recordings.acceptFile(archiveId, { etag: '9e107d9d372bb6826bd81d3542a419d6' })
   * ```
   */
  acceptFile(archiveId: string, file: WithheldFile, options?: CallOptions): Promise<Judgement>

  /**
   * Deletes the withheld file, so that the published one is current again.
   *
   * The ETag names the file that was examined, so that a newer file is not deleted instead.
   *
   * `POST /recordings/{archiveId}/reject`, for the role operator.
   *
   * @throws `unknown-recording` (404) {@link ShowrunnerError}: No published recording has this archive id, or it is not public.
   * @throws `invalid-manifest` (500) {@link ShowrunnerError}: The manifest of the recording names files that are not its own, so none of them is linked.
   * @throws `wrong-file` (409) {@link ShowrunnerError}: The ETag of the request is not that of the withheld file.
   * @throws `file-accepted` (409) {@link ShowrunnerError}: The file to reject is published or was accepted.
   * @throws `published-file-missing` (409) {@link ShowrunnerError}: No version of the published file is left, so it cannot take its place again.
   * @example
   * ```ts
   * const answer = await showrunner.recordings.rejectFile(archiveId, { etag: '9e107d9d372bb6826bd81d3542a419d6' })
   * ```
   */
  rejectFile(archiveId: string, file: WithheldFile, options?: CallOptions): Promise<Judgement>

  /**
   * Revokes every link to a recording’s watch page, and makes a public recording private.
   *
   * Links that are created afterwards work. Read the recording for one.
   *
   * `POST /recordings/{archiveId}/revoke`, for the role operator.
   *
   * @throws `unknown-recording` (404) {@link ShowrunnerError}: No published recording has this archive id, or it is not public.
   * @throws `invalid-manifest` (500) {@link ShowrunnerError}: The manifest of the recording names files that are not its own, so none of them is linked.
   * @example
   * ```ts
   * const answer = await showrunner.recordings.revokeLinks(archiveId)
   * ```
   */
  revokeLinks(archiveId: string, options?: CallOptions): Promise<Revocation>

  /**
   * Publishes a recording again.
   *
   * Formats that are not named stay as they are, but renditions are made again with hls. The publish machine works after the answer.
   *
   * `POST /recordings/{archiveId}/rebuild`, for the role operator.
   *
   * @throws `unknown-recording` (404) {@link ShowrunnerError}: No published recording has this archive id, or it is not public.
   * @throws `recording-busy` (409) {@link ShowrunnerError}: The recording is being recorded, uploaded, published, restored or deleted.
   * @throws `file-withheld` (409) {@link ShowrunnerError}: A file that would replace the published one waits for a decision.
   * @example
   * ```ts
   * const answer = await showrunner.recordings.rebuild(archiveId)
   * ```
   */
  rebuild(archiveId: string, order?: RebuildOrder, options?: KeyedOptions): Promise<Rebuild>

  /**
   * Lists the archives that wait to be published, in their order.
   *
   * Archives that cannot be watched yet are first, and short ones before long ones. Those that are published now are not in the list.
   *
   * `GET /publishing`, for the role viewer.
   *
   * @example
   * ```ts
   * const answer = await showrunner.recordings.listWaiting()
   * ```
   */
  listWaiting(options?: CallOptions): Promise<WaitingPublishes>

  /**
   * Supplies or replaces a recording’s captions in one language.
   *
   * The captions appear on the watch page and in the playlists. Those of other languages stay.
   *
   * `PUT /recordings/{archiveId}/captions/{language}`, for the role operator.
   *
   * @param text WebVTT for the whole recording, of at most 4194304 bytes.
   * @throws `unknown-recording` (404) {@link ShowrunnerError}: No published recording has this archive id, or it is not public.
   * @throws `invalid-manifest` (500) {@link ShowrunnerError}: The manifest of the recording names files that are not its own, so none of them is linked.
   * @throws `invalid-captions` (400) {@link ShowrunnerError}: The captions are not valid WebVTT, or the language is not a supported tag.
   * @throws `recording-not-playable` (409) {@link ShowrunnerError}: The recording has no duration, so captions have nothing to refer to.
   * @throws `limit-reached` (409) {@link ShowrunnerError}: The show or the recording has as many entries of this kind as Showrunner allows.
   * @example
   * ```ts
   * const answer = await showrunner.recordings.putCaptions(archiveId, 'en', `WEBVTT
   *
   * 00:00:01.000 --> 00:00:03.500
   * Good evening.
   * `)
   * ```
   */
  putCaptions(archiveId: string, language: string, text: string, options?: CallOptions): Promise<Captions>

  /**
   * Deletes a recording’s captions in one language.
   *
   * Captions of other languages stay.
   *
   * `DELETE /recordings/{archiveId}/captions/{language}`, for the role operator.
   *
   * @throws `unknown-recording` (404) {@link ShowrunnerError}: No published recording has this archive id, or it is not public.
   * @throws `invalid-manifest` (500) {@link ShowrunnerError}: The manifest of the recording names files that are not its own, so none of them is linked.
   * @throws `invalid-captions` (400) {@link ShowrunnerError}: The captions are not valid WebVTT, or the language is not a supported tag.
   * @throws `unknown-captions` (404) {@link ShowrunnerError}: The recording has no captions in this language.
   * @example
   * ```ts
   * const answer = await showrunner.recordings.deleteCaptions(archiveId, 'en')
   * ```
   */
  deleteCaptions(archiveId: string, language: string, options?: CallOptions): Promise<Captions>
}
