import { z } from 'zod'
import { callbackKeySet } from '../events/owner-callback-format.ts'
import { orOther } from '../platform/contract/open-values.ts'
import { videoTypes } from '../platform/contract/streams.ts'
import { clipRecord } from '../publish/manifest/clip.ts'
import { deletion } from '../publish/manifest/deletion.ts'
import { manifest, publishedFile } from '../publish/manifest/manifest.ts'
import { show } from '../show/document/show.ts'
import { startOrder } from '../show/document/starts/start.ts'
import { queuedPublish } from '../show/state/publish-queue.ts'
import { showQuality } from '../show/state/quality.ts'
import { broadcastState, dialInState, recordingState } from '../show/state/resources.ts'
import { showResult } from '../show/state/result.ts'
import { showState } from '../show/state/state.ts'
import { timelineEntry } from '../show/state/timeline.ts'
import { dayUsage, showUsage } from '../show/state/usage.ts'
import { forecast } from './forecast.ts'
import { historyAnswers } from './history/history-answers.ts'
import { problemUri } from './problem-names.ts'
import { type ProblemType, problemTypes } from './problem-types.ts'

/** The answers of the API: fields that a schema does not name are left out. */

const list = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    cursor: z.string().optional().describe('Cursor of the next page; absent on the last page.'),
  })

export const problem = z
  .object({
    type: z
      .enum(Object.keys(problemTypes).map((type) => problemUri(type as ProblemType)))
      .describe('The cause. The address explains it; the part after # is its name.'),
    title: z.string().describe('Title of the type.'),
    status: z.int(),
    code: z
      .enum(Object.keys(problemTypes) as ProblemType[])
      .describe('Name of the type, which clients compare: it never changes.'),
    detail: z.string().describe('Explanation of this occurrence, and what to do.'),
    problems: z
      .array(
        z.object({
          path: z.string().describe('Path in the body or the query, such as recordings[1].name.'),
          message: z.string().describe('Message that continues a sentence which begins with the path.'),
        }),
      )
      .optional()
      .describe('Every fault of the body or the query.'),
    startsAt: z.iso.datetime().optional().describe('Planned start of a show that is not open yet, if it is known.'),
  })
  .meta({ id: 'Problem', description: 'A problem document (RFC 9457).' })

/** An error that API Gateway answers itself, before it calls the function. */
export const gatewayRefusal = z
  .object({ message: z.string() })
  .meta({ id: 'GatewayRefusal', description: 'An error that API Gateway answers itself.' })

const accepted = z.object({ showId: z.string(), status: showState.shape.status })

const waitingPublish = queuedPublish
  .omit({ executionName: true })
  .extend({
    place: z.int().describe('Place in the queue, from 1.'),
    stage: queuedPublish.shape.stage.describe(
      '`ready` while it cannot be watched; `complete` while formats are missing.',
    ),
    size: queuedPublish.shape.size.describe('Bytes of the archive.'),
    since: queuedPublish.shape.since.describe('When the archive arrived in the queue.'),
    bytesAhead: z.int().describe('Bytes of the archives that wait before it.'),
  })
  .meta({ id: 'WaitingPublish', description: 'An archive that waits to be published.' })

const placed = waitingPublish
  .omit({ archiveId: true })
  .optional()
  .describe('Its place in the queue of archives, while it waits to be published.')

const watch = z.object({
  url: z.url().describe('Link to the watch page.'),
  expiresAt: z.iso.datetime().optional().describe('When the link expires; absent when it does not.'),
})

