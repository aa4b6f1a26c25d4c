import type { ServerResponse } from 'node:http'
import type { Http2Bindings, HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { withPooledBuffer } from './buffer-pool.ts'

export interface Content {
  /** @param memory buffer that is overwritten with each chunk, for readers that keep none */
  bytes(memory?: Uint8Array): AsyncGenerator<Uint8Array>
  /** Releases the content, after its end or early. May be called twice. */
  release(): void
}

const contents = new WeakMap<Response, Content>()

/** Returns a response with this content. Its body is a stream, except to `sendResponse`. */
export function responseOf(content: Content, init: ResponseInit): Response {
  const response = new Response(streamOf(content), init)
  contents.set(response, content)
  return response
}

/** Sends a response of `responseOf` with one buffer. Any other response is left to the server. */
export async function sendResponse(response: Response, bindings: HttpBindings | Http2Bindings): Promise<Response> {
  const content = contents.get(response)
  if (!content || response.bodyUsed) return response
  const outgoing = bindings.outgoing as ServerResponse // none of the servers here speaks HTTP/2
  try {
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    await withPooledBuffer(async (memory) => {
      for await (const bytes of content.bytes(memory)) if (!(await write(outgoing, bytes))) return
    })
    outgoing.end()
  } catch (error) {
    console.error(error) // for the user of this machine; the client sees a broken connection
    outgoing.destroy()
  } finally {
    content.release()
  }
  return RESPONSE_ALREADY_SENT
}

/** Resolves when the buffer may be overwritten, to false if the client is gone. */
function write(outgoing: ServerResponse, bytes: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    const turnedAway = () => resolve(false)
    if (outgoing.destroyed) return turnedAway()
    outgoing.once('close', turnedAway)
    outgoing.write(bytes, (error) => {
      outgoing.off('close', turnedAway)
      resolve(!error)
    })
  })
}

function streamOf(content: Content): ReadableStream<Uint8Array> {
  let bytes: AsyncGenerator<Uint8Array> | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          bytes ??= content.bytes()
          const { done, value } = await bytes.next()
          if (!done) return controller.enqueue(value)
          content.release()
          controller.close()
        } catch (error) {
          content.release()
          throw error
        }
      },
      async cancel() {
        await bytes?.return(undefined)
        content.release()
      },
    },
    { highWaterMark: 0 }, // nothing is read before it is requested
  )
}
