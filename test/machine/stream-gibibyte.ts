import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { realClock } from '../../lib/clock.ts'
import { createS3 } from '../../local/cloud/s3/s3.ts'
import { listen } from '../../local/cloud/server.ts'

/**
 * Puts a gibibyte into S3 as one body and in parts, and gets both back, client and server in this one process. Prints as JSON
 * how many bytes its memory has grown by at most, and what came back.
 */
const GIBIBYTE = 2 ** 30
const CHUNK = Buffer.alloc(2 ** 18)
for (let at = 0; at < CHUNK.length; at++) CHUNK[at] = (at * 31) % 251

function* gibibyte(): Generator<Buffer> {
  for (let sent = 0; sent < GIBIBYTE; sent += CHUNK.length) yield CHUNK
}

/** How many bytes come, while they are what was sent. */
async function count(body: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const piece of body) {
    const at = bytes % CHUNK.length
    const rest = CHUNK.length - at
    const isSame = CHUNK.compare(piece, 0, Math.min(rest, piece.length), at, at + Math.min(rest, piece.length)) === 0
    if (!isSame) throw new Error(`Other bytes than were sent come after ${bytes}.`)
    bytes += piece.length
  }
  return bytes
}

const directory = mkdtempSync(join(tmpdir(), 'stream-gibibyte-'))
const s3 = createS3({ directory, clock: realClock, secretOf: () => 'secret' })
s3.createBucket('media')
const server = await listen(s3.fetch)
const client = new S3Client({
  endpoint: server.url,
  region: 'us-east-1',
  credentials: { accessKeyId: 'AKIA', secretAccessKey: 'secret' },
})
try {
  const before = process.memoryUsage.rss()
  const at = (Key: string) => ({ Bucket: 'media', Key })
  const whole = { ...at('whole'), Body: Readable.from(gibibyte()), ContentLength: GIBIBYTE }
  await client.send(new PutObjectCommand(whole))
  await new Upload({ client, params: { ...at('parts'), Body: Readable.from(gibibyte()) } }).done()
  const received: number[] = []
  for (const Key of ['whole', 'parts']) {
    const { Body } = await client.send(new GetObjectCommand(at(Key)))
    received.push(await count(Body as Readable))
  }
  const grown = process.resourceUsage().maxRSS * 1024 - before
  console.log(JSON.stringify({ grown, received }))
} finally {
  client.destroy()
  await server.close()
  s3.close()
  rmSync(directory, { recursive: true })
}
