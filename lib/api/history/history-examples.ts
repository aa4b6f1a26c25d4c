const showId = '3b9c6c2d-6a55-4f0a-8f1e-0d6a5c7e2b41'
const at = '2026-12-01T18:01:30.000Z'
const deliveryId = '5f0d1c7a9e3b4826b1d7c04e9a8f6253'
const keyId = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'

const started = {
  id: `${showId}/recording.started/program/1/`,
  event: 'recording.started',
  ...{ at, showId, name: 'program', part: 1 },
  archiveId: 'b40ef09b-3811-4726-b508-e41a0f96c68f',
  labels: { customer: 'c-7' },
}

/** Examples of the routes about the course of a show. */
export const historyExamples = {
  'GET /shows/{id}/events': { answer: { items: [started], cursor: 'mj2v1k0o.1f0c9a77' } },
  'GET /shows/{id}/execution': {
    answer: {
      ...{ showId, machine: 'show', name: showId, status: 'running', startedAt: at, input: `{"showId":"${showId}"}` },
      states: [
        {
          ...{ id: 2, name: 'Open session', type: 'Task', status: 'succeeded' },
          ...{ enteredAt: at, exitedAt: '2026-12-01T18:01:31.200Z', input: '{}', output: '{"sessionId":"2_MX4x"}' },
          attempts: [
            {
              ...{ startedAt: at, endedAt: '2026-12-01T18:01:30.100Z' },
              ...{ error: 'PlatformUnavailableError', cause: 'The video platform answered 503.' },
            },
            { startedAt: '2026-12-01T18:01:31.100Z', endedAt: '2026-12-01T18:01:31.200Z' },
          ],
        },
        {
          ...{ id: 9, name: 'Watch', type: 'Task', status: 'running', enteredAt: '2026-12-01T18:01:31.200Z' },
          input: `{"showId":"${showId}"}`,
          attempts: [{ startedAt: '2026-12-01T18:01:31.200Z' }],
          child: { machine: 'watch', name: 'e1b0a6d2-7c55-4b7e-9f5c-0f3b0c6b7a11' },
        },
      ],
      closings: [],
      redrivable: false,
    },
  },
  'POST /shows/{id}/execution/redrive': { answer: { showId, executionName: showId } },
  'GET /shows/{id}/cost': {
    answer: {
      ...{ showId, region: 'us-east-1', asOf: '2026-11' },
      counted: {
        usd: 0.0095,
        items: [{ item: 'Step Functions', amount: '379 transitions', usd: 0.0095 }],
        storage: { item: 'Storage', amount: '3.8 GB', usd: 0.0874 },
        minutes: { recordings: 60, broadcasts: 60, participants: 1_580.5 },
      },
      estimated: {
        usd: 0.0145,
        items: [
          { item: 'Step Functions', amount: '379 transitions', usd: 0.0095 },
          { item: 'S3, writes and lists', amount: '1,000 requests', usd: 0.005 },
        ],
        storage: { item: 'Storage', amount: '3.8 GB', usd: 0.0874 },
        minutes: { recordings: 60, broadcasts: 60 },
      },
      uncounted: ['S3, writes and lists'],
      missingExecutions: 0,
    },
  },
  'GET /shows/{id}/deliveries': {
    answer: {
      items: [
        {
          deliveryId,
          status: 'delivered',
          event: { ...started, stage: 'prod' },
          attempts: [
            { at, duration: 10, problem: 'TIMEOUT', keyId, verified: true },
            { at: '2026-12-01T18:01:45.000Z', duration: 0.213, status: 204, keyId, verified: true },
          ],
        },
      ],
    },
  },
  'POST /shows/{id}/deliveries/{deliveryId}/replay': { answer: { showId, deliveryId } },
} as const
