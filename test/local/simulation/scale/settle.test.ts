import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { realClock } from '../../../../lib/clock.ts'
import { parseShow } from '../../../../lib/show/document/show.ts'
import { createS3 } from '../../../../local/cloud/s3/s3.ts'
import { awsClientConfig } from '../../../../local/simulation/environment/services.ts'
import type { ExecutionEvidence } from '../../../../local/simulation/invariants/evidence.ts'
import { settleShow } from '../../../../local/simulation/scale/settle.ts'
import { createShowFile } from '../../../../local/simulation/scale/show-file.ts'
import type { World } from '../../../../local/simulation/world.ts'

const showId = 'a'.repeat(40)
const s3 = createS3({ clock: realClock, secretOf: () => 'secret' })
afterAll(() => s3.close())
const client = new S3Client(awsClientConfig(s3.fetch, { accessKeyId: 'a', secretAccessKey: 'secret' }))
const put = (name: string, document: object) =>
  client.send(new PutObjectCommand({ Bucket: 'shows', Key: `shows/${showId}/${name}`, Body: JSON.stringify(document) }))

const world = {
  cloud: { s3 },
  observer: { storage: { bucket: 'shows' }, platform: async () => ({}) },
  platform: { files: new Map() },
  handedOut: { all: [] },
  keyChanges: [],
  leftOut: {},
  clock: realClock,
} as unknown as World
const common = { secrets: [{ name: 'a key', value: 'hidden-from-all' }], callbackKeys: [], worldFaults: [] }

function fileOf() {
  const file = createShowFile(showId)
  const execution = { machine: 'show', name: showId, startDate: new Date(), history: [] }
  file.executions.push(execution as unknown as ExecutionEvidence)
  return file
}

beforeEach(async () => {
  s3.createBucket('shows', 'Enabled')
  const parsed = parseShow({ version: 1, name: 'Test', duration: 60, recordings: [{ name: 'program' }] })
  await put('request.json', { version: 1, showId, ...parsed })
})

describe('settleShow', () => {
  it('finds a show without a result', async () => {
    const { status, broken } = await settleShow(world, fileOf(), common)
    expect(status).toBe('unreported')
    expect(broken).toEqual([
      { invariant: 'every show reported', detail: `the show ${showId.slice(0, 12)} has no result: its state is none` },
    ])
  })

  it('finds a secret in a former version, and frees this version', async () => {
    await put('state.json', { status: 'live', timeline: [], note: 'hidden-from-all' })
    await put('state.json', { status: 'live', timeline: [] })
    const { broken } = await settleShow(world, fileOf(), common)
    expect(broken.map(({ detail }) => detail)).toContain(
      `a version of the object shows/${showId}/state.json shows a key`,
    )
    const again = await settleShow(world, fileOf(), common)
    expect(again.broken.map(({ invariant }) => invariant)).toEqual(['every show reported'])
    expect((await s3.read('shows', `shows/${showId}/state.json`))?.bytes.toString()).toBe(
      '{"status":"live","timeline":[]}',
    )
  })
})
