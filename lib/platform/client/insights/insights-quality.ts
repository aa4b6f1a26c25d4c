import { z } from 'zod'
import { insightsPage, meetingStream, streamStatistics } from '../../contract/insights/insights-answers.ts'
import { insightsSurprise } from './insights-errors.ts'
import { type Ask, eachPage, type InsightsOptions, PAGE, type Question, selectionOf } from './insights-questions.ts'

export interface QualityRequest {
  readonly sessionIds: readonly string[]
  /** Streams as they were published, which is the default, or as each client took them. */
  readonly of?: Side
}

export type Side = keyof typeof streamStatistics

/** A stream in a meeting with its samples, oldest first. */
export type StreamQuality<Of extends Side = Side> = z.output<typeof meetingStream> & {
  readonly sessionId: string
  readonly meetingId: string
  readonly statistics: readonly z.output<(typeof streamStatistics)[Of]>[]
}

/** The samples of a stream come in pages of so many, which stay far below the largest answer that is read. */
const SAMPLES = 5_000

/** Walks over the streams of sessions, meeting by meeting; each is at least one request. */
export async function* eachStream(
  ask: Ask,
  { sessionIds, of = 'publishers' }: QualityRequest,
  options?: InsightsOptions,
) {
  for (const sessionId of sessionIds)
    for await (const { meetingId } of eachMeeting(ask, sessionId, options))
      yield* streamsOf(ask, of, { sessionId, meetingId }, options)
}

function eachMeeting(ask: Ask, sessionId: string, options?: InsightsOptions) {
  const question = {
    declare: { after: 'String' },
    fields: `meetings(endCursor: $after) { ${PAGE} resources { meetingId } }`,
  }
  const meeting = z.object({ meetingId: z.string() })
  return eachPage((after) => askMeetings(ask, meeting, question, { sessionId, after }, options))
}

/** One stream at a time, so that its samples can be paged on from where they ended. */
function streamsOf(
  ask: Ask,
  of: Side,
  meeting: { readonly sessionId: string; readonly meetingId: string },
  options?: InsightsOptions,
) {
  const { question, found } = streamsQuestion(of)
  const read = async (after: string | null, afterSample: string | null) => {
    const { resources } = await askMeetings(ask, found, question, { ...meeting, after, afterSample }, options)
    if (!resources[0]) throw insightsSurprise('the meeting is gone')
    return resources[0].list
  }
  return eachPage(async (after) => {
    const { pageInfo, resources } = await read(after, null)
    const [first] = resources
    if (!first) return { pageInfo, resources: [] }
    const { streamStatsCollection, ...stream } = first
    const samples = eachPage(async (afterSample) => {
      if (afterSample === null) return streamStatsCollection
      const [again] = (await read(after, afterSample)).resources
      if (!again) throw insightsSurprise('the stream is gone')
      return again.streamStatsCollection
    })
    return { pageInfo, resources: [{ ...stream, ...meeting, statistics: await Array.fromAsync(samples) }] }
  })
}

function streamsQuestion(of: Side) {
  const sample: z.ZodObject = streamStatistics[of]
  const samples = `streamStatsCollection(first: ${SAMPLES}, endCursor: $afterSample) { ${PAGE} resources { ${selectionOf(sample)} } }`
  const list = `list: ${of}(first: 1, endCursor: $after) { ${PAGE} resources { ${selectionOf(meetingStream)} ${samples} } }`
  return {
    question: {
      declare: { meetingId: 'String!', after: 'String', afterSample: 'String' },
      fields: `meetings(meetingId: $meetingId) { ${PAGE} resources { ${list} } }`,
    },
    found: z.object({ list: insightsPage(meetingStream.extend({ streamStatsCollection: insightsPage(sample) })) }),
  }
}

/** One page of a session's meetings. */
async function askMeetings<Meeting extends z.ZodType>(
  ask: Ask,
  meeting: Meeting,
  { declare, fields }: Question,
  values: Readonly<Record<string, unknown>>,
  options?: InsightsOptions,
) {
  const resources = z.array(z.object({ meetings: insightsPage(meeting) }))
  const found = z.object({ sessionData: z.object({ sessions: z.object({ resources }) }) })
  const question = {
    declare: { sessionId: 'String!', ...declare },
    fields: `sessionData { sessions(sessionIds: [$sessionId]) { resources { ${fields} } } }`,
  }
  const [session] = (await ask(found, question, values, options)).sessionData.sessions.resources
  if (!session) throw insightsSurprise('the session is gone')
  return session.meetings
}