const shownState = showState
  .omit({
    ...{ version: true, controls: true, closings: true, edit: true, rescheduling: true, invitationEpoch: true },
    ...{ participantSeen: true, emptySeenAt: true },
  })
  .extend({
    recordings: z.array(recordingState.extend({ publishing: placed })),
    broadcasts: z.array(broadcastState.omit({ order: true })),
    dialIns: z.array(dialInState.omit({ order: true, askedBy: true, tonesAskedBy: true })),
    plannedEndAt: showState.shape.plannedEndAt.describe('When it ends; with openEnd, when it ends at the latest.'),
    openEnd: showState.shape.openEnd.describe(
      'True once a show with an open end is live. It ends once its participants have left: its end is unknown before.',
    ),
    emptySince: showState.shape.emptySince.describe(
      'Since when no participant of a show with an open end publishes; absent while one does, and before one has.',
    ),
    document: show.optional().describe('The show document with all defaults. Secrets are references.'),
    nextStart: z.iso.datetime().optional().describe('The next start, while the show is scheduled.'),
    occurrences: showState.shape.occurrences.describe(
      'The newest shows that this recurring show has started, the oldest first.',
    ),
    start: startOrder.optional().describe('The start, while the show is scheduled.'),
    watch: watch
      .optional()
      .describe('Link to the page on which viewers wait for the show, see it live, and find its recordings.'),
    result: showResult.optional().describe('The outcome, once the show has ended.'),
    usage: showUsage.optional().describe('The usage, once Insights has reported it.'),
  })
  .meta({ id: 'Show', description: 'The state of a show and, once it has ended, its result.' })

const shownStream = z
  .object({
    streamId: z.string(),
    name: z.string().describe('Name that its publisher has set; empty if none was set.'),
    videoType: orOther(videoTypes).describe('Kind of its video.'),
    layoutClasses: z.array(z.string()).describe('Layout classes, by which layouts arrange the stream.'),
    scene: z.string().optional().describe('Name of the scene that publishes it; absent for other streams.'),
    dialIn: z.string().optional().describe('Name of the dial-in that publishes it; absent for other streams.'),
    connectionId: z
      .string()
      .optional()
      .describe('Connection of a dial-in. The platform does not report those of participants.'),
  })
  .meta({ id: 'SessionStream', description: 'A stream that is published in the session of a show.' })

const shownFile = <Shape extends z.ZodRawShape>(file: z.ZodObject<Shape>) =>
  file.extend({
    url: z.url().describe('Link to the file, which needs no token.'),
    expiresAt: z.iso
      .datetime()
      .optional()
      .describe(
        'When the link expires: after an hour at most, and no later than the credentials that it was signed with. Absent when it does not expire.',
      ),
  })

const recording = manifest
  .extend({
    watch,
    source: shownFile(manifest.shape.source),
    files: z.array(shownFile(publishedFile)),
    publishing: placed,
  })
  .meta({ id: 'Recording', description: 'The published files of an archive.' })

const deletedRecording = deletion
  .pick({ archiveId: true, deletedAt: true, deletedBy: true, createdAt: true, show: true, duration: true, size: true })
  .extend({ restorableUntil: z.iso.datetime().describe('When it is deleted permanently.') })
  .meta({ id: 'DeletedRecording', description: 'A recording that was deleted and can still be restored.' })

const publicRecording = manifest
  .pick({ version: true, archiveId: true, createdAt: true, status: true, duration: true, video: true, audio: true })
  .extend({
    watch: watch.pick({ url: true }),
    source: shownFile(manifest.shape.source.omit({ key: true })),
    files: z.array(shownFile(publishedFile.omit({ key: true }))),
  })

const clip = clipRecord
  .omit({ version: true, file: true, live: true, queued: true })
  .extend({
    from: clipRecord.shape.from.describe('Start in seconds of the recording.'),
    to: clipRecord.shape.to.describe('End in seconds of the recording.'),
    status: clipRecord.shape.status.describe(
      '`cutting` until the MP4 is published. HLS plays in every status. `queued`: the clip of a live show waits for the recording.',
    ),
    problem: clipRecord.shape.problem.describe('Why there is no MP4; absent otherwise.'),
    watch: watch.describe('Link to the page of the clip.'),
    hls: watch.extend({ url: z.url().describe('Link to its master playlist.') }).describe('The clip by HLS, at once.'),
    file: shownFile(clipRecord.shape.file.unwrap()).optional().describe('The MP4, once it is published.'),
  })
  .meta({ id: 'Clip', description: 'A time range of a published recording, with links to it.' })

