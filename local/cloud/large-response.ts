import type { ServerResponse } from 'node:http'
import type { Http2Bindings, HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { withPooledBuffer } from './buffer-pool.ts'

/** Many bytes that come one after another. */
export interface Content {
  /** @param memory where they may be put, one over the other, by whoever keeps none */
  bytes(memory?: Uint8Array): AsyncGenerator<Uint8Array>
  /** Called when they have been gone through or nobody wants them any more; perhaps once more. */
  release(): void
}

const contents = new WeakMap<Response, Content>()

/** A response with this content as its body, which is a stream for everybody but `sendResponse`. */
export function responseOf(content: Content, init: ResponseInit): Response {
  const response = new Response(streamOf(content), init)
  contents.set(response, content)
  return response
}

/** Sends what `responseOf` made, in the same memory from its first byte to its last; any other response is left to the server. */
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
    console.error(error) // for whoever runs the laptop; the reader sees a connection that breaks
    outgoing.destroy()
  } finally {
    content.release()
  }
  return RESPONSE_ALREADY_SENT
}

/** Done once the bytes may be written over; says whether the reader is still there. */
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
    { highWaterMark: 0 }, // nothing is read before somebody wants it
  )
}
