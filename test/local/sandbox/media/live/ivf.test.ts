import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { ivfFrame, ivfHeader, readIvf } from '../../../../../local/sandbox/media/live/ivf.ts'

it('readIvf returns the frames that were written and their times, however the bytes are divided', async () => {
  const frames = [1, 20, 3_000].map((length, index) => ({
    data: [...new Uint8Array(length).fill(length)],
    time: index,
  }))
  const written = frames.map(({ data, time }) => ivfFrame(Uint8Array.from(data), time))
  const bytes = Buffer.concat([ivfHeader('VP8', { width: 640, height: 480 }), ...written])
  for (const size of [1, 33, bytes.length]) {
    const read: typeof frames = []
    const stream = new PassThrough()
    readIvf(stream, (data, time) => read.push({ data: [...data], time }))
    for (let start = 0; start < bytes.length; start += size) stream.write(bytes.subarray(start, start + size))
    await once(stream.end(), 'end')
    expect(read).toEqual(frames)
  }
})
