import type { Clock } from '../../../lib/clock.ts'
import { limits } from '../../../lib/platform/contract/limits.ts'
import type { Fault } from './faults.ts'
import { Refusal } from './refusal.ts'

/** Thrown instead of an answer when a fault has cut the connection. `code` is that of a caller's network stack. */
export class ConnectionCut extends Error {
  override readonly name = 'ConnectionCut'
  readonly code: 'ECONNREFUSED' | 'ECONNRESET'

  constructor(code: 'ECONNREFUSED' | 'ECONNRESET') {
    super(
      code === 'ECONNREFUSED'
        ? 'The connection was refused by an ordered fault.'
        : 'The connection was cut by an ordered fault.',
    )
    this.code = code
  }
}

/** Answers a request under a fault. @throws {@link ConnectionCut} */
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
      await answer().catch(() => {}) // the caller gets no answer, so a refusal does not matter
      throw new ConnectionCut('ECONNRESET')
    case 'malformed':
      return malformed(await statusOf(answer))
    case 'status': {
      const { status } = fault
      return Response.json({ code: status, message: 'A fault is ordered for this operation.' }, { status })
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

/** Returns an answer as a broken proxy might send it: HTML under the original content type. */
const malformed = (status: number) =>
  new Response('<html><body>This is not the answer.</body></html>', {
    status: status === 204 ? 200 : status,
    headers: { 'content-type': 'application/json' },
  })

interface Page {
  readonly count: number
  readonly items: readonly { readonly createdAt: number }[]
}

/** Maximum number of items in one page. */
const MAX = limits.listCountMax.value

/** Returns a page of a list as it was at `time`. Lists are newest first, so later items are skipped at their beginning. */
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
