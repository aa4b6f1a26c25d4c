/** Intercepts a call: answers it, throws as a lost connection does, or passes it on. */
export type Interceptor = (request: Request, pass: () => Promise<Response>) => Promise<Response>
/** Passes calls on. */
export const passing: Interceptor = (_request, pass) => pass()
/** Passes calls on. Set it for AWS where a test needs the whole protocol, which calls skip that nothing intercepts. */
export const overProtocol: Interceptor = (_request, pass) => pass()

/** An interceptor that lets what it names happen, and then loses the answer, the first `times` times. */
export const losingAnswers =
  (isMeant: (request: Request) => boolean, times = 1): Interceptor =>
  async (request, pass) => {
    const response = await pass()
    if (!isMeant(request) || times-- <= 0) return response
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) })
  }

/** An interceptor that loses what it names before any of it happens, the first `times` times. */
export const losingRequests =
  (isMeant: (request: Request) => boolean, times = 1): Interceptor =>
  async (request, pass) => {
    if (!isMeant(request) || times-- <= 0) return pass()
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) })
  }

/** An interceptor under which lists lag: so many of them show nothing yet. */
export const laggingLists =
  (lists: number, otherwise: Interceptor = passing): Interceptor =>
  async (request, pass) =>
    request.method === 'GET' && lists-- > 0 ? Response.json({ count: 0, items: [] }) : otherwise(request, pass)

/** An interceptor that answers what it names with this status and lets nothing of it happen. */
export const refusing =
  (isMeant: (request: Request) => boolean, status: number, times = Number.POSITIVE_INFINITY): Interceptor =>
  async (request, pass) =>
    isMeant(request) && times-- > 0 ? Response.json({ code: status, message: 'As arranged' }, { status }) : pass()

/** Returns a test for requests such as `POST /archive`, by method and pattern of the path. */
export const isCall = (method: string, path: RegExp) => (request: Request) =>
  request.method === method && path.test(new URL(request.url).pathname)
