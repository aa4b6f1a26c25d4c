import type { RouteKey } from './api.ts'
import { clipExamples } from './clips/clip-examples.ts'
import { historyExamples } from './history/history-examples.ts'

interface Example {
  readonly body?: unknown
  readonly answer: unknown
}

const showId = '3b9c6c2d-6a55-4f0a-8f1e-0d6a5c7e2b41'
const sessionId = '2_MX4xMDAwMDF-fjE3OTUxMjM0NTY3ODl-ZXhhbXBsZX4'
const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'
const acceptedAt = '2026-12-01T18:00:00.000Z'
const liveAt = '2026-12-01T18:01:30.000Z'
/** A token's subject. */
const by = 'webinars'
const control = '0f6e8a52c3d94b7786a1d2c4e5f60718293a4b5c'

const show = {
  version: 1.1,
  name: 'Launch webinar',
  duration: 3_600,
  recordings: [{ name: 'program' }],
  broadcasts: [{ name: 'live', hls: {} }],
}

/** The beginning of an invitation, without the rest of its content. */
const invitation = 'eyJ2ZXJzaW9uIjoxLCJzaG93SWQiOiIzYjlj'

const start = { at: '2026-12-08T19:00', zone: 'Europe/Berlin' }

const controlled = (what: string, detail: string, name?: string) => ({
  showId,
  control,
  timeline: [{ at: liveAt, what, ...(name && { name }), id: control, by, detail }],
})

const linkEnd = '2026-12-31T18:00:00.000Z'
const link = (key: string) => `https://media.example.com/${key}?X-Amz-Expires=3600&X-Amz-Signature=fe5f80f77d5fa3be`
const source = `100001/${archiveId}/archive.mp4`
const poster = `recordings/${archiveId}/poster.jpg`
const sha256 = 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'
const etag = '9e107d9d372bb6826bd81d3542a419d6'
const facts = {
  duration: 3_600.02,
  video: { codec: 'avc', width: 1_280, height: 720, frameRate: 30 },
  audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
}
const recording = {
  version: 1,
  archiveId,
  createdAt: liveAt,
  show: { showId, name: 'program', part: 1 },
  status: 'complete',
  access: 'signed',
  watch: {
    url: `https://api.example.com/watch/${archiveId}?expires=1798822800&signature=OTFkNzI5`,
    expiresAt: '2027-01-01T17:00:00.000Z',
  },
  source: { key: source, size: 734_003_200, sha256, url: link(source), expiresAt: linkEnd },
  ...facts,
  files: [{ role: 'poster', key: poster, size: 41_210, sha256: null, url: link(poster), expiresAt: linkEnd }],
}

const minutes = {
  streamedPublishedMinutes: 120,
  streamedSubscribedMinutes: 1_460.5,
  participantMinutes: 1_580.5,
  individualArchiveMinutes: 0,
  sdArchiveComposedMinutes: 0,
  hdArchiveComposedMinutes: 60,
  sdBroadcastComposedMinutes: 60,
  hdBroadcastComposedMinutes: 0,
  hlsMinutes: 60,
  sipUserMinutes: null,
}

