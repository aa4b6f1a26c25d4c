import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createDownload } from '../../../lib/aws/download.ts'
import { createSteppedClock } from '../../../lib/clock.ts'

const URL = 'https://cloud.example/archive.mp4?signature=hidden'

/** Answers with a file whose chunks the test sends, until the request is aborted. */
function openServer() {
  const clock = createSteppedClock(0)
  const asked: Request[] = []
  let file: ReadableStreamDefaultController<Uint8Array> | undefined
  const answering = Promise.withResolvers<void>()
  const download = createDownload(async (input, init) => {
    const request = new Request(input, init)
    asked.push(request)
    await Promise.race([answering.promise, whenAborted(request.signal)])
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        file = controller
        request.signal.addEventListener('abort', () => controller.error(request.signal.reason), { once: true })
      },
    })
    return new Response(body, { status: request.headers.has('range') ? 206 : 200 })
  }, clock)
  return {
    ...{ clock, asked, download, answer: answering.resolve },
    send: (text: string) => file?.enqueue(Buffer.from(text)),
    end: () => file?.close(),
  }
}

const whenAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

describe('createDownload', () => {
  it('passes a file on while it arrives, however long that takes', async () => {
    const { clock, download, answer, send, end, asked } = openServer()
    answer()
    const whole = buffer(await download(URL, { range: { offset: 5, size: 4 } }))
    for (const text of ['ab', 'cd']) {
      await clock.advance(9_000)
      send(text)
    }
    await clock.advance(9_000)
    end()
    expect((await whole).toString()).toBe('abcd')
    expect(asked[0]?.headers.get('range')).toBe('bytes=5-8')
    expect(clock.nextDue()).toBeUndefined()
  })

  it.each([
    ['answers', () => {}],
    ['sends the file', ({ answer }: ReturnType<typeof openServer>) => answer()],
  ])('gives up when nothing %s for 10 s, without its URL', async (_what, begin) => {
    const server = openServer()
    const whole = server.download(URL).then(buffer)
    begin(server)
    const failure = expect(whole).rejects.toMatchObject({
      name: 'ServiceError',
      message: 'The platform’s file cannot be fetched (nothing arrives).',
    })
    await server.clock.advance(10_000)
    await failure
    expect(server.asked[0]?.signal.aborted).toBe(true)
  })

  it('lets a slow reader take its time', async () => {
    const { clock, download, answer, send, end } = openServer()
    answer()
    const file = await download(URL)
    send('ab')
    const chunks = file[Symbol.asyncIterator]()
    expect(String((await chunks.next()).value)).toBe('ab')
    send('cd')
    end()
    await clock.advance(60_000)
    expect(String((await chunks.next()).value)).toBe('cd')
  })

  it('is given up by its caller', async () => {
    const { download } = openServer()
    const caller = new AbortController()
    const file = download(URL, { signal: caller.signal })
    caller.abort()
    await expect(file).rejects.toMatchObject({ name: 'ServiceError', message: expect.stringMatching(/AbortError/) })
  })
})