const showClip = clip
  .omit({ archiveId: true })
  .extend({
    from: clipRecord.shape.from.describe('Start in seconds since the show went live.'),
    to: clipRecord.shape.to.describe('End in seconds since the show went live.'),
    showId: z.string(),
    status: clipRecord.shape.status.describe(
      '`queued` if no playlist of the broadcast can be read: the clip is cut once the recording of the show is published. `cutting` until the MP4 is published.',
    ),
    broadcast: z.string().describe('Name of the broadcast that it is cut from. A queued clip is cut from a recording.'),
    watch: watch.optional().describe('Link to the page of the clip; absent while it is queued.'),
    hls: watch
      .extend({ url: z.url().describe('Link to its first playlist.') })
      .describe(
        'The clip by HLS, at once: from the segments of the broadcast, as long as the platform keeps them. Absent while it is queued.',
      )
      .optional(),
  })
  .meta({ id: 'ShowClip', description: 'A time range of a live show, with links to it.' })

const token = z.object({
  apiKey: z.string().describe('Key of the platform project.'),
  sessionId: z.string(),
  token: z.string().describe('Client token for one participant.'),
})

export const answers = {
  accepted,
  valid: z.object({ valid: z.literal(true), show: show.describe('The show with all defaults.'), forecast }),
  shows: list(
    showState.pick({
      ...{ showId: true, name: true, status: true, acceptedAt: true, scheduleId: true, liveAt: true, endedAt: true },
    }),
  ),
  show: shownState,
  streams: z.object({ items: z.array(shownStream).describe('In the order of publishing; empty without streams.') }),
  ...historyAnswers,
  unscheduled: z.object({ showId: z.string(), status: z.literal('stopped') }),
  control: z.object({
    showId: z.string(),
    control: z.string().describe('Id of the control, which its entries in the timeline have as well.'),
    timeline: z.array(timelineEntry).describe('The entries that the control has added to the timeline.'),
  }),
  token,
  invitation: z.object({
    showId: z.string(),
    invitation: z.string().describe('The invitation, which `POST /public/join` exchanges for a token.'),
    url: z
      .url()
      .optional()
      .describe(
        'Link to the join page, with the invitation in its fragment. Absent if the settings have no join page.',
      ),
    expiresAt: z.iso.datetime().describe('When the invitation expires.'),
  }),
  uninvited: z.object({ showId: z.string(), revokedAt: z.iso.datetime() }),
  joined: token.extend({ showId: z.string().describe('The show, or the occurrence of a recurring one.') }),
  recordings: z.union([list(recording), list(deletedRecording)]),
  recording,
  publicRecording,
  clip,
  clips: z.object({ items: z.array(clip) }),
  deletedClip: z.object({ archiveId: z.string(), clipId: z.string() }),
  showClip,
  showClips: z.object({ items: z.array(showClip) }),
  deletedShowClip: z.object({ showId: z.string(), clipId: z.string() }),
  callbackKeys: callbackKeySet,
  deleted: z.object({
    archiveId: z.string(),
    objects: z
      .int()
      .describe('Number of objects that this request deleted; with permanently=true every version counts.'),
    restorableUntil: z.iso.datetime().optional().describe('Absent when the recording was deleted permanently.'),
  }),
  restored: z.object({
    archiveId: z.string(),
    objects: z.int().describe('Number of objects that this request restored.'),
  }),
  captioned: z.object({
    archiveId: z.string(),
    captions: z.array(z.string()).describe('Languages of the recording’s captions (BCP 47).'),
  }),
  judged: z.object({
    archiveId: z.string(),
    etag: z.string(),
    outcome: z
      .enum(['publishing', 'published', 'rejected'])
      .describe('The outcome for the file; a repeated request gets the same one.'),
    executionName: z.string().optional().describe('Execution of the publish machine, while it runs.'),
  }),
  revoked: z.object({
    archiveId: z.string(),
    revoked: z
      .array(z.string())
      .describe('Recordings whose links were revoked: the recording, and the one that joins it to other parts.'),
  }),
  publishing: z.object({ items: z.array(waitingPublish).describe('In the order in which they are published.') }),
  rebuilding: z.object({
    archiveId: z.string(),
    executionName: z.string().describe('Execution of the publish machine.'),
  }),
  quality: showQuality.meta({ id: 'Quality', description: 'How the streams of a show were sent and received.' }),
  usage: z.object({ from: z.iso.date(), to: z.iso.date(), days: z.array(dayUsage) }),
} as const

/** An answer as its function returns it. */
export type AnswerOf<Name extends keyof typeof answers> = z.output<(typeof answers)[Name]>
export type ProblemDocument = z.output<typeof problem>