export const apiExamples: Readonly<Record<RouteKey, Example>> = {
  'POST /shows': { body: show, answer: { showId, status: 'starting' } },
  'GET /shows': {
    answer: {
      items: [{ showId, name: show.name, status: 'live', acceptedAt, liveAt }],
      cursor: `8203833600000-${showId}`,
    },
  },
  'GET /shows/{id}': {
    answer: {
      ...{
        showId,
        name: show.name,
        status: 'live',
        acceptedAt,
        acceptedBy: by,
        startedAt: acceptedAt,
        sessionId,
        liveAt,
      },
      plannedEndAt: '2026-12-01T19:01:30.000Z',
      recordings: [
        { name: 'program', part: 1, tag: `${showId}/program/1`, archiveId, createdAt: liveAt, status: 'started' },
      ],
      broadcasts: [
        {
          ...{ name: 'live', part: 1, tag: `${showId}/live/1`, broadcastId: '1748b707-0a81-464c-9759-c46ad10d3734' },
          ...{ createdAt: liveAt, status: 'started', hlsStatus: 'live' },
          hls: 'https://cdn.example.com/1748b707-0a81-464c-9759-c46ad10d3734/index.m3u8',
        },
      ],
      scenes: [],
      dialIns: [],
      timeline: [{ at: liveAt, what: 'recording.started', name: 'program', part: 1 }],
    },
  },
  'PUT /shows/{id}': {
    body: { ...show, start },
    answer: {
      ...{ showId, name: show.name, status: 'scheduled', acceptedAt, acceptedBy: by },
      ...{ editedAt: liveAt, editedBy: by, start, nextStart: '2026-12-08T18:00:00.000Z' },
      recordings: [{ name: 'program', part: 1, tag: `${showId}/program/1` }],
      broadcasts: [{ name: 'live', part: 1, tag: `${showId}/live/1` }],
      ...{ scenes: [], dialIns: [], timeline: [] },
    },
  },
  'GET /shows/{id}/quality': {
    answer: {
      ...{ version: 1, showId, sessionId, askedAt: '2026-12-01T21:00:00.000Z' },
      badConnections: ['e9f8c166-6c67-440d-994a-04fb6dfed007'],
      streams: [
        {
          ...{ direction: 'sent', connectionId: 'e9f8c166-6c67-440d-994a-04fb6dfed007' },
          ...{ streamId: '8b732909-0a06-46a2-8ea8-074e64d43422', rating: 'bad', samples: 120 },
          ...{ audioBitrateKbps: { average: 31.5, worst: 12 }, videoBitrateKbps: { average: 410, worst: 64 } },
          ...{ audioLatencyMs: null, videoLatencyMs: { average: 180, worst: 910 } },
          ...{ audioPacketLoss: { average: 0.071, worst: 0.32 }, videoPacketLoss: { average: 0.064, worst: 0.29 } },
        },
      ],
      truncated: false,
    },
  },
  'GET /shows/{id}/streams': {
    answer: {
      items: [
        {
          streamId: '8b732909-0a06-46a2-8ea8-074e64d43422',
          name: 'Ada',
          videoType: 'camera',
          layoutClasses: ['focus'],
        },
        {
          ...{
            streamId: '2f0c1bb5-6d1e-4e4c-8b0b-0b6f0d8a3f11',
            name: 'stage',
            videoType: 'custom',
            layoutClasses: [],
          },
          ...{ dialIn: 'stage', connectionId: 'e9f8c166-6c67-440d-994a-04fb6dfed007' },
        },
      ],
    },
  },
  ...historyExamples,
  'PATCH /shows/{id}': {
    body: { duration: 5_400 },
    answer: controlled('control.duration', 'The show ends at 2026-12-01T19:31:30.000Z.'),
  },
  'DELETE /shows/{id}': { answer: { showId, status: 'stopped' } },
  'POST /shows/{id}/tokens': {
    body: { role: 'publisher', data: 'Ada' },
    answer: { apiKey: '100001', sessionId, token: '<client token>' },
  },
  'POST /shows/{id}/invitations': {
    body: { role: 'publisher', data: 'Ada' },
    answer: {
      ...{
        showId,
        invitation: `${invitation}.PgHm2yu7Y6MnNdYo`,
        url: `https://events.example.com/join#invitation=${invitation}.PgHm2yu7Y6MnNdYo`,
      },
      expiresAt: '2026-12-09T19:15:00.000Z',
    },
  },
  'DELETE /shows/{id}/invitations': { answer: { showId, revokedAt: acceptedAt } },
  'POST /public/join': {
    body: { invitation: `${invitation}.PgHm2yu7Y6MnNdYo` },
    answer: { showId, apiKey: '100001', sessionId, token: '<client token>' },
  },
  'POST /shows/{id}/stop': {
    body: {},
    answer: controlled('control.stop', '2 archives and broadcasts were stopped at once.'),
  },
  'POST /shows/{id}/signals': {
    body: { type: 'chat', data: 'We begin in a minute.' },
    answer: controlled('control.signal', 'A signal of type chat was sent to all participants.'),
  },
  'POST /shows/{id}/mute': {
    body: { active: true },
    answer: controlled('control.mute', 'Every stream was muted, and new ones will be.'),
  },
  'POST /shows/{id}/layout-classes': {
    body: { streams: [{ streamId: '8b732909-0a06-46a2-8ea8-074e64d43422', layoutClasses: ['focus'] }] },
    answer: controlled('control.layoutClasses', 'The stream 8b732909-0a06-46a2-8ea8-074e64d43422 has focus.'),
  },
  'POST /shows/{id}/tones': {
    body: { digits: '1713p#' },
    answer: controlled('control.tones', 'Tones were played to every client.'),
  },
  'POST /shows/{id}/disconnect': {
    body: { connectionId: 'e9f8c166-6c67-440d-994a-04fb6dfed007' },
    answer: controlled('control.disconnect', 'The connection e9f8c166-6c67-440d-994a-04fb6dfed007 was ended.'),
  },
  'POST /shows/{id}/dial-ins': {
    body: { name: 'stage', uri: 'sip:stage@sip.example.com;transport=tls' },
    answer: controlled('control.dialIn', 'It was dialed.', 'stage'),
  },
  'POST /shows/{id}/broadcasts': {
    body: { name: 'late', hls: { lowLatency: true } },
    answer: controlled('control.broadcast', 'The broadcast late was started.', 'late'),
  },
  'POST /shows/{id}/broadcasts/{name}/stop': {
    body: {},
    answer: controlled('control.stopBroadcast', 'The broadcast live is stopped.', 'live'),
  },
  'POST /shows/{id}/recordings/{name}/pause': {
    body: {},
    answer: controlled('control.pause', 'The recording program is paused.', 'program'),
  },
  'POST /shows/{id}/recordings/{name}/resume': {
    body: {},
    answer: controlled('control.resume', 'The recording program has resumed.', 'program'),
  },
  'POST /shows/{id}/markers': {
    body: { label: 'Questions' },
    answer: controlled('control.marker', 'The marker Questions is at 90 s.'),
  },
  ...clipExamples,
  'GET /recordings': { answer: { items: [recording] } },
  'GET /recordings/{archiveId}': { answer: recording },
  'DELETE /recordings/{archiveId}': {
    answer: { archiveId, objects: 4, restorableUntil: '2026-12-09T08:00:00.000Z' },
  },
  'POST /recordings/{archiveId}/restore': { answer: { archiveId, objects: 4 } },
  'POST /recordings/{archiveId}/accept': {
    body: { etag },
    answer: { archiveId, etag, outcome: 'publishing', executionName: `${archiveId}-accept-${etag.slice(0, 16)}` },
  },
  'POST /recordings/{archiveId}/reject': { body: { etag }, answer: { archiveId, etag, outcome: 'rejected' } },
  'POST /recordings/{archiveId}/revoke': { body: {}, answer: { archiveId, revoked: [archiveId] } },
  'POST /recordings/{archiveId}/rebuild': {
    body: { formats: ['poster'] },
    answer: { archiveId, executionName: `${archiveId}-rebuild-0f6e8a52c3d94b77` },
  },
  'PUT /recordings/{archiveId}/captions/{language}': {
    body: 'WEBVTT\n\n00:00:01.000 --> 00:00:03.500\nGood evening.\n',
    answer: { archiveId, captions: ['en', 'pt-BR'] },
  },
  'DELETE /recordings/{archiveId}/captions/{language}': { answer: { archiveId, captions: ['en'] } },
  'GET /.well-known/jwks.json': {
    answer: {
      keys: [
        {
          ...{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
          ...{ kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', use: 'sig', alg: 'EdDSA' },
        },
      ],
    },
  },
  'GET /public/recordings/{archiveId}': {
    answer: {
      ...{ version: 1, archiveId, createdAt: liveAt, status: 'complete', ...facts },
      watch: { url: `https://api.example.com/watch/${archiveId}` },
      source: { size: 734_003_200, sha256, url: link(source), expiresAt: linkEnd },
      files: [{ role: 'poster', size: 41_210, sha256: null, url: link(poster), expiresAt: linkEnd }],
    },
  },
  'GET /publishing': {
    answer: { items: [{ place: 1, archiveId, stage: 'ready', size: 734_003_200, since: liveAt, bytesAhead: 0 }] },
  },
  'GET /usage': {
    answer: {
      from: '2026-11-29',
      to: '2026-12-01',
      days: [{ version: 1, date: '2026-12-01', askedAt: '2026-12-04T00:12:00.000Z', minutes }],
    },
  },
}
