import type { Clock } from '../../../lib/clock.ts'
import { limits } from '../../../lib/platform/contract/limits.ts'
import type { Fault } from './faults.ts'
import { Refusal } from './refusal.ts'

/** A connection that a fault has cut: there is no answer. `code` is what a caller's own network stack would say. */
export class ConnectionCut extends Error {
  override readonly name = 'ConnectionCut'
  readonly code: 'ECONNREFUSED' | 'ECONNRESET'

  constructor(code: 'ECONNREFUSED' | 'ECONNRESET') {
    super(code === 'ECONNREFUSED' ? 'The connection was refused, as ordered.' : 'The connection was cut, as ordered.')
    this.code = code
  }
}

/** Answers as a fault will have it. @throws ConnectionCut */
export async function respondWithFault(
  fault: Fault,
  answer: () => Promise<Response>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<Response> {
  switch (fault.type) {
    case 'refuse':
      throw new ConnectionCut('ECONNREFUSED')
    case 'dropBefore':
      throw new ConnectionCut('ECONNRESET')
    case 'dropAfter':
      await answer().catch(() => {}) // nobody hears whether it was refused
      throw new ConnectionCut('ECONNRESET')
    case 'malformed':
      return malformed(await statusOf(answer))
    case 'status': {
      const { status } = fault
      return Response.json({ code: status, message: 'A fault was ordered for this call.' }, { status })
    }
    case 'delay':
      await clock.sleep(fault.ms, signal)
      return answer()
    default:
      return answer()
  }
}

const statusOf = (answer: () => Promise<Response>) =>
  answer().then(
    ({ status }) => status,
    (error) => (error instanceof Refusal ? error.status : 500),
  )

/** What a proxy in between might answer, under the header of what it should have passed on. */
const malformed = (status: number) =>
  new Response('<html><body>This is not the answer.</body></html>', {
    status: status === 204 ? 200 : status,
    headers: { 'content-type': 'application/json' },
  })

interface Page {
  readonly count: number
  readonly items: readonly { readonly createdAt: number }[]
}

/** Items of one page. */
const MAX = limits.listCountMax.value

/** A list as it was at `time`: newest first, what came later is its beginning. */
export async function listAsOf(time: number, list: (query: unknown) => unknown, query: unknown): Promise<Page> {
  const { offset, count, ...rest } = query as { offset: number; count: number }
  const read = async (offset: number, count: number) => (await list({ ...rest, offset, count })) as Page
  let later = 0
  for (let found = MAX; found === MAX; later += found) {
    const { items } = await read(later, MAX)
    found = items.filter(({ createdAt }) => createdAt > time).length
  }
  const page = await read(offset + later, count)
  return { ...page, count: page.count - later }
}
