import type { DirectRequest, DirectResponse } from '../../../sandbox/http/direct-answers.ts'
import { addresses } from '../addresses.ts'
import type { Network } from '../network.ts'
import { namePlatformRequest } from '../request-names.ts'

/** The part of the platform that answers without HTTP. */
export interface DirectPlatform {
  answerDirectly(request: DirectRequest): Promise<DirectResponse | undefined>
}

/**
 * Creates a `fetch` that calls the platform's operations without HTTP. Under a fault, and for all else, it makes the call
 * with the whole protocol.
 */
export function fetchDirectly(
  outside: Pick<Network, 'fetch' | 'skipProtocol'>,
  platform: DirectPlatform,
): typeof globalThis.fetch {
  return async (input, init) => {
    const call = callOf(input, init)
    const name = call && namePlatformRequest(call)
    if (!call || name === undefined) return outside.fetch(new Request(input, init))
    const path = pathOf(call.url)
    const { value, passed } = await outside.skipProtocol(
      `platform ${name}`,
      () => platform.answerDirectly(call),
      ({ status }) => ({ status, path }),
      'platform',
    )
    return value ? toResponse(value) : outside.fetch(new Request(input, init), passed)
  }
}

/** Returns a call of the platform; undefined for one of another server, or in a form that its client does not use. */
function callOf(input: Parameters<typeof fetch>[0], init: RequestInit = {}): DirectRequest | undefined {
  const { method = 'GET', headers, body } = init
  if (typeof input !== 'string' || !input.startsWith(`${addresses.platform}/`)) return undefined
  if (typeof headers !== 'object' || headers instanceof Headers || Array.isArray(headers)) return undefined
  if (body !== undefined && typeof body !== 'string') return undefined
  return { method, url: input, headers: lowerCased(headers as Readonly<Record<string, string>>), body }
}

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const pathOf = (url: string) => url.slice(addresses.platform.length).replace(/[?#].*/, '')

const encoder = new TextEncoder()

/** Returns the parts of a response that the platform's client reads. */
function toResponse({ status, headers, text }: DirectResponse): Response {
  const chunks = text === '' ? [] : [encoder.encode(text)]
  const reader = { read: async () => ({ done: chunks.length === 0, value: chunks.shift() }) }
  const body = text === '' ? null : { getReader: () => reader }
  return { status, headers: { get: (name: string) => headers.get(name) ?? null }, body } as unknown as Response
}
