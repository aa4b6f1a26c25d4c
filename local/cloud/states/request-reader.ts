import { ServiceError } from './definition/errors.ts'

type Kind = 'text' | 'text!' | 'boolean' | 'integer'

type ValueOf<K extends Kind> = K extends 'text!'
  ? string
  : (K extends 'text' ? string : K extends 'boolean' ? boolean : number) | undefined

export interface RequestReader {
  /**
   * Returns the members of a request by their kinds (`!` is required).
   * @throws ServiceError ValidationException for another kind, and for unknown members
   */
  take<K extends Readonly<Record<string, Kind>>>(kinds: K): { [Name in keyof K]: ValueOf<K[Name]> }
}

/** Maximum bytes of a body, more than an input of 256 KiB escaped in JSON. */
const MAX_BODY_BYTES = 2_000_000

/** @throws ServiceError SerializationException when the body is not a JSON object */
export async function readRequest(request: Request): Promise<RequestReader> {
  const text = await request.text()
  if (text.length > MAX_BODY_BYTES) throw new ServiceError('SerializationException', 'The request body is too long.')
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new ServiceError('SerializationException', 'The request body is not JSON.')
  }
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw new ServiceError('SerializationException', 'The request body is not a JSON object.')
  const members = new Map<string, unknown>(Object.entries(body).filter(([, value]) => value !== null))
  return {
    take(kinds) {
      const unknown = [...members.keys()].find((name) => !Object.hasOwn(kinds, name))
      if (unknown !== undefined) throw new ServiceError('ValidationException', `'${unknown}' is not implemented here`)
      const read = ([name, kind]: [string, Kind]) => {
        const value = members.get(name)
        if (value === undefined && kind.endsWith('!'))
          throw new ServiceError('ValidationException', `'${name}' must be given`)
        if (value !== undefined && !isOfKind(value, kind))
          throw new ServiceError('ValidationException', `'${name}' must be of type ${kind.replace('!', '')}`)
        return [name, value]
      }
      return Object.fromEntries(Object.entries(kinds).map(read))
    },
  }
}

const isOfKind = (value: unknown, kind: Kind): boolean =>
  kind === 'integer' ? Number.isInteger(value) : typeof value === (kind === 'boolean' ? 'boolean' : 'string')
