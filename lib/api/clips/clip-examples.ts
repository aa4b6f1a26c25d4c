const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'
const clipId = '0f6e8a52c3d94b77'
const expiresAt = '2026-12-31T18:00:00.000Z'
const page = `https://watch.example.com/watch/${archiveId}/clips/${clipId}`
const credentials = 'expires=1798740000&signature=kq3v1m'
const key = `recordings/${archiveId}/clips/${clipId}/clip.mp4`

const clip = {
  ...{ archiveId, clipId, name: 'The demo', from: 754.5, to: 812 },
  ...{ createdAt: '2026-12-01T19:10:00.000Z', createdBy: 'webinars', status: 'cutting' },
  watch: { url: `${page}?${credentials}`, expiresAt },
  hls: { url: `${page}/playlist?file=master.m3u8&${credentials}`, expiresAt },
}
const published = {
  ...clip,
  ...{ status: 'published', endedAt: '2026-12-01T19:10:04.000Z' },
  file: {
    ...{ key, size: 9_306_112, sha256: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9' },
    ...{ url: `https://media.example.com/${key}?X-Amz-Expires=3600&X-Amz-Signature=fe5f80f77d5fa3be`, expiresAt },
  },
}

const showId = '3b9c6c2d-6a55-4f0a-8f1e-0d6a5c7e2b41'
const { archiveId: _, ...ofShow } = clip
const live = { ...ofShow, showId, broadcast: 'live' }

/** Bodies and answers of the routes of clips. */
export const clipExamples = {
  'POST /recordings/{archiveId}/clips': { body: { name: 'The demo', from: 754.5, to: 812 }, answer: clip },
  'GET /recordings/{archiveId}/clips': { answer: { items: [published] } },
  'GET /recordings/{archiveId}/clips/{clipId}': { answer: published },
  'DELETE /recordings/{archiveId}/clips/{clipId}': { answer: { archiveId, clipId } },
  'POST /shows/{id}/clips': { body: { name: 'The demo', last: 60 }, answer: live },
  'GET /shows/{id}/clips': { answer: { items: [live] } },
  'GET /shows/{id}/clips/{clipId}': { answer: live },
  'DELETE /shows/{id}/clips/{clipId}': { answer: { showId, clipId } },
} as const
